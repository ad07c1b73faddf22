//! R44: the records of the specification's own packages read without a finding, and come back as they are.

use std::path::Path;

use moca::StatedTime;
use moca::standing::{Basis, CurrencyKind, ForecastKind, Standing, standing};
use serde_json::Value;

use crate::shared;

fn records(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(members) => {
            if ["package", "node", "trust"].iter().all(|name| members.contains_key(*name)) {
                found.push(value.clone());
            } else {
                members.values().for_each(|member| records(member, found));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| records(item, found)),
        _ => {}
    }
}

fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "json") {
            found.push(path);
        }
    }
}

#[test]
fn every_record_of_the_reference_reader_is_valid_and_consistent() {
    let Some(shared) = shared::folder("specification_records") else { return };
    let mut paths = Vec::new();
    files(&shared.join("moca-corpus/expected"), &mut paths);
    let mut seen = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let mut found = Vec::new();
        records(&serde_json::from_str(&text).expect("JSON"), &mut found);
        for record in found {
            let raw = record.to_string();
            let read = moca::record::read(&raw);
            let valid =
                read.reading.valid().unwrap_or_else(|| panic!("{path:?}: {:?}", read.findings));
            assert_eq!(valid.raw, raw);
            assert!(valid.contradictions.is_empty(), "{path:?}: {:?}", valid.contradictions);
            assert_eq!(
                Some(valid.node.reference.text().unwrap_or_default()),
                record["node"]["ref"].as_str()
            );
            assert_eq!(record["trust"]["stale"], valid.trust.stale);
            assert_eq!(record["trust"]["inForce"], valid.trust.in_force);
            assert_eq!(record["package"]["signed"], valid.package.signed);
            let worse = read.findings.iter().find(|f| !f.code.id.starts_with("moca.record.time-"));
            assert_eq!(worse, None, "{path:?}");
            seen += 1;
        }
    }
    assert!(seen > 100, "only {seen} records seen");
}

/// Records with the instant that the reference Reader computed them at.
fn dated<'v>(value: &'v Value, now: &'v str, found: &mut Vec<(&'v str, &'v Value)>) {
    match value {
        Value::Object(members) => {
            let now = members.get("now").and_then(Value::as_str).unwrap_or(now);
            if ["package", "node", "trust"].iter().all(|name| members.contains_key(*name)) {
                found.push((now, value));
            } else {
                members.values().for_each(|member| dated(member, now, found));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| dated(item, now, found)),
        _ => {}
    }
}

#[test]
fn the_record_s_own_dates_agree_with_the_flags_of_the_reference_reader() {
    let Some(shared) = shared::folder("specification_records") else { return };
    let mut paths = Vec::new();
    files(&shared.join("moca-corpus/expected"), &mut paths);
    let (mut compared, mut unreadable) = (0, 0);
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let mut found = Vec::new();
        dated(&value, "", &mut found);
        for (now, record) in found {
            let reading = shared::read(record);
            let basis = Basis::Service {
                computed_at: Some(StatedTime::parse(now)),
                received_at: None,
                imported_at: None,
            };
            let standing = standing(&reading, &basis, shared::at(now));
            let Standing::Read(read) = standing else { panic!("{path:?}: {record}") };
            let kinds: Vec<_> = read.forecast.iter().map(|s| s.kind).collect();
            let quiet = |kind: &ForecastKind| {
                matches!(kind, ForecastKind::GoesStale | ForecastKind::GoesOutOfForce)
            };
            let cannot_be_read = |kind: &ForecastKind| {
                matches!(kind, ForecastKind::WindowUnreadable | ForecastKind::StaleDateUnreadable)
            };
            if kinds.iter().any(cannot_be_read) {
                unreadable += 1;
                continue;
            }
            assert!(kinds.iter().all(quiet), "{path:?}: {kinds:?} {}", record["trust"]);
            let unexplained = read.currency.iter().find(|s| s.kind == CurrencyKind::NotInForce);
            assert_eq!(unexplained, None, "{path:?}: {}", record["trust"]);
            compared += 1;
        }
    }
    println!("{compared} records agree, {unreadable} have a date that is not read");
    assert!(compared > 900, "{compared} compared, {unreadable} unreadable");
}
