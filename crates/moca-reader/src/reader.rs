//! Reading a package from its target to its conclusions.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::attestation::{Attestation, AttestedReview, TrustRoot};
use crate::diagnostic::Diagnostic;
use crate::digest::{Digest, FileDigests};
use crate::limits::Limits;
use crate::manifest::Manifest;
use crate::member::{Member, MemberResolver};
use crate::node::Node;
use crate::package::Target;
use crate::structure::Structure;
use crate::time::Instant;

/// How to read. `Options::at(now)` gives the contract's defaults: no trust root, no resolver.
#[derive(Clone)]
pub struct Options {
    /// The instant at which keys are judged.
    pub now: Instant,
    /// Keys the host trusts; without it no attestation is valid (`A003`).
    pub trust_root: Option<Arc<TrustRoot>>,
    /// Where members come from; without it they stay unresolved.
    pub member_resolver: Option<Arc<dyn MemberResolver>>,
    /// Warnings become errors.
    pub strict: bool,
    /// Bounds.
    pub limits: Limits,
    /// Profile URIs the host knows, besides the contract's own.
    pub known_profiles: Vec<String>,
}

/// What a Reader concludes about one package.
#[derive(Clone, Debug, Default)]
pub struct ReadResult {
    /// The manifest, unless there was none to parse.
    pub manifest: Option<Manifest>,
    /// The digest; `None` if the entries could not all be read.
    pub digest: Option<Digest>,
    /// Hash of every file outside `attestations/`.
    pub file_digests: FileDigests,
    /// Nodes by path.
    pub nodes: Vec<Node>,
    /// Members in the manifest's order.
    pub members: Vec<Member>,
    /// The structure layer, if the package has a `structure.ttl`.
    pub structure: Option<Structure>,
    /// Findings.
    pub diagnostics: Vec<Diagnostic>,
    /// No error in the families T, P, M and C.
    pub valid: bool,
    /// Sorted by name; empty for an invalid package.
    pub capabilities: Vec<Capability>,
    /// Who signed the package, by the trust root.
    pub signers: Vec<String>,
    /// Every attestation file with its outcome.
    pub attestations: Vec<Attestation>,
    /// Valid reviews of current files, by package-relative path.
    pub reviews_by_file: BTreeMap<String, Vec<AttestedReview>>,
}

/// What a valid package offers (`facts/moca-reader §1.6`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Capability {
    /// It has members.
    Composed,
    /// It is valid.
    Core,
    /// Some node has locale variants.
    Localized,
    /// Some node names evidence.
    LocatedEvidence,
    /// A trusted reviewer attested a current node file.
    Reviewed,
    /// All evidence points into the package.
    SelfContainedEvidence,
    /// A trusted key signed the package.
    Signed,
    /// It has a structure layer without faults.
    Structured,
}

/// Reads one package and concludes what can be concluded.
pub fn read_package(_target: impl Into<Target>, _options: &Options) -> ReadResult {
    ReadResult::default()
}
