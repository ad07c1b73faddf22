//! Every sentence of a standing as people read it.

use moca::StatedTime;
use moca::standing::{Basis, Check, CheckOutcome, Standing, State, standing};
use serde_json::{Value, json};

use crate::shared::{at, read, with};

fn service(computed_at: Option<&str>) -> Basis {
    Basis::Service {
        computed_at: computed_at.map(StatedTime::parse),
        received_at: None,
        imported_at: Some(at("2026-11-30T10:42:11Z")),
    }
}

fn check(outcome: CheckOutcome) -> Basis {
    Basis::Check(Check {
        reader: "built-in Reader".to_owned(),
        version: "0.1.0".to_owned(),
        at: at("2026-11-30T12:50:00Z"),
        outcome,
    })
}

fn told(record: &Value, basis: &Basis) -> String {
    fn state<K: std::fmt::Debug>(lines: &mut Vec<String>, axis: &str, state: &State<K>) {
        lines.push(format!("{axis} {:?} [{:?}] {}", state.kind, state.tone, state.line));
        lines.push(format!("    {}", state.sentence));
        lines.extend(state.detail.iter().map(|detail| format!("    {detail}")));
    }
    let mut lines = Vec::new();
    let standing = standing(&read(record), basis, at("2026-12-01T00:00:00Z"));
    match &standing {
        Standing::Invalid(invalid) => {
            lines.push(format!("{} | {}", invalid.line, invalid.sentence));
            lines.extend(invalid.reasons.iter().map(|reason| format!("    {reason}")));
        }
        Standing::Failed(failed) => state(&mut lines, "integrity", &failed.integrity),
        Standing::Read(read) => {
            state(&mut lines, "integrity", &read.integrity);
            read.currency.iter().for_each(|s| state(&mut lines, "currency", s));
            read.forecast.iter().for_each(|s| state(&mut lines, "forecast", s));
            read.reviews.iter().for_each(|s| state(&mut lines, "review", s));
            for declared in &read.declared {
                lines.push(format!("declared {}", declared.line));
                lines.push(format!("    {}", declared.sentence));
            }
        }
    }
    let worst = standing.worst();
    lines.push(format!("strip: {} [{:?}]", worst.word, worst.tone));
    lines.join("\n")
}

#[test]
fn a_source_in_order() {
    let reviewed = with(&[
        ("/trust/staleAfter", json!("2027-02-14")),
        ("/trust/validUntil", json!("2028-01-01T00:00:00+01:00")),
        (
            "/trust/attestedReviews",
            json!([{ "reviewer": "human:m.lindqvist", "reviewedAt": "2026-08-14T00:00:00Z",
            "outcome": "accurate", "signer": "Harbour reviewers", "scope": "section 7" }]),
        ),
        (
            "/trust/declaredVerified",
            json!([{ "by": "human:t.oja", "at": "2026-08-01" }, { "by": "T. Oja" }]),
        ),
    ]);
    insta::assert_snapshot!(told(&reviewed, &service(Some("2026-10-01T10:15:02+02:00"))));
}

#[test]
fn everything_is_wrong() {
    let bad = with(&[
        ("/package/signed", json!(false)),
        ("/package/signers", json!([])),
        ("/trust/status", json!("deprecated")),
        ("/trust/stale", json!(true)),
        ("/trust/staleAfter", json!("2026-09-01")),
        ("/trust/inForce", json!(false)),
        ("/trust/validUntil", json!("2026-09-15")),
        ("/trust/superseded", json!(true)),
        ("/trust/supersededBy", json!(["https://bikes.example/handbook@4.0.0"])),
        ("/trust/contested", json!(true)),
        (
            "/trust/contestedBy",
            json!(["https://bikes.example/other@1.0.0", "x y", "c", "d", "e", "f"]),
        ),
        (
            "/trust/attestedReviews",
            json!([
            { "reviewer": "a", "reviewedAt": "2026-08-14", "outcome": "accurate", "signer": " " },
            { "reviewer": "b", "reviewedAt": "once", "outcome": "excellent", "signer": "s" },
            { "reviewer": "c", "reviewedAt": "2026-08-14", "outcome": "needs-change", "signer": "s" },
            { "reviewer": "d", "reviewedAt": "2026-08-14", "outcome": "inaccurate", "signer": "s" }]),
        ),
    ]);
    insta::assert_snapshot!(told(&bad, &service(Some("2026-10-01T08:00:00Z"))));
}

#[test]
fn times_that_are_not_known() {
    let plain = with(&[]);
    let all = [
        None,
        Some("2026-10-01T08:00:00"),
        Some("2026-10-01"),
        Some("some day"),
        Some("2099-01-01T00:00:00Z"),
    ]
    .map(|computed_at| told(&plain, &service(computed_at)));
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn the_record_s_own_dates_against_the_flags() {
    let dates =
        |changes: &[(&str, Value)]| told(&with(changes), &service(Some("2026-10-01T08:00:00Z")));
    let all = [
        ("stale by now", dates(&[("/trust/staleAfter", json!("2026-11-01"))])),
        ("stale when answered", dates(&[("/trust/staleAfter", json!("2026-09-01"))])),
        (
            "flag stale, date ahead",
            dates(&[("/trust/stale", json!(true)), ("/trust/staleAfter", json!("2027-01-01"))]),
        ),
        ("flag stale, no date", dates(&[("/trust/stale", json!(true))])),
        ("out of force by now", dates(&[("/trust/validUntil", json!("2026-11-01"))])),
        ("out of force when answered", dates(&[("/trust/validUntil", json!("2026-09-01"))])),
        ("not yet in force at the answer", dates(&[("/trust/validFrom", json!("2026-11-01"))])),
        ("not yet in force now", dates(&[("/trust/validFrom", json!("2027-11-01"))])),
        (
            "flag out, in by now",
            dates(&[("/trust/inForce", json!(false)), ("/trust/validFrom", json!("2026-11-01"))]),
        ),
        (
            "flag out, early then, over now",
            dates(&[
                ("/trust/inForce", json!(false)),
                ("/trust/validFrom", json!("2026-10-15")),
                ("/trust/validUntil", json!("2026-11-01")),
            ]),
        ),
        ("flag out, no date", dates(&[("/trust/inForce", json!(false))])),
        (
            "window unreadable",
            dates(&[("/trust/inForce", json!(false)), ("/trust/validFrom", json!("soon"))]),
        ),
        ("stale date unreadable", dates(&[("/trust/staleAfter", json!("soon"))])),
    ]
    .map(|(name, text)| format!("# {name}\n{text}"));
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn checks_on_this_machine() {
    let record = with(&[("/trust/staleAfter", json!("2026-11-01"))]);
    let held = moca::Digest::parse(&format!("sha256:{}", "0".repeat(64))).expect("a digest");
    let all = [
        CheckOutcome::SameBytes,
        CheckOutcome::DifferentBytes { held },
        CheckOutcome::NotHeld,
        CheckOutcome::CouldNotCheck { reason: "the file is damaged".to_owned() },
    ]
    .map(|outcome| told(&record, &check(outcome)));
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn records_that_fail() {
    let basis = service(Some("2026-10-01T08:00:00Z"));
    let mut two = with(&[("/package/digest", json!("sha256:X"))]);
    let one = told(&two, &basis);
    two["trust"]["stale"] = json!(1);
    let contradicts = with(&[("/node/path", json!("other.md"))]);
    let unnamed = with(&[("/package/signers", json!([" "]))]);
    let yet_named =
        with(&[("/package/signed", json!(false)), ("/package/signers", json!(["A", "B"]))]);
    let many = with(&[
        ("/package/signers", json!(["A", "B", "C"])),
        ("/trust/supersededBy", json!(["x@2", "x@3"])),
    ]);
    let superseded = with(&[("/trust/superseded", json!(true))]);
    let all = [
        one,
        told(&two, &basis),
        told(&contradicts, &basis),
        told(&unnamed, &basis),
        told(&yet_named, &basis),
        told(&many, &basis),
        told(&superseded, &basis),
    ];
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn the_json_that_hosts_draw() {
    let record = with(&[
        ("/trust/stale", json!(true)),
        ("/trust/declaredVerified", json!([{ "by": "human:t.oja" }])),
    ]);
    let basis = service(Some("2026-10-01T08:00:00Z"));
    let now = at("2026-12-01T00:00:00Z");
    let all = [standing(&read(&record), &basis, now), standing(&read(&json!({})), &basis, now)];
    insta::assert_json_snapshot!(all);
}
