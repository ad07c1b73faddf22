//! The entries of `citations`.

use std::collections::HashMap;

use super::found::Findings;
use super::{
    AppliedEvent, Citation, CitationEvent, EventHead, InvalidEvent, MAX_CITATIONS, MAX_MARKER,
    text_of,
};
use crate::Memo;
use crate::finding::{self, Finding};
use crate::json;
use crate::record::{self, InvalidRecord, Reading, Violation};
use crate::text;

/// The entries as they are read, one at a time, so that a huge list never stands in memory as a tree.
#[derive(Default)]
pub(super) struct Citations {
    read: Vec<Citation>,
    not_read: usize,
    /// For each marker the first source that has it.
    markers: HashMap<String, Option<String>>,
}

impl Citations {
    pub(super) fn add(&mut self, entry: &str, memo: &mut Memo, findings: &mut Findings) {
        let index = self.read.len();
        if index == MAX_CITATIONS {
            self.not_read += 1;
            return;
        }
        let members = match json::members(entry) {
            Ok(Some(members)) => members,
            Ok(None) => return self.unusable(entry, "the entry is not an object", findings),
            Err(error) => return self.unusable(entry, &error.to_string(), findings),
        };
        let get = |name: &str| members.iter().find(|(n, _)| n == name).map(|(_, raw)| *raw);
        for (name, _) in &members {
            if !["marker", "record"].contains(&name.as_ref()) {
                findings.unknown_member(name, &format!("/citations/{index}"));
            }
        }
        let marker = get("marker").and_then(|raw| {
            let marker = text_of(raw).filter(|marker| can_stand_in_text(marker));
            if marker.is_none() {
                let message = "The marker is not a text that can stand in an answer.";
                findings.citation(&finding::EVENT_MARKER, index, "/marker", message);
            }
            marker
        });
        let Some(raw) = get("record") else {
            return self.unusable(entry, "the entry has no record", findings);
        };
        let record::Read { reading, findings: found } = record::read_again(raw, memo);
        findings.extend(found.into_iter().map(|finding| finding.within(index)));
        if let Some(marker) = &marker {
            let node = reading.node_ref().map(str::to_owned);
            let first = self.markers.entry(marker.clone()).or_insert_with(|| node.clone());
            if *first != node {
                let message =
                    format!("Another source has the marker {} too.", text::quoted(marker));
                findings.citation(&finding::EVENT_MARKER_SHARED, index, "/marker", message);
            }
        }
        self.read.push(Citation { marker, record: reading });
    }

    fn unusable(&mut self, entry: &str, reason: &str, findings: &mut Findings) {
        let message = format!("An entry cannot be used: {reason}.");
        findings.citation(&finding::EVENT_ENTRY, self.read.len(), "", message);
        let violation = Violation { path: String::new(), reason: reason.to_owned() };
        let record = InvalidRecord {
            raw: entry.to_owned(),
            sha256: None,
            claimed_ref: None,
            violations: vec![violation],
        };
        self.read.push(Citation { marker: None, record: Reading::Invalid(Box::new(record)) });
    }

    pub(super) fn into_event(self, head: EventHead, findings: &mut Findings) -> CitationEvent {
        let Self { read: citations, not_read, .. } = self;
        if not_read > 0 {
            let message = format!(
                "The event lists {not_read} citations beyond the limit of {MAX_CITATIONS}."
            );
            findings.always(Finding::new(&finding::EVENT_TOO_MANY, "/citations", message));
        }
        if citations.is_empty() {
            return CitationEvent::Empty(head);
        }
        if citations.iter().any(|citation| citation.record.valid().is_some()) {
            return CitationEvent::Applied(AppliedEvent { head, citations, not_read });
        }
        let EventHead { message_id, computed_at } = head;
        CitationEvent::Invalid(InvalidEvent {
            message_id: Some(message_id),
            computed_at,
            citations,
        })
    }
}

fn can_stand_in_text(marker: &str) -> bool {
    !marker.trim().is_empty() && marker.len() <= MAX_MARKER && !marker.chars().any(char::is_control)
}
