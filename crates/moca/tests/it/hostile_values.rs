//! Hostile values end in a named finding, within bounds, and cost nothing else.

use moca::event::{self, CitationEvent, MAX_CITATIONS, MAX_FINDINGS};
use proptest::prelude::*;
use serde_json::json;

use crate::shared::{record, record_of};

fn codes(value: &str) -> Vec<&'static str> {
    event::parse(value).findings.iter().map(|f| f.code.id).collect()
}

#[test]
fn values_that_are_no_object_are_named() {
    for value in [
        "",
        "null",
        "[]",
        "\"x\"",
        "{",
        "{}x",
        "{\"a\":1,}",
        "{'a':1}",
        "NaN",
        "{\"a\":01}",
        "{\"a\":\"\u{1}\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\" 1}",
        "[1,]",
        "{\"version\":1,\"version\":1}",
        "-",
        "1.",
        "1e",
        "tru",
    ] {
        assert_eq!(codes(value), ["moca.event.value"], "{value}");
        assert_eq!(event::parse(value).event.state_id(), "invalid");
    }
}

#[test]
fn depth_is_bounded() {
    for depth in [200, 10_000, 1_000_000] {
        let value = format!("{{\"x\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(codes(&value), ["moca.event.too-deep"]);
    }
}

#[test]
fn a_record_that_is_too_deep_costs_only_itself() {
    let deep = format!("{}{}", "[".repeat(120), "]".repeat(120));
    let value = format!(
        r#"{{"version":1,"messageId":"m","computedAt":"2026-01-01T00:00:00Z","citations":[{{"record":{{"x":[[[[[[[{deep}]]]]]]]}}}},{{"record":{}}}]}}"#,
        record()
    );
    let parsed = event::parse(&value);
    let valid: Vec<bool> =
        parsed.event.citations().iter().map(|c| c.record.valid().is_some()).collect();
    assert!(parsed.event.state_id() == "invalid" || valid == [false, true], "{valid:?}");
}

#[test]
fn a_member_that_is_there_twice_makes_a_record_invalid() {
    let raw = record().to_string().replace("\"stale\":false", "\"stale\":true,\"stale\":false");
    let read = moca::record::read(&raw);
    assert!(read.reading.valid().is_none());
    assert!(read.findings[0].message.contains("twice"), "{}", read.findings[0].message);
}

#[test]
fn half_a_surrogate_pair_makes_a_record_invalid_and_no_other() {
    let bad = record().to_string().replace("Returning a bike", r"\ud83d bike");
    let value = format!(
        r#"{{"version":1,"messageId":"m","computedAt":"2026-01-01T00:00:00Z","citations":[{{"record":{bad}}},{{"record":{}}}]}}"#,
        record_of("b.md")
    );
    let parsed = event::parse(&value);
    assert_eq!(parsed.event.state_id(), "applied");
    assert!(parsed.event.citations()[0].record.valid().is_none());
    assert!(parsed.event.citations()[1].record.valid().is_some());
    for text in [r"\udeb2\ud83d", r"\ud83dx", r"\ud83d\n", r"\ud83d\ud83d"] {
        let raw = record().to_string().replace("Returning a bike", text);
        assert!(moca::record::read(&raw).reading.valid().is_none(), "{text}");
    }
    let pair = record().to_string().replace("Returning a bike", r"\ud83d\udeb2");
    let title = moca::record::read(&pair).reading.valid().and_then(|r| r.node.title.clone());
    assert_eq!(title.as_deref(), Some("🚲"));
}

#[test]
fn a_million_citations_end_in_one_named_finding() {
    let entry = "{\"record\":0}";
    let list = vec![entry; 1_000_000].join(",");
    let value = format!(
        r#"{{"version":1,"messageId":"m","computedAt":"2026-01-01T00:00:00Z","citations":[{{"record":{}}},{list}]}}"#,
        record()
    );
    let parsed = event::parse(&value);
    let CitationEvent::Applied(applied) = &parsed.event else { panic!("one record is valid") };
    assert_eq!(applied.citations.len(), MAX_CITATIONS);
    assert_eq!(applied.not_read, 1_000_001 - MAX_CITATIONS);
    assert_eq!(parsed.findings.len(), MAX_FINDINGS + 2);
    let last: Vec<_> = parsed.findings[MAX_FINDINGS..].iter().map(|f| f.code.id).collect();
    assert_eq!(last, ["moca.event.too-many-findings", "moca.event.too-many-citations"]);
}

#[test]
fn texts_in_messages_are_bounded_and_visible() {
    let version = format!("\"\u{202e}{}\"", "9".repeat(100_000));
    let parsed = event::parse(&format!("{{\"version\":{version}}}"));
    let message = &parsed.findings[0].message;
    assert!(message.contains("⟨U+202E⟩") && message.chars().count() < 250, "{message}");
}

#[test]
fn extreme_numbers_are_read_or_refused_never_misread() {
    for (spelling, valid) in [
        ("-0", true),
        ("-0.0", true),
        ("9223372036854775808", true),
        ("1e999", false),
        ("-1", false),
        ("1e-1", false),
    ] {
        let raw = record().to_string().replace("120", spelling);
        assert_eq!(moca::record::read(&raw).reading.valid().is_some(), valid, "{spelling}");
    }
}

proptest! {
    #[test]
    fn any_text_ends_in_a_state(value in ".{0,200}") {
        let parsed = event::parse(&value);
        prop_assert!(!parsed.findings.is_empty());
    }

    #[test]
    fn any_cut_or_flip_of_a_good_event_ends_in_a_state(cut in 0..900_usize, byte in 0x20..0x7f_u8) {
        let value = json!({"version":1,"messageId":"m","computedAt":"2026-01-01T00:00:00Z",
            "citations":[{"marker":"[1]","record":record()}]}).to_string();
        let cut = cut.min(value.len() - 1);
        prop_assert_eq!(event::parse(&value[..cut]).event.state_id(), "invalid");
        let mut flipped = value.into_bytes();
        flipped[cut] = byte;
        let flipped = String::from_utf8(flipped).expect("ASCII stays ASCII");
        let parsed = event::parse(&flipped);
        // Whatever is read as valid is read from exactly these bytes.
        for citation in parsed.event.citations() {
            prop_assert!(flipped.contains(citation.record.raw()));
        }
    }
}
