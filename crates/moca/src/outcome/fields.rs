//! Which members of a record are compared, and by what they are determined (`facts/moca-reader §13.3`, steps 3 to 5).

use crate::json::{self, Node};
use crate::name::Span;
use crate::record::Record;

/// By what a member is determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The package's bytes, which the digest names: equal digests, equal values.
    Bytes,
    /// The clock, from dates that the bytes determine.
    Clock,
    /// Which packages are loaded beside it.
    Library,
    /// The trust root, and attestations, which stand outside the digest.
    Attestations,
}

/// A member that differs.
pub(super) struct Difference {
    /// Its place, members joined by points.
    pub(super) field: &'static str,
    pub(super) by: By,
    /// JSON texts; `null` where a record has none.
    pub(super) from: String,
    pub(super) to: String,
}

impl Difference {
    pub(super) fn of_bytes(&self) -> bool {
        self.by == By::Bytes
    }
}

pub(super) struct Compared {
    pub(super) differences: Vec<Difference>,
    pub(super) not_compared: Vec<String>,
}

/// Members in the order of a record. Left out: what keys the record (package id, version and digest, path), how it was
/// found (`score`, `retrieval`), and span and text, which are compared by [`cited_text`].
const FIELDS: &[(&str, By)] = &[
    ("package.signed", By::Attestations),
    ("package.signers", By::Attestations),
    ("node.locale", By::Bytes),
    ("node.type", By::Bytes),
    ("node.title", By::Bytes),
    ("node.description", By::Bytes),
    ("node.tags", By::Bytes),
    ("node.digest", By::Bytes),
    ("trust.status", By::Bytes),
    ("trust.generated", By::Bytes),
    ("trust.declaredVerified", By::Bytes),
    ("trust.attestedReviews", By::Attestations),
    ("trust.staleAfter", By::Bytes),
    ("trust.validFrom", By::Bytes),
    ("trust.validUntil", By::Bytes),
    ("trust.stale", By::Clock),
    ("trust.inForce", By::Clock),
    ("trust.superseded", By::Library),
    ("trust.supersededBy", By::Library),
    ("trust.contested", By::Library),
    ("trust.contestedBy", By::Library),
    ("evidence", By::Bytes),
    ("concepts", By::Bytes),
    ("audience", By::Bytes),
    ("profiles", By::Bytes),
];

pub(super) fn compare(saved: &Record, answer: &Record) -> Compared {
    // Valid records are JSON.
    let (then, now) = (json::parse(&saved.raw), json::parse(&answer.raw));
    let (then, now) = (then.unwrap_or(Node::Null), now.unwrap_or(Node::Null));
    let mut differences = Vec::new();
    for (field, by) in FIELDS {
        let (from, to) = (member(&then, field), member(&now, field));
        if comparable(from) != comparable(to) {
            let json =
                |node: Option<&Node<'_>>| node.map_or_else(|| "null".to_owned(), Node::canonical);
            differences.push(Difference { field, by: *by, from: json(from), to: json(to) });
        }
    }
    let mut not_compared = Vec::new();
    cited_text(saved, answer, &mut differences, &mut not_compared);
    Compared { differences, not_compared }
}

/// What the record cites of the node's file. A search cites a part where a look-up gives the whole body, so the saved
/// span is cut out of the answer's text where it lies inside.
fn cited_text(
    saved: &Record,
    answer: &Record,
    differences: &mut Vec<Difference>,
    not_compared: &mut Vec<String>,
) {
    if let (Some(cited), Some(given)) = (saved.span, answer.span)
        && (cited.start < given.start || cited.end > given.end)
    {
        let json = |span: Span| format!(r#"{{"end":{},"start":{}}}"#, span.end, span.start);
        let (from, to) = (json(cited), json(given));
        differences.push(Difference { field: "span", by: By::Bytes, from, to });
        return;
    }
    let (text, whole) = match (saved.text.as_deref(), answer.text.as_deref()) {
        (Some(text), Some(whole)) => (text, whole),
        // Leaving out the text is the one change that a service may make (seed §3).
        (None, _) => {
            return not_compared.push("the text, which the saved record does not carry".to_owned());
        }
        (_, None) => {
            return not_compared.push("the text, which the Reader did not give".to_owned());
        }
    };
    let part = match (saved.span, answer.span) {
        (Some(cited), Some(given)) if cited != given => {
            cut(whole, given.start, cited).unwrap_or_default()
        }
        _ => whole,
    };
    if part != text {
        let json = |text: &str| Node::String(text.into()).canonical();
        differences.push(Difference {
            field: "text",
            by: By::Bytes,
            from: json(text),
            to: json(part),
        });
    }
}

/// The bytes of a span, from a text that begins at byte `from` of the same file; none when they are no whole characters.
fn cut(text: &str, from: u64, span: Span) -> Option<&str> {
    let offset = |at: u64| usize::try_from(at.checked_sub(from)?).ok();
    text.get(offset(span.start)?..offset(span.end)?)
}

fn member<'n, 'a>(record: &'n Node<'a>, field: &str) -> Option<&'n Node<'a>> {
    field.split('.').try_fold(record, |node, name| node.get(name))
}

/// One text for values that mean the same: absent, null, an empty list and an empty text are all “none”.
fn comparable(node: Option<&Node<'_>>) -> Option<String> {
    match node? {
        Node::Null => None,
        Node::Array(items) if items.is_empty() => None,
        Node::String(text) if text.is_empty() => None,
        node => Some(node.comparable()),
    }
}
