//! Sidecars: bound to these bytes, or ignored.

use moca_reader::search::{BackendError, DenseBackend, Embedder, LexicalBackend, Request, Search};
use moca_reader::sidecar::{Sidecar, bind_sidecar};
use moca_reader::{Library, Options, ReadResult};
use serde_json::{Value, json};

use crate::fixture::{NOW, Package};

const ID: &str = "https://example.com/sidecar";

fn package() -> ReadResult {
    Package::new(ID, "1.0.0").node("n.md", "", "alpha beta").read_plainly()
}

fn index(package: &ReadResult) -> Value {
    json!({
        "indexVersion": 1,
        "target": { "id": ID, "version": "1.0.0", "digest": package.digest.unwrap().to_string() },
        "indexType": "dense",
        "model": { "name": "model", "version": "1", "dimensions": 2 },
        "storage": {
            "format": "moca-jsonl-v1",
            "file": "payload/items.jsonl",
            "vectors": { "file": "payload/vectors.f32", "dtype": "float32", "dimensions": 2 },
        },
    })
}

/// Two items: `alpha` and `beta`.
fn items(package: &ReadResult) -> [Value; 2] {
    let start = package.nodes[0].representations[0].span.start;
    let item = |n: usize, from: usize, to: usize, text: &str| json!({ "path": "n.md", "chunkIndex": n, "chunkCount": 2, "start": start + from, "end": start + to, "text": text });
    [item(0, 0, 5, "alpha"), item(1, 6, 10, "beta")]
}

fn vectors() -> Vec<u8> {
    [1.0_f32, 0.0, 0.0, 1.0].iter().flat_map(|n| n.to_le_bytes()).collect()
}

fn bound(index: &Value, items: &[Value], vectors: &[u8]) -> Sidecar {
    let lines: Vec<String> = items.iter().map(Value::to_string).collect();
    let files = Package::default()
        .file("index.json", index.to_string())
        .file("payload/items.jsonl", lines.join("\n"))
        .file("payload/vectors.f32", vectors);
    bind_sidecar(&files.target(), &package(), &Options::at(NOW))
}

fn codes(sidecar: &Sidecar) -> Vec<&'static str> {
    assert!(!sidecar.usable() && sidecar.chunks.is_empty() && sidecar.package().is_none());
    sidecar.diagnostics.iter().map(|d| &d.code.as_str()[..4]).collect()
}

#[test]
fn sidecar_of_these_bytes_is_usable() {
    let package = package();
    let sidecar = bound(&index(&package), &items(&package), &vectors());
    assert!(sidecar.usable() && sidecar.diagnostics.is_empty());
    assert_eq!(sidecar.chunks[1].vector.as_deref(), Some([0.0, 1.0].as_slice()));
}

#[test]
fn sidecar_that_breaks_a_rule_is_ignored() {
    let package = package();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut index = index(&package);
        change(&mut index);
        codes(&bound(&index, &items(&package), &vectors()))
    };
    assert_eq!(with(&|i| i["indexVersion"] = json!(2)), ["S001"]);
    assert_eq!(with(&|i| i["more"] = json!(1)), ["S001"]);
    assert_eq!(with(&|i| i["model"] = json!({})), ["S001"]);
    assert_eq!(with(&|i| i["model"]["distance"] = json!("l1")), ["S001"]);
    assert_eq!(with(&|i| i["storage"]["file"] = json!("../items.jsonl")), ["S001"]);
    assert_eq!(with(&|i| i["storage"]["vectors"]["file"] = json!("gone")), ["S001"]);
    assert_eq!(with(&|i| i["storage"]["vectors"]["dtype"] = json!("float64")), ["S001"]);
    assert_eq!(with(&|i| i["target"]["version"] = json!("1.0.1")), ["S002"]);
    assert_eq!(
        with(&|i| i["target"]["digest"] = json!(format!("sha256:{}", "0".repeat(64)))),
        ["S003"]
    );
    assert_eq!(with(&|i| i["storage"]["format"] = json!("other")), ["S005"]);
    assert_eq!(with(&|i| i["storage"]["vectors"]["dimensions"] = json!(4)), ["S004"]);
    assert!(
        with(&|i| {
            i.as_object_mut().unwrap().remove("model");
        }) == ["S001"]
    );
    let nothing = bind_sidecar(&Package::default().target(), &package, &Options::at(NOW));
    assert_eq!(codes(&nothing), ["S001"]);
}

#[test]
fn item_that_breaks_a_rule_makes_the_sidecar_unusable() {
    let package = package();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut items = items(&package);
        change(&mut items[1]);
        let sidecar = bound(&index(&package), &items, &vectors());
        let line = sidecar.diagnostics[0].line;
        assert_eq!(codes(&sidecar), ["S004"]);
        line
    };
    assert_eq!(with(&|i| i["chunkIndex"] = json!(2)), Some(2));
    assert_eq!(with(&|i| i["chunkCount"] = json!(0)), Some(2));
    assert_eq!(with(&|i| i["path"] = json!("../n.md")), Some(2));
    assert_eq!(with(&|i| i["locale"] = json!("fr")), Some(2));
    assert_eq!(with(&|i| i["end"] = json!(1_000_000)), Some(2));
    assert_eq!(with(&|i| i["start"] = json!(-1)), Some(2));
    assert_eq!(with(&|i| i["vector"] = json!([1])), Some(2));
    // The other chunk is missing, or they do not agree on how many there are.
    assert_eq!(with(&|i| i["chunkIndex"] = json!(0)), None);
    assert_eq!(with(&|i| i["chunkCount"] = json!(3)), None);
    assert_eq!(codes(&bound(&index(&package), &items(&package), &vectors()[..12])), ["S004"]);
}

/// Every text is the second axis.
struct Second(&'static str);

impl Embedder for Second {
    fn name(&self) -> &str {
        self.0
    }

    fn dimensions(&self) -> usize {
        2
    }

    fn embed(&self, _: &str) -> Result<Vec<f32>, BackendError> {
        Ok(vec![0.0, 2.0])
    }
}

#[test]
fn passages_found_by_vector_or_by_word_are_cut_from_the_package() {
    let package = package();
    let mut items = items(&package);
    items[0]["text"] = json!("a lie about beta");
    let sidecars = [bound(&index(&package), &items, &vectors())];
    let mut library = Library::default();
    library.add(package).unwrap();

    let dense = DenseBackend::new(&library, &sidecars, &Second("model"));
    let found = Search::library(&library, &dense).search(&Request::new("x"), NOW).unwrap();
    let scores: Vec<_> = found.iter().map(|r| (r.text.as_deref().unwrap(), r.score)).collect();
    assert_eq!(scores, [("beta", Some(1.0)), ("alpha", Some(0.0))]);

    let lexical = LexicalBackend::new(&library, &sidecars);
    let found = Search::library(&library, &lexical).search(&Request::new("lie"), NOW).unwrap();
    assert_eq!(found[0].text.as_deref(), Some("alpha"));
}

#[test]
fn vectors_of_another_model_are_reported_and_not_searched() {
    let package = package();
    let sidecars = [bound(&index(&package), &items(&package), &vectors())];
    let mut library = Library::default();
    library.add(package).unwrap();
    let dense = DenseBackend::new(&library, &sidecars, &Second("other"));
    let backend: &dyn moca_reader::search::Backend = &dense;
    assert_eq!(backend.diagnostics()[0].code.as_str(), "S006_MODEL_MISMATCH");
    let found = Search::library(&library, backend).search(&Request::new("x"), NOW).unwrap();
    assert!(found.is_empty());
}
