//! Nodes: Markdown files with frontmatter under `content/` (`facts/moca-reader §2`).

use std::borrow::Cow;
use std::ops::Range;

use crate::digest::FileDigest;
use crate::record::CitedEvidence;
use crate::text::Text;
use crate::value::Value;

mod collect;
mod content;
mod document;
mod evidence;
pub(crate) mod fields;
mod frontmatter;
mod links;
mod plain;
mod reserved;
mod rules;
mod yaml;

pub(crate) use collect::{collect, utf16_order};
pub(crate) use content::Content;
pub(crate) use document::{Document, Paths, read as read_document};
pub(crate) use evidence::{EvidencePlan, report_unmatched};

/// The folder that nodes are in.
pub(crate) const FOLDER: &str = "content/";

/// One node with its representations, the default one (or else the first by locale) in front.
#[derive(Clone, Debug)]
pub struct Node {
    /// Path below `content/`, NFC: the part of a node id behind `#`.
    pub path: Text,
    /// At least one.
    pub representations: Vec<Representation>,
}

impl Node {
    /// The representation for a wanted locale (`facts/moca-reader §2.6`): the equal tag, else one
    /// whose tag the wanted one extends, else one that extends the wanted tag, else the first.
    /// Letter case does not matter.
    pub fn representation(&self, locale: Option<&str>) -> &Representation {
        let first = &self.representations[0];
        let Some(wanted) = locale.map(str::to_lowercase) else { return first };
        let tag = |r: &Representation| r.locale.as_ref().map(|tag| tag.to_lowercase());
        let extends = |longer: &str, shorter: &str| {
            longer.strip_prefix(shorter).is_some_and(|rest| rest.starts_with('-'))
        };
        let choose = |fits: &dyn Fn(&str) -> bool| {
            self.representations.iter().find(|r| tag(r).is_some_and(|tag| fits(&tag)))
        };
        choose(&|tag| tag == wanted)
            .or_else(|| choose(&|tag| extends(&wanted, tag)))
            .or_else(|| choose(&|tag| extends(tag, &wanted)))
            .unwrap_or(first)
    }
}

/// One file of a node.
#[derive(Clone, Debug)]
pub struct Representation {
    /// The locale as spelt in the manifest; `None` for the default file.
    pub locale: Option<Text>,
    /// Package-relative path of the file, NFC.
    pub file: Text,
    /// SHA-256 of the file's bytes.
    pub digest: FileDigest,
    /// The frontmatter, a mapping.
    pub frontmatter: Value,
    /// Per entry of `moca.evidence`, in order.
    pub evidence: Vec<EvidenceCheck>,
    /// Where the body is in the file, in bytes.
    pub span: Range<usize>,
    pub(crate) content: Content,
}

impl Representation {
    /// The body without its frontmatter. Bytes that are not UTF-8 become U+FFFD.
    pub fn body(&self) -> Text {
        self.content.from(self.span.start)
    }

    /// The whole file as read and hashed.
    pub fn bytes(&self) -> &[u8] {
        self.content.bytes()
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

/// Text of bytes that are nearly always UTF-8; what is not becomes U+FFFD. Checking first is
/// several times faster than looking for faults.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// What is known of one evidence entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvidenceCheck {
    /// The source is an existing file under `sources/` or `media/`.
    pub local: bool,
    /// Which of the package's files that is.
    pub(crate) file: Option<usize>,
    /// How a record shows the entry, `matched` aside.
    pub(crate) cited: Option<CitedEvidence>,
    /// The selector was looked for in it, and was found or not; `None`: not checked.
    pub matched: Option<bool>,
}
