//! Nodes: Markdown files with frontmatter under `content/` (`facts/moca-reader §2`).

use std::borrow::Cow;
use std::ops::Range;

use crate::digest::FileDigest;
use crate::value::Value;

/// One node with its representations, the default one (or else the first by locale) in front.
#[derive(Clone, Debug)]
pub struct Node {
    /// Path below `content/`, NFC: the part of a node id behind `#`.
    pub path: String,
    /// At least one.
    pub representations: Vec<Representation>,
}

/// One file of a node.
#[derive(Clone, Debug)]
pub struct Representation {
    /// The locale as spelt in the manifest; `None` for the default file.
    pub locale: Option<String>,
    /// Package-relative path of the file, NFC.
    pub file: String,
    /// SHA-256 of the file's bytes.
    pub digest: FileDigest,
    /// The frontmatter, a mapping.
    pub frontmatter: Value,
    /// Per entry of `moca.evidence`, in order.
    pub evidence: Vec<EvidenceCheck>,
    /// Where the body is in the file, in bytes.
    pub span: Range<usize>,
    pub(crate) bytes: Vec<u8>,
}

impl Representation {
    /// The body without its frontmatter. Bytes that are not UTF-8 become U+FFFD.
    pub fn body(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes.get(self.span.clone()).unwrap_or_default())
    }

    /// The whole file as read and hashed.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// `moca.concepts[].iri`, as written, in order.
    pub fn concept_iris(&self) -> impl Iterator<Item = &str> {
        self.frontmatter
            .path(&["moca", "concepts"])
            .and_then(Value::as_seq)
            .unwrap_or_default()
            .iter()
            .filter_map(|concept| concept.get("iri")?.as_str())
    }
}

/// What is known of one evidence entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvidenceCheck {
    /// The source is an existing file under `sources/` or `media/`.
    pub local: bool,
    /// The selector was looked for in it, and was found or not; `None`: not checked.
    pub matched: Option<bool>,
}
