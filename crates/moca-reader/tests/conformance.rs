//! The specification's conformance corpus, case by case, through the adapter binary that its own
//! runner would call (`facts/moca-reader §11`).
//!
//! The corpus is not part of this project: it is looked for in the folder that
//! `MOCA_SPEC_CONFORMANCE` names, then in `moca-corpus/conformance` of the shared inputs. Without
//! either every case is named as not run.

// A helper of a test that cannot go on has failed; a test says what it does not run.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

#[test]
fn every_case_of_the_corpus_passes() {
    let Some(root) = corpus() else {
        println!("not run: no conformance corpus (set MOCA_SPEC_CONFORMANCE)");
        return;
    };
    let cases: Value =
        serde_json::from_slice(&std::fs::read(root.join("cases.json")).unwrap()).unwrap();
    let schema = record_schema(&root);
    let mut digests = BTreeMap::new();
    let mut failures = Vec::new();
    let mut passed = 0;
    for case in cases["cases"].as_array().unwrap() {
        let id = case["id"].as_str().unwrap();
        if let Some(missing) = missing_file(&root, case) {
            println!("not run: {id} ({missing} is missing)");
            continue;
        }
        let actual = ask(&root, case);
        let mut differences = compare(case, &actual, &digests);
        differences.extend(record_faults(schema.as_ref(), case, &actual));
        digests.insert(id.to_owned(), actual["digest"].clone());
        if differences.is_empty() {
            passed += 1;
        } else {
            failures.push(format!("{id}: {}", differences.join("; ")));
        }
    }
    println!("{passed} cases passed");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(passed > 0, "the corpus has no case whose files are there");
}

fn corpus() -> Option<PathBuf> {
    let shared = std::env::var_os("RECITE_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), Into::into);
    std::env::var_os("MOCA_SPEC_CONFORMANCE")
        .map(PathBuf::from)
        .into_iter()
        .chain([shared.join("moca-corpus/conformance")])
        .find(|root| root.join("cases.json").is_file())
        .map(|root| root.canonicalize().unwrap())
}

/// The first file that a case names and the corpus at hand does not have.
fn missing_file(root: &Path, case: &Value) -> Option<String> {
    let options = &case["options"];
    let lists = [&case["packages"], &options["members"], &options["allow"]];
    let overlays = options["overlays"].as_array().into_iter().flatten().map(|o| &o["path"]);
    [&case["target"], &options["trustRoot"], &options["sidecar"]]
        .into_iter()
        .chain(lists.into_iter().filter_map(Value::as_array).flatten())
        .chain(overlays)
        .filter_map(Value::as_str)
        .find(|path| !root.join(path).exists())
        .map(str::to_owned)
}

fn ask(root: &Path, case: &Value) -> Value {
    let mut adapter = Command::new(env!("CARGO_BIN_EXE_moca-reader-adapter"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let request = json!({ "root": root, "case": case });
    adapter.stdin.take().unwrap().write_all(request.to_string().as_bytes()).unwrap();
    let output = adapter.wait_with_output().unwrap();
    assert!(output.status.success(), "the adapter failed on {}", case["id"]);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn compare(case: &Value, actual: &Value, digests: &BTreeMap<String, Value>) -> Vec<String> {
    let expect = &case["expect"];
    let mut differences = Vec::new();
    let mut same = |what: &str, expected: Value, actual: Value| {
        if expected != actual {
            differences.push(format!("{what}: expected {expected}, got {actual}"));
        }
    };
    let codes = if expect["codes"].is_null() { json!([]) } else { expect["codes"].clone() };
    same("codes", set(&codes), set(&actual["codes"]));
    match case["kind"].as_str() {
        None => {
            same("valid", expect["valid"].clone(), actual["valid"].clone());
            same("capabilities", set(&expect["capabilities"]), set(&actual["capabilities"]));
            if let Some(digest) = expect["digest"].as_str() {
                let expected = match digest.strip_prefix("SAME:") {
                    Some(other) => digests[other].clone(),
                    None => json!(digest),
                };
                same("digest", expected, actual["digest"].clone());
            }
            for name in ["sidecarUsable", "evidenceMatched"] {
                if !expect[name].is_null() {
                    same(name, expect[name].clone(), actual[name].clone());
                }
            }
        }
        Some("structure") => same("result", expect["result"].clone(), actual["result"].clone()),
        Some(_) => {
            let found = records(actual);
            let refs: BTreeSet<&str> = found.iter().map(|(reference, _)| *reference).collect();
            for wanted in strings(&expect["include"]) {
                same(wanted, json!(true), json!(refs.contains(wanted)));
            }
            for unwanted in strings(&expect["exclude"]) {
                same(unwanted, json!(false), json!(refs.contains(unwanted)));
            }
            if !expect["count"].is_null() {
                same("count", expect["count"].clone(), json!(found.len()));
            }
            for (reference, locale) in expect["locales"].as_object().into_iter().flatten() {
                let record = found.iter().find(|(r, _)| r == reference);
                let actual = record.map_or(Value::Null, |(_, r)| r["node"]["locale"].clone());
                same(reference, locale.clone(), actual);
            }
        }
    }
    differences
}

/// Every record of a search must be valid against the schema and carry a score.
fn record_faults(
    schema: Option<&jsonschema::Validator>,
    case: &Value,
    actual: &Value,
) -> Vec<String> {
    if case["kind"] != "search" {
        return Vec::new();
    }
    let mut faults = Vec::new();
    for (reference, record) in records(actual) {
        if !record["score"].is_number() {
            faults.push(format!("{reference} has no score"));
        }
        if let Some(error) = schema.and_then(|schema| schema.iter_errors(record).next()) {
            faults.push(format!("{reference} breaks the schema: {error}"));
        }
    }
    faults
}

fn record_schema(root: &Path) -> Option<jsonschema::Validator> {
    let path = root.join("../schemas/v1/citation-record.schema.json");
    let Ok(bytes) = std::fs::read(&path) else {
        println!("not run: records against their schema (no schemas beside the corpus)");
        return None;
    };
    Some(jsonschema::validator_for(&serde_json::from_slice(&bytes).unwrap()).unwrap())
}

fn records(actual: &Value) -> Vec<(&str, &Value)> {
    let records = actual["records"].as_array().into_iter().flatten();
    records.map(|record| (record["node"]["ref"].as_str().unwrap(), record)).collect()
}

fn set(list: &Value) -> Value {
    json!(strings(list).collect::<BTreeSet<_>>())
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}
