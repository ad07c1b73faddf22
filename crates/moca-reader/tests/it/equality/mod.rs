//! Equality with the conclusions of the reference Reader, field by field: the promise that a
//! citation made there means the same here. What differs by decision is listed in
//! `docs/reader-differences.md` and in [`decisions`].

mod corpus;
mod decisions;
mod edge;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use moca_reader::member::MemberStatus;
use moca_reader::{CitationOptions, Instant, Library, Limits, ReadResult};
use serde_json::{Map, Value, json};

/// The third-party corpus, if it is there.
fn corpus_folder() -> Option<PathBuf> {
    let shared = std::env::var_os("RECITE_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), Into::into);
    let folder = shared.join("moca-corpus");
    let found = folder.join("expected").is_dir();
    if !found {
        println!("not run: equality with the reference (no moca-corpus in the shared inputs)");
    }
    found.then_some(folder)
}

fn json_file(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = (std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    files
}

fn instant(value: &Value) -> Instant {
    Instant::parse(value.as_str().unwrap()).unwrap()
}

fn limits(value: &Value) -> Limits {
    let mut limits = Limits::default();
    for (name, value) in value.as_object().into_iter().flatten() {
        let number = value.as_u64().unwrap();
        let count = usize::try_from(number).unwrap();
        match name.as_str() {
            "maxEntries" => limits.max_entries = count,
            "maxBytes" => limits.max_bytes = number,
            "maxFrontmatterBytes" => limits.max_frontmatter_bytes = count,
            "maxStructureBytes" => limits.max_structure_bytes = number,
            "maxTriples" => limits.max_triples = count,
            "maxEvidencePerNode" => limits.max_evidence_per_node = count,
            "maxSourceBytesChecked" => limits.max_source_bytes_checked = number,
            other => panic!("limit {other} is not known"),
        }
    }
    limits
}

/// What this Reader concludes, in the shape of the reference's files.
fn conclusions(result: &ReadResult) -> Value {
    let manifest = result.manifest.as_ref();
    json!({
        "digest": result.digest,
        "valid": result.valid,
        "capabilities": result.capabilities,
        "diagnostics": diagnostics(result),
        "signers": result.signers,
        "profiles": manifest.map(|m| m.profiles.clone()).unwrap_or_default(),
        "payloadManifest": result.payload_manifest(),
        "attestations": result.attestations,
        "reviewsByFile": result.reviews_by_file,
        "memberResults": result.members.iter().map(member).collect::<Vec<_>>(),
        "structure": manifest.map(|_| json!({
            "present": result.structure.is_some(),
            "ok": result.structure.as_ref().is_some_and(|s| s.is_sound()),
        })),
        "nodes": nodes(result),
    })
}

fn diagnostics(result: &ReadResult) -> Value {
    let found: BTreeSet<_> = (result.diagnostics.iter())
        .map(|d| (d.code.as_str(), json!(d.severity).to_string(), d.file.clone()))
        .collect();
    json!(found)
}

fn member(member: &moca_reader::member::Member) -> Value {
    let mut out = json!({
        "id": member.pin.id,
        "version": member.pin.version,
        "pinnedDigest": member.pin.digest,
        "status": match member.status {
            MemberStatus::Resolved => "resolved",
            MemberStatus::Unresolved => "unresolved",
            MemberStatus::Mismatch => "mismatch",
            MemberStatus::Cycle => "cycle",
        },
    });
    if let Some(result) = &member.result {
        out["digest"] = json!(result.digest);
        out["valid"] = json!(result.valid);
        out["capabilities"] = json!(result.capabilities);
        out["diagnostics"] = diagnostics(result);
    }
    out
}

fn nodes(result: &ReadResult) -> Value {
    let representation = |r: &moca_reader::Representation| {
        json!({
            "locale": r.locale,
            "file": r.file,
            "bodyOffset": r.span.start,
            "bodyBytes": r.span.len(),
            "sha256": r.digest,
            "evidenceChecks": r.evidence.iter().map(|check| {
                let mut out = Map::from_iter([("local".to_owned(), json!(check.local))]);
                out.extend(check.matched.map(|matched| ("matched".to_owned(), json!(matched))));
                out
            }).collect::<Vec<_>>(),
            "frontmatter": r.frontmatter,
        })
    };
    let node = |node: &moca_reader::Node| {
        let all: Vec<Value> = node.representations.iter().map(representation).collect();
        json!({ "path": node.path, "representations": all })
    };
    json!(result.nodes.iter().map(node).collect::<Vec<_>>())
}

/// Records with text of a package and its members; `null` for an invalid package.
fn records(result: &ReadResult, now: Instant, locale: Option<&str>) -> Value {
    let mut library = Library::new();
    if library.add(result.clone()).is_err() {
        return Value::Null;
    }
    let options = CitationOptions { locale: locale.map(str::to_owned), include_text: true };
    json!(library.citations(now, &options).collect::<Vec<_>>())
}

/// Puts the reference's diagnostics into the same shape, in which number and line do not count.
fn normalise(value: &Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(key, value)| match (key.as_str(), value) {
                    ("diagnostics", Value::Array(list)) => (key.clone(), diagnostic_set(list)),
                    _ => (key.clone(), normalise(value)),
                })
                .collect(),
        ),
        Value::Array(items) => items.iter().map(normalise).collect(),
        other => other.clone(),
    }
}

fn diagnostic_set(list: &[Value]) -> Value {
    let found: BTreeSet<_> = (list.iter())
        .map(|d| {
            let file = d["file"].as_str().map(str::to_owned);
            (d["code"].as_str().unwrap(), d["severity"].to_string(), file)
        })
        .collect();
    json!(found)
}

/// Every place where two values differ, as a JSON pointer with both sides. Of an object only the
/// members that the reference gives are compared at the top.
fn differences(expected: &Value, actual: &Value) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (name, expected) in expected.as_object().unwrap() {
        compare(&format!("/{name}"), expected, &actual[name], &mut found);
    }
    found
}

fn compare(at: &str, expected: &Value, actual: &Value, found: &mut BTreeMap<String, String>) {
    match (expected, actual) {
        (Value::Object(e), Value::Object(a)) => {
            let keys: BTreeSet<_> = e.keys().chain(a.keys()).collect();
            for key in keys {
                if OFTEN_LEFT_OUT.contains(&key.as_str()) && !e.contains_key(key) {
                    continue;
                }
                if key == "sha256" && e[key].is_null() {
                    continue; // the reference hashes nothing where there is no digest
                }
                if key == "concepts" && e.contains_key("bodyOffset") {
                    continue; // records have them too
                }
                let none = Value::String("(absent)".into());
                let (e, a) = (e.get(key).unwrap_or(&none), a.get(key).unwrap_or(&none));
                compare(&format!("{at}/{key}"), e, a, found);
            }
        }
        (Value::Array(e), Value::Array(a)) if e.len() == a.len() => {
            for (i, (e, a)) in e.iter().zip(a).enumerate() {
                compare(&format!("{at}/{i}"), e, a, found);
            }
        }
        (e, a) if e == a || same_number(e, a) => {}
        (e, a) => {
            found.insert(at.to_owned(), format!("expected {e}, got {a}"));
        }
    }
}

/// The reference's files leave these out where many packages have the same.
const OFTEN_LEFT_OUT: &[&str] = &["frontmatter", "sha256", "text"];

/// Integers beyond 2^53 are rounded in the reference's files.
fn same_number(expected: &Value, actual: &Value) -> bool {
    matches!((expected.as_f64(), actual.as_f64()), (Some(e), Some(a)) if e == a)
}
