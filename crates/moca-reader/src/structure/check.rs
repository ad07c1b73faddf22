//! Findings about a package's structure: the `O` codes (`facts/moca-reader §8, §9.1`).

use super::graph::{Graph, Layer};
use super::turtle::{self, MAX_TERM_FINDINGS, Relation};
use super::view::StructureView;
use super::{Binding, Structure, bindings};
use crate::diagnostic::{Code, Diagnostics};
use crate::limits::Limits;
use crate::node::{Node, Representation};
use crate::value::Value;

const TURTLE_FILE: &str = "structure.ttl";
const VIEW_FILE: &str = "structure.json";

/// Reads and checks a package that has a `structure.ttl`; `findings` holds nothing else yet.
pub(super) fn whole(
    turtle: &[u8],
    view: Option<&[u8]>,
    nodes: &[Node],
    limits: &Limits,
    findings: &mut Diagnostics,
) -> Structure {
    let parsed = turtle::parse(turtle, TURTLE_FILE, limits, findings);
    let mut graph = Graph::default();
    graph.add(&parsed.facts, Layer::Package);
    let mut structure = Structure {
        facts: parsed.facts,
        prefixes: parsed.prefixes,
        declared: graph.declared(),
        sound: false,
    };
    report_cycles(&graph, findings);
    report_undeclared(&graph, findings);
    for representation in bound(nodes) {
        report_bindings(&structure, representation, findings);
    }
    if let Some(view) = view
        && !is_derived(view, &graph)
    {
        let message = "it is not the view derived from structure.ttl";
        findings.file(Code::StructureViewMismatch, VIEW_FILE, message);
    }
    structure.sound = findings.as_slice().is_empty();
    structure
}

/// Checks a package without a `structure.ttl`.
pub(super) fn missing(has_view: bool, nodes: &[Node], findings: &mut Diagnostics) {
    if has_view {
        let message = "there is no structure.ttl that it could be derived from";
        findings.file(Code::StructureViewMismatch, VIEW_FILE, message);
    }
    for representation in bound(nodes) {
        let message = "it binds to concepts, but the package has no structure.ttl";
        findings.file(Code::ConceptUndeclared, &representation.file, message);
    }
}

/// Representations whose `moca.concepts` is a list.
fn bound(nodes: &[Node]) -> impl Iterator<Item = &Representation> {
    nodes.iter().flat_map(|node| &node.representations).filter(|r| bindings(r).is_some())
}

fn report_cycles(graph: &Graph, findings: &mut Diagnostics) {
    let acyclic = [
        (Relation::Requires, "requires"),
        (Relation::Broader, "broader"),
        (Relation::HasPart, "hasPart"),
    ];
    for (relation, name) in acyclic {
        if let Some(circle) = graph.cycle(relation) {
            let shown = circle.iter().take(16).copied().collect::<Vec<_>>().join(" → ");
            let message = format!("{name} goes round in a circle: {shown}");
            findings.file(Code::StructureCycle, TURTLE_FILE, message);
        }
    }
}

fn report_undeclared(graph: &Graph, findings: &mut Diagnostics) {
    let undeclared = graph.referenced().into_iter().filter(|iri| !graph.is_declared(iri));
    for iri in undeclared.take(MAX_TERM_FINDINGS) {
        let message = format!("{iri} is used, but not declared as a skos:Concept");
        findings.file(Code::ConceptUndeclared, TURTLE_FILE, message);
    }
}

fn report_bindings(
    structure: &Structure,
    representation: &Representation,
    findings: &mut Diagnostics,
) {
    let file = &representation.file;
    for binding in bindings(representation).unwrap_or_default() {
        match structure.binding(binding) {
            Binding::Iri(iri) if structure.declared.contains(iri) => {}
            Binding::Iri(iri) => {
                let message = format!("concept {iri} is not declared in structure.ttl");
                findings.file(Code::ConceptUndeclared, file, message);
            }
            Binding::PrefixedName(name) => {
                let message = format!("concept {name} is a prefixed name, not an absolute IRI");
                findings.file(Code::RemoteReference, file, message);
            }
            Binding::NoIri => {
                findings.file(Code::RemoteReference, file, "a concept has no absolute IRI");
            }
        }
    }
}

/// True if `view` is the derived view, value for value and member for member in its order.
fn is_derived(view: &[u8], graph: &Graph) -> bool {
    let derived = serde_json::to_vec(&StructureView::of(graph));
    let derived = derived.and_then(|json| serde_json::from_slice::<Value>(&json));
    match (serde_json::from_slice::<Value>(view), derived) {
        (Ok(view), Ok(derived)) => view == derived,
        _ => false,
    }
}
