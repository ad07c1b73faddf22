//! Sidecar indexes: bound to a package by its digest, or ignored (`facts/moca-reader §9.3`).
//!
//! A sidecar lies outside the package: `index.json`, a payload of chunks, perhaps vectors. It helps
//! to find passages and never says anything about them: what search returns is always cut from the
//! package's own bytes.

mod index;
mod payload;

pub use self::index::{Model, SidecarIndex};
pub use self::payload::Chunk;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::digest::Digest;
use crate::package::{Package, Scratch, Target, open};
use crate::reader::{Options, ReadResult};

/// The only payload format of the contract.
const FORMAT: &str = "moca-jsonl-v1";
const INDEX_FILE: &str = "index.json";
/// Bytes of `index.json`.
const MAX_INDEX_BYTES: u64 = 1024 * 1024;
/// Bytes of a payload or vector file.
const MAX_PAYLOAD_BYTES: u64 = 512 * 1024 * 1024;

/// A sidecar and what was found about it.
#[derive(Clone, Debug)]
pub struct Sidecar {
    /// `index.json`, if it could be read.
    pub index: Option<SidecarIndex>,
    /// Passages, in the order of the payload; empty unless [`usable`](Self::usable).
    pub chunks: Vec<Chunk>,
    /// Findings: the `S` codes.
    pub diagnostics: Vec<Diagnostic>,
    package: Option<Digest>,
}

impl Sidecar {
    /// True if every check passed. Any other sidecar is to be ignored; the package is as good
    /// without it.
    pub fn usable(&self) -> bool {
        self.package.is_some()
    }

    /// Digest of the package it is bound to, if it is usable.
    pub fn package(&self) -> Option<Digest> {
        self.package
    }
}

/// Reads a sidecar and checks it against the package it should belong to. Of `options` the limits
/// and `strict` count.
pub fn bind_sidecar(target: &Target, package: &ReadResult, options: &Options) -> Sidecar {
    let mut found = Diagnostics::default();
    let mut index = None;
    let bound = bind(target, package, options, &mut index, &mut found);
    let digest = if bound.is_some() { package.digest } else { None };
    Sidecar {
        index,
        chunks: bound.unwrap_or_default(),
        diagnostics: found.finish(options.strict),
        package: digest,
    }
}

/// The chunks, or `None` with a finding.
fn bind(
    target: &Target,
    package: &ReadResult,
    options: &Options,
    read: &mut Option<SidecarIndex>,
    found: &mut Diagnostics,
) -> Option<Vec<Chunk>> {
    let mut files = Files::open(target, options, found)?;
    let Some(json) = files.read(INDEX_FILE, MAX_INDEX_BYTES) else {
        found.package(Code::SidecarInvalid, "the sidecar has no readable index.json");
        return None;
    };
    let index = match SidecarIndex::parse(&json) {
        Ok(index) => read.insert(index),
        Err(why) => {
            found.file(Code::SidecarInvalid, INDEX_FILE, why);
            return None;
        }
    };
    if let Some((code, why)) = mismatch(index, package) {
        found.file(code, INDEX_FILE, why);
        return None;
    }
    let Some((path, items)) = files.read_named(&index.file) else {
        let why = format!("storage.file {:?} is missing or outside the sidecar", index.file);
        found.file(Code::SidecarInvalid, INDEX_FILE, why);
        return None;
    };
    let mut chunks = payload::chunks(&items, &path, index, package, found)?;
    if let Some(vectors) = &index.vectors {
        let Some((path, bytes)) = files.read_named(&vectors.file) else {
            let why = format!("vectors.file {:?} is missing or outside the sidecar", vectors.file);
            found.file(Code::SidecarInvalid, INDEX_FILE, why);
            return None;
        };
        if let Err(why) = payload::attach_vectors(&bytes, vectors, index, &mut chunks) {
            found.file(Code::SidecarItemInvalid, &path, why);
            return None;
        }
    }
    Some(chunks)
}

/// Why a well-formed sidecar is not for this package or this Reader.
fn mismatch(index: &SidecarIndex, package: &ReadResult) -> Option<(Code, String)> {
    let same_name = package
        .manifest
        .as_ref()
        .is_some_and(|m| m.id == index.target_id && m.version == index.target_version);
    if !same_name {
        let why = format!("it is for {}@{}", index.target_id, index.target_version);
        return Some((Code::SidecarTargetMismatch, why));
    }
    if package.digest != Some(index.target_digest) {
        let why = format!("it was built for {}, not for these bytes", index.target_digest);
        return Some((Code::SidecarStale, why));
    }
    if index.format != FORMAT {
        let why = format!("payload format {:?} is not {FORMAT}", index.format);
        return Some((Code::SidecarFormatUnknown, why));
    }
    None
}

/// The files of a sidecar, opened like those of a package.
struct Files {
    package: Package,
    scratch: Scratch,
}

impl Files {
    fn open(target: &Target, options: &Options, found: &mut Diagnostics) -> Option<Self> {
        let mut opening = Diagnostics::default();
        let package = open(target, &options.limits, &mut opening);
        if package.is_none() {
            let why = opening.as_slice().first().map(|d| d.message.clone()).unwrap_or_default();
            found.package(Code::SidecarInvalid, why);
        }
        Some(Self { package: package?, scratch: Scratch::new() })
    }

    fn read(&mut self, path: &str, max_bytes: u64) -> Option<Vec<u8>> {
        let index = self.package.find(path)?;
        self.package.load(index, max_bytes, &mut self.scratch).ok()?.bytes.map(<[u8]>::to_vec)
    }

    /// Reads a file that `index.json` names, and tells its path.
    fn read_named(&mut self, name: &str) -> Option<(String, Vec<u8>)> {
        let path = normalise(name)?;
        let bytes = self.read(&path, MAX_PAYLOAD_BYTES)?;
        Some((path, bytes))
    }
}

/// A relative path without `.` and `..`; `None` if it leads out of the sidecar.
fn normalise(name: &str) -> Option<String> {
    if name.starts_with('/') {
        return None;
    }
    let mut parts = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn names_cannot_leave_the_sidecar() {
        assert_eq!(normalise("payload/./items.jsonl").as_deref(), Some("payload/items.jsonl"));
        assert_eq!(normalise("a/../items.jsonl").as_deref(), Some("items.jsonl"));
        assert_eq!(normalise("../items.jsonl"), None);
        assert_eq!(normalise("a/../../items.jsonl"), None);
        assert_eq!(normalise("/etc/passwd"), None);
    }
}
