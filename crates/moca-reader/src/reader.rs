//! Reading a package from its target to its conclusions.
//!
//! Each file is read once: hashed, and in the same pass parsed or searched, on every core. First
//! come the files that decide what is looked for (`content/`, attestations, structure), then the
//! rest, of which only the sources of evidence are looked into.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::attestation::{self, Attestation, AttestedReview, TrustRoot};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::digest::{Digest, FileDigests, payload_manifest};
use crate::limits::Limits;
use crate::manifest::{self, Manifest};
use crate::member::{self, Ancestry, Member, MemberResolver};
use crate::node::{self, Node};
use crate::package::{self, Package, Scratch, Target};
use crate::structure::Structure;
use crate::time::Instant;

mod content;

/// How to read. [`Options::at`] gives the contract's defaults: no trust root, no resolver.
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

impl Options {
    /// The contract's defaults, keys judged at `now`.
    pub fn at(now: Instant) -> Self {
        Self {
            now,
            trust_root: None,
            member_resolver: None,
            strict: false,
            limits: Limits::default(),
            known_profiles: Vec::new(),
        }
    }

    /// With the keys that the host trusts.
    #[must_use]
    pub fn trusting(mut self, trust_root: TrustRoot) -> Self {
        self.trust_root = Some(Arc::new(trust_root));
        self
    }

    /// With a place to find members in.
    #[must_use]
    pub fn with_members(mut self, resolver: impl MemberResolver + 'static) -> Self {
        self.member_resolver = Some(Arc::new(resolver));
        self
    }
}

/// What a Reader concludes about one package.
#[derive(Clone, Debug, Default)]
pub struct ReadResult {
    /// The manifest, unless there was none to parse.
    pub manifest: Option<Manifest>,
    /// The digest; `None` if the entries could not all be read.
    pub digest: Option<Digest>,
    /// Hash of every file outside `attestations/` that could be read.
    pub file_digests: FileDigests,
    /// Nodes by path, in UTF-16 order.
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
///
/// Never fails: whatever is wrong with the target is in the result's diagnostics.
pub fn read_package(target: impl Into<Target>, options: &Options) -> ReadResult {
    read_below(target.into(), options, &Ancestry::root())
}

/// The digest of a package and what stops it (families T and P), without looking into the files.
/// Holds no file in memory.
pub fn digest_package(
    target: impl Into<Target>,
    limits: &Limits,
) -> (Option<Digest>, Vec<Diagnostic>) {
    let mut found = Diagnostics::default();
    let digest = package::open(&target.into(), limits, &mut found).and_then(|package| {
        if package.find(manifest::FILE).is_none() {
            found.package(Code::ManifestNotFound, "no moca.json at the root");
        }
        let all: Vec<usize> = (0..package.files.len()).collect();
        let digests = package::for_each(&all, |&index, scratch| {
            package.load(index, 0, scratch).map(|loaded| loaded.digest)
        });
        let mut reading = Reading::new(&package, limits);
        for (index, digest) in all.into_iter().zip(digests) {
            match digest {
                Ok(digest) => reading.hashed(index, digest),
                Err(e) => reading.unreadable(index, &e, &mut found),
            }
        }
        reading.digest(&mut found)
    });
    (digest.filter(|_| !found.has(Code::ManifestNotFound)), found.finish(false))
}

/// Reads a package as a member of those in `ancestry`.
#[allow(clippy::needless_pass_by_value)] // a resolver hands its target over
pub(crate) fn read_below(target: Target, options: &Options, ancestry: &Ancestry) -> ReadResult {
    let mut found = Diagnostics::default();
    let mut result = ReadResult::default();
    if let Some(package) = package::open(&target, &options.limits, &mut found) {
        read_files(&package, options, &mut result, &mut found);
    }
    if let Some(manifest) = &result.manifest {
        result.members = member::read_members(manifest, options, ancestry, &mut found);
    }
    result.diagnostics = found.finish(options.strict);
    result.valid = !(result.diagnostics.iter())
        .any(|d| d.severity == Severity::Error && d.code.decides_validity());
    if result.valid {
        result.capabilities = capabilities(&result);
    }
    result
}

fn read_files(
    package: &Package,
    options: &Options,
    result: &mut ReadResult,
    found: &mut Diagnostics,
) {
    let limits = &options.limits;
    let mut reading = Reading::new(package, limits);
    let Some(manifest) = reading.manifest(found) else { return };
    manifest.check(&options.known_profiles, found);

    let content::Content { nodes, attestations, turtle, view } =
        content::read(&mut reading, &manifest, found);
    result.nodes = nodes;
    if reading.over_limit(found) {
        result.nodes.clear();
        result.manifest = Some(manifest);
        return;
    }
    if result.nodes.is_empty() && !manifest.has_members() {
        found.package(Code::NoContent, "neither a node nor a member");
    }
    result.structure =
        Structure::read(turtle.as_deref(), view.as_deref(), &result.nodes, limits, found);
    result.digest = reading.digest(found);
    result.file_digests = reading.digests;
    if let Some(digest) = &result.digest {
        let attested = attestation::verify(
            &manifest,
            digest,
            &result.file_digests,
            &attestations,
            options.trust_root.as_deref(),
            options.now,
            found,
        );
        result.attestations = attested.results;
        result.signers = attested.signers;
        result.reviews_by_file = attested.reviews_by_file;
    }
    result.manifest = Some(manifest);
}

/// Hashes gathered while the files of one package are read.
struct Reading<'a> {
    package: &'a Package,
    limits: &'a Limits,
    digests: FileDigests,
    complete: bool,
}

impl<'a> Reading<'a> {
    fn new(package: &'a Package, limits: &'a Limits) -> Self {
        let complete = package.complete;
        Self { package, limits, digests: FileDigests::new(), complete }
    }

    /// Reads `moca.json`; without it (`T002`) or without JSON in it (`M001`) reading stops.
    fn manifest(&mut self, found: &mut Diagnostics) -> Option<Manifest> {
        let Some(index) = self.package.find(manifest::FILE) else {
            found.package(Code::ManifestNotFound, "no moca.json at the root");
            return None;
        };
        let max = self.limits.max_manifest_bytes;
        match self.package.load(index, max, &mut Scratch::new()) {
            Ok(loaded) => {
                self.hashed(index, loaded.digest);
                let Some(bytes) = loaded.bytes else {
                    let why = format!("more than {max} bytes");
                    found.file(Code::ManifestInvalidJson, manifest::FILE, why);
                    return None;
                };
                Manifest::parse(bytes, found)
            }
            Err(e) => {
                self.unreadable(index, &e, found);
                None
            }
        }
    }

    fn hashed(&mut self, index: usize, digest: crate::digest::FileDigest) {
        let path = &self.package.files[index].path;
        if !is_outside_digest(path) {
            self.digests.insert(path.clone(), digest);
        }
    }

    fn unreadable(&mut self, index: usize, why: &std::io::Error, found: &mut Diagnostics) {
        self.complete = false;
        let path = self.package.files[index].path.clone();
        found.file(Code::UnreadableEntry, path, why.to_string());
    }

    /// True, and `T003`, if a host source gave more than it may.
    fn over_limit(&self, found: &mut Diagnostics) -> bool {
        let over = self.package.over_limit();
        if over {
            let why = format!("more than {} bytes", self.limits.max_bytes);
            found.package(Code::ArchiveRejected, why);
        }
        over
    }

    fn digest(&self, found: &mut Diagnostics) -> Option<Digest> {
        let whole = self.complete && !self.over_limit(found);
        whole.then(|| Digest::of_files(&self.digests))
    }
}

fn is_outside_digest(path: &str) -> bool {
    path == "attestations" || path.starts_with("attestations/")
}

fn capabilities(result: &ReadResult) -> Vec<Capability> {
    let representations = || result.nodes.iter().flat_map(|node| &node.representations);
    let mut evidence = representations().flat_map(|r| &r.evidence).peekable();
    let located = evidence.peek().is_some();
    let self_contained = located && evidence.all(|check| check.local);
    let reviewed = representations().any(|r| result.reviews_by_file.contains_key(r.file.as_str()));
    let composed = result.manifest.as_ref().is_some_and(Manifest::has_members);
    let structured = result.structure.as_ref().is_some_and(Structure::is_sound);
    [
        (Capability::Composed, composed),
        (Capability::Core, true),
        (Capability::Localized, representations().any(|r| r.locale.is_some())),
        (Capability::LocatedEvidence, located),
        (Capability::Reviewed, reviewed),
        (Capability::SelfContainedEvidence, self_contained),
        (Capability::Signed, !result.signers.is_empty()),
        (Capability::Structured, structured),
    ]
    .into_iter()
    .filter_map(|(capability, has)| has.then_some(capability))
    .collect()
}

impl ReadResult {
    /// The text whose SHA-256 is the digest; `None` without a digest.
    pub fn payload_manifest(&self) -> Option<String> {
        self.digest.map(|_| payload_manifest(&self.file_digests))
    }

    /// The node at this path below `content/`.
    pub fn node(&self, path: &str) -> Option<&Node> {
        let order = |node: &Node| node::utf16_order(&node.path, path);
        self.nodes.binary_search_by(order).ok().map(|at| &self.nodes[at])
    }
}
