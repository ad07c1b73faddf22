//! The sample archive shows every state of the product's trust display, every way in which a run ends, and every fault that it promises (`docs/sample.md`).

use std::collections::BTreeSet;
use std::path::PathBuf;

use app::contract::{Commands, FindingQuery, FindingRow};
use recite_tests::scratch::Scratch;
use serde_json::Value;

use crate::recordings_give_their_messages::{messages, reports};

fn sample() -> Scratch {
    let folder = recite_tests::fixture("sample/recordings");
    let files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    let scratch = Scratch::new();
    let summary = scratch.import_all(&files.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    assert_eq!(summary.sources.len(), files.len());
    scratch
}

/// Every text that stands under `name`, wherever it is.
fn told<'v>(values: impl IntoIterator<Item = &'v Value>, name: &str) -> BTreeSet<&'v str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Value> = values.into_iter().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                found.extend(members.get(name).and_then(Value::as_str));
                open.extend(members.values());
            }
            Value::Array(elements) => open.extend(elements),
            _ => {}
        }
    }
    found
}

fn assert_all(told: &BTreeSet<&str>, wanted: &[&str]) {
    let missing: Vec<_> = wanted.iter().filter(|word| !told.contains(**word)).collect();
    assert!(missing.is_empty(), "not in the sample: {missing:?}; there are {told:?}");
}

#[test]
fn standings_answers_and_endings_are_all_met() {
    let scratch = sample();
    let reports = reports(&scratch);
    let citations: Vec<&Value> = messages(&reports).map(|message| &message["citations"]).collect();
    let standings: Vec<&Value> = citations
        .iter()
        .filter_map(|citations| citations["items"].as_array())
        .flatten()
        .map(|item| &item["standing"])
        .collect();
    let answers: BTreeSet<&str> =
        citations.iter().filter_map(|citations| citations["state"].as_str()).collect();
    assert_all(&answers, &["applied", "empty", "none", "unknown-version"]);
    let sentences = told(citations.iter().copied(), "sentence");
    assert_all(&sentences, &["Sources unknown: this copy holds messages only."]);
    assert_all(&told(standings.iter().copied(), "state"), &["read", "failed", "invalid"]);
    let kinds: [(&str, &[&str]); 4] = [
        ("integrity", &["signed", "notSigned", "contradiction"]),
        (
            "currency",
            &[
                "superseded",
                "noLongerInForce",
                "notYetInForce",
                "notInForce",
                "contested",
                "stale",
                "deprecated",
                "draft",
                "inForceNotStale",
            ],
        ),
        // On the day of the tests.
        ("forecast", &["stale", "windowUnreadable", "goesStale"]),
        ("reviews", &["accurate", "needsChange", "inaccurate"]),
    ];
    for (part, wanted) in kinds {
        assert_all(&told(standings.iter().map(|standing| &standing[part]), "kind"), wanted);
    }
    let times: BTreeSet<&str> =
        standings.iter().filter_map(|standing| standing["asOf"]["time"]["kind"].as_str()).collect();
    assert_all(&times, &["stated", "notStated", "uncertain", "unusable"]);
    let only_declared = standings.iter().any(|standing| {
        let list = |name: &str| standing[name].as_array().map_or(0, Vec::len);
        list("declared") > 0 && list("reviews") == 0
    });
    assert!(only_declared, "no source with nothing but a declared verification");
    let endings = told(reports.iter(), "ending");
    assert_all(&endings, &["finished", "interrupted", "cancelled", "error", "incomplete"]);
    let roles = told(messages(&reports), "role");
    assert_all(&roles, &["user", "assistant", "reasoning", "tool", "activity"]);
    assert!(!told(reports.iter(), "parentRunId").is_empty(), "no run has a parent");
    let orphans: Vec<&Value> = reports.iter().map(|report| &report["orphanCitations"]).collect();
    assert_all(&told(orphans, "state"), &["unknown-message", "unknown-version"]);
}

#[test]
fn every_promised_fault_is_found() {
    let scratch = sample();
    let page = scratch.app.list_findings(FindingQuery::default()).unwrap();
    assert!(page.next.is_none(), "the sample has fewer findings than a page");
    let codes: BTreeSet<&str> = page.findings.iter().map(|finding| finding.code.as_str()).collect();
    let wanted = [
        "agui.messages.renamed",
        "agui.run.incomplete",
        "moca.duty.after-run-finished",
        "moca.duty.before-message-end",
        "moca.duty.duplicate",
        "moca.duty.no-event",
        "moca.duty.not-cited",
        "moca.duty.not-returned-in-run",
        "moca.duty.order",
        "moca.duty.record-changed",
        "moca.duty.second-event",
        "moca.event.computed-at-future",
        "moca.event.computed-at-missing",
        "moca.event.computed-at-without-offset",
        "moca.event.marker-not-in-text",
        "moca.event.message-unknown",
        "moca.event.version-unknown",
        "moca.record.inconsistent-ref",
        "moca.record.invalid",
        "moca.record.ref-rebuilt",
        "moca.record.time-unreadable",
    ];
    assert_all(&codes, &wanted);
}

#[test]
fn the_firms_own_desk_breaks_no_duty_of_the_binding() {
    let scratch = sample();
    let page = scratch.app.list_findings(FindingQuery::default()).unwrap();
    // Its faults are runs that end early or are resumed without their event, and a server that renames.
    let allowed = ["moca.duty.no-event", "agui.messages.renamed", "agui.run.incomplete"];
    let recording = |finding: &FindingRow| finding.recording_name.clone().unwrap_or_default();
    let desk = page.findings.iter().filter(|finding| recording(finding).starts_with("desk-"));
    let other: Vec<_> = desk
        .filter(|finding| !allowed.contains(&finding.code.as_str()))
        .map(|finding| format!("{} in {}", finding.code, recording(finding)))
        .collect();
    assert_eq!(other, [] as [String; 0]);
}
