//! Structure: what packages and the host state, answered the same way by every Reader.

use moca_reader::diagnostic::Diagnostics;
use moca_reader::library::CitationOptions;
use moca_reader::structure::{Include, Item, Layer, Overlay, OverlayLayer, StructureIndex};
use moca_reader::{Capability, Library, Limits, Options, ReadResult};
use serde_json::{Value, json};

use crate::fixture::{NOW, Package, codes};

const PREFIXES: &str = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix c: <https://example.com/c#> .
";

fn iri(name: &str) -> String {
    format!("https://example.com/c#{name}")
}

fn package(turtle: &str) -> Package {
    Package::new("https://example.com/structure", "1.0.0")
        .node("n.md", "", "Body\n")
        .file("structure.ttl", format!("{PREFIXES}{turtle}"))
}

fn bound(turtle: &str, concept: &str) -> Package {
    package(turtle).node("n.md", &format!("moca: {{concepts: [{{iri: {concept:?}}}]}}"), "Body\n")
}

fn library(package: &Package) -> Library {
    let mut library = Library::default();
    library.add(package.read_plainly()).unwrap();
    library
}

/// Names behind `#`, in the order given.
fn names(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.iri.rsplit('#').next().unwrap()).collect()
}

fn declare(names: &[&str]) -> String {
    names.iter().map(|name| format!("c:{name} a skos:Concept .\n")).collect()
}

#[test]
fn sound_structure_is_a_capability() {
    let result = bound(&declare(&["A"]), &iri("A")).read_plainly();
    assert!(codes(&result).is_empty());
    assert!(result.capabilities.contains(&Capability::Structured));
    assert!(result.structure.unwrap().is_sound());
}

#[test]
fn faults_are_warnings_and_withhold_the_capability() {
    let found = |package: Package| {
        let result = package.read_plainly();
        assert!(result.valid && !result.capabilities.contains(&Capability::Structured));
        codes(&result)
    };
    let a = declare(&["A"]);
    assert_eq!(found(package("c:A a skos:Concept")), ["O001"]);
    assert_eq!(found(bound(&a, &iri("B"))), ["O002"]);
    assert_eq!(found(package(&format!("{a} c:A dct:requires c:B ."))), ["O002"]);
    assert_eq!(found(bound(&a, "c:A")), ["O003"]);
    assert_eq!(found(bound(&a, "no iri")), ["C005", "O003"]);
    assert_eq!(found(package(&format!("{a} c:A skos:related <#A> ."))), ["O003"]);
    assert_eq!(
        found(package("<https://example.com/c> owl:imports <https://example.org/> .")),
        ["O003"]
    );
    assert_eq!(found(package(&a).file("structure.json", "{}")), ["O004"]);
    assert_eq!(found(package(&format!("{a} c:A dct:hasPart c:A ."))), ["O005"]);
    let unstated = Package::new("https://example.com/s", "1.0.0")
        .node("n.md", "moca: {concepts: []}", "Body\n")
        .file("structure.json", "{}");
    assert_eq!(found(unstated), ["O004", "O002"]);
}

#[test]
fn limits_on_bytes_and_triples_are_o001() {
    let package = package(&declare(&["A", "B"]));
    let read = |limits| codes(&package.read(&Options { limits, ..Options::at(NOW) }));
    assert_eq!(read(Limits { max_triples: 1, ..Limits::default() }), ["O001"]);
    assert_eq!(read(Limits { max_triples: 2, ..Limits::default() }), [""; 0]);
    assert_eq!(read(Limits { max_structure_bytes: 50, ..Limits::default() }), ["O001"]);
}

#[test]
fn bindings_become_concepts_of_the_record() {
    let concepts = |frontmatter: &str, turtle: Option<&str>| -> Value {
        let mut package =
            Package::new("https://example.com/s", "1.0.0").node("n.md", frontmatter, "B");
        if let Some(turtle) = turtle {
            package = package.file("structure.ttl", format!("{PREFIXES}{turtle}"));
        }
        let record = library(&package)
            .get("https://example.com/s#n.md", NOW, &CitationOptions::default())
            .unwrap();
        serde_json::to_value(record).unwrap()["concepts"].take()
    };
    let bindings = "moca: {concepts: [{iri: 'https://example.com/c#B'}, {iri: 'https://example.com/c#A'}, {iri: 'https://example.com/c#B'}, {iri: 'c:A'}, {iri: 7}]}";
    assert_eq!(concepts(bindings, Some(&declare(&["A"]))), json!([iri("B"), iri("A")]));
    assert_eq!(concepts(bindings, None), Value::Null);
    // Declared as it is written: an IRI that happens to look like a prefixed name.
    let odd = "moca: {concepts: [{iri: 'c:A'}]}";
    assert_eq!(concepts(odd, Some("<c:A> a skos:Concept .")), json!(["c:A"]));
}

#[test]
fn derived_view_is_the_same_whatever_the_order_and_direction_of_statements() {
    let one = "c:A a skos:Concept ; skos:prefLabel \"Ä\"@de, \"A\"@en ; skos:broader c:B ; dct:requires c:C ; dct:hasPart c:C .
        c:B a skos:Concept ; skos:related c:A ; dct:replaces c:C . c:C a skos:Concept ; owl:deprecated true ; skos:definition \"end\" .
        c:S a skos:OrderedCollection ; skos:memberList ( c:B c:A c:B ) .";
    let other = "c:C dct:isReplacedBy c:B ; dct:isPartOf c:A ; dct:isRequiredBy c:A ; skos:definition \"end\" ; owl:deprecated true ; a skos:Concept .
        c:S skos:memberList ( c:B c:A ) ; a skos:OrderedCollection .
        c:B skos:narrower c:A ; a skos:Concept . c:A skos:related c:B ; skos:prefLabel \"A\"@EN ; a skos:Concept .";
    let view = |turtle| {
        let structure = package(turtle).read_plainly().structure.unwrap();
        serde_json::to_string(&structure.view()).unwrap()
    };
    assert_eq!(view(one), view(other));
    let expected = json!({
        "structureVersion": 1,
        "concepts": [
            { "iri": iri("A"), "label": "A", "broader": [iri("B")], "related": [iri("B")], "parts": [iri("C")], "requires": [iri("C")], "replaces": [] },
            { "iri": iri("B"), "broader": [], "related": [iri("A")], "parts": [], "requires": [], "replaces": [iri("C")] },
            { "iri": iri("C"), "definition": "end", "deprecated": true, "broader": [], "related": [], "parts": [], "requires": [], "replaces": [] },
        ],
        "sequences": [{ "iri": iri("S"), "members": [iri("B"), iri("A")] }],
    });
    assert_eq!(serde_json::from_str::<Value>(&view(one)).unwrap(), expected);
    let shipped = package(one).file("structure.json", view(one)).read_plainly();
    assert!(codes(&shipped).is_empty());
}

#[test]
fn requirements_come_before_what_requires_them() {
    let library = library(&package(
        "c:A dct:requires c:D, c:B . c:B dct:requires c:C . c:D dct:requires c:C, c:A . c:E dct:requires c:A .",
    ));
    let index = StructureIndex::new(&library, &[]);
    assert_eq!(names(&index.requires(&iri("A"), false)), ["B", "D"]);
    assert_eq!(names(&index.requires(&iri("A"), true)), ["C", "B", "D"]);
    assert_eq!(names(&index.required_by(&iri("A"))), ["D", "E"]);
    assert!(index.requires(&iri("none"), true).is_empty());
}

#[test]
fn narrower_concepts_come_nearest_first() {
    let library = library(&package(
        "c:A skos:narrower c:C, c:B . c:D skos:broader c:B . c:A1 skos:broader c:C . c:A skos:broader c:D . c:P dct:isPartOf c:A .",
    ));
    let index = StructureIndex::new(&library, &[]);
    assert_eq!(names(&index.narrower(&iri("A"), false)), ["B", "C"]);
    assert_eq!(names(&index.narrower(&iri("A"), true)), ["B", "C", "A1", "D"]);
    assert_eq!(names(&index.broader(&iri("B"))), ["A"]);
    assert_eq!(names(&index.parts(&iri("A"))), ["P"]);
    let below: Vec<String> = index.descendants(&iri("A")).into_iter().collect();
    assert_eq!(below, ["A1", "B", "C", "D", "P"].map(iri));
}

#[test]
fn lowest_layer_that_states_something_is_named() {
    let package = package("c:A a skos:Concept ; skos:prefLabel \"package\" ; skos:related c:B .");
    let library = library(&package);
    let mut found = Diagnostics::default();
    let mut overlay = |id, layer, turtle: &str| {
        let turtle = format!("{PREFIXES}{turtle}");
        Overlay::parse(id, layer, turtle.as_bytes(), &Limits::default(), &mut found)
    };
    let overlays = [
        overlay(
            "org",
            OverlayLayer::Organisation,
            "c:A skos:prefLabel \"org\", \"firm\"@fr ; dct:requires c:D . c:B skos:related c:A, c:C . c:C a skos:Concept .",
        ),
        overlay(
            "app",
            OverlayLayer::Application,
            "c:A dct:requires c:D ; skos:related c:C . c:D a skos:Concept",
        ),
        overlay("app2", OverlayLayer::Application, "c:A dct:requires c:E ; skos:related c:C ."),
    ];
    let findings: Vec<_> =
        found.as_slice().iter().map(|d| (&d.code.as_str()[..4], d.file.as_deref())).collect();
    assert_eq!(findings, [("O001", Some("overlay:app"))]);
    let index = StructureIndex::new(&library, &overlays);
    let layers = |items: &[Item]| items.iter().map(|item| item.layer).collect::<Vec<_>>();
    let required = index.requires(&iri("A"), false);
    assert_eq!(names(&required), ["D", "E"]);
    assert_eq!(layers(&required), [Layer::Organisation, Layer::Application]);
    let related = index.related(&iri("A"));
    assert_eq!(names(&related), ["B", "C"]);
    assert_eq!(layers(&related), [Layer::Package, Layer::Application]);
    let concept = index.concept(&iri("A")).unwrap();
    assert_eq!(concept.label.as_deref(), Some("package"));
    assert_eq!((concept.labels["fr"].as_str(), concept.layer), ("firm", Layer::Package));
    assert!(index.concept(&iri("B")).is_none());
    assert_eq!(index.concept(&iri("C")).unwrap().layer, Layer::Organisation);
}

#[test]
fn nodes_of_a_concept_follow_the_policy() {
    let concept =
        |name: &str, more: &str| format!("{more}\nmoca: {{concepts: [{{iri: '{}'}}]}}", iri(name));
    let package = package("c:A skos:narrower c:B ; dct:hasPart c:C . c:B dct:hasPart c:D .")
        .node("a.md", &concept("A", ""), "A")
        .node("b.md", &concept("B", ""), "B")
        .node("c.md", &concept("C", ""), "C")
        .node("d.md", &concept("D", ""), "D")
        .node("old.md", &concept("A", "status: deprecated"), "old");
    let library = library(&package);
    let index = StructureIndex::new(&library, &[]);
    let nodes = |include, include_all| -> Vec<String> {
        let records =
            index.nodes(&iri("A"), include, include_all, NOW, &CitationOptions::default());
        records.into_iter().map(|record| record.node.path.into()).collect()
    };
    assert_eq!(nodes(Include::None, false), ["a.md"]);
    assert_eq!(nodes(Include::None, true), ["a.md", "old.md"]);
    assert_eq!(nodes(Include::Narrower, false), ["a.md", "b.md"]);
    assert_eq!(nodes(Include::Parts, false), ["a.md", "c.md"]);
    assert_eq!(nodes(Include::Both, false), ["a.md", "b.md", "c.md", "d.md"]);
}

#[test]
fn long_chains_circles_and_shared_lists_do_not_exhaust_the_stack_or_the_clock() {
    let many = 20_000;
    let chain: String =
        (0..many).map(|n| format!("c:n{n} dct:requires c:n{} .\n", n + 1)).collect();
    let library_of_chain = library(&package(&chain));
    let index = StructureIndex::new(&library_of_chain, &[]);
    assert_eq!(index.requires(&iri("n0"), true).len(), many);
    let ring = package(&format!("{chain} c:n{many} dct:requires c:n0 .")).read_plainly();
    assert!(codes(&ring).contains(&"O005"));
    let nested =
        format!("c:A skos:related {}{} .", "[ skos:related ".repeat(many), "]".repeat(many));
    let deep: ReadResult = package(&nested).read_plainly();
    assert!(deep.valid);
    let list: String = (0..many).map(|n| format!("c:m{n} ")).collect();
    let lists: String = (0..many).map(|n| format!("c:s{n} skos:memberList _:l .\n")).collect();
    let first = "_:l <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> c:first ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest>";
    let shared = package(&format!("{first} ( {list} ) .\n{lists}")).read_plainly();
    assert!(shared.valid);
}

#[test]
fn sequence_keeps_the_order_of_its_list() {
    let library = library(&package(
        "c:S skos:memberList ( c:C c:A \"text\" c:B c:A ) . c:B skos:prefLabel \"b\" .",
    ));
    let index = StructureIndex::new(&library, &[]);
    let members = index.sequence(&iri("S")).unwrap();
    assert_eq!(names(&members), ["C", "A", "B"]);
    assert_eq!(members[2].label.as_deref(), Some("b"));
    assert!(index.sequence(&iri("A")).is_none());
}
