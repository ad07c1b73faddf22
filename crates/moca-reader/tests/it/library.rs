//! Packages loaded together: which record a reference gives, and what may share a library.

use moca_reader::library::AddError;
use moca_reader::{CitationOptions, CitationRecord, Library};
use serde_json::json;

use crate::fixture::{NOW, Package};

const ID: &str = "https://example.com/lib";

fn package(version: &str, title: &str) -> Package {
    Package::new(ID, version).node("a.md", &format!("title: {title}"), "Body.\n")
}

fn get(library: &Library, reference: &str) -> Option<CitationRecord> {
    library.get(reference, NOW, &CitationOptions::with_text())
}

#[test]
fn a_reference_gives_its_version_and_an_id_the_first_one_loaded() {
    let mut library = Library::new();
    library.add(package("2.0.0", "two").read_plainly()).unwrap();
    library.add(package("1.0.0", "one").read_plainly()).unwrap();
    let title = |reference: &str| get(&library, reference).and_then(|record| record.node.title);
    assert_eq!(title(&format!("{ID}@1.0.0#a.md")).as_deref(), Some("one"));
    assert_eq!(title(&format!("{ID}@2.0.0#a.md")).as_deref(), Some("two"));
    assert_eq!(title(&format!("{ID}#a.md")).as_deref(), Some("two"));
    for missing in ["", "#", "a.md", &format!("{ID}@3.0.0#a.md"), &format!("{ID}#b.md"), ID] {
        assert!(get(&library, missing).is_none(), "{missing:?}");
    }
}

/// An id may hold `#` and `@`; the last `#` divides, and either reading of the head is tried.
#[test]
fn ids_with_signs_of_a_reference_in_them_are_found() {
    let id = "https://example.com/a@2#part";
    let odd = Package::new(id, "1.0.0").node("a.md", "", "");
    let mut library = Library::new();
    library.add(odd.read_plainly()).unwrap();
    assert!(get(&library, &format!("{id}#a.md")).is_some());
    assert!(get(&library, &format!("{id}@1.0.0#a.md")).is_some());
}

#[test]
fn other_bytes_under_the_same_version_are_refused() {
    let mut library = Library::new();
    let first = package("1.0.0", "one").read_plainly();
    library.add(first.clone()).unwrap();
    library.add(first.clone()).unwrap();
    assert_eq!(library.packages().len(), 1, "the same bytes again change nothing");

    let other = package("1.0.0", "changed").read_plainly();
    let error = library.add(other.clone()).unwrap_err();
    let (loaded, offered) = (first.digest.unwrap(), other.digest.unwrap());
    assert_eq!(error, AddError::OtherDigest { key: format!("{ID}@1.0.0"), loaded, offered });
    let held = get(&library, &format!("{ID}@1.0.0#a.md")).unwrap();
    assert_eq!((held.package.digest, held.node.title.as_deref()), (loaded, Some("one")));
}

#[test]
fn an_invalid_package_is_refused() {
    let invalid = Package::new(ID, "1.0.0").file("content/a.md", "no frontmatter").read_plainly();
    assert_eq!(Library::new().add(invalid), Err(AddError::Invalid));
}

#[test]
fn a_package_that_supersedes_its_own_id_does_not_supersede_itself() {
    let manifest = |version: &str| {
        let relation = json!([{ "type": "supersedes", "target": ID }]);
        Package::with_manifest(json!({ "id": ID, "version": version, "relations": relation }))
            .node("a.md", "", "")
    };
    let mut library = Library::new();
    library.add(package("1.0.0", "old").read_plainly()).unwrap();
    library.add(manifest("2.0.0").read_plainly()).unwrap();
    let trust = |version: &str| get(&library, &format!("{ID}@{version}#a.md")).unwrap().trust;
    assert_eq!(trust("1.0.0").superseded_by, [format!("{ID}@2.0.0")]);
    assert!(!trust("2.0.0").superseded);
}

/// The wanted tag, else a shorter one, else a longer one, else the default (`§2.6`).
#[test]
fn a_locale_falls_back_step_by_step() {
    let manifest = json!({
        "id": ID, "version": "1.0.0", "language": "en", "locales": ["fr", "pt-BR", "zh-Hant-TW"],
    });
    let package = Package::with_manifest(manifest)
        .node("a.md", "", "")
        .node("a.fr.md", "", "")
        .node("a.PT-br.md", "", "")
        .node("a.zh-hant-tw.md", "", "");
    let mut library = Library::new();
    library.add(package.read_plainly()).unwrap();
    for (wanted, given) in [
        ("fr", "fr"),
        ("FR", "fr"),
        ("fr-CA", "fr"),
        ("pt", "pt-BR"),
        ("zh-Hant", "zh-Hant-TW"),
        ("zh-Hant-TW-x", "zh-Hant-TW"),
        ("f", "en"),
        ("fra", "en"),
        ("de", "en"),
        ("", "en"),
    ] {
        let options = CitationOptions { locale: Some(wanted.into()), include_text: false };
        let record = library.get(&format!("{ID}#a.md"), NOW, &options).unwrap();
        assert_eq!(record.node.locale.as_deref(), Some(given), "{wanted:?}");
        assert_eq!(record.text, None);
    }
}

/// The order in which a record's members are written is part of what others diff and hash.
#[test]
fn members_of_a_record_have_a_stable_order() {
    let package = Package::with_manifest(json!({
        "id": ID, "version": "1.0.0", "language": "en", "validUntil": "2027-01-01",
        "profiles": { "https://example.com/profile": {} },
    }))
    .file("sources/s.txt", "Quote.")
    .node(
        "a.md",
        "title: T\ndescription: D\ntags: [x]\nstale_after: 2026-12-01\ngenerated: {by: p/1, at: \
         2026-01-01}\nverified: {by: human:a, at: 2026-01-02}\nsources: [{id: s, resource: \
         ../sources/s.txt}]\nmoca: {audience: public, contested_by: [c], evidence: [{source: s, \
         selector: {type: TextQuoteSelector, exact: Quote}, note: n}]}",
        "B\n",
    );
    let mut library = Library::new();
    let result = package.read_plainly();
    let (digest, node) = (result.digest.unwrap(), package.sha256("content/a.md"));
    library.add(result).unwrap();
    let record = serde_json::to_string(&get(&library, &format!("{ID}#a.md")).unwrap()).unwrap();
    let expected = format!(
        concat!(
            r#"{{"package":{{"id":"{id}","version":"1.0.0","digest":"{digest}","signed":false}},"#,
            r#""node":{{"id":"{id}#a.md","ref":"{id}@1.0.0#a.md","path":"a.md","locale":"en","#,
            r#""type":"Note","title":"T","description":"D","tags":["x"],"digest":"sha256:{node}"}},"#,
            r#""span":{{"start":{start},"end":{end}}},"#,
            r#""trust":{{"status":"stable","generated":{{"by":"p/1","at":"2026-01-01"}},"#,
            r#""declaredVerified":[{{"by":"human:a","at":"2026-01-02"}}],"attestedReviews":[],"#,
            r#""stale":false,"staleAfter":"2026-12-01","inForce":true,"validUntil":"2027-01-01","#,
            r#""superseded":false,"contested":true,"contestedBy":["c"]}},"#,
            r#""evidence":[{{"source":{{"id":"s","resource":"../sources/s.txt"}},"#,
            r#""selector":{{"type":"TextQuoteSelector","exact":"Quote"}},"note":"n","matched":true}}],"#,
            r#""audience":"public","profiles":["https://example.com/profile"],"text":"B\n"}}"#,
        ),
        id = ID,
        digest = digest,
        node = node,
        start = record.split_once("\"start\":").unwrap().1.split_once(',').unwrap().0,
        end = record.split_once("\"end\":").unwrap().1.split_once('}').unwrap().0,
    );
    assert_eq!(record, expected);
}
