//! Facts of all layers, merged (`facts/moca-reader §9.1`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::turtle::{Fact, Relation, Statement};

/// Who stated a fact. The lowest layer that states it is the one that is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// A loaded package.
    Package,
    /// The application.
    Application,
    /// The organisation that runs it.
    Organisation,
}

/// Facts of any number of sources, by IRI. Add sources in the order of their layers.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) concepts: BTreeMap<String, Concept>,
    pub(super) sequences: BTreeMap<String, Sequence>,
    relations: [Edges; 5],
    sources: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Concept {
    /// The layer that declares it, if one does.
    pub(super) declared: Option<Layer>,
    /// By language tag in lower case, `""` for none.
    pub(super) labels: BTreeMap<String, String>,
    pub(super) definitions: BTreeMap<String, String>,
    pub(super) deprecated: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Sequence {
    pub(super) layer: Layer,
    pub(super) members: Vec<String>,
    source: usize,
}

/// One relation in both directions, every list sorted by IRI.
#[derive(Clone, Debug, Default)]
struct Edges {
    forth: BTreeMap<String, BTreeMap<String, Layer>>,
    back: BTreeMap<String, BTreeMap<String, Layer>>,
}

/// The text without a language tag, or else in English, or else in the first language by tag.
pub(super) fn preferred(texts: &BTreeMap<String, String>) -> Option<&str> {
    let text = texts.get("").or_else(|| texts.get("en")).or_else(|| texts.values().next());
    text.map(String::as_str)
}

impl Graph {
    /// Adds the facts of one source. What an earlier source stated stays as it stated it.
    pub(super) fn add(&mut self, facts: &[Fact], layer: Layer) {
        self.sources += 1;
        for fact in facts {
            self.add_fact(fact, layer);
        }
    }

    fn add_fact(&mut self, fact: &Fact, layer: Layer) {
        let subject = &fact.subject;
        match &fact.statement {
            Statement::Concept => {
                self.concept(subject).declared.get_or_insert(layer);
            }
            Statement::Label { language, text } => {
                let labels = &mut self.concept(subject).labels;
                labels.entry(language.clone()).or_insert_with(|| text.clone());
            }
            Statement::Definition { language, text } => {
                let definitions = &mut self.concept(subject).definitions;
                definitions.entry(language.clone()).or_insert_with(|| text.clone());
            }
            Statement::Deprecated => self.concept(subject).deprecated = true,
            Statement::Sequence => {
                self.sequence(subject, layer);
            }
            Statement::Members(members) => {
                let source = self.sources;
                let sequence = self.sequence(subject, layer);
                if sequence.source == source && sequence.members.is_empty() {
                    sequence.members.clone_from(members);
                }
            }
            Statement::Relates(relation, object) => {
                let Edges { forth, back } = &mut self.relations[*relation as usize];
                let there = forth.entry(subject.clone()).or_default();
                there.entry(object.clone()).or_insert(layer);
                let here = back.entry(object.clone()).or_default();
                here.entry(subject.clone()).or_insert(layer);
            }
        }
    }

    fn concept(&mut self, iri: &str) -> &mut Concept {
        self.concepts.entry(iri.to_owned()).or_default()
    }

    fn sequence(&mut self, iri: &str, layer: Layer) -> &mut Sequence {
        let source = self.sources;
        let empty = || Sequence { layer, members: Vec::new(), source };
        self.sequences.entry(iri.to_owned()).or_insert_with(empty)
    }

    /// What `iri` points to, sorted by IRI, with the layer that says so.
    pub(super) fn out(&self, relation: Relation, iri: &str) -> impl Iterator<Item = (&str, Layer)> {
        edges(&self.relations[relation as usize].forth, iri)
    }

    /// What points to `iri`, sorted by IRI, with the layer that says so.
    pub(super) fn to(&self, relation: Relation, iri: &str) -> impl Iterator<Item = (&str, Layer)> {
        edges(&self.relations[relation as usize].back, iri)
    }

    /// True for a declared concept and for an ordered collection.
    pub(super) fn is_declared(&self, iri: &str) -> bool {
        self.concepts.get(iri).is_some_and(|c| c.declared.is_some())
            || self.sequences.contains_key(iri)
    }

    /// Declared concepts and ordered collections.
    pub(super) fn declared(&self) -> BTreeSet<String> {
        let concepts = self.concepts.iter().filter(|(_, c)| c.declared.is_some());
        concepts.map(|(iri, _)| iri).chain(self.sequences.keys()).cloned().collect()
    }

    /// Everything that a relation or a collection names.
    pub(super) fn referenced(&self) -> BTreeSet<&str> {
        let ends =
            self.relations.iter().flat_map(|edges| edges.forth.keys().chain(edges.back.keys()));
        let members = self.sequences.values().flat_map(|sequence| &sequence.members);
        ends.chain(members).map(String::as_str).collect()
    }

    /// One circle in a relation, first IRI again at its end.
    pub(super) fn cycle(&self, relation: Relation) -> Option<Vec<&str>> {
        let edges = &self.relations[relation as usize].forth;
        let mut finished = BTreeSet::new();
        for start in edges.keys() {
            // The way from `start`, each step with the neighbours still to be looked at.
            let mut way = vec![(start.as_str(), edges[start].keys())];
            let mut on_way = BTreeSet::from([start.as_str()]);
            while let Some((iri, next)) = way.last_mut() {
                let Some(neighbour) = next.next() else {
                    finished.insert(*iri);
                    on_way.remove(iri);
                    way.pop();
                    continue;
                };
                if on_way.contains(neighbour.as_str()) {
                    let from = way.iter().position(|(iri, _)| iri == neighbour)?;
                    let circle = way[from..].iter().map(|(iri, _)| *iri);
                    return Some(circle.chain([neighbour.as_str()]).collect());
                }
                if !finished.contains(neighbour.as_str())
                    && let Some(further) = edges.get(neighbour)
                {
                    on_way.insert(neighbour);
                    way.push((neighbour, further.keys()));
                }
            }
        }
        None
    }
}

fn edges<'a>(
    map: &'a BTreeMap<String, BTreeMap<String, Layer>>,
    iri: &str,
) -> impl Iterator<Item = (&'a str, Layer)> {
    map.get(iri).into_iter().flatten().map(|(other, layer)| (other.as_str(), *layer))
}
