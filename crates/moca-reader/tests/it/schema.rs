//! The typed checks against the JSON schemas, over generated documents: both accept the same.

use std::path::Path;

use jsonschema::Validator;
use moca_reader::{Code, ReadResult};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use crate::fixture::Package;

fn schema(name: &str) -> Option<Validator> {
    let shared = std::env::var_os("RECITE_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), Into::into);
    let path = shared.join(format!("moca-corpus/schemas/v1/{name}.schema.json"));
    let Ok(bytes) = std::fs::read(path) else {
        println!("not run: {name} against its schema (no schemas in the shared inputs)");
        return None;
    };
    let schema: Value = serde_json::from_slice(&bytes).unwrap();
    Some(jsonschema::options().should_validate_formats(true).build(&schema).unwrap())
}

/// Anything, small.
fn junk() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i32..3).prop_map(Value::from),
        Just(json!(1.5)),
        Just(json!("")),
        Just(json!("text")),
        Just(json!([])),
        Just(json!(["text", 1])),
        Just(json!({})),
        Just(json!({ "by": "x" })),
    ]
}

/// Mostly the first of these, which belongs there, sometimes another one, sometimes junk.
fn mostly(words: &'static [&'static str]) -> BoxedStrategy<Value> {
    let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let any = prop::sample::select(words).prop_map(value);
    prop_oneof![40 => Just(value(words[0])), 5 => any, 1 => junk()].boxed()
}

fn object(fields: Vec<(&'static str, BoxedStrategy<Value>)>) -> BoxedStrategy<Value> {
    let members: Vec<_> = (fields.into_iter())
        .map(|(name, value)| {
            prop_oneof![19 => value.prop_map(Some), 1 => Just(None)]
                .prop_map(move |value| value.map(|value| (name.to_owned(), value)))
        })
        .collect();
    let object = members
        .prop_map(|members| Value::Object(members.into_iter().flatten().collect::<Map<_, _>>()));
    prop_oneof![39 => object, 1 => junk()].boxed()
}

fn list(item: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop_oneof![
        39 => prop::collection::vec(item, 0..3).prop_map(Value::from),
        1 => junk(),
    ]
    .boxed()
}

const TIMES: &[&str] = &["2026-10-01", "2026-10-01T00:00:00Z"];
const IRIS: &[&str] =
    &["https://e.x/a", "urn:uuid:x", "a:b", "tag:x,2026:y", "no iri", "a: b", "é:b"];
const VERSIONS: &[&str] =
    &["1.0.0", "0.10.2-rc.1+b", "01.0.0", "1.0", "v1.0.0", "1.0.0-", "1.0.0+"];
const TAGS: &[&str] = &["en", "fr-CA", "zh-Hant-TW", "english", "e", "en-", "en-123456789"];
const DIGESTS: &[&str] = &[
    "sha256:0000000000000000000000000000000000000000000000000000000000000000",
    "sha256:000000000000000000000000000000000000000000000000000000000000000",
    "sha256:A000000000000000000000000000000000000000000000000000000000000000",
];

fn manifests() -> BoxedStrategy<Value> {
    let member = object(vec![
        ("id", mostly(IRIS)),
        ("version", mostly(VERSIONS)),
        ("digest", mostly(DIGESTS)),
    ]);
    let relation = object(vec![
        ("type", mostly(&["supersedes", "x"])),
        ("target", mostly(IRIS)),
        ("version", mostly(&["\"1.0.0\"", "\"any\""])),
        ("note", mostly(&["\"n\""])),
    ]);
    object(vec![
        ("$schema", mostly(&["s"])),
        ("mocaVersion", mostly(&["\"0.4\"", "\"10.0\"", "\"0.\"", "x.1", "\"0.4.1\""])),
        ("id", mostly(IRIS)),
        ("version", mostly(VERSIONS)),
        ("title", mostly(&["T"])),
        ("description", mostly(&["d"])),
        ("language", mostly(TAGS)),
        ("locales", list(mostly(TAGS))),
        ("license", mostly(&["MIT"])),
        ("publisher", mostly(&["p"])),
        ("validFrom", mostly(TIMES)),
        ("validUntil", mostly(TIMES)),
        ("members", list(member)),
        ("relations", list(relation)),
        ("profiles", mostly(&["{\"https://e.x/p\":{}}", "{\"p\":{}}", "{\"a:b\":1}", "{}"])),
    ])
}

fn frontmatters() -> BoxedStrategy<Value> {
    let actor = object(vec![("by", mostly(&["human:x"])), ("at", mostly(TIMES))]);
    let source = object(vec![
        ("id", mostly(&["s"])),
        ("resource", mostly(&["https://e.x"])),
        ("title", mostly(&["t"])),
        ("author", mostly(&["a"])),
        ("usage_count", mostly(&["0", "7", "2.0", "-1", "1.5"])),
        ("last_modified", mostly(TIMES)),
        ("usage_window", object(vec![("from", mostly(TIMES)), ("to", mostly(TIMES))])),
    ]);
    let selector = object(vec![
        ("type", mostly(&["TextQuoteSelector", "TextPositionSelector", "FragmentSelector", "X"])),
        ("exact", mostly(&["q"])),
        ("prefix", mostly(&["p"])),
        ("start", mostly(&["0", "3", "-1"])),
        ("end", mostly(&["0", "3"])),
        ("value", mostly(&["t=1"])),
    ]);
    let selectors = prop_oneof![
        mostly(&[
            "{\"type\":\"TextQuoteSelector\",\"exact\":\"q\",\"prefix\":\"p\"}",
            "{\"type\":\"TextPositionSelector\",\"start\":0,\"end\":3}",
            "{\"type\":\"FragmentSelector\",\"value\":\"t=1\"}",
        ]),
        selector,
    ];
    let evidence = object(vec![
        ("source", mostly(&["s"])),
        ("selector", selectors.boxed()),
        ("note", mostly(&["n"])),
    ]);
    let concept =
        object(vec![("iri", mostly(IRIS)), ("role", mostly(&["primary", "supporting", "other"]))]);
    let moca = object(vec![
        ("evidence", list(evidence)),
        ("valid_from", mostly(TIMES)),
        ("valid_until", mostly(TIMES)),
        ("contested_by", list(mostly(&["https://e.x/a"]))),
        ("audience", mostly(&["public"])),
        ("concepts", list(concept)),
        ("profiles", mostly(&["{\"p\":{}}", "{\"p\":1}", "{}"])),
        ("other", junk().boxed()),
    ]);
    object(vec![
        ("title", mostly(&["T"])),
        ("description", mostly(&["D"])),
        ("resource", mostly(&["r"])),
        ("tags", list(mostly(&["t"]))),
        ("generated", actor.clone()),
        ("verified", prop_oneof![actor.clone(), list(actor)].boxed()),
        ("sources", list(source)),
        ("status", mostly(&["draft", "stable", "deprecated", "final"])),
        ("stale_after", mostly(TIMES)),
        ("moca", moca),
        ("other", junk().boxed()),
    ])
}

fn has(result: &ReadResult, code: Code) -> bool {
    result.diagnostics.iter().any(|d| d.code == code)
}

/// Runs 1,000 documents and sees to it that both verdicts occurred often.
fn agree(documents: BoxedStrategy<Value>, verdict: impl Fn(&Value) -> (bool, bool)) {
    let config = ProptestConfig { cases: 1_000, failure_persistence: None, ..Default::default() };
    let accepted = std::cell::Cell::new(0);
    TestRunner::new(config)
        .run(&documents, |document| {
            let (schema, reader) = verdict(&document);
            accepted.set(accepted.get() + u32::from(schema));
            prop_assert_eq!(schema, reader, "schema and reader disagree on {}", document);
            Ok(())
        })
        .unwrap();
    assert!((10..990).contains(&accepted.get()), "only one verdict: {}", accepted.get());
}

#[test]
fn the_manifest_check_accepts_what_the_schema_accepts() {
    let Some(schema) = schema("manifest") else { return };
    agree(manifests(), |manifest| {
        let package =
            Package::default().file("moca.json", manifest.to_string()).node("a.md", "", "");
        (schema.is_valid(manifest), !has(&package.read_plainly(), Code::ManifestSchema))
    });
}

#[test]
fn the_frontmatter_check_accepts_what_the_schema_accepts() {
    let Some(schema) = schema("node") else { return };
    agree(frontmatters(), |frontmatter| {
        let Value::Object(mut members) = frontmatter.clone() else { return (true, true) };
        members.insert("type".into(), json!("Note"));
        let document = Value::Object(members);
        // JSON is YAML.
        let text = format!("---\n{document}\n---\n");
        let package = Package::new("https://e.x/p", "1.0.0").file("content/a.md", text);
        let result = package.read_plainly();
        assert_eq!(result.nodes.len(), 1, "{document}");
        (schema.is_valid(&document), !has(&result, Code::FieldInvalid))
    });
}
