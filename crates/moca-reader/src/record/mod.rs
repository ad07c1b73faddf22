//! Citation records (`facts/moca-reader §7.1, §7.2`).

mod build;

pub use build::standing_at;
pub(crate) use build::{Context, build};

use serde::Serialize;

use crate::attestation::AttestedReview;
use crate::digest::Digest;
use crate::text::Text;
use crate::value::Value;

/// A citation record. Members are written in the order of the fields here.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CitationRecord {
    /// The package.
    pub package: CitedPackage,
    /// The node and the representation cited.
    pub node: CitedNode,
    /// Bytes of the node's file that `text` stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// Everything that decides whether to rely on it.
    pub trust: Trust,
    /// Evidence entries; the reference always writes the list, empty or not.
    pub evidence: Vec<CitedEvidence>,
    /// Absolute IRIs of bound concepts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub concepts: Vec<String>,
    /// `moca.audience`: a label, no access control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audience: Option<Text>,
    /// The package's profile URIs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<Text>,
    /// The passage, only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Text>,
    /// Search score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// How a search came to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retrieval: Option<Retrieval>,
}

/// `package` of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CitedPackage {
    /// Package id.
    pub id: Text,
    /// Package version.
    pub version: Text,
    /// Package digest.
    pub digest: Digest,
    /// A trusted key signed exactly this digest.
    pub signed: bool,
    /// By whom.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub signers: Vec<String>,
}

/// `node` of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CitedNode {
    /// `<package id>#<node path>`.
    pub id: String,
    /// `<package id>@<version>#<node path>`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Node path.
    pub path: Text,
    /// Locale of the representation, or the package's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<Text>,
    /// `type` of the frontmatter.
    #[serde(rename = "type")]
    pub kind: Text,
    /// `title`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// `description`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Text>,
    /// `tags`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<Text>>,
    /// SHA-256 of the representation's file.
    pub digest: Digest,
}

/// A byte range of a node's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
}

/// `trust` of a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trust {
    /// `draft`, `stable` or `deprecated`.
    pub status: Status,
    /// Who made it, as the author says; `null` if not said.
    pub generated: Option<Declared>,
    /// Who checked it, as the author says: never an attested review.
    #[serde(rename = "declaredVerified")]
    pub declared_verified: Vec<Declared>,
    /// Reviews signed by trusted keys over exactly this file, of every outcome.
    #[serde(rename = "attestedReviews")]
    pub attested_reviews: Vec<AttestedReview>,
    /// At or past `staleAfter`.
    pub stale: bool,
    /// `stale_after`, as written.
    #[serde(rename = "staleAfter", skip_serializing_if = "Option::is_none")]
    pub stale_after: Option<Text>,
    /// Inside the validity window.
    #[serde(rename = "inForce")]
    pub in_force: bool,
    /// Start of the window, as written.
    #[serde(rename = "validFrom", skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Text>,
    /// End of the window, as written.
    #[serde(rename = "validUntil", skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Text>,
    /// A loaded package supersedes this one.
    pub superseded: bool,
    /// Which.
    #[serde(rename = "supersededBy", skip_serializing_if = "Vec::is_empty")]
    pub superseded_by: Vec<Text>,
    /// The node or a loaded package says that something contradicts it.
    pub contested: bool,
    /// What.
    #[serde(rename = "contestedBy", skip_serializing_if = "Vec::is_empty")]
    pub contested_by: Vec<Text>,
}

/// Declared status of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Not finished.
    Draft,
    /// Meant to be relied on.
    Stable,
    /// No longer meant to be relied on.
    Deprecated,
}

/// An actor and a time, as the author wrote them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Declared {
    /// The actor.
    pub by: Text,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Text>,
}

/// One evidence entry of a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CitedEvidence {
    /// The whole `sources[]` entry, or `{"id": …}` if it is not declared.
    pub source: Value,
    /// The selector, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<Value>,
    /// The note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Text>,
    /// Found in the source, not found, or not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<bool>,
}

/// How a search came to a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Retrieval {
    /// `search`, `requires`, `parts`, `narrower` or `related`.
    pub via: &'static str,
    /// IRI of the concept it was reached from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}
