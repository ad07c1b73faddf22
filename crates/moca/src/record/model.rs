//! The typed citation record (`facts/moca-reader §7.1`, field by field).

use std::fmt;

use serde::Serialize;

use super::Comparable;
use crate::name::{Digest, NodePath, NodeRef, PackageId, Span, Version};
use crate::text;
use crate::time::{CLOCK_SKEW_MILLIS, Instant, StatedTime, TimeReading};

/// A record that keeps every rule of the schema. Every text in it is untrusted data (`seed §4`, third MUST).
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The JSON text exactly as received.
    pub raw: String,
    /// SHA-256 of the canonical JSON, 64 hexadecimal digits.
    pub sha256: String,
    /// By what it is compared with what tool results show.
    pub(crate) comparable: Comparable,
    /// The package it is from.
    pub package: Package,
    /// The node it is of.
    pub node: CitedNode,
    /// The bytes of the node's file that it covers.
    pub span: Option<Span>,
    /// The words of that span, when the service sent them.
    pub text: Option<String>,
    /// What the Reader said of it, true at one moment only.
    pub trust: Trust,
    /// What the node rests on.
    pub evidence: Vec<Evidence>,
    /// Absolute IRIs of concepts.
    pub concepts: Vec<String>,
    /// For whom the node is; it protects nothing (`facts/moca-reader §10.1`).
    pub audience: Option<String>,
    /// Profile URIs of the package.
    pub profiles: Vec<String>,
    /// Rank of a search result, as spelt.
    pub score: Option<String>,
    /// How a search found it.
    pub retrieval: Option<Retrieval>,
    /// JSON Pointers of members that the 0.4 schema does not have.
    pub unknown_members: Vec<String>,
    /// Where the record contradicts itself about which node it is of; one sentence each.
    /// Not empty means that no flag can be tied to a node (`facts/moca-reader §13.3`).
    pub contradictions: Vec<String>,
}

impl Record {
    /// What to key it by (`seed §4`, first MUST).
    #[must_use]
    pub fn key(&self) -> CitationKey {
        match self.node.reference.text() {
            Some(text) => CitationKey::Ref(text.to_owned()),
            None => CitationKey::IdAndDigest {
                id: self.node.id.clone(),
                digest: self.package.digest.clone(),
            },
        }
    }
}

/// The key of a citation: never `node.id` alone, which all versions share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CitationKey {
    /// `node.ref`.
    Ref(String),
    /// `node.id` with `package.digest`, where no reference is known.
    IdAndDigest {
        /// `node.id`.
        id: String,
        /// `package.digest`.
        digest: Digest,
    },
}

/// `package` of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Its name.
    pub id: PackageId,
    /// Its version.
    pub version: Version,
    /// Digest over all its files.
    pub digest: Digest,
    /// Whether the Reader found a valid package attestation.
    pub signed: bool,
    /// Who signed, as the Reader's trust root names them.
    pub signers: Vec<String>,
}

/// `node` of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedNode {
    /// `<package id>#<path>`.
    pub id: String,
    /// `<package id>@<version>#<path>`, and where it comes from.
    pub reference: Reference,
    /// Path inside the package.
    pub path: NodePath,
    /// Language of the representation.
    pub locale: Option<String>,
    /// `type`, such as `Policy`.
    pub kind: String,
    /// Its title.
    pub title: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Digest of the representation's file.
    pub digest: Option<Digest>,
}

/// `node.ref`, or what stands for it in records of older services.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// As the record states it.
    Stated(NodeRef),
    /// Stated, but not of the form of a reference: a contradiction, kept as text.
    Misshapen(String),
    /// Absent, rebuilt as `<package.id>@<package.version>#<node.path>` (`facts/moca-reader §7.1`).
    Rebuilt(NodeRef),
    /// Absent, and the parts make no reference.
    Absent,
}

impl Reference {
    /// Its text, whatever it is worth.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Stated(node_ref) | Self::Rebuilt(node_ref) => Some(node_ref.as_str()),
            Self::Misshapen(text) => Some(text),
            Self::Absent => None,
        }
    }
}

/// `trust` of a record: true at `computedAt` and at no other time (`seed §2`).
#[derive(Debug, Clone, PartialEq)]
pub struct Trust {
    /// Life cycle of the node.
    pub status: Status,
    /// What made the node, if it says so.
    pub generated: Option<By>,
    /// Self-declared verifications. Never attested reviews.
    pub declared: Vec<By>,
    /// Reviews under a valid signature, of every outcome.
    pub reviews: Vec<AttestedReview>,
    /// From when on the node is stale.
    pub stale_after: Option<StatedTime>,
    /// From when on it is in force, inclusive.
    pub valid_from: Option<StatedTime>,
    /// Until when it is in force, exclusive.
    pub valid_until: Option<StatedTime>,
    /// The Reader found it stale.
    pub stale: bool,
    /// The Reader found it in force.
    pub in_force: bool,
    /// The Reader held a package that supersedes this one.
    pub superseded: bool,
    /// Which.
    pub superseded_by: Vec<String>,
    /// The node says, or the Reader held a package that says, that it is contested.
    pub contested: bool,
    /// By which.
    pub contested_by: Vec<String>,
}

/// `trust.status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Not yet meant to be relied on.
    Draft,
    /// Neither of the others.
    Stable,
    /// Not meant to be relied on any more.
    Deprecated,
}

/// Who did something, and when, by their own word: `generated` and `declaredVerified[]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct By {
    /// An actor such as `human:sam.ortiz`.
    pub by: String,
    /// When.
    pub at: Option<StatedTime>,
}

/// `attestedReviews[]`: a review under a valid signature. Only [`Outcome::Accurate`] is approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttestedReview {
    /// Who reviewed, by the signer's word.
    pub reviewer: String,
    /// When.
    pub reviewed_at: StatedTime,
    /// What they found.
    pub outcome: Outcome,
    /// Of what.
    pub scope: Option<String>,
    /// Whose signature it stands under.
    pub signer: String,
}

/// How far ahead of UTC a day may begin: a date without an offset may be that much earlier than its midnight in UTC.
const EARLIEST_DAY_MILLIS: i64 = 14 * 3_600_000;

impl AttestedReview {
    /// Whether it is dated after `at`, as nothing that was known then can be. An unreadable date says nothing.
    pub(crate) fn is_after(&self, at: Instant) -> bool {
        let slack = match self.reviewed_at.reading() {
            TimeReading::Exact { .. } => CLOCK_SKEW_MILLIS,
            TimeReading::DateOnly { .. } | TimeReading::NoOffset { .. } => EARLIEST_DAY_MILLIS,
            TimeReading::Unreadable => return false,
        };
        self.reviewed_at.instant().is_some_and(|reviewed| reviewed > at.plus(slack))
    }
}

/// The outcome of an attested review (`facts/moca-reader §4.4`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The one that approves.
    Accurate,
    /// Something has to change.
    NeedsChange,
    /// It is wrong.
    Inaccurate,
    /// A word that this app does not know; never approval.
    Other(String),
}

/// `evidence[]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// `source`, as compact JSON with sorted members.
    pub source: String,
    /// `selector`, likewise.
    pub selector: Option<String>,
    /// `note`.
    pub note: Option<String>,
    /// Whether the selector matched the cited file; `None`: not checked. Says the quote is there, not that it is true.
    pub matched: Option<bool>,
}

/// `retrieval`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retrieval {
    /// By what it was found.
    pub via: Via,
    /// The concept IRI it was reached from.
    pub from: Option<String>,
}

/// `retrieval.via`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// The search backend.
    Search,
    /// A node that requires it.
    Requires,
    /// A node that it is part of.
    Parts,
    /// A broader concept.
    Narrower,
    /// A related concept.
    Related,
}

/// A record that breaks the schema: kept, shown as invalid with its reasons, never with a badge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidRecord {
    /// The JSON text exactly as received.
    pub raw: String,
    /// SHA-256 of the canonical JSON; `None` when the text is no JSON.
    pub sha256: Option<String>,
    /// What it claims as `node.ref`, if that is a text: for finding it again, not for showing a source.
    pub claimed_ref: Option<String>,
    /// Every rule broken, up to [`MAX_VIOLATIONS`]; at least one.
    pub violations: Vec<Violation>,
}

/// Most violations that are told one by one.
pub const MAX_VIOLATIONS: usize = 100;

/// One broken rule of the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// JSON Pointer into the record.
    pub path: String,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.reason)
        } else {
            write!(f, "{} {}", text::shown(&self.path), self.reason)
        }
    }
}
