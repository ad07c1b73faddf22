//! R44: the records of the specification's own packages read without a finding, and come back as they are.

use std::path::Path;

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
