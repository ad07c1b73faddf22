//! What was read before: the same record comes again in a tool result, in a citation event and in many answers.

use std::collections::HashMap;
use std::sync::Arc;

use crate::duty::Shows;
use crate::record::Read;

/// Most bytes of JSON texts that are remembered; past that all is forgotten. What is remembered takes a few times as much.
const MAX_BYTES: usize = 2 << 20;

/// Longest text that is remembered, in bytes.
const MAX_TEXT: usize = 64 << 10;

/// Remembers by their exact bytes what records say. Changes no result, only how fast it comes.
#[derive(Debug, Default)]
pub struct Memo {
    records: HashMap<Box<str>, Read>,
    /// What objects of tool results show, by how deeply JSON inside their texts is followed.
    shows: HashMap<usize, HashMap<Box<str>, Arc<Shows>>>,
    bytes: usize,
}

impl Memo {
    pub(crate) fn record(&self, raw: &str) -> Option<&Read> {
        self.records.get(raw)
    }

    pub(crate) fn keep_record(&mut self, raw: &str, read: &Read) {
        // An invalid record is told once for each citation and is rare.
        if read.reading.valid().is_some() && self.has_room(raw) {
            self.records.insert(raw.into(), read.clone());
        }
    }

    pub(crate) fn shows(&self, raw: &str, nesting: usize) -> Option<Arc<Shows>> {
        self.shows.get(&nesting)?.get(raw).cloned()
    }

    pub(crate) fn keep_shows(&mut self, raw: &str, nesting: usize, shows: &Arc<Shows>) {
        if self.has_room(raw) {
            self.shows.entry(nesting).or_default().insert(raw.into(), Arc::clone(shows));
        }
    }

    fn has_room(&mut self, raw: &str) -> bool {
        if raw.len() > MAX_TEXT {
            return false;
        }
        if self.bytes + raw.len() > MAX_BYTES {
            *self = Self::default();
        }
        self.bytes += raw.len();
        true
    }
}
