//! The derived view of a structure, `structure.json` (`facts/moca-reader §9.1`).

use std::collections::BTreeSet;

use serde::Serialize;

use super::graph::{Graph, preferred};
use super::turtle::Relation;

/// The view derived from `structure.ttl`: everything sorted by IRI, so that all producers derive
/// the same one. `Serialize` writes the members in the order of the fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StructureView {
    /// Always 1.
    pub structure_version: u32,
    /// Declared concepts.
    pub concepts: Vec<ViewedConcept>,
    /// Ordered collections.
    pub sequences: Vec<SequenceView>,
}

/// A declared concept of a [`StructureView`]; lists hold IRIs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ViewedConcept {
    /// Its IRI.
    pub iri: String,
    /// Its preferred label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its definition, chosen like the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// Present, and true, if it is deprecated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub deprecated: bool,
    /// Broader concepts.
    pub broader: Vec<String>,
    /// Related concepts, whichever of the two says so.
    pub related: Vec<String>,
    /// Its parts.
    pub parts: Vec<String>,
    /// What it requires.
    pub requires: Vec<String>,
    /// What it replaces.
    pub replaces: Vec<String>,
}

/// An ordered collection of a [`StructureView`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SequenceView {
    /// Its IRI.
    pub iri: String,
    /// IRIs of its members, in their order.
    pub members: Vec<String>,
}

impl StructureView {
    pub(super) fn of(graph: &Graph) -> Self {
        let declared = graph.concepts.iter().filter(|(_, concept)| concept.declared.is_some());
        let concepts = declared.map(|(iri, concept)| {
            let out = |relation| graph.out(relation, iri).map(|(o, _)| o.to_owned()).collect();
            let related: BTreeSet<&str> = graph
                .out(Relation::Related, iri)
                .chain(graph.to(Relation::Related, iri))
                .map(|(other, _)| other)
                .collect();
            ViewedConcept {
                iri: iri.clone(),
                label: preferred(&concept.labels).map(str::to_owned),
                definition: preferred(&concept.definitions).map(str::to_owned),
                deprecated: concept.deprecated,
                broader: out(Relation::Broader),
                related: related.into_iter().map(str::to_owned).collect(),
                parts: out(Relation::HasPart),
                requires: out(Relation::Requires),
                replaces: out(Relation::Replaces),
            }
        });
        let sequences = graph.sequences.iter().map(|(iri, sequence)| SequenceView {
            iri: iri.clone(),
            members: sequence.members.clone(),
        });
        Self { structure_version: 1, concepts: concepts.collect(), sequences: sequences.collect() }
    }
}
