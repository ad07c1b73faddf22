//! Turtle to facts (`facts/moca-reader §9.1`).

use std::collections::{BTreeSet, HashMap, HashSet};

use oxrdf::{BlankNode, NamedOrBlankNode, Term, Triple};
use oxttl::TurtleParser;

use crate::diagnostic::{Code, Diagnostics};
use crate::limits::Limits;
use crate::manifest::is_absolute_iri;

/// Findings made about single terms of one file; further ones are left out.
pub(super) const MAX_TERM_FINDINGS: usize = 100;
/// Visits to the cells of RDF lists, per cell: thousands of collections may name one long list.
const MAX_VISITS_PER_CELL: usize = 4;
/// Relative IRIs resolve against this, so that they can be told from absolute ones and reported
/// (`O003`) instead of failing the whole file.
const RELATIVE_BASE: &str = "moca-relative:///";

/// One statement that means something to a Reader; its subject is an IRI.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub(super) subject: String,
    pub(super) statement: Statement,
}

/// What a fact says of its subject.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Concept,
    Sequence,
    Members(Vec<String>),
    Label { language: String, text: String },
    Definition { language: String, text: String },
    Deprecated,
    Relates(Relation, String),
}

/// A relation in the direction it is kept; its inverse is turned round on reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Broader,
    Related,
    HasPart,
    Requires,
    Replaces,
}

/// What one Turtle file states.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) facts: Vec<Fact>,
    /// Prefixes the file declares, up to where it could be read.
    pub(super) prefixes: BTreeSet<String>,
}

/// Reads one Turtle file. Statements with other predicates than the contract's are vocabulary for
/// applications and say nothing here. A file over a limit or with a fault states nothing (`O001`).
pub(super) fn parse(turtle: &[u8], file: &str, limits: &Limits, found: &mut Diagnostics) -> Parsed {
    let mut parsed = Parsed::default();
    match triples(turtle, limits, &mut parsed.prefixes) {
        Ok(triples) => {
            report_remote_references(&triples, file, found);
            parsed.facts = facts(&triples);
        }
        Err(why) => found.file(Code::OntologyUnparseable, file, why),
    }
    parsed
}

fn triples(
    turtle: &[u8],
    limits: &Limits,
    prefixes: &mut BTreeSet<String>,
) -> Result<Vec<Triple>, String> {
    if u64::try_from(turtle.len()).is_ok_and(|length| length > limits.max_structure_bytes) {
        return Err(format!("it is larger than {} bytes", limits.max_structure_bytes));
    }
    let turtle = turtle.strip_prefix("\u{feff}".as_bytes()).unwrap_or(turtle);
    let parser = TurtleParser::new().with_base_iri(RELATIVE_BASE).map_err(|e| e.to_string())?;
    let mut parser = parser.for_slice(turtle);
    let mut triples = Vec::new();
    let mut fault = None;
    for next in parser.by_ref() {
        match next {
            Ok(_) if triples.len() == limits.max_triples => {
                fault = Some(format!("it has more than {} triples", limits.max_triples));
                break;
            }
            Ok(triple) => triples.push(triple),
            Err(error) => {
                fault = Some(format!("it is not Turtle: {error}"));
                break;
            }
        }
    }
    prefixes.extend(parser.prefixes().map(|(name, _)| name.to_owned()));
    fault.map_or(Ok(triples), Err)
}

fn report_remote_references(triples: &[Triple], file: &str, found: &mut Diagnostics) {
    let mut relative = BTreeSet::new();
    for triple in triples {
        if triple.predicate.as_str() == "http://www.w3.org/2002/07/owl#imports" {
            let message = format!("owl:imports {} is not followed", triple.object);
            found.file(Code::RemoteReference, file, message);
        }
        let subject = match &triple.subject {
            NamedOrBlankNode::NamedNode(node) => Some(node),
            NamedOrBlankNode::BlankNode(_) => None,
        };
        let object = match &triple.object {
            Term::NamedNode(node) => Some(node),
            _ => None,
        };
        let terms = [subject, Some(&triple.predicate), object];
        relative.extend(terms.into_iter().flatten().map(|n| n.as_str()).filter(|i| !is_whole(i)));
    }
    for iri in relative.into_iter().take(MAX_TERM_FINDINGS) {
        let shown = iri.strip_prefix(RELATIVE_BASE).unwrap_or(iri);
        found.file(Code::RemoteReference, file, format!("<{shown}> is not an absolute IRI"));
    }
}

/// True for an IRI that was absolute in the file.
fn is_whole(iri: &str) -> bool {
    !iri.starts_with("moca-relative:") && is_absolute_iri(iri)
}

fn facts(triples: &[Triple]) -> Vec<Fact> {
    let mut lists = Lists::of(triples);
    let mut facts = Vec::new();
    for triple in triples {
        let NamedOrBlankNode::NamedNode(subject) = &triple.subject else { continue };
        let subject = subject.as_str();
        if !is_whole(subject) {
            continue;
        }
        facts.extend(fact(subject, triple, &mut lists));
    }
    facts
}

fn fact(subject: &str, triple: &Triple, lists: &mut Lists<'_>) -> Option<Fact> {
    const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
    const DCTERMS: &str = "http://purl.org/dc/terms/";
    let predicate = triple.predicate.as_str();
    let says = |statement| Some(Fact { subject: subject.to_owned(), statement });
    let relates = |relation, inverse: bool| {
        let object = iri_of(&triple.object)?.to_owned();
        let subject = subject.to_owned();
        let (subject, object) = if inverse { (object, subject) } else { (subject, object) };
        Some(Fact { subject, statement: Statement::Relates(relation, object) })
    };
    if let Some(term) = predicate.strip_prefix(SKOS) {
        let text = match &triple.object {
            Term::Literal(literal) => Some((
                literal.language().unwrap_or_default().to_ascii_lowercase(),
                literal.value().to_owned(),
            )),
            _ => None,
        };
        return match (term, text) {
            ("prefLabel", Some((language, text))) => says(Statement::Label { language, text }),
            ("definition", Some((language, text))) => {
                says(Statement::Definition { language, text })
            }
            ("memberList", _) => says(Statement::Members(lists.members(&triple.object))),
            ("broader", _) => relates(Relation::Broader, false),
            ("narrower", _) => relates(Relation::Broader, true),
            ("related", _) => relates(Relation::Related, false),
            _ => None,
        };
    }
    if let Some(term) = predicate.strip_prefix(DCTERMS) {
        return match term {
            "hasPart" => relates(Relation::HasPart, false),
            "isPartOf" => relates(Relation::HasPart, true),
            "requires" => relates(Relation::Requires, false),
            "isRequiredBy" => relates(Relation::Requires, true),
            "replaces" => relates(Relation::Replaces, false),
            "isReplacedBy" => relates(Relation::Replaces, true),
            _ => None,
        };
    }
    match (predicate, &triple.object) {
        ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", Term::NamedNode(class)) => {
            match class.as_str().strip_prefix(SKOS) {
                Some("Concept") => says(Statement::Concept),
                Some("OrderedCollection") => says(Statement::Sequence),
                _ => None,
            }
        }
        ("http://www.w3.org/2002/07/owl#deprecated", Term::Literal(value)) => {
            if value.value() == "true" { says(Statement::Deprecated) } else { None }
        }
        _ => None,
    }
}

fn iri_of(term: &Term) -> Option<&str> {
    match term {
        Term::NamedNode(node) => Some(node.as_str()).filter(|iri| is_whole(iri)),
        _ => None,
    }
}

/// The RDF lists of a file.
struct Lists<'a> {
    cells: HashMap<&'a BlankNode, Cell<'a>>,
    /// Cells that may still be visited.
    visits_left: usize,
}

#[derive(Default)]
struct Cell<'a> {
    first: Option<&'a Term>,
    rest: Option<&'a Term>,
}

impl<'a> Lists<'a> {
    fn of(triples: &'a [Triple]) -> Self {
        const FIRST: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#first";
        const REST: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest";
        let mut cells: HashMap<&BlankNode, Cell<'_>> = HashMap::new();
        for triple in triples {
            let NamedOrBlankNode::BlankNode(cell) = &triple.subject else { continue };
            match triple.predicate.as_str() {
                FIRST => cells.entry(cell).or_default().first = Some(&triple.object),
                REST => cells.entry(cell).or_default().rest = Some(&triple.object),
                _ => {}
            }
        }
        let visits_left = cells.len() * MAX_VISITS_PER_CELL;
        Self { cells, visits_left }
    }

    /// The IRIs in a list, in order, each at its first place; a list that is a circle ends where
    /// it would begin again.
    fn members(&mut self, list: &Term) -> Vec<String> {
        let mut members = Vec::new();
        let mut known = HashSet::new();
        let mut visited = HashSet::new();
        let mut next = Some(list);
        while let Some(Term::BlankNode(node)) = next
            && self.visits_left > 0
            && visited.insert(node)
        {
            self.visits_left -= 1;
            let Some(cell) = self.cells.get(node) else { break };
            let Some(first) = cell.first else { break };
            if let Some(iri) = iri_of(first)
                && known.insert(iri)
            {
                members.push(iri.to_owned());
            }
            next = cell.rest;
        }
        members
    }
}
