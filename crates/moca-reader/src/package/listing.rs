//! From the entries of a carrier to the files of a package (`facts/moca-reader §3.1, §3.2, §3.5`).

use std::collections::HashSet;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::diagnostic::{Code, Diagnostics};
use crate::limits::Limits;
use crate::text::Text;

/// One regular file of a package.
#[derive(Clone, Debug)]
pub(crate) struct FileEntry {
    /// Package-relative path, NFC.
    pub(crate) path: Text,
    /// The path as the carrier spells it, where that differs.
    pub(crate) raw: Option<String>,
    /// Bytes the carrier declares.
    pub(crate) size: Option<u64>,
    /// Number of the entry in an archive.
    pub(crate) number: usize,
}

impl FileEntry {
    /// The path as the carrier spells it.
    pub(crate) fn raw_path(&self) -> &str {
        self.raw.as_deref().unwrap_or(&self.path)
    }
}

/// Entries as a carrier finds them; hidden ones are left out here, at every level.
#[derive(Default)]
pub(super) struct Listing {
    files: Vec<FileEntry>,
    refused: Vec<(Code, String, String)>,
}

impl Listing {
    /// Adds a regular file.
    pub(super) fn file(&mut self, raw: String, size: Option<u64>, number: usize) {
        let path = nfc(&raw);
        let raw = (path != raw).then_some(raw);
        self.files.push(FileEntry { path: path.into(), raw, size, number });
    }

    /// Adds an entry that stops the digest.
    pub(super) fn refuse(&mut self, code: Code, raw: &str, why: impl Into<String>) {
        self.refused.push((code, nfc(raw), why.into()));
    }

    /// The files in the order of their paths, and whether nothing was refused.
    ///
    /// Of files that collide the first in that order stays; each other one is `P003`.
    pub(super) fn finish(mut self, found: &mut Diagnostics) -> (Vec<FileEntry>, bool) {
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        let mut seen = HashSet::with_capacity(self.files.len());
        let mut files = Vec::with_capacity(self.files.len());
        for file in self.files {
            if seen.insert(collision_key(&file.path)) {
                files.push(file);
            } else {
                let why = "another entry has the same path after NFC and lower-casing";
                self.refused.push((Code::PathCollision, file.path.into(), why.into()));
            }
        }
        self.refused.sort();
        let complete = self.refused.is_empty();
        for (code, path, why) in self.refused {
            found.file(code, path, why);
        }
        (files, complete)
    }
}

/// True if some part of the path starts with `.`.
pub(super) fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with('.'))
}

/// Checks the names and declared sizes of an archive or host source, all entries included.
pub(super) struct Gate<'a> {
    limits: &'a Limits,
    entries: usize,
    bytes: u64,
}

/// Why an archive or host source is refused before anything in it is read (`T003`).
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum GateError {
    #[error("more than {0} entries")]
    TooManyEntries(usize),
    #[error("more than {0} bytes uncompressed")]
    TooManyBytes(u64),
    #[error("entry name {0:?} is unsafe")]
    UnsafeName(String),
}

impl<'a> Gate<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self { limits, entries: 0, bytes: 0 }
    }

    pub(super) fn admit(&mut self, name: &str, size: u64) -> Result<(), GateError> {
        self.entries += 1;
        if self.entries > self.limits.max_entries {
            return Err(GateError::TooManyEntries(self.limits.max_entries));
        }
        self.bytes = self.bytes.saturating_add(size);
        if self.bytes > self.limits.max_bytes {
            return Err(GateError::TooManyBytes(self.limits.max_bytes));
        }
        if is_unsafe_name(name) {
            return Err(GateError::UnsafeName(name.to_owned()));
        }
        Ok(())
    }
}

fn is_unsafe_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.is_empty()
        || bytes.contains(&b'\\')
        || bytes[0] == b'/'
        || (bytes[0].is_ascii_alphabetic() && bytes.get(1) == Some(&b':'))
        || name.split('/').any(|part| part == "..")
}

fn nfc(text: &str) -> String {
    if text.is_ascii() || is_nfc(text) { text.to_owned() } else { text.nfc().collect() }
}

fn collision_key(path: &str) -> String {
    if path.is_ascii() { path.to_ascii_lowercase() } else { path.to_lowercase() }
}
