//! Structure: concepts and how they relate (`facts/moca-reader §9.1`).
//!
//! `structure.ttl` states, in SKOS and Dublin Core terms, which concepts a package has; nodes bind
//! to them with `moca.concepts`. Nothing is fetched, whatever a file refers to. A host may lay its
//! own statements over those of the packages as an [`Overlay`]; [`StructureIndex`] answers over all
//! of them together and says which layer stated what.

mod check;
mod graph;
mod index;
mod overlay;
mod turtle;
mod view;

use std::collections::BTreeSet;

use self::graph::Graph;
pub use self::graph::Layer;
pub use self::index::{ConceptView, Include, Item, StructureIndex};
pub use self::overlay::{Overlay, OverlayLayer};
pub use self::view::{SequenceView, StructureView, ViewedConcept};
use crate::diagnostic::Diagnostics;
use crate::limits::Limits;
use crate::node::{Node, Representation};
use crate::structure::turtle::Fact;
use crate::value::Value;

/// What the `structure.ttl` of one package states.
#[derive(Clone, Debug)]
pub struct Structure {
    facts: Vec<Fact>,
    prefixes: BTreeSet<String>,
    declared: BTreeSet<String>,
    sound: bool,
}

impl Structure {
    /// Reads a package's structure and reports every `O` finding about it, its bindings and its
    /// derived view. `None` without a `structure.ttl`.
    ///
    /// `turtle` and `view` are the bytes of `structure.ttl` and `structure.json`, cut off behind
    /// [`Limits::max_structure_bytes`] at the earliest.
    pub(crate) fn read(
        turtle: Option<&[u8]>,
        view: Option<&[u8]>,
        nodes: &[Node],
        limits: &Limits,
        found: &mut Diagnostics,
    ) -> Option<Self> {
        let mut findings = Diagnostics::default();
        let structure = match turtle {
            Some(turtle) => Some(check::whole(turtle, view, nodes, limits, &mut findings)),
            None => {
                check::missing(view.is_some(), nodes, &mut findings);
                None
            }
        };
        found.append(findings);
        structure
    }

    /// True if no `O` finding was made: the capability `structured`.
    pub fn is_sound(&self) -> bool {
        self.sound
    }

    /// The view that a producer ships as `structure.json`.
    pub fn view(&self) -> StructureView {
        StructureView::of(&self.graph())
    }

    /// `concepts` of a citation record: the absolute IRIs this representation binds to, in order,
    /// each once, declared or not. A prefixed name is no IRI and is left out.
    pub(crate) fn concepts_of(&self, representation: &Representation) -> Vec<String> {
        let mut concepts: Vec<String> = Vec::new();
        for binding in bindings(representation).unwrap_or_default() {
            if let Binding::Iri(iri) = self.binding(binding)
                && !concepts.iter().any(|known| known == iri)
            {
                concepts.push(iri.to_owned());
            }
        }
        concepts
    }

    fn binding<'a>(&self, binding: &'a Value) -> Binding<'a> {
        let Some(iri) = binding.get("iri").and_then(Value::as_str) else { return Binding::NoIri };
        let Some((scheme, _)) = iri.split_once(':') else { return Binding::NoIri };
        if !crate::manifest::is_absolute_iri(iri) {
            Binding::NoIri
        } else if self.prefixes.contains(scheme) && !self.declared.contains(iri) {
            Binding::PrefixedName(iri)
        } else {
            Binding::Iri(iri)
        }
    }

    fn graph(&self) -> Graph {
        let mut graph = Graph::default();
        graph.add(&self.facts, Layer::Package);
        graph
    }
}

/// What an entry of `moca.concepts` turns out to be.
enum Binding<'a> {
    /// An absolute IRI.
    Iri(&'a str),
    /// A name with a prefix of the Turtle file, written where an IRI belongs.
    PrefixedName(&'a str),
    /// Anything else.
    NoIri,
}

/// The entries of `moca.concepts`; `None` if it is not a list.
fn bindings(representation: &Representation) -> Option<&[Value]> {
    representation.frontmatter.path(&["moca", "concepts"])?.as_seq()
}
