//! Citation records: what a Reader says of one node or part of it (`facts/moca-reader §7`).

mod comparable;
mod consistency;
mod model;
mod schema;

pub(crate) use comparable::Comparable;
pub use model::*;

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::Memo;
use crate::finding::{self, Finding};
use crate::json::{self, Node};
use crate::name::NodeRef;
use crate::text;

/// A record as read, and what was found on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The record, valid or not.
    pub reading: Reading,
    /// Findings, with JSON Pointers into the record.
    pub findings: Vec<Finding>,
}

/// A record that keeps the schema, or the reasons why it does not. There is no third.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// Every rule of the 0.4 schema is kept, unknown members set aside.
    Valid(Arc<Record>),
    /// At least one rule is broken: nothing of its trust may be shown.
    Invalid(Box<InvalidRecord>),
}

impl Reading {
    /// The JSON text exactly as received.
    #[must_use]
    pub fn raw(&self) -> &str {
        match self {
            Self::Valid(record) => &record.raw,
            Self::Invalid(record) => &record.raw,
        }
    }

    /// SHA-256 of the canonical JSON, 64 hexadecimal digits; `None` when the text is no JSON.
    #[must_use]
    pub fn record_sha256(&self) -> Option<&str> {
        match self {
            Self::Valid(record) => Some(&record.sha256),
            Self::Invalid(record) => record.sha256.as_deref(),
        }
    }

    /// The reference it states or that was rebuilt; of an invalid record only what it claims, for finding it again.
    #[must_use]
    pub fn node_ref(&self) -> Option<&str> {
        match self {
            Self::Valid(record) => record.node.reference.text(),
            Self::Invalid(record) => record.claimed_ref.as_deref(),
        }
    }

    /// The record, when it is valid.
    #[must_use]
    pub fn valid(&self) -> Option<&Record> {
        match self {
            Self::Valid(record) => Some(record),
            Self::Invalid(_) => None,
        }
    }
}

/// Reads the JSON text of one record.
///
/// Strict against the 0.4 schema with three differences that an archive needs (`seed §4`, `facts/moca-reader §7.1`):
/// unknown members are a finding and no refusal; a missing `node.ref` is rebuilt and marked; a member that is there
/// twice, or a text that is no Unicode, is a violation, since two readers could see two records in it.
#[must_use]
pub fn read(raw: &str) -> Read {
    match json::parse(raw) {
        Ok(node) => read_node(Received::of(raw, &node), &node),
        Err(error) => {
            let violation = Violation { path: String::new(), reason: error.to_string() };
            invalid(raw, None, None, vec![violation])
        }
    }
}

/// Reads the bytes of one record; of what is not UTF-8 nothing is believed.
#[must_use]
pub fn read_bytes(raw: &[u8]) -> Read {
    match std::str::from_utf8(raw) {
        Ok(text) => read(text),
        Err(error) => {
            let reason = format!("not UTF-8 at byte {}", error.valid_up_to());
            let violation = Violation { path: String::new(), reason };
            invalid(&String::from_utf8_lossy(raw), None, None, vec![violation])
        }
    }
}

/// What [`crate::standing`] looks at, and nothing else: without the text as received, the cited words and the digests of
/// the record, which are nearly all the work and the memory of a large one. Judged by the same rules as [`read_bytes`].
#[must_use]
pub fn read_trust(raw: &[u8]) -> Reading {
    let parsed = std::str::from_utf8(raw).ok().and_then(|text| json::parse(text).ok());
    let reading = match parsed {
        Some(node) => read_node(Received::default(), &node).reading,
        None => read_bytes(raw).reading,
    };
    match reading {
        Reading::Valid(record) => {
            let mut record = Arc::unwrap_or_clone(record);
            record.text = None;
            record.node.description = None;
            Reading::Valid(Arc::new(record))
        }
        Reading::Invalid(mut record) => {
            record.raw = String::new();
            record.sha256 = None;
            Reading::Invalid(record)
        }
    }
}

/// Reads the JSON text of one record, or remembers how the same bytes were read before.
pub(crate) fn read_again(raw: &str, memo: &mut Memo) -> Read {
    if let Some(known) = memo.record(raw) {
        return known.clone();
    }
    let read = read(raw);
    memo.keep_record(raw, &read);
    read
}

/// A record's text and the digests that name it.
#[derive(Default)]
struct Received {
    raw: String,
    sha256: String,
    comparable: Comparable,
}

impl Received {
    fn of(raw: &str, node: &Node<'_>) -> Self {
        Self {
            raw: raw.to_owned(),
            sha256: canonical_sha256(node),
            comparable: Comparable::of(node),
        }
    }
}

fn read_node(received: Received, node: &Node<'_>) -> Read {
    let checked = schema::check(node);
    match checked.parts {
        Ok(parts) => {
            let mut findings: Vec<Finding> =
                checked.unknown.iter().map(|p| unknown_member(p)).collect();
            let record = build(received, parts, checked.unknown);
            findings.extend(consistency::findings(&record));
            Read { reading: Reading::Valid(Arc::new(record)), findings }
        }
        Err(violations) => {
            let claimed = node
                .get("node")
                .and_then(|n| n.get("ref"))
                .and_then(Node::as_str)
                .map(str::to_owned);
            let mut read = invalid(&received.raw, Some(received.sha256), claimed, violations);
            read.findings.extend(checked.unknown.iter().map(|p| unknown_member(p)));
            read
        }
    }
}

fn build(received: Received, parts: schema::Parts, unknown_members: Vec<String>) -> Record {
    let schema::Parts { package, mut node, span, text, trust, evidence, rest } = parts;
    if node.reference == Reference::Absent
        && let Ok(built) = NodeRef::from_parts(&package.id, &package.version, &node.path)
    {
        node.reference = Reference::Rebuilt(built);
    }
    let mut record = Record {
        raw: received.raw,
        sha256: received.sha256,
        comparable: received.comparable,
        package,
        node,
        span,
        text,
        trust,
        evidence,
        concepts: rest.concepts,
        audience: rest.audience,
        profiles: rest.profiles,
        score: rest.score,
        retrieval: rest.retrieval,
        unknown_members,
        contradictions: Vec::new(),
    };
    record.contradictions = consistency::identity(&record);
    record
}

fn invalid(
    raw: &str,
    sha256: Option<String>,
    claimed_ref: Option<String>,
    violations: Vec<Violation>,
) -> Read {
    let findings = violations
        .iter()
        .map(|v| {
            Finding::new(&finding::RECORD_INVALID, &v.path, format!("The record is invalid: {v}."))
        })
        .collect();
    let record = InvalidRecord { raw: raw.to_owned(), sha256, claimed_ref, violations };
    Read { reading: Reading::Invalid(Box::new(record)), findings }
}

fn unknown_member(path: &str) -> Finding {
    let message =
        format!("The record has a member newer than this app knows: {}.", text::quoted(path));
    Finding::new(&finding::RECORD_UNKNOWN_MEMBER, path, message)
}

/// SHA-256 of a value's canonical JSON: members sorted by code point, no white space, numbers as spelt.
pub(crate) fn canonical_sha256(node: &Node<'_>) -> String {
    sha256_hex(&node.canonical())
}

/// SHA-256 of a text, 64 lower-case hexadecimal digits.
pub(crate) fn sha256_hex(text: &str) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digest = Sha256::digest(text.as_bytes());
    digest
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| DIGITS[usize::from(digit)])
        .collect()
}
