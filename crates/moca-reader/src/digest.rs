//! `moca-digest-v2`: one hash over the payload manifest (`facts/moca-reader §3`).

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::text::Text;

/// SHA-256 of one file's bytes; displayed as 64 lowercase hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileDigest(pub [u8; 32]);

/// Digest of a package or, with `node.digest` of a record, of a file: `sha256:` and 64 lowercase
/// hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

/// Every file of a package, `attestations/` left out, by its NFC path.
///
/// A [`Text`] orders by the UTF-8 bytes of the path, which is the order of the payload
/// manifest.
pub type FileDigests = BTreeMap<Text, FileDigest>;

impl FileDigest {
    /// Hashes bytes held in memory.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl Digest {
    /// The digest of a package from its files: SHA-256 of [`payload_manifest`].
    pub fn of_files(files: &FileDigests) -> Self {
        Self(FileDigest::of(payload_manifest(files).as_bytes()).0)
    }

    /// The 64 hex digits without the `sha256:` in front.
    pub fn hex(&self) -> String {
        FileDigest(self.0).to_string()
    }
}

/// The text whose SHA-256 is the digest: a line a file, `hex`, two spaces, path, LF.
///
/// Only `%`, CR and LF are encoded in a path, and lines are ordered by the path as it was before
/// that (`facts/moca-reader §3.3`).
pub fn payload_manifest(files: &FileDigests) -> String {
    let mut text = String::with_capacity(files.keys().map(|path| path.len() + 67).sum());
    for (path, digest) in files {
        push_hex(&mut text, &digest.0);
        text.push_str("  ");
        for c in path.chars() {
            match c {
                '%' => text.push_str("%25"),
                '\r' => text.push_str("%0D"),
                '\n' => text.push_str("%0A"),
                other => text.push(other),
            }
        }
        text.push('\n');
    }
    text
}

fn push_hex(out: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for byte in bytes {
        out.push(DIGITS[usize::from(byte >> 4)] as char);
        out.push(DIGITS[usize::from(byte & 15)] as char);
    }
}

impl fmt::Display for FileDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hex = String::with_capacity(64);
        push_hex(&mut hex, &self.0);
        f.write_str(&hex)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", FileDigest(self.0))
    }
}

impl fmt::Debug for FileDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for FileDigest {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

/// Text that is not a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a digest: `sha256:` and 64 lowercase hex digits are expected")]
pub struct NotADigest;

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        text.strip_prefix("sha256:").ok_or(NotADigest)?.parse().map(|FileDigest(d)| Self(d))
    }
}

impl FromStr for FileDigest {
    type Err = NotADigest;

    fn from_str(hex: &str) -> Result<Self, NotADigest> {
        let digits = hex.as_bytes();
        if digits.len() != 64 {
            return Err(NotADigest);
        }
        let mut out = [0; 32];
        for (byte, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
        }
        Ok(Self(out))
    }
}

fn nibble(digit: u8) -> Result<u8, NotADigest> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(NotADigest),
    }
}
