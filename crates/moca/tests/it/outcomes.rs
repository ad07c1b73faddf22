//! R41: what a check says of a saved record, and why (`facts/moca-reader §13.3`).

use std::collections::BTreeMap;

use moca::Instant;
use moca::outcome::{Answer, Cause, Checked, Moments, OtherVersion, Outcome, check};
use moca::record::Record;
use serde_json::{Value, json};

use crate::shared::{at, folder, record, with};

fn read(record: &Value) -> Record {
    let reading = moca::record::read(&record.to_string()).reading;
    reading.valid().unwrap_or_else(|| panic!("{reading:?}")).clone()
}

fn moments(then: &str, now: &str) -> Moments {
    Moments { then: Some(at(then)), now: at(now), trust_root: Some(true) }
}

const THEN: &str = "2026-10-01T08:00:00Z";
const NOW: &str = "2026-12-01T08:00:00Z";

fn checked(saved: &Value, answer: &Value) -> Checked {
    check(&read(saved), &Answer::Record(Box::new(read(answer))), &moments(THEN, NOW))
}

fn told(checked: &Checked) -> Vec<(&str, Vec<Cause>)> {
    checked.changes.iter().map(|change| (change.field, change.cause.clone())).collect()
}

#[test]
fn the_same_record_is_unchanged() {
    let same = checked(&record(), &record());
    assert_eq!((same.outcome, same.changes.len()), (Outcome::Unchanged, 0));
    assert!(same.outcome.refreshes_flags());
}

#[test]
fn none_absent_and_empty_are_the_same_and_so_are_spellings_of_a_number() {
    let sparse = with(&[("/trust/generated", Value::Null), ("/trust/staleAfter", json!(""))]);
    let mut full = record();
    full["trust"]["supersededBy"] = json!([]);
    full["evidence"] = json!([]);
    let text = full.to_string().replace("\"start\":120", "\"start\":120.0");
    let answer = moca::record::read(&text).reading.valid().unwrap().clone();
    let same = check(&read(&sparse), &Answer::Record(Box::new(answer)), &moments(THEN, NOW));
    assert_eq!(same.outcome, Outcome::Unchanged, "{same:?}");
}

#[test]
fn what_the_clock_changed_is_told_by_the_record_s_own_dates() {
    let dates = [
        ("/trust/staleAfter", json!("2026-11-15")),
        ("/trust/validUntil", json!("2026-11-20T00:00:00Z")),
    ];
    let saved = with(&dates);
    let mut now = saved.clone();
    now["trust"]["stale"] = json!(true);
    now["trust"]["inForce"] = json!(false);
    let changed = checked(&saved, &now);
    assert_eq!(changed.outcome, Outcome::Changed);
    assert_eq!(
        told(&changed),
        [("trust.stale", vec![Cause::Clock]), ("trust.inForce", vec![Cause::Clock])]
    );
    assert_eq!(
        changed.changes[0].sentence,
        "It is stale now, since the clock passed its own date, 15 Nov 2026."
    );
}

#[test]
fn a_flag_that_the_clock_cannot_have_changed_is_not_put_down_to_it() {
    // The date had passed when the record was computed: one of the two Readers is wrong about it.
    let saved = with(&[("/trust/staleAfter", json!("2026-01-15"))]);
    let mut now = saved.clone();
    now["trust"]["stale"] = json!(true);
    assert_eq!(told(&checked(&saved, &now)), [("trust.stale", vec![Cause::Reader, Cause::Bytes])]);
    // Nobody knows when it was computed: all three are possible.
    let unknown = Moments { then: None, ..moments(THEN, NOW) };
    let answer = Answer::Record(Box::new(read(&now)));
    let causes = &check(&read(&saved), &answer, &unknown).changes[0].cause;
    assert_eq!(causes, &[Cause::Clock, Cause::Reader, Cause::Bytes]);
}

#[test]
fn what_is_loaded_beside_it_changes_relations() {
    let now = with(&[
        ("/trust/superseded", json!(true)),
        ("/trust/supersededBy", json!(["https://bikes.example/handbook@4.0.0"])),
    ]);
    let changed = checked(&record(), &now);
    assert_eq!(changed.outcome, Outcome::Changed);
    assert_eq!(
        told(&changed),
        [("trust.superseded", vec![Cause::Library]), ("trust.supersededBy", vec![Cause::Library])]
    );
    assert_eq!(
        changed.changes[1].sentence,
        "It is superseded by https://bikes.example/handbook@4.0.0, because of the packages that are loaded beside it."
    );
}

#[test]
fn signatures_and_reviews_have_causes_that_a_record_cannot_tell_apart() {
    let now = with(&[("/package/signed", json!(false)), ("/package/signers", json!([]))]);
    let saved = read(&record());
    let answer = Answer::Record(Box::new(read(&now)));
    let with_root = check(&saved, &answer, &moments(THEN, NOW));
    let all = vec![Cause::TrustRoot, Cause::Attestations, Cause::Clock];
    assert_eq!(told(&with_root), [("package.signed", all.clone()), ("package.signers", all)]);
    let without = Moments { trust_root: Some(false), ..moments(THEN, NOW) };
    let without = check(&saved, &answer, &without);
    assert_eq!(without.changes[0].cause, [Cause::TrustRoot]);
}

#[test]
fn every_field_that_the_bytes_determine_makes_a_record_that_differs() {
    for (path, value) in [
        ("/node/title", json!("Keeping a bike")),
        ("/node/type", json!("Guide")),
        ("/node/tags", json!(["x"])),
        ("/trust/status", json!("draft")),
        ("/trust/staleAfter", json!("2030-01-01")),
        ("/trust/validFrom", json!("2020-01-01")),
        ("/trust/generated", json!({"by": "process:x"})),
        ("/trust/declaredVerified", json!([{"by": "human:x"}])),
        ("/evidence", json!([{"source": {"id": "a"}, "matched": true}])),
        ("/audience", json!("staff")),
        ("/text", json!("A bike may be kept at any staffed station.")),
        ("/span", json!({"start": 100, "end": 480})),
    ] {
        let saved = with(&[(path, value)]);
        let differs = checked(&saved, &record());
        assert_eq!(differs.outcome, Outcome::RecordDiffers, "{path}");
        assert!(!differs.outcome.refreshes_flags());
        assert_eq!(differs.changes[0].cause, [Cause::Bytes, Cause::Reader], "{path}");
    }
}

#[test]
fn a_part_is_compared_with_its_place_in_the_whole() {
    let whole = with(&[("/span", json!({"start": 120, "end": 166}))]);
    let saved = with(&[("/span", json!({"start": 122, "end": 126})), ("/text", json!("bike"))]);
    assert_eq!(checked(&saved, &whole).outcome, Outcome::Unchanged);
    let saved = with(&[("/span", json!({"start": 123, "end": 127})), ("/text", json!("bike"))]);
    assert_eq!(told(&checked(&saved, &whole)), [("text", vec![Cause::Bytes, Cause::Reader])]);
    // A span that ends before it starts cites nothing.
    let saved = with(&[("/span", json!({"start": 130, "end": 20}))]);
    assert_eq!(checked(&saved, &whole).outcome, Outcome::RecordDiffers);
}

#[test]
fn a_text_that_a_service_left_out_is_said_not_to_be_compared() {
    let mut saved = record();
    saved.as_object_mut().unwrap().remove("text");
    let same = checked(&saved, &record());
    assert_eq!(same.outcome, Outcome::Unchanged);
    assert_eq!(same.not_compared, ["the text, which the saved record does not carry"]);
}

#[test]
fn an_answer_for_another_node_is_no_answer() {
    for (path, value) in [
        ("/node/path", json!("other.md")),
        ("/package/version", json!("4.0.0")),
        ("/node/id", json!("https://bikes.example/handbook#other.md")),
    ] {
        let checked = checked(&record(), &with(&[(path, value)]));
        assert_eq!(checked.outcome, Outcome::CouldNotCheck, "{path}");
        assert!(checked.sentence.starts_with("Could not check: "), "{}", checked.sentence);
    }
}

#[test]
fn what_is_not_the_same_bytes_refreshes_nothing() {
    let other = with(&[
        ("/package/digest", json!(format!("sha256:{}", "00".repeat(32)))),
        ("/trust/stale", json!(true)),
    ]);
    let saved = read(&record());
    let version =
        |version: &str, supersedes| OtherVersion { version: version.to_owned(), supersedes };
    let held = read(&other).package.digest;
    for (answer, outcome, words) in [
        (Answer::Record(Box::new(read(&other))), Outcome::OtherBytes, "held with other bytes"),
        (
            Answer::OtherBytes { held, older_algorithm: true },
            Outcome::OtherBytes,
            "older algorithm",
        ),
        (Answer::NoSuchNode, Outcome::NodeGone, "returns.md is not in it"),
        (
            Answer::OtherVersions(vec![version("3.10.0", true), version("3.9.1", false)]),
            Outcome::OtherVersionsHeld,
            "the newest is 3.10.0, which says that it supersedes the cited one",
        ),
        (
            Answer::NotHeld,
            Outcome::PackageNotHeld,
            "Nothing of https://bikes.example/handbook is held",
        ),
        (
            Answer::PackageInvalid { diagnostics: vec!["M002 moca.json: no version".to_owned()] },
            Outcome::PackageInvalid,
            "not valid: M002 moca.json: no version",
        ),
        (
            Answer::Failed { reason: "it took too long".to_owned() },
            Outcome::CouldNotCheck,
            "it took too long",
        ),
    ] {
        let checked = check(&saved, &answer, &moments(THEN, NOW));
        assert_eq!(checked.outcome, outcome);
        assert!(checked.changes.is_empty() && !checked.outcome.refreshes_flags());
        assert!(checked.sentence.contains(words), "{}", checked.sentence);
    }
}

/// The record of each reference in a set of packages that the reference Reader loaded together at an instant.
fn set(folder: &std::path::Path, name: &str) -> (Instant, BTreeMap<String, Record>) {
    let text =
        std::fs::read_to_string(folder.join(format!("moca-corpus/expected/sets/{name}.json")))
            .expect("a set of the corpus");
    let set: Value = serde_json::from_str(&text).expect("a set of the corpus");
    let records = set["records"].as_array().expect("a set of the corpus").iter().map(|record| {
        (record["node"]["ref"].as_str().expect("a set of the corpus").to_owned(), read(record))
    });
    (at(set["now"].as_str().expect("a set of the corpus")), records.collect())
}

#[test]
fn two_moments_of_the_reference_reader_differ_by_the_clock_and_the_library_alone() {
    let Some(folder) = folder("two_moments_of_the_reference_reader") else { return };
    let mut met = BTreeMap::new();
    let names = [
        "search-policy-v1",
        "search-policy-v2",
        "search-policy-v1-v2",
        "search-policy-v2-v1",
        "search-policy-v1-v2-in-2025",
        "search-policy-v1-v2-stale-start",
        "search-policy-v1-v2-window-end",
    ];
    for (then, saved) in names.iter().map(|name| set(&folder, name)) {
        for (now, answers) in names.iter().map(|name| set(&folder, name)) {
            for (reference, saved) in &saved {
                let Some(answer) = answers.get(reference) else { continue };
                let moments = Moments { then: Some(then), now, trust_root: Some(false) };
                let checked = check(saved, &Answer::Record(Box::new(answer.clone())), &moments);
                let differ = (saved.trust.clone(), &saved.package)
                    != (answer.trust.clone(), &answer.package);
                assert_eq!(checked.outcome == Outcome::Changed, differ, "{reference}: {checked:?}");
                for change in &checked.changes {
                    let wanted = match change.field {
                        "trust.stale" | "trust.inForce" => Cause::Clock,
                        "trust.superseded" | "trust.supersededBy" => Cause::Library,
                        other => panic!("{reference}: {other}"),
                    };
                    assert_eq!(change.cause, [wanted], "{reference}: {change:?}");
                    *met.entry(change.field).or_insert(0) += 1;
                }
            }
        }
    }
    assert_eq!(met.len(), 4, "{met:?}");
}
