//! The two passes over the files of a package.

use crate::attestation::is_attestation_path;
use crate::diagnostic::{Code, Diagnostics};
use crate::digest::FileDigest;
use crate::evidence::SourceKind;
use crate::manifest::{self, Manifest};
use crate::node::{self, Document, EvidencePlan, Node, Paths};
use crate::package::{self, Package, Scratch};

use super::Reading;

const TURTLE: &str = "structure.ttl";
const VIEW: &str = "structure.json";

/// What the files of a package hold, besides their hashes.
pub(super) struct Content {
    pub(super) nodes: Vec<Node>,
    /// Attestation files by path; `None` for one that is too large.
    pub(super) attestations: Vec<(String, Option<Vec<u8>>)>,
    pub(super) turtle: Option<Vec<u8>>,
    pub(super) view: Option<Vec<u8>>,
}

/// Reads and hashes every file except the manifest.
pub(super) fn read(
    reading: &mut Reading<'_>,
    manifest: &Manifest,
    found: &mut Diagnostics,
) -> Content {
    let package = reading.package;
    let (first, rest): (Vec<usize>, Vec<usize>) = (0..package.files.len())
        .filter(|&index| package.files[index].path != manifest::FILE)
        .partition(|&index| Role::of(&package.files[index].path).is_some());

    let mut content =
        Content { nodes: Vec::new(), attestations: Vec::new(), turtle: None, view: None };
    let documents = read_first(reading, &first, &mut content, found);
    content.nodes = node::collect(documents, &manifest.locales, found);
    read_rest(reading, &rest, &mut content.nodes, found);
    node::report_unmatched(&content.nodes, found);
    content
}

/// Why a file is read in the first pass.
#[derive(Clone, Copy)]
enum Role {
    Document,
    Attestation,
    Turtle,
    View,
}

impl Role {
    fn of(path: &str) -> Option<Self> {
        match path {
            TURTLE => Some(Self::Turtle),
            VIEW => Some(Self::View),
            _ if Document::is_at(path) => Some(Self::Document),
            _ if is_attestation_path(path) => Some(Self::Attestation),
            _ => None,
        }
    }
}

/// What the first pass makes of a file.
enum First {
    Document(Option<Document>, Diagnostics),
    Other(Role, Option<Vec<u8>>),
}

fn read_first(
    reading: &mut Reading<'_>,
    files: &[usize],
    content: &mut Content,
    found: &mut Diagnostics,
) -> Vec<Document> {
    let (package, limits) = (reading.package, reading.limits);
    let read_one = |index: usize, scratch: &mut Scratch| -> std::io::Result<(FileDigest, First)> {
        let path = &package.files[index].path;
        let role = Role::of(path).unwrap_or(Role::Document);
        let keep_up_to = match role {
            Role::Document => limits.max_node_bytes,
            Role::Attestation => limits.max_attestation_bytes,
            Role::Turtle | Role::View => limits.max_structure_bytes,
        };
        let loaded = package.load(index, keep_up_to, scratch)?;
        if !matches!(role, Role::Document) {
            return Ok((loaded.digest, First::Other(role, loaded.bytes.map(<[u8]>::to_vec))));
        }
        let mut own = Diagnostics::default();
        let document = match loaded.bytes {
            Some(bytes) => {
                node::read_document(path, loaded.digest, bytes, package, limits, &mut own)
            }
            None => {
                own.file(Code::FrontmatterInvalid, path, format!("more than {keep_up_to} bytes"));
                None
            }
        };
        Ok((loaded.digest, First::Document(document, own)))
    };
    let results = package::for_each(files, |&index, scratch| read_one(index, scratch));

    let mut documents = Vec::with_capacity(files.len());
    for (&index, result) in files.iter().zip(results) {
        let (digest, first) = match result {
            Ok(read) => read,
            Err(e) => {
                reading.unreadable(index, &e, found);
                continue;
            }
        };
        reading.hashed(index, digest);
        match first {
            First::Document(document, own) => {
                found.append(own);
                documents.extend(document);
            }
            First::Other(Role::Attestation, bytes) => {
                content.attestations.push((package.files[index].path.to_string(), bytes));
            }
            First::Other(role, bytes) => {
                // Too large: a byte more than allowed says so to the structure layer.
                let bytes = bytes.unwrap_or_else(|| too_large(limits.max_structure_bytes));
                match role {
                    Role::Turtle => content.turtle = Some(bytes),
                    _ => content.view = Some(bytes),
                }
            }
        }
    }
    documents
}

fn too_large(max: u64) -> Vec<u8> {
    vec![b' '; usize::try_from(max).unwrap_or(usize::MAX - 1) + 1]
}

fn read_rest(
    reading: &mut Reading<'_>,
    files: &[usize],
    nodes: &mut [Node],
    found: &mut Diagnostics,
) {
    let (package, limits) = (reading.package, reading.limits);
    let mut plan = EvidencePlan::new(nodes, limits, |index| &package.files[index].path);
    let most = limits.max_source_bytes_checked;
    plan.bound(limits, |index| package.size(index).unwrap_or(most).min(most));
    let results = package::for_each(files, |&index, scratch| {
        let kind = SourceKind::of_path(&package.files[index].path).filter(|_| plan.wants(index));
        let loaded = package.load(index, if kind.is_some() { most } else { 0 }, scratch)?;
        let answers = match (kind, loaded.bytes) {
            (Some(kind), Some(bytes)) => plan.check(nodes, index, kind, bytes),
            _ => Vec::new(),
        };
        Ok::<_, std::io::Error>((loaded.digest, answers))
    });
    for (&index, result) in files.iter().zip(results) {
        match result {
            Ok((digest, answers)) => {
                reading.hashed(index, digest);
                plan.record(nodes, index, &answers);
            }
            Err(e) => reading.unreadable(index, &e, found),
        }
    }
}

impl Paths for Package {
    fn find(&self, path: &str) -> Option<usize> {
        Package::find(self, path)
    }
}
