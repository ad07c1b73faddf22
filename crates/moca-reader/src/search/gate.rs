//! The gate: what leaves a search, whatever backend and hooks return (`facts/moca-reader §9.2`).

use std::collections::{BTreeSet, HashSet};

use super::backend::{Filters, Hit, admits_audience};
use super::{Context, passes_default_policy};
use crate::digest::Digest;
use crate::library::{CitationOptions, Library};
use crate::node::{Node, Representation, utf16_order};
use crate::reader::ReadResult;
use crate::record::{CitationRecord, Retrieval, Span, standing_at};
use crate::time::Instant;

/// A record on its way out, with what its fields do not tell.
pub(super) struct Candidate {
    pub(super) record: CitationRecord,
    pub(super) score: f64,
    /// The wanted locale picks this representation.
    picked: bool,
}

pub(super) struct Gate<'a> {
    context: &'a Context<'a>,
    allowed: BTreeSet<Digest>,
    concepts: Option<BTreeSet<String>>,
    scope: Option<BTreeSet<String>>,
}

impl<'a> Gate<'a> {
    /// A gate for what the caller asked, not for what hooks make of it.
    pub(super) fn new(context: &'a Context<'a>, allowed: BTreeSet<Digest>) -> Self {
        let request = context.request;
        let concepts = wanted(&request.concepts);
        let scope = request.scope.as_deref().map(|scope| expand(context, scope));
        Self { context, allowed, concepts, scope }
    }

    /// Filters for the backend, with concepts and scope as a hook may have changed them.
    pub(super) fn filters(&self, concepts: &[String], scope: Option<&str>) -> Filters {
        Filters {
            digests: self.allowed.clone(),
            exclude: self.excluded(),
            audiences: self.context.audiences.cloned(),
            locale: self.context.request.locale.clone(),
            concepts: wanted(concepts),
            scope: scope.map(|scope| expand(self.context, scope)),
        }
    }

    /// The record that a hit stands for, made here; `None` if it stands for nothing that is known.
    pub(super) fn resolve(&self, hit: &Hit) -> Option<Candidate> {
        if !hit.score.is_finite() || !self.allowed.contains(&hit.digest) {
            return None;
        }
        match self.context.library {
            Some(library) => {
                let package = library.by_digest(&hit.digest)?;
                let id = &package.manifest.as_ref()?.id;
                if hit.node.strip_prefix(id.as_str())?.strip_prefix('#')? != &*hit.path {
                    return None;
                }
                let node = find_node(package, &hit.path)?;
                let mut all = node.representations.iter();
                let representation = all.find(|r| r.locale == hit.locale)?;
                self.cite(library, package, node, representation, hit.span, hit.score)
            }
            None => self.stored(hit),
        }
    }

    /// What an egress hook returned, made again: a record of a loaded package by the library, with
    /// only score and `retrieval` taken over. A store has nothing to make it from, so there it must
    /// be one of the candidates.
    pub(super) fn remake(
        &self,
        returned: &CitationRecord,
        candidates: &[Candidate],
    ) -> Option<Candidate> {
        let score = returned.score.filter(|score| score.is_finite())?;
        let Some(library) = self.context.library else {
            let same = |c: &&Candidate| {
                let known = &c.record;
                known.package.digest == returned.package.digest
                    && known.node.reference == returned.node.reference
                    && known.node.locale == returned.node.locale
                    && known.span == returned.span
            };
            let known = candidates.iter().find(same)?;
            let mut record = known.record.clone();
            record.score = Some(score);
            return Some(Candidate { record, score, picked: known.picked });
        };
        let package = library.by_digest(&returned.package.digest)?;
        let node = find_node(package, &returned.node.path)?;
        let same_bytes = |r: &&Representation| r.digest.0 == returned.node.digest.0;
        let language = package.manifest.as_ref()?.language.as_deref();
        let same_locale = |r: &&Representation| {
            r.locale.as_deref().or(language) == returned.node.locale.as_deref()
        };
        let mut all = node.representations.iter();
        let representation = all.clone().filter(same_bytes).find(same_locale);
        let representation = representation.or_else(|| all.find(same_bytes))?;
        let whole = to_span(&representation.span);
        let span = returned.span.filter(|span| *span != whole);
        let mut candidate = self.cite(library, package, node, representation, span, score)?;
        candidate.record.retrieval = returned.retrieval.clone().filter(is_known_way);
        Some(candidate)
    }

    /// Keeps what may leave, each passage once, in the order it has.
    pub(super) fn admit(&self, candidates: &mut Vec<Candidate>) {
        let mut seen = HashSet::new();
        candidates.retain(|candidate| {
            let record = &candidate.record;
            let bound = |wanted: &Option<BTreeSet<String>>| {
                let concepts = &record.concepts;
                wanted.as_ref().is_none_or(|set| concepts.iter().any(|c| set.contains(c)))
            };
            let start = record.span.map(|span| span.start);
            candidate.picked
                && self.allowed.contains(&record.package.digest)
                && (self.context.request.include_all || passes_default_policy(record))
                && admits_audience(self.context.audiences, record.audience.as_deref())
                && bound(&self.concepts)
                && bound(&self.scope)
                && seen.insert((record.node.reference.clone(), start))
        });
    }

    /// Makes a record from the package's own bytes. `None` if the span is not within the body or
    /// cuts a character.
    fn cite(
        &self,
        library: &Library,
        package: &ReadResult,
        node: &Node,
        representation: &Representation,
        span: Option<Span>,
        score: f64,
    ) -> Option<Candidate> {
        let now = self.context.now;
        let mut record = library.record(package, node, representation, now, span.is_none())?;
        if let Some(span) = span {
            let body = &representation.span;
            if span.start < body.start || span.end > body.end {
                return None;
            }
            record.text = Some(representation.content.passage(span.start..span.end)?);
            record.span = Some(span);
        }
        record.score = Some(score);
        let locale = self.context.request.locale.as_deref();
        let picked = locale.is_none() || std::ptr::eq(node.representation(locale), representation);
        Some(Candidate { record, score, picked })
    }

    /// A stored record, its standing judged anew at the instant of the search.
    fn stored(&self, hit: &Hit) -> Option<Candidate> {
        let mut record = hit.record.as_deref()?.clone();
        if record.package.digest != hit.digest || record.node.id != hit.node {
            return None;
        }
        let trust = &mut record.trust;
        (trust.stale, trust.in_force) = standing_at(
            trust.stale_after.as_deref(),
            trust.valid_from.as_deref(),
            trust.valid_until.as_deref(),
            self.context.now,
        );
        record.score = Some(hit.score);
        record.retrieval = None;
        Some(Candidate { record, score: hit.score, picked: true })
    }

    /// Nodes of which no representation passes the policy.
    fn excluded(&self) -> BTreeSet<(Digest, String)> {
        let Some(library) = self.context.library.filter(|_| !self.context.request.include_all)
        else {
            return BTreeSet::new();
        };
        let mut excluded = BTreeSet::new();
        for package in library.packages() {
            let (Some(digest), Some(manifest)) = (package.digest, &package.manifest) else {
                continue;
            };
            for node in &package.nodes {
                let passes =
                    |r: &Representation| passes_at(library, package, node, r, self.context.now);
                if !node.representations.iter().any(passes) {
                    excluded.insert((digest, format!("{}#{}", manifest.id, node.path)));
                }
            }
        }
        excluded
    }
}

fn passes_at(
    library: &Library,
    package: &ReadResult,
    node: &Node,
    representation: &Representation,
    now: Instant,
) -> bool {
    let record = library.record(package, node, representation, now, false);
    record.is_some_and(|record| passes_default_policy(&record))
}

/// The node of a package at a node path.
fn find_node<'a>(package: &'a ReadResult, path: &str) -> Option<&'a Node> {
    let at = package.nodes.binary_search_by(|node| utf16_order(&node.path, path)).ok()?;
    Some(&package.nodes[at])
}

/// An empty list of concepts filters nothing.
fn wanted(concepts: &[String]) -> Option<BTreeSet<String>> {
    (!concepts.is_empty()).then(|| concepts.iter().cloned().collect())
}

/// A concept with everything below it.
fn expand(context: &Context<'_>, scope: &str) -> BTreeSet<String> {
    let mut set = context.structure.map(|s| s.descendants(scope)).unwrap_or_default();
    set.insert(scope.to_owned());
    set
}

fn to_span(range: &std::ops::Range<usize>) -> Span {
    Span { start: range.start, end: range.end }
}

fn is_known_way(retrieval: &Retrieval) -> bool {
    matches!(retrieval.via, "search" | "requires" | "parts" | "narrower" | "related")
}

/// Options for records with text in the locale of a request.
pub(super) fn with_text(locale: Option<&str>) -> CitationOptions {
    CitationOptions { locale: locale.map(str::to_owned), include_text: true }
}
