//! The lexical backend: BM25 over the packages' own text (`facts/moca-reader §9.2`).

use super::backend::{Backend, BackendError, Filters, Hit};
use super::bm25::Corpus;
use crate::digest::Digest;
use crate::library::Library;
use crate::node::{Node, Representation};
use crate::reader::ReadResult;
use crate::record::Span;
use crate::sidecar::Sidecar;
use crate::value::Value;

/// Words of every representation, or of the passages of a package's sidecar, counted when it is
/// made. Make it again when packages are added.
#[derive(Clone, Debug)]
pub struct LexicalBackend<'a> {
    corpus: Corpus,
    passages: Vec<Passage<'a>>,
}

/// One document of the corpus.
#[derive(Clone, Debug)]
pub(super) struct Passage<'a> {
    pub(super) digest: Digest,
    pub(super) node_id: String,
    pub(super) node: &'a Node,
    pub(super) representation: &'a Representation,
    pub(super) concepts: Vec<String>,
    pub(super) span: Option<Span>,
}

impl<'a> LexicalBackend<'a> {
    /// Counts the words of all packages; usable `sidecars` stand for the packages they belong to.
    pub fn new(library: &'a Library, sidecars: &[Sidecar]) -> Self {
        let mut backend = Self { corpus: Corpus::default(), passages: Vec::new() };
        for package in library.packages() {
            let sidecar = sidecars.iter().find(|s| s.usable() && s.package() == package.digest);
            match sidecar {
                Some(sidecar) => backend.add_chunks(package, sidecar),
                None => backend.add_bodies(package),
            }
        }
        backend
    }

    fn add_bodies(&mut self, package: &'a ReadResult) {
        for node in &package.nodes {
            for representation in &node.representations {
                let Some(passage) = Passage::new(package, node, representation, None) else {
                    continue;
                };
                self.corpus.add(&whole_text(representation));
                self.passages.push(passage);
            }
        }
    }

    fn add_chunks(&mut self, package: &'a ReadResult, sidecar: &Sidecar) {
        for (chunk, node, representation) in chunks(package, sidecar) {
            let span = Some(Span { start: chunk.start, end: chunk.end });
            let Some(passage) = Passage::new(package, node, representation, span) else { continue };
            let title = text_of(representation, "title").unwrap_or_default();
            self.corpus.add(&format!("{title} {}", chunk.text.as_deref().unwrap_or_default()));
            self.passages.push(passage);
        }
    }
}

impl Backend for LexicalBackend<'_> {
    fn filters_itself(&self) -> bool {
        true
    }

    fn search(
        &self,
        query: &str,
        limit: usize,
        filters: &Filters,
    ) -> Result<Vec<Hit>, BackendError> {
        let numbered = self.passages.iter().enumerate();
        // Without a wanted locale a node stands for itself once, by its default representation;
        // passages of a sidecar are all searched.
        let searched = |passage: &Passage<'_>| {
            let locale = filters.locale.as_deref();
            (locale.is_none() && passage.span.is_some()) || passage.is_picked_by(locale)
        };
        let among: Vec<usize> = numbered
            .filter(|(_, passage)| searched(passage) && passage.admitted_by(filters))
            .map(|(n, _)| n)
            .collect();
        let mut ranked = self.corpus.rank(query, &among);
        ranked.sort_by(|a, b| {
            let key = |n: usize| {
                let passage = &self.passages[n];
                (&passage.node_id, passage.span.map(|span| span.start))
            };
            b.1.total_cmp(&a.1).then_with(|| key(a.0).cmp(&key(b.0)))
        });
        ranked.truncate(limit);
        Ok(ranked.into_iter().map(|(n, score)| self.passages[n].hit(score)).collect())
    }
}

impl<'a> Passage<'a> {
    pub(super) fn new(
        package: &'a ReadResult,
        node: &'a Node,
        representation: &'a Representation,
        span: Option<Span>,
    ) -> Option<Self> {
        let id = &package.manifest.as_ref()?.id;
        let structure = package.structure.as_ref();
        Some(Self {
            digest: package.digest?,
            node_id: format!("{id}#{}", node.path),
            node,
            representation,
            concepts: structure.map(|s| s.concepts_of(representation)).unwrap_or_default(),
            span,
        })
    }

    pub(super) fn is_picked_by(&self, locale: Option<&str>) -> bool {
        std::ptr::eq(self.node.representation(locale), self.representation)
    }

    pub(super) fn admitted_by(&self, filters: &Filters) -> bool {
        let audience = self.representation.frontmatter.path(&["moca", "audience"]);
        let audience = audience.and_then(Value::as_str);
        filters.admits(self.digest, &self.node_id, audience, &self.concepts)
    }

    pub(super) fn hit(&self, score: f64) -> Hit {
        Hit {
            digest: self.digest,
            node: self.node_id.clone(),
            path: self.node.path.clone(),
            locale: self.representation.locale.clone(),
            span: self.span,
            score,
            record: None,
        }
    }
}

/// The chunks of a sidecar with the representations they are of.
pub(super) fn chunks<'a, 's>(
    package: &'a ReadResult,
    sidecar: &'s Sidecar,
) -> impl Iterator<Item = (&'s crate::sidecar::Chunk, &'a Node, &'a Representation)> {
    let nodes: std::collections::HashMap<&str, &Node> =
        package.nodes.iter().map(|node| (node.path.as_str(), node)).collect();
    sidecar.chunks.iter().filter_map(move |chunk| {
        let node = *nodes.get(chunk.path.as_str())?;
        let representation =
            node.representations.iter().find(|r| r.locale.as_deref() == chunk.locale.as_deref())?;
        Some((chunk, node, representation))
    })
}

fn text_of<'a>(representation: &'a Representation, name: &str) -> Option<&'a str> {
    representation.frontmatter.get(name).and_then(Value::as_str)
}

/// Title, description, tags and body.
fn whole_text(representation: &Representation) -> String {
    let tags = representation.frontmatter.get("tags").and_then(Value::as_seq).unwrap_or_default();
    let body = representation.body();
    let head = [text_of(representation, "title"), text_of(representation, "description")];
    let parts = head.into_iter().flatten().chain(tags.iter().filter_map(Value::as_str));
    parts.chain([&*body]).collect::<Vec<_>>().join(" ")
}
