//! Operations over the structure of all loaded packages and overlays (`facts/moca-reader §9.1`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::graph::{Graph, Layer, preferred};
use super::overlay::Overlay;
use super::turtle::Relation;
use crate::library::{CitationOptions, Library};
use crate::record::CitationRecord;
use crate::search::passes_default_policy;
use crate::time::Instant;

/// The merged structure of a library and the host's overlays. Make it again when packages are
/// added; every answer is exact and the same in every Reader.
#[derive(Clone, Debug)]
pub struct StructureIndex<'a> {
    library: &'a Library,
    graph: Graph,
    /// By concept: places in `library.packages()` and in that package's nodes, of nodes of which
    /// some representation is bound to it.
    bound: BTreeMap<String, BTreeSet<(usize, usize)>>,
}

/// A concept that an operation came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its IRI.
    pub iri: String,
    /// Its preferred label: without a language, or else English, or else the first by language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The lowest layer that states the relation asked about.
    pub layer: Layer,
}

/// A declared concept; lists hold IRIs, sorted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConceptView {
    /// Its IRI.
    pub iri: String,
    /// Its preferred label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// All labels by language tag in lower case, `""` for none.
    pub labels: BTreeMap<String, String>,
    /// Its definition, chosen like the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// It should no longer be used.
    pub deprecated: bool,
    /// What to use instead.
    pub replaced_by: Vec<String>,
    /// What it is used instead of.
    pub replaces: Vec<String>,
    /// The lowest layer that declares it.
    pub layer: Layer,
}

/// Which concepts below one [`StructureIndex::nodes`] takes along, at every depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Include {
    /// Only the concept itself.
    #[default]
    None,
    /// Narrower concepts.
    Narrower,
    /// Parts.
    Parts,
    /// Narrower concepts and parts.
    Both,
}

impl<'a> StructureIndex<'a> {
    /// Merges the structures of all packages of `library`, then application overlays, then
    /// organisation overlays.
    pub fn new(library: &'a Library, overlays: &[Overlay]) -> Self {
        let mut graph = Graph::default();
        for structure in library.packages().iter().filter_map(|p| p.structure.as_ref()) {
            graph.add(&structure.facts, Layer::Package);
        }
        for layer in [Layer::Application, Layer::Organisation] {
            for overlay in overlays.iter().filter(|overlay| overlay.layer() == layer) {
                graph.add(overlay.facts(), layer);
            }
        }
        Self { library, graph, bound: bound_nodes(library) }
    }

    /// The concept `iri`, if a layer declares it.
    pub fn concept(&self, iri: &str) -> Option<ConceptView> {
        let concept = self.graph.concepts.get(iri)?;
        let iris = |found: &mut dyn Iterator<Item = (&str, Layer)>| {
            found.map(|(iri, _)| iri.to_owned()).collect()
        };
        Some(ConceptView {
            iri: iri.to_owned(),
            label: preferred(&concept.labels).map(str::to_owned),
            labels: concept.labels.clone(),
            definition: preferred(&concept.definitions).map(str::to_owned),
            deprecated: concept.deprecated,
            replaced_by: iris(&mut self.graph.to(Relation::Replaces, iri)),
            replaces: iris(&mut self.graph.out(Relation::Replaces, iri)),
            layer: concept.declared?,
        })
    }

    /// What `iri` requires, by IRI; with `transitive` at every depth, each after all that it
    /// requires itself.
    pub fn requires(&self, iri: &str, transitive: bool) -> Vec<Item> {
        if !transitive {
            return self.items(self.graph.out(Relation::Requires, iri));
        }
        let mut ordered = Vec::new();
        let mut seen = BTreeSet::from([iri]);
        let mut way = vec![(None, self.graph.out(Relation::Requires, iri))];
        while let Some((step, next)) = way.last_mut() {
            match next.next() {
                Some((iri, layer)) if seen.insert(iri) => {
                    way.push((Some((iri, layer)), self.graph.out(Relation::Requires, iri)));
                }
                Some(_) => {}
                None => {
                    ordered.extend(*step);
                    way.pop();
                }
            }
        }
        self.items(ordered)
    }

    /// What requires `iri`, by IRI.
    pub fn required_by(&self, iri: &str) -> Vec<Item> {
        self.items(self.graph.to(Relation::Requires, iri))
    }

    /// The parts of `iri`, by IRI.
    pub fn parts(&self, iri: &str) -> Vec<Item> {
        self.items(self.graph.out(Relation::HasPart, iri))
    }

    /// Concepts narrower than `iri`, by IRI; with `transitive` at every depth, nearer ones first.
    pub fn narrower(&self, iri: &str, transitive: bool) -> Vec<Item> {
        let mut ordered = Vec::new();
        let mut seen = BTreeSet::from([iri]);
        let mut level = vec![iri];
        while !level.is_empty() {
            let mut next = Vec::new();
            for iri in level {
                let below = self.graph.to(Relation::Broader, iri);
                next.extend(below.filter(|(narrower, _)| seen.insert(narrower)));
            }
            next.sort_unstable();
            level = next.iter().map(|(iri, _)| *iri).collect();
            ordered.append(&mut next);
            if !transitive {
                break;
            }
        }
        self.items(ordered)
    }

    /// Concepts broader than `iri`, by IRI.
    pub fn broader(&self, iri: &str) -> Vec<Item> {
        self.items(self.graph.out(Relation::Broader, iri))
    }

    /// Concepts related to `iri`, whichever of the two says so, by IRI.
    pub fn related(&self, iri: &str) -> Vec<Item> {
        let mut found: BTreeMap<&str, Layer> = BTreeMap::new();
        let out = self.graph.out(Relation::Related, iri);
        for (other, layer) in out.chain(self.graph.to(Relation::Related, iri)) {
            found.entry(other).and_modify(|lowest| *lowest = layer.min(*lowest)).or_insert(layer);
        }
        self.items(found)
    }

    /// The members of the ordered collection `iri`, in their order; `None` if there is none.
    pub fn sequence(&self, iri: &str) -> Option<Vec<Item>> {
        let sequence = self.graph.sequences.get(iri)?;
        let members = sequence.members.iter().map(|member| (member.as_str(), sequence.layer));
        Some(self.items(members))
    }

    /// Everything below `iri` by hierarchy or as a part, at every depth, sorted.
    pub fn descendants(&self, iri: &str) -> BTreeSet<String> {
        let mut below = self.reach(iri, Include::Both);
        below.remove(iri);
        below
    }

    /// Records of the nodes bound to `iri`, or to what `include` takes along, ordered by node
    /// reference. The default retrieval policy applies unless `include_all` is set; there is no
    /// audience filter.
    pub fn nodes(
        &self,
        iri: &str,
        include: Include,
        include_all: bool,
        now: Instant,
        options: &CitationOptions,
    ) -> Vec<CitationRecord> {
        let wanted = self.reach(iri, include);
        let places: BTreeSet<_> =
            wanted.iter().filter_map(|concept| self.bound.get(concept)).flatten().collect();
        let mut records: Vec<CitationRecord> = places
            .into_iter()
            .filter_map(|&(package, node)| {
                let package = &self.library.packages()[package];
                let node = &package.nodes[node];
                let representation = node.representation(options.locale.as_deref());
                self.library.record(package, node, representation, now, options.include_text)
            })
            // Another representation of the node may be the one that is bound.
            .filter(|record| record.concepts.iter().any(|concept| wanted.contains(concept)))
            .filter(|record| include_all || passes_default_policy(record))
            .collect();
        records.sort_by(|a, b| a.node.reference.cmp(&b.node.reference));
        records
    }

    /// Concepts that some layer declares and that have a label, with it.
    pub(crate) fn labelled_concepts(&self) -> impl Iterator<Item = (&str, &str)> {
        let declared = self.graph.concepts.iter().filter(|(_, c)| c.declared.is_some());
        declared.filter_map(|(iri, c)| Some((iri.as_str(), preferred(&c.labels)?)))
    }

    /// `iri` and what is below it in the directions of `include`.
    fn reach(&self, iri: &str, include: Include) -> BTreeSet<String> {
        let narrower = matches!(include, Include::Narrower | Include::Both);
        let parts = matches!(include, Include::Parts | Include::Both);
        let mut reached = BTreeSet::from([iri.to_owned()]);
        let mut open = vec![iri.to_owned()];
        while let Some(iri) = open.pop() {
            let below = narrower.then(|| self.graph.to(Relation::Broader, &iri));
            let inside = parts.then(|| self.graph.out(Relation::HasPart, &iri));
            for (next, _) in below.into_iter().flatten().chain(inside.into_iter().flatten()) {
                if reached.insert(next.to_owned()) {
                    open.push(next.to_owned());
                }
            }
        }
        reached
    }

    fn items<'b>(&self, found: impl IntoIterator<Item = (&'b str, Layer)>) -> Vec<Item> {
        let item = |(iri, layer): (&str, Layer)| {
            let label = self.graph.concepts.get(iri).and_then(|c| preferred(&c.labels));
            Item { iri: iri.to_owned(), label: label.map(str::to_owned), layer }
        };
        found.into_iter().map(item).collect()
    }
}

fn bound_nodes(library: &Library) -> BTreeMap<String, BTreeSet<(usize, usize)>> {
    let mut bound: BTreeMap<String, BTreeSet<(usize, usize)>> = BTreeMap::new();
    for (p, package) in library.packages().iter().enumerate() {
        let Some(structure) = &package.structure else { continue };
        for (n, node) in package.nodes.iter().enumerate() {
            for concept in node.representations.iter().flat_map(|r| structure.concepts_of(r)) {
                bound.entry(concept).or_default().insert((p, n));
            }
        }
    }
    bound
}
