//! `moca.json`: its fields and its rules (`facts/moca-reader §1.2–1.5`).

use crate::digest::Digest;
use crate::value::Value;

/// A parsed manifest. Fields that break the schema are absent here (and reported as `M002`);
/// `raw` holds the document as written.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// `id`; empty if missing or not a string, and then the package is invalid.
    pub id: String,
    /// `version`; empty if missing or not a string, and then the package is invalid.
    pub version: String,
    /// `title`; empty if missing or not a string.
    pub title: String,
    /// `language` of the default representations.
    pub language: Option<String>,
    /// `locales`, as spelt.
    pub locales: Vec<String>,
    /// `validFrom`, as written.
    pub valid_from: Option<String>,
    /// `validUntil`, as written.
    pub valid_until: Option<String>,
    /// `members`, in order.
    pub members: Vec<MemberPin>,
    /// `relations`, in order.
    pub relations: Vec<Relation>,
    /// Keys of `profiles`, in order.
    pub profiles: Vec<String>,
    /// The document as written.
    pub raw: Value,
}

impl Manifest {
    /// `<id>@<version>`, the key of a package in a library and the name in its attestation.
    pub fn key(&self) -> String {
        format!("{}@{}", self.id, self.version)
    }
}

/// One exact pin of a member package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberPin {
    /// The member's package id.
    pub id: String,
    /// The member's version.
    pub version: String,
    /// The member's digest.
    pub digest: Digest,
}

/// One declared relation to another package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// `type`: `supersedes`, `conflictsWith`, `amends`, `crossReferences` or any other word.
    pub kind: String,
    /// Id of the other package.
    pub target: String,
    /// Its version; absent means every version.
    pub version: Option<String>,
}
