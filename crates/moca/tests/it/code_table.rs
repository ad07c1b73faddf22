//! The code table is complete, unique, and maps one to one to the rules of the binding.

use std::collections::{BTreeSet, HashSet};

use moca::finding::CODES;

#[test]
fn ids_are_unique_and_named_after_this_crate() {
    let ids: HashSet<_> = CODES.iter().map(|code| code.id).collect();
    assert_eq!(ids.len(), CODES.len());
    for code in CODES {
        assert!(code.id.starts_with("moca."), "{}", code.id);
        assert!(code.meaning.ends_with('.'), "{}: {}", code.id, code.meaning);
        assert!(!code.rule.is_empty(), "{}", code.id);
    }
}

#[test]
fn every_rule_of_the_binding_has_a_code() {
    let covered: BTreeSet<_> = CODES.iter().filter_map(|code| code.breaks).collect();
    let expected = BTreeSet::from([
        "2-citations",
        "2-computed-at",
        "2-marker",
        "2-message-id",
        "2-record-schema",
        "2-record-unknown-member",
        "2-value",
        "2-version",
        "3.1-after-run-finished",
        "3.1-before-message-end",
        "3.2-not-cited",
        "3.2-not-returned-in-run",
        "3.3-record-changed",
        "3.4-duplicate",
        "3.4-order",
        "record-inconsistent-ref",
        "record-inconsistent-span",
    ]);
    assert_eq!(covered, expected);
}

#[test]
fn the_code_table_as_people_read_it() {
    let table: Vec<String> = CODES
        .iter()
        .map(|c| format!("{} · {:?} · {} · {}", c.id, c.severity, c.rule, c.breaks.unwrap_or("–")))
        .collect();
    insta::assert_snapshot!(table.join("\n"));
}
