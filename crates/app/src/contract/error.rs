//! Errors as they cross to a host: a kind that a user interface can act on, a sentence and a hint.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What sort of failure it is. Nobody matches sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum ErrorKind {
    /// The input is not what the command takes: an unrecognised file, a bad cursor.
    BadInput,
    /// What was asked for does not exist.
    NotFound,
    /// The disk, the file system or SQLite failed.
    Storage,
    /// Bytes of the archive are damaged.
    Damaged,
    /// Another process holds the archive for writing.
    Busy,
    /// The archive was made by a newer version of Recite.
    UnsupportedVersion,
    /// No Reader could answer.
    ReaderUnavailable,
    /// The user stopped it.
    Cancelled,
    /// A fault of Recite itself.
    Internal,
}

/// A failure a person can read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Failure {
    /// What sort of failure.
    pub kind: ErrorKind,
    /// One sentence that says what happened.
    pub message: String,
    /// What the user can do about it, when there is something.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure without a hint.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A fault of Recite itself.
    #[must_use]
    pub fn internal(what: &str) -> Self {
        Self::new(ErrorKind::Internal, format!("{what}; this is a fault of Recite."))
            .hint("Nothing was lost; please report it with the steps that led here.")
    }
}
