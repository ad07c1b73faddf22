//! From a representation to its citation record (`facts/moca-reader §7.2, §7.4`).

use super::{
    CitationRecord, CitedEvidence, CitedNode, CitedPackage, Declared, Span, Status, Trust,
};
use crate::digest::Digest;
use crate::manifest::Manifest;
use crate::node::{EvidenceCheck, Node, Representation, fields};
use crate::reader::ReadResult;
use crate::text::Text;
use crate::time::Instant;
use crate::value::Value;

/// What a record depends on besides the package.
pub(crate) struct Context<'a> {
    pub(crate) now: Instant,
    pub(crate) include_text: bool,
    pub(crate) superseded_by: &'a [Text],
    pub(crate) contested_by: &'a [Text],
}

/// Builds the record of one representation of a node of `package`; `None` if the package has no
/// manifest or digest, which a loaded package always has.
pub(crate) fn build(
    package: &ReadResult,
    node: &Node,
    representation: &Representation,
    context: &Context<'_>,
) -> Option<CitationRecord> {
    let manifest = package.manifest.as_ref()?;
    let frontmatter = &representation.frontmatter;
    Some(CitationRecord {
        package: CitedPackage {
            id: manifest.id.clone(),
            version: manifest.version.clone(),
            digest: package.digest?,
            signed: !package.signers.is_empty(),
            signers: package.signers.clone(),
        },
        node: cite_node(manifest, node, representation),
        span: Some(Span { start: representation.span.start, end: representation.span.end }),
        trust: cite_trust(package, manifest, representation, context),
        evidence: cite_evidence(representation),
        concepts: match &package.structure {
            Some(structure) => structure.concepts_of(representation),
            None => Vec::new(),
        },
        audience: text(frontmatter.path(&["moca", "audience"])),
        profiles: manifest.profiles.clone(),
        text: context.include_text.then(|| representation.body()),
        score: None,
        retrieval: None,
    })
}

fn cite_node(manifest: &Manifest, node: &Node, representation: &Representation) -> CitedNode {
    let frontmatter = &representation.frontmatter;
    let tags = frontmatter.get("tags").and_then(Value::as_seq);
    CitedNode {
        id: [&*manifest.id, "#", &node.path].concat(),
        reference: [&*manifest.id, "@", &manifest.version, "#", &node.path].concat(),
        path: node.path.clone(),
        locale: representation.locale.clone().or_else(|| manifest.language.clone()),
        kind: text(frontmatter.get("type")).unwrap_or_default(),
        title: text(frontmatter.get("title")),
        description: text(frontmatter.get("description")),
        tags: tags.map(|tags| tags.iter().filter_map(Value::as_text).cloned().collect()),
        digest: Digest(representation.digest.0),
    }
}

fn cite_trust(
    package: &ReadResult,
    manifest: &Manifest,
    representation: &Representation,
    context: &Context<'_>,
) -> Trust {
    let frontmatter = &representation.frontmatter;
    let moca = |name: &str| frontmatter.path(&["moca", name]);
    let stale_after = frontmatter.get("stale_after").and_then(fields::time_text);
    let valid_from = window_end(moca("valid_from"), manifest.valid_from.as_ref());
    let valid_until = window_end(moca("valid_until"), manifest.valid_until.as_ref());
    let (stale, in_force) = standing_at(
        stale_after.as_deref(),
        valid_from.as_deref(),
        valid_until.as_deref(),
        context.now,
    );
    let own = moca("contested_by").and_then(Value::as_seq).unwrap_or_default();
    let contested_by: Vec<Text> = own
        .iter()
        .filter_map(Value::as_text)
        .cloned()
        .chain(context.contested_by.iter().cloned())
        .collect();
    Trust {
        status: match frontmatter.get("status").and_then(Value::as_str) {
            Some("draft") => Status::Draft,
            Some("deprecated") => Status::Deprecated,
            _ => Status::Stable,
        },
        generated: frontmatter.get("generated").and_then(declared),
        declared_verified: match frontmatter.get("verified") {
            Some(Value::Seq(items)) => items.iter().filter_map(declared).collect(),
            Some(one) => declared(one).into_iter().collect(),
            None => Vec::new(),
        },
        attested_reviews: (package.reviews_by_file.get(representation.file.as_str()))
            .cloned()
            .unwrap_or_default(),
        stale,
        stale_after,
        in_force,
        valid_from,
        valid_until,
        superseded: !context.superseded_by.is_empty(),
        superseded_by: context.superseded_by.to_vec(),
        contested: !contested_by.is_empty(),
        contested_by,
    }
}

/// Whether something is stale and whether it is in force at an instant, from the strings that its
/// record carries.
///
/// The start of a window belongs to it, the end does not. A text that names no instant makes
/// `stale` false and `in_force` false, as the contract has it.
pub fn standing_at(
    stale_after: Option<&str>,
    valid_from: Option<&str>,
    valid_until: Option<&str>,
    now: Instant,
) -> (bool, bool) {
    let holds = |text: Option<&str>, compare: fn(Instant, Instant) -> bool| {
        text.map(|text| Instant::parse(text).is_some_and(|instant| compare(now, instant)))
    };
    let stale = holds(stale_after, |now, then| now >= then).unwrap_or(false);
    let begun = holds(valid_from, |now, then| now >= then).unwrap_or(true);
    let not_over = holds(valid_until, |now, then| now < then).unwrap_or(true);
    (stale, begun && not_over)
}

/// The node's own end of the window, else the package's.
fn window_end(node: Option<&Value>, package: Option<&Text>) -> Option<Text> {
    match node {
        None | Some(Value::Null) => package.filter(|text| !text.is_empty()).cloned(),
        Some(value) => fields::time_text(value),
    }
}

/// An actor with a time; nothing without an actor, since a record must name one.
fn declared(value: &Value) -> Option<Declared> {
    let by = fields::scalar_text(value.get("by")?)?;
    Some(Declared { by, at: value.get("at").and_then(fields::time_text) })
}

fn cite_evidence(representation: &Representation) -> Vec<CitedEvidence> {
    let cite = |check: &EvidenceCheck| {
        let cited = check.cited.as_ref()?;
        Some(CitedEvidence { matched: check.matched, ..cited.clone() })
    };
    representation.evidence.iter().filter_map(cite).collect()
}

fn text(value: Option<&Value>) -> Option<Text> {
    value.and_then(Value::as_text).cloned()
}
