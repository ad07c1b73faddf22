//! Search: whatever backend and hooks return, only what may be cited leaves, made from the
//! package's own bytes.

use std::collections::BTreeSet;

use moca_reader::library::CitationOptions;
use moca_reader::record::{CitationRecord, Span};
use moca_reader::search::{
    Backend, BackendError, Context, Filters, Hit, Hooks, Ingress, LexicalBackend, MemoryStore,
    OntologyGuided, Request, Search,
};
use moca_reader::{Digest, Instant, Library};
use serde_json::json;

use crate::fixture::{NOW, Package};

const ID: &str = "https://example.com/search";

fn package() -> Package {
    let manifest = json!({ "id": ID, "version": "1.0.0", "language": "en", "locales": ["fr"] });
    Package::with_manifest(manifest)
        .node("current.md", "title: Refund window", "Refunds take thirty days.\n")
        .node("current.fr.md", "title: Délai", "Trente jours, refunds.\n")
        .node("internal.md", "moca: {audience: internal}", "Refunds for staff.\n")
        .node("old.md", "status: deprecated", "Refunds took a year.\n")
        .node("over.md", "moca: {valid_until: 2026-01-01}", "Refunds until January.\n")
        .node("stale.md", "stale_after: 2026-01-01", "Refunds, stale.\n")
}

fn library() -> Library {
    let mut library = Library::default();
    library.add(package().read_plainly()).unwrap();
    library
}

/// Returns the same hits to everything, whatever it is asked.
struct Fixed(Vec<Hit>);

impl Backend for Fixed {
    fn filters_itself(&self) -> bool {
        false
    }

    fn search(&self, _: &str, _: usize, _: &Filters) -> Result<Vec<Hit>, BackendError> {
        Ok(self.0.clone())
    }
}

fn hit(library: &Library, path: &str, locale: Option<&str>, span: Option<(usize, usize)>) -> Hit {
    Hit {
        digest: library.packages()[0].digest.unwrap(),
        node: format!("{ID}#{path}"),
        path: path.into(),
        locale: locale.map(Into::into),
        span: span.map(|(start, end)| Span { start, end }),
        score: 1.0,
        record: None,
    }
}

/// One hit for every representation.
fn all(library: &Library) -> Fixed {
    let nodes = &library.packages()[0].nodes;
    let each = nodes.iter().flat_map(|node| {
        node.representations.iter().map(|r| hit(library, &node.path, r.locale.as_deref(), None))
    });
    Fixed(each.collect())
}

fn paths(records: &[CitationRecord]) -> BTreeSet<&str> {
    records.iter().map(|record| record.node.path.as_str()).collect()
}

fn many(query: &str) -> Request {
    Request { limit: 50, ..Request::new(query) }
}

#[test]
fn policy_and_audience_hold_whatever_the_backend_returns() {
    let library = library();
    let backend = all(&library);
    let search = Search::library(&library, &backend);
    let found = search.search(&many("x"), NOW).unwrap();
    assert_eq!(paths(&found), BTreeSet::from(["current.md", "internal.md", "stale.md"]));
    assert!(found.iter().any(|record| record.trust.stale && record.node.path == "stale.md"));
    let everything = Request { include_all: true, ..many("x") };
    let public = search.audiences(["public".to_owned()]);
    let found = public.search(&everything, NOW).unwrap();
    assert_eq!(paths(&found), BTreeSet::from(["current.md", "old.md", "over.md", "stale.md"]));
    let old = found.iter().find(|record| record.node.path == "over.md").unwrap();
    assert!(!old.trust.in_force);
}

#[test]
fn hits_that_stand_for_nothing_known_are_dropped() {
    let library = library();
    let good = hit(&library, "current.md", None, None);
    let broken = |change: &dyn Fn(&mut Hit)| {
        let mut hit = good.clone();
        change(&mut hit);
        let backend = Fixed(vec![hit]);
        Search::library(&library, &backend).search(&many("x"), NOW).unwrap().len()
    };
    assert_eq!(broken(&|_| ()), 1);
    assert_eq!(broken(&|hit| hit.digest = Digest([0; 32])), 0);
    assert_eq!(broken(&|hit| hit.path = "stale.md".into()), 0);
    assert_eq!(broken(&|hit| hit.node = "https://example.com/other#current.md".to_owned()), 0);
    assert_eq!(broken(&|hit| hit.locale = Some("de".into())), 0);
    assert_eq!(broken(&|hit| hit.score = f64::NAN), 0);
}

#[test]
fn passages_are_cut_from_the_body_or_dropped() {
    let library = library();
    let body = library.packages()[0].nodes[0].representations[0].span.clone();
    let cut = |from: usize, to: usize| {
        let backend = Fixed(vec![hit(&library, "current.md", None, Some((from, to)))]);
        Search::library(&library, &backend).search(&many("x"), NOW).unwrap().pop()
    };
    let record = cut(body.start, body.start + 7).unwrap();
    assert_eq!(record.text.as_deref(), Some("Refunds"));
    assert_eq!(record.span, Some(Span { start: body.start, end: body.start + 7 }));
    assert!(cut(0, 3).is_none(), "frontmatter is no passage");
    assert!(cut(body.start, body.end + 1).is_none());
    let french = library.packages()[0].nodes[0].representations[1].span.clone();
    let accent =
        Fixed(vec![hit(&library, "current.md", Some("fr"), Some((french.start, french.end)))]);
    assert_eq!(Search::library(&library, &accent).search(&many("x"), NOW).unwrap().len(), 1);
}

#[test]
fn passage_that_cuts_a_character_is_dropped() {
    let mut library = Library::default();
    library.add(Package::new(ID, "1.0.0").node("current.md", "", "é").read_plainly()).unwrap();
    let start = library.packages()[0].nodes[0].representations[0].span.start;
    let backend = Fixed(vec![hit(&library, "current.md", None, Some((start, start + 1)))]);
    assert!(Search::library(&library, &backend).search(&many("x"), NOW).unwrap().is_empty());
}

#[test]
fn wanted_locale_picks_one_representation_of_each_node() {
    let library = library();
    let backend = all(&library);
    let french = Request { locale: Some("fr-CA".to_owned()), ..many("x") };
    let found = Search::library(&library, &backend).search(&french, NOW).unwrap();
    let current = found.iter().find(|record| record.node.path == "current.md").unwrap();
    assert_eq!(current.node.locale.as_deref(), Some("fr"));
    assert_eq!(found.len(), 3);
}

#[test]
fn each_passage_comes_once_and_best_first() {
    let library = library();
    let scored = |path, score| Hit { score, ..hit(&library, path, None, None) };
    let backend =
        Fixed(vec![scored("stale.md", 0.5), scored("current.md", 2.0), scored("stale.md", 0.25)]);
    let found = Search::library(&library, &backend).search(&many("x"), NOW).unwrap();
    let scores: Vec<_> = found.iter().map(|r| (r.node.path.as_str(), r.score)).collect();
    assert_eq!(scores, [("current.md", Some(2.0)), ("stale.md", Some(0.5))]);
    let one = Request { limit: 1, ..Request::new("x") };
    assert_eq!(Search::library(&library, &backend).search(&one, NOW).unwrap().len(), 1);
}

#[test]
fn node_with_a_hash_in_its_name_is_found() {
    let mut library = Library::default();
    library.add(Package::new(ID, "1.0.0").node("a#1.md", "", "refunds").read_plainly()).unwrap();
    let backend = LexicalBackend::new(&library, &[]);
    let found = Search::library(&library, &backend).search(&many("refunds"), NOW).unwrap();
    assert_eq!(paths(&found), BTreeSet::from(["a#1.md"]));
}

/// Returns everything, with trust flags turned to gold, and a record of no loaded package.
struct Forger;

impl Hooks for Forger {
    fn egress(&self, _: Vec<CitationRecord>, context: &Context<'_>) -> Vec<CitationRecord> {
        let library = context.library.unwrap();
        let mut records: Vec<_> =
            library.citations(context.now, &CitationOptions::default()).collect();
        for record in &mut records {
            record.score = Some(9.0);
            record.package.signed = true;
            record.package.signers = vec!["Somebody".to_owned()];
            record.trust.in_force = true;
            record.trust.status = moca_reader::record::Status::Stable;
            record.trust.stale = false;
            record.audience = None;
            record.text = Some("Refunds are paid at once.".into());
        }
        let mut stranger = records[0].clone();
        stranger.package.digest = Digest([0; 32]);
        records.push(stranger);
        records
    }
}

#[test]
fn hook_cannot_change_what_a_record_says() {
    let library = library();
    let backend = all(&library);
    let search =
        Search::library(&library, &backend).hooks(&Forger).audiences(["public".to_owned()]);
    let found = search.search(&many("x"), NOW).unwrap();
    assert_eq!(paths(&found), BTreeSet::from(["current.md", "stale.md"]));
    for record in &found {
        assert!(!record.package.signed && record.package.signers.is_empty());
        assert_ne!(record.text.as_deref(), Some("Refunds are paid at once."));
    }
    assert!(found.iter().any(|record| record.trust.stale));
}

#[test]
fn words_are_found_in_title_and_body_and_filtered_before_ranking() {
    let library = library();
    let backend = LexicalBackend::new(&library, &[]);
    let search = Search::library(&library, &backend);
    let found = search.search(&Request::new("window refunds"), NOW).unwrap();
    assert_eq!(found[0].node.path, "current.md");
    assert_eq!(found[0].text.as_deref(), Some("Refunds take thirty days.\n"));
    assert_eq!(paths(&found), BTreeSet::from(["current.md", "internal.md", "stale.md"]));
    assert!(search.search(&Request::new("absent"), NOW).unwrap().is_empty());
    let french = Request { locale: Some("fr".to_owned()), ..Request::new("trente") };
    assert_eq!(search.search(&french, NOW).unwrap()[0].node.locale.as_deref(), Some("fr"));
}

#[test]
fn stored_records_are_judged_at_the_instant_of_the_search() {
    let library = library();
    let digest = library.packages()[0].digest.unwrap();
    let store = MemoryStore::ingest(&library, Instant(0));
    let search = Search::store([digest], &store);
    let found = search.search(&many("refunds"), NOW).unwrap();
    assert!(found.iter().any(|record| record.node.path == "stale.md" && record.trust.stale));
    assert!(!paths(&found).contains("over.md"));
    let earlier = search.search(&many("refunds"), Instant(0)).unwrap();
    assert!(paths(&earlier).contains("over.md"));
    assert!(earlier.iter().all(|record| !record.trust.stale));
    assert!(Search::store([], &store).search(&many("refunds"), NOW).unwrap().is_empty());
}

#[test]
fn scope_and_concepts_keep_only_what_is_bound() {
    let turtle = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix dct: <http://purl.org/dc/terms/> . @prefix c: <https://example.com/c#> .
        c:Refund a skos:Concept ; skos:prefLabel \"Refund\" ; skos:narrower c:Partial ; dct:requires c:Receipt . c:Partial a skos:Concept . c:Receipt a skos:Concept .";
    let bind =
        |name: &str| format!("moca: {{concepts: [{{iri: 'https://example.com/c#{name}'}}]}}");
    let package = Package::new(ID, "1.0.0")
        .file("structure.ttl", turtle)
        .node("refund.md", &bind("Refund"), "refund\n")
        .node("partial.md", &bind("Partial"), "refund in part\n")
        .node("receipt.md", &bind("Receipt"), "keep it\n")
        .node("free.md", "", "refund\n");
    let mut library = Library::default();
    library.add(package.read_plainly()).unwrap();
    let backend = LexicalBackend::new(&library, &[]);
    let search = Search::library(&library, &backend);
    let iri = |name: &str| format!("https://example.com/c#{name}");
    let scoped = Request { scope: Some(iri("Refund")), ..many("refund") };
    assert_eq!(
        paths(&search.search(&scoped, NOW).unwrap()),
        BTreeSet::from(["partial.md", "refund.md"])
    );
    let narrow = Request { concepts: vec![iri("Partial")], ..scoped };
    assert_eq!(paths(&search.search(&narrow, NOW).unwrap()), BTreeSet::from(["partial.md"]));

    let guided = Search::library(&library, &backend).hooks(&OntologyGuided);
    let found = guided.search(&many("refund"), NOW).unwrap();
    assert_eq!(paths(&found), BTreeSet::from(["partial.md", "receipt.md", "refund.md"]));
    let receipt = found.iter().find(|record| record.node.path == "receipt.md").unwrap();
    let way = receipt.retrieval.as_ref().unwrap();
    assert_eq!((way.via, way.from.as_deref()), ("requires", Some(iri("Refund").as_str())));
    // A hook cannot widen what the caller asked for.
    let found = guided.search(&narrow, NOW).unwrap();
    assert_eq!(paths(&found), BTreeSet::from(["partial.md"]));
}

/// Changes the words.
struct Rewriter;

impl Hooks for Rewriter {
    fn ingress(&self, query: &str, _: &Context<'_>) -> Ingress {
        Ingress { query: Some(format!("{query} thirty")), ..Ingress::default() }
    }
}

#[test]
fn hook_changes_what_the_backend_is_asked() {
    let library = library();
    let backend = LexicalBackend::new(&library, &[]);
    let search = Search::library(&library, &backend).hooks(&Rewriter);
    let found = search.search(&many("absent"), NOW).unwrap();
    assert_eq!(paths(&found), BTreeSet::from(["current.md"]));
}

#[test]
fn failing_backend_is_an_error() {
    struct Down;
    impl Backend for Down {
        fn filters_itself(&self) -> bool {
            true
        }
        fn search(&self, _: &str, _: usize, _: &Filters) -> Result<Vec<Hit>, BackendError> {
            Err(BackendError("store is down".into()))
        }
    }
    let library = library();
    let error = Search::library(&library, &Down).search(&many("x"), NOW).unwrap_err();
    assert_eq!(error.to_string(), "the search backend failed: store is down");
}
