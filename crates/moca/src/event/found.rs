//! What is found while an event is read.

use std::collections::HashSet;

use super::MAX_FINDINGS;
use crate::finding::{self, Code, Finding};
use crate::text;

/// Findings up to [`MAX_FINDINGS`], and each unknown member told once.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) all: Vec<Finding>,
    unknown: HashSet<String>,
}

impl Findings {
    pub(super) fn event(&mut self, code: &'static Code, path: &str, message: impl Into<String>) {
        self.extend([Finding::new(code, path, message)]);
    }

    pub(super) fn citation(
        &mut self,
        code: &'static Code,
        index: usize,
        path: &str,
        message: impl Into<String>,
    ) {
        self.extend([Finding::of_citation(code, index, path, message)]);
    }

    pub(super) fn unknown_member(&mut self, name: &str, at: &str) {
        if self.unknown.len() < MAX_FINDINGS && self.unknown.insert(name.to_owned()) {
            let message = format!(
                "The event has a member that this app does not know: {}.",
                text::quoted(name)
            );
            let path = format!("{at}/{}", text::shown(name));
            self.event(&finding::EVENT_UNKNOWN_MEMBER, &path, message);
        }
    }

    pub(super) fn extend(&mut self, more: impl IntoIterator<Item = Finding>) {
        for finding in more {
            match self.all.len() {
                len if len < MAX_FINDINGS => self.all.push(finding),
                MAX_FINDINGS => {
                    let message = "The event has more faults than are told one by one.";
                    self.all.push(Finding::new(&finding::EVENT_TOO_MANY_FINDINGS, "", message));
                }
                _ => {}
            }
        }
    }

    /// For what must be told whatever else there is.
    pub(super) fn always(&mut self, finding: Finding) {
        self.all.push(finding);
    }
}
