//! Our typed rules and the published JSON Schema give every record the same verdict, unknown members aside.

use moca::record::{CitationKey, Reading, Reference};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::shared::{self, record, with};

/// The schema with every object open: what it then refuses, it refuses for another reason than an unknown member.
fn open(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.remove("additionalProperties");
            members.values_mut().for_each(open);
        }
        Value::Array(items) => items.iter_mut().for_each(open),
        _ => {}
    }
}

struct Schemas {
    strict: jsonschema::Validator,
    open: jsonschema::Validator,
}

fn schemas() -> Option<Schemas> {
    let folder = shared::folder("records_keep_the_schema")?;
    let path = folder.join("moca-corpus/schemas/v1/citation-record.schema.json");
    let mut schema: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    let strict = jsonschema::validator_for(&schema).expect("a schema");
    // `ref` may be missing in records of older services: rebuilt, and marked.
    open(&mut schema);
    let required = schema["properties"]["node"]["required"].as_array_mut().expect("a list");
    required.retain(|name| name != "ref");
    Some(Schemas { strict, open: jsonschema::validator_for(&schema).expect("a schema") })
}

fn same_verdict(schemas: &Schemas, value: &Value) -> Result<(), String> {
    let read = moca::record::read(&value.to_string());
    let ours = match &read.reading {
        Reading::Valid(record) => {
            let rebuilt =
                !matches!(record.node.reference, Reference::Stated(_) | Reference::Misshapen(_));
            (true, record.unknown_members.is_empty() && !rebuilt)
        }
        Reading::Invalid(record) => {
            if record.violations.is_empty() {
                return Err(format!("invalid without a reason: {value}"));
            }
            (false, false)
        }
    };
    let theirs = (schemas.open.is_valid(value), schemas.strict.is_valid(value));
    if ours == theirs { Ok(()) } else { Err(format!("ours {ours:?}, theirs {theirs:?}: {value}")) }
}

/// A record with every member that the schema has.
fn full() -> Value {
    let mut full = with(&[
        ("/node/locale", json!("en")),
        ("/node/description", json!("How to return a bike.")),
        ("/node/tags", json!(["returns"])),
        ("/node/digest", json!(format!("sha256:{}", "0c".repeat(32)))),
        ("/trust/generated", json!({ "by": "drafter/1", "at": "2026-07-30T09:00:00Z" })),
        ("/trust/declaredVerified", json!([{ "by": "human:t.oja", "at": "2026-08-01" }])),
        (
            "/trust/attestedReviews",
            json!([{ "reviewer": "human:m.lindqvist", "reviewedAt": "2026-08-14T00:00:00Z",
                     "outcome": "accurate", "signer": "Harbour reviewers", "scope": "all" }]),
        ),
        ("/trust/staleAfter", json!("2027-02-14")),
        ("/trust/validFrom", json!("2026-01-01")),
        ("/trust/validUntil", json!("2028-01-01")),
        ("/trust/supersededBy", json!([])),
        ("/trust/contestedBy", json!([])),
    ]);
    full["evidence"] = json!([{ "source": { "id": "terms" }, "selector": { "type": "x" }, "note": "n", "matched": true }]);
    full["concepts"] = json!(["https://bikes.example/c#return"]);
    full["audience"] = json!("public");
    full["profiles"] = json!(["https://bikes.example/profile"]);
    full["score"] = json!(0.75);
    full["retrieval"] = json!({ "via": "search", "from": "urn:x:y" });
    full
}

fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                pointers(member, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

fn replacements() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(7.0),
        json!(1e30),
        json!(""),
        json!("x"),
        json!("draft"),
        json!("search"),
        json!("urn:a b"),
        json!("urn:x:y"),
        json!("1a:b"),
        json!("a:"),
        json!("a:\u{feff}"),
        json!("a:\u{85}"),
        json!("sha256:ABC"),
        json!([]),
        json!([1]),
        json!(["x"]),
        json!({}),
        json!({ "by": "x" }),
        json!({ "source": {} }),
        json!([{ "by": 1 }]),
        json!(18_446_744_073_709_551_615_u64),
    ]
}

/// Applies one change: remove, add an unknown member, or replace by another value.
fn mutate(value: &mut Value, pointer: &str, how: usize) {
    let replacements = replacements();
    match how {
        0 => {
            if let Some((parent, name)) = pointer.rsplit_once('/')
                && let Some(Value::Object(members)) = value.pointer_mut(parent)
            {
                members.remove(name);
            }
        }
        1 => {
            if let Some(Value::Object(members)) = value.pointer_mut(pointer) {
                members.insert("addedLater/~".to_owned(), json!({ "any": [1] }));
            }
        }
        n => {
            if let Some(place) = value.pointer_mut(pointer) {
                *place = replacements[(n - 2) % replacements.len()].clone();
            }
        }
    }
}

#[test]
fn every_single_change_gets_the_same_verdict() {
    let Some(schemas) = schemas() else { return };
    let full = full();
    same_verdict(&schemas, &full).expect("the full record");
    same_verdict(&schemas, &record()).expect("the plain record");
    let mut all = Vec::new();
    pointers(&full, "", &mut all);
    let mut tried = 0;
    for pointer in &all {
        for how in 0..replacements().len() + 2 {
            let mut changed = full.clone();
            mutate(&mut changed, pointer, how);
            same_verdict(&schemas, &changed).expect(pointer);
            tried += 1;
        }
    }
    assert!(tried > 1_500, "{tried}");
}

#[test]
fn several_changes_at_once_get_the_same_verdict() {
    let Some(schemas) = schemas() else { return };
    let full = full();
    let mut all = Vec::new();
    pointers(&full, "", &mut all);
    let change = (0..all.len(), 0..replacements().len() + 2);
    proptest!(ProptestConfig::with_cases(512), |(changes in prop::collection::vec(change, 1..6))| {
        let mut changed = full.clone();
        for (pointer, how) in &changes {
            mutate(&mut changed, &all[*pointer], *how);
        }
        prop_assert_eq!(same_verdict(&schemas, &changed), Ok(()));
    });
}

#[test]
fn every_violation_is_told_with_its_place() {
    let mut bad = record();
    bad["package"]["digest"] = json!("sha256:XYZ");
    bad["trust"]["stale"] = json!("no");
    bad["node"].as_object_mut().expect("an object").remove("type");
    let Reading::Invalid(invalid) = shared::read(&bad) else { panic!("must be invalid") };
    let places: Vec<&str> = invalid.violations.iter().map(|v| v.path.as_str()).collect();
    assert_eq!(places, ["/package/digest", "/node/type", "/trust/stale"]);
    assert_eq!(
        invalid.claimed_ref.as_deref(),
        Some("https://bikes.example/handbook@3.2.0#returns.md")
    );
}

#[test]
fn violations_are_bounded() {
    let bad = with(&[("/trust/supersededBy", json!(vec![1; 500]))]);
    let Reading::Invalid(invalid) = shared::read(&bad) else { panic!("must be invalid") };
    assert_eq!(invalid.violations.len(), moca::record::MAX_VIOLATIONS);
}

#[test]
fn a_missing_ref_is_rebuilt_and_marked_and_keys_the_record() {
    let mut old = record();
    old["node"].as_object_mut().expect("an object").remove("ref");
    let read = moca::record::read(&old.to_string());
    let record = read.reading.valid().expect("a valid record");
    let expected = "https://bikes.example/handbook@3.2.0#returns.md";
    assert!(matches!(&record.node.reference, Reference::Rebuilt(r) if r.as_str() == expected));
    assert_eq!(record.key(), CitationKey::Ref(expected.to_owned()));
    assert_eq!(
        read.findings.iter().map(|f| f.code.id).collect::<Vec<_>>(),
        ["moca.record.ref-rebuilt"]
    );
}

#[test]
fn a_record_whose_ref_cannot_be_rebuilt_is_keyed_by_id_and_digest() {
    let mut old = with(&[("/package/version", json!(""))]);
    old["node"].as_object_mut().expect("an object").remove("ref");
    let reading = shared::read(&old);
    let record = reading.valid().expect("a valid record");
    assert_eq!(record.node.reference, Reference::Absent);
    assert_eq!(
        record.key(),
        CitationKey::IdAndDigest {
            id: record.node.id.clone(),
            digest: record.package.digest.clone()
        }
    );
}

#[test]
fn a_record_that_contradicts_itself_says_where() {
    for (pointer, value) in [
        ("/node/id", "https://bikes.example/other#returns.md"),
        ("/node/path", "elsewhere.md"),
        ("/package/version", "9.9.9"),
        ("/node/ref", "https://bikes.example/handbook@3.2.1#returns.md"),
        ("/node/ref", "no reference at all"),
    ] {
        let read = moca::record::read(&with(&[(pointer, json!(value))]).to_string());
        assert!(
            !read.reading.valid().expect("schema-valid").contradictions.is_empty(),
            "{pointer}"
        );
        assert!(
            read.findings.iter().any(|f| f.code.id == "moca.record.inconsistent-ref"),
            "{pointer}"
        );
    }
}

#[test]
fn spans_flags_and_dates_that_cannot_be_are_findings() {
    for (pointer, value, code) in [
        ("/span", json!({ "start": 9, "end": 8 }), "moca.record.inconsistent-span"),
        ("/span", json!({ "start": 0, "end": 1e30 }), "moca.record.inconsistent-span"),
        ("/package/signed", json!(false), "moca.record.inconsistent-trust"),
        ("/trust/supersededBy", json!(["x@2"]), "moca.record.inconsistent-trust"),
        ("/trust/contestedBy", json!(["x@2"]), "moca.record.inconsistent-trust"),
        ("/trust/staleAfter", json!("soon"), "moca.record.time-unreadable"),
        ("/trust/validFrom", json!("2026-01-01T00:00:00"), "moca.record.time-without-offset"),
        (
            "/trust/declaredVerified",
            json!([{ "by": "x", "at": "once" }]),
            "moca.record.time-unreadable",
        ),
    ] {
        let read = moca::record::read(&with(&[(pointer, value)]).to_string());
        let codes: Vec<_> = read.findings.iter().map(|f| f.code.id).collect();
        assert_eq!(codes, [code], "{pointer}");
    }
}

#[test]
fn an_empty_date_counts_as_absent() {
    let reading = shared::read(&with(&[("/trust/staleAfter", json!(""))]));
    assert_eq!(reading.valid().expect("a valid record").trust.stale_after, None);
}

#[test]
fn the_digest_of_a_record_ignores_order_and_space_and_nothing_else() {
    let sha = |raw: &str| moca::record::read(raw).reading.record_sha256().map(str::to_owned);
    let one = sha(r#"{"b": 1.0, "a": "é\u000a\u0001/\"\\"}"#);
    // printf '{"a":"é\\n\\u0001/\\"\\\\","b":1.0}' | sha256sum
    assert_eq!(one, sha("{\n \"a\":\"\\u00e9\\n\\u0001\\/\\\"\\\\\",\"b\":1.0}"));
    assert_ne!(one, sha(r#"{"b": 1, "a": "é\n\u0001/\"\\"}"#));
    assert_eq!(sha("{").as_deref(), None);
}

#[test]
fn offsets_that_went_through_a_binary_recording_read_the_same() {
    let raw = record().to_string().replace("120", "120.0").replace("480", "4.8e2");
    let read = moca::record::read(&raw);
    let span = read.reading.valid().expect("a valid record").span.expect("a span");
    assert_eq!((span.start, span.end), (120, 480));
}
