//! Citation events have the states, records and broken duties that the facts of the recordings state (R23).

use std::collections::{BTreeMap, BTreeSet};

use app::contract::{Commands, FindingQuery};
use recite_tests::scratch::Scratch;
use serde_json::Value;

use crate::recordings_give_their_messages::{messages, recordings, reports};

/// Rule numbers of the binding by our code, as `moca` documents them.
fn rules() -> BTreeMap<&'static str, &'static str> {
    moca::finding::CODES.iter().filter_map(|code| Some((code.id, code.breaks?))).collect()
}

#[test]
fn each_event_breaks_the_rules_that_the_facts_name_and_no_other() {
    let rules = rules();
    for recording in recordings() {
        let scratch = Scratch::new();
        let _ = scratch.import(&recording.path);
        let found = scratch.app.list_findings(FindingQuery::default()).unwrap();
        assert!(found.next.is_none(), "{}: more findings than a page", recording.file);
        let mut broken: BTreeMap<u64, BTreeSet<&str>> = BTreeMap::new();
        for finding in &found.findings {
            if let (Some(rule), Some(event)) = (rules.get(finding.code.as_str()), &finding.event) {
                broken.entry(event.parse().unwrap()).or_default().insert(rule);
            }
        }
        for event in recording.facts["citationEventList"].as_array().unwrap() {
            let index = event["eventIndex"].as_u64().unwrap();
            let stated: BTreeSet<&str> = event["breaks"]
                .as_array()
                .unwrap()
                .iter()
                .map(|rule| rule.as_str().unwrap())
                .collect();
            let told = broken.remove(&index).unwrap_or_default();
            assert_eq!(told, stated, "{}: event {index}", recording.file);
        }
    }
}

#[test]
fn records_are_kept_and_shown_in_the_order_of_the_event() {
    for recording in recordings() {
        let scratch = Scratch::new();
        let _ = scratch.import(&recording.path);
        let reports = reports(&scratch);
        for event in recording.facts["citationEventList"].as_array().unwrap() {
            if !event["replacedByEvent"].is_null() || event["state"] != "applied" {
                continue;
            }
            let id = &event["messageId"];
            let shown = messages(&reports)
                .filter(|message| &message["messageId"] == id)
                .find_map(|message| message["citations"]["items"].as_array())
                .unwrap_or_else(|| panic!("{}: no sources for {id}", recording.file));
            let stated: Vec<(&Value, &Value, &Value)> = event["citations"]
                .as_array()
                .unwrap()
                .iter()
                .map(|citation| (&citation["marker"], &citation["ref"], &citation["recordSha256"]))
                .collect();
            let told: Vec<(&Value, &Value, &Value)> = shown
                .iter()
                .map(|item| (&item["marker"], &item["nodeRef"], &item["recordSha256"]))
                .collect();
            assert_eq!(told, stated, "{}: {id}", recording.file);
        }
    }
}

#[test]
fn events_without_a_message_are_listed_apart() {
    for recording in recordings() {
        let scratch = Scratch::new();
        let _ = scratch.import(&recording.path);
        let mut stated: Vec<&str> = recording.facts["citationEventList"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| event["state"].as_str().unwrap())
            .filter(|state| ["unknown-message", "unknown-version"].contains(state))
            .collect();
        let reports = reports(&scratch);
        let mut told: Vec<&str> = reports
            .iter()
            .flat_map(|report| report["orphanCitations"].as_array().unwrap())
            .map(|orphan| orphan["state"].as_str().unwrap())
            .filter(|state| ["unknown-message", "unknown-version"].contains(state))
            .collect();
        stated.sort_unstable();
        told.sort_unstable();
        assert_eq!(told, stated, "{}", recording.file);
    }
}

#[test]
fn secrets_of_headers_and_cookies_are_nowhere_in_the_archive() {
    for recording in recordings() {
        let secrets = &recording.facts["secrets"];
        if secrets.is_null() {
            continue;
        }
        let scratch = Scratch::new();
        let told = scratch.import(&recording.path);
        assert!(told.left_out.is_some(), "{}: the summary says what was left out", recording.file);
        let report = scratch.app.verify_now().unwrap();
        assert!(report.sound, "{:?}", report.damage);
        let plain = everything(&scratch);
        for group in ["headers", "cookies"] {
            for secret in secrets[group].as_array().into_iter().flatten() {
                let secret = secret.as_str().unwrap();
                assert!(!plain.contains(secret), "{}: {group} hold {secret}", recording.file);
            }
        }
    }
}

/// Every text and blob of an archive, segments unpacked.
fn everything(scratch: &Scratch) -> String {
    let archive = archive::Archive::open(&scratch.archive(), archive::Mode::ReadOnly).unwrap();
    let reader = archive.reader().unwrap();
    let mut all = String::from_utf8_lossy(&std::fs::read(scratch.archive()).unwrap()).into_owned();
    if let Ok(log) = std::fs::read(scratch.path("archive.recite-wal")) {
        all.push_str(&String::from_utf8_lossy(&log));
    }
    for source in reader.sources(None, 200).unwrap().rows {
        for (stream, size) in [
            (archive::Stream::Content, source.content_size),
            (archive::Stream::Carrier, source.carrier_size),
        ] {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(
                &mut reader.read_content(source.id, stream, 0..size),
                &mut bytes,
            )
            .unwrap();
            all.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
    all
}
