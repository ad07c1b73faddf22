//! By what two copies of a record are compared that went different ways.

use sha2::{Digest as _, Sha256};

use crate::json::Node;

/// Digests of one record: of its text, which a service may leave out, and of all else, numbers normalised.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Comparable {
    rest: [u8; 32],
    text: Option<[u8; 32]>,
}

impl Comparable {
    pub(crate) fn of(record: &Node<'_>) -> Self {
        let sha256 = |text: &str| Sha256::digest(text.as_bytes()).into();
        Self {
            rest: sha256(&record.comparable_without("text")),
            text: record.get("text").and_then(Node::as_str).map(sha256),
        }
    }

    /// The same record, a left-out text set aside.
    pub(crate) fn is_of_the_same(&self, other: &Self) -> bool {
        self.rest == other.rest
            && (self.text.is_none() || other.text.is_none() || self.text == other.text)
    }
}
