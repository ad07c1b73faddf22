//! Findings: what is wrong or noteworthy in citation events and records, by stable code.

mod codes;

pub use codes::*;

use serde::Serialize;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// A rule is broken; the content is usable.
    Warning,
    /// Content could not be used.
    Error,
}

/// One line of the code table; `docs/findings.md` is made from [`CODES`].
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable name, `moca.<subject>.<fault>`.
    pub id: &'static str,
    /// Severity of every finding with this code.
    pub severity: Severity,
    /// One sentence that says what the code means.
    pub meaning: &'static str,
    /// The rule it stands for (`seed §3`, `facts/moca-reader §7.1`).
    pub rule: &'static str,
    /// The broken rule's number in the binding, `None` where nothing of the binding is broken.
    pub breaks: Option<&'static str>,
}

/// One thing found, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The code.
    pub code: &'static Code,
    /// One sentence about this occurrence; text of the source in it is quoted and bounded.
    pub message: String,
    /// JSON Pointer into the event's `value` (`/citations/0/record/node/ref`); for a lone record, into the record.
    pub path: String,
    /// Position in `citations` (from 0), when the finding is about one of them.
    pub citation: Option<usize>,
}

impl Finding {
    /// A finding about the event or record as a whole.
    pub(crate) fn new(code: &'static Code, path: &str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), path: path.to_owned(), citation: None }
    }

    /// The same, about the citation at `index`.
    pub(crate) fn of_citation(
        code: &'static Code,
        index: usize,
        path: &str,
        message: impl Into<String>,
    ) -> Self {
        let path = format!("/citations/{index}{path}");
        Self { code, message: message.into(), path, citation: Some(index) }
    }

    /// Moves a finding about a lone record to its place in an event.
    pub(crate) fn within(mut self, index: usize) -> Self {
        self.path = format!("/citations/{index}/record{}", self.path);
        self.citation = Some(index);
        self
    }
}
