//! Records that were read before: reading one is most of the work of a list, and its bytes never change.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use archive::{Cited, Reader, Sha256};
use moca::record::{Reading, read_trust};

use crate::{App, contract::Failure, failure::Storage};

/// Records kept; a few kilobytes each without their words.
const KEPT: usize = 8192;

/// What records say of their own trust, by the SHA-256 of their bytes, so that nothing kept can go out of date.
#[derive(Default)]
pub(crate) struct Judged {
    held: HashMap<Sha256, Arc<Reading>>,
    order: VecDeque<Sha256>,
}

impl Judged {
    fn keep(&mut self, sha256: Sha256, reading: &Arc<Reading>) {
        if self.held.insert(sha256, Arc::clone(reading)).is_some() {
            return;
        }
        self.order.push_back(sha256);
        if self.order.len() > KEPT
            && let Some(oldest) = self.order.pop_front()
        {
            self.held.remove(&oldest);
        }
    }
}

impl App {
    /// What a cited record says, without its words: from memory where it was read before.
    pub(crate) fn judged(
        &self,
        reader: &Reader,
        cited: &Cited,
    ) -> Result<Option<Arc<Reading>>, Failure> {
        if let Some(held) = self.judged_records().held.get(&cited.sha256) {
            return Ok(Some(Arc::clone(held)));
        }
        let Some(record) = reader.record(cited.record).storage()? else { return Ok(None) };
        let read = Arc::new(read_trust(&record.json));
        self.judged_records().keep(cited.sha256, &read);
        Ok(Some(read))
    }
}
