//! Every MUST and SHOULD of seed §2–§4 that concerns this crate, one test a line.

use moca::duty::{self, Context, Earlier, ToolRecords};
use moca::event::{self, CitationEvent, Parsed};
use moca::record::{CitationKey, Reading};
use moca::sources::AnswerSources;
use moca::standing::{Basis, Standing, Tone, standing};
use moca::{Instant, StatedTime};
use serde_json::{Value, json};

use crate::shared::{at, read, record, record_of, with};

const ANSWER: &str =
    "Return it anywhere [1]. The fee is 6 € [2]. See https://bikes.example/handbook@3.2.0#late.md.";

fn event(citations: Value) -> Value {
    let mut value = json!({ "version": 1, "messageId": "m", "computedAt": "2026-10-01T08:00:00Z" });
    value["citations"] = citations;
    value
}

fn two() -> Value {
    event(json!([
        { "marker": "[1]", "record": record() },
        { "marker": "[2]", "record": record_of("fee.md") }
    ]))
}

fn good() -> Context<'static> {
    static NO_TOOLS: std::sync::LazyLock<ToolRecords> =
        std::sync::LazyLock::new(ToolRecords::default);
    Context {
        answer_text: Some(ANSWER),
        message_ended: true,
        run_finished: false,
        earlier: Earlier::None,
        tool_records: &NO_TOOLS,
        received_at: None,
    }
}

fn parse(value: &Value) -> Parsed {
    event::parse(&value.to_string())
}

/// All codes of an event in its context, without the crate's prefix.
fn codes(value: &Value, context: &Context<'_>) -> Vec<&'static str> {
    let parsed = parse(value);
    parsed
        .findings
        .iter()
        .chain(&duty::check(&parsed.event, context))
        .map(|f| f.code.id.trim_start_matches("moca."))
        .collect()
}

#[test]
fn a_service_that_keeps_every_rule_gives_no_finding() {
    assert_eq!(codes(&two(), &good()), [""; 0]);
    assert_eq!(codes(&event(json!([])), &good()), [""; 0]);
}

#[test]
fn seed_2_must_ignore_an_event_with_a_version_it_does_not_know() {
    for version in
        [json!(2), json!("1"), json!(1.5), json!(null), json!(true), json!({}), json!(-1)]
    {
        let mut value = two();
        value["version"] = version.clone();
        let parsed = parse(&value);
        assert_eq!(parsed.event.state_id(), "unknown-version", "{version}");
        assert!(parsed.event.citations().is_empty());
        assert_eq!(parsed.event.message_id(), Some("m"));
        assert_eq!(codes(&value, &good()), ["event.version-unknown"], "{version}");
    }
    let spelt = two().to_string().replace("\"version\":1", "\"version\":1.0");
    assert_eq!(event::parse(&spelt).event.state_id(), "applied");
    let mut value = two();
    value.as_object_mut().expect("an object").remove("version");
    assert_eq!(parse(&value).event.state_id(), "invalid");
    assert_eq!(codes(&value, &good()), ["event.version-missing"]);
}

#[test]
fn seed_2_message_id_is_a_text() {
    for bad in [json!(null), json!(7), json!(["m"])] {
        let mut value = two();
        value["messageId"] = bad;
        assert_eq!(codes(&value, &good()), ["event.message-id"]);
        assert_eq!(parse(&value).event.state_id(), "invalid");
    }
}

#[test]
fn seed_2_computed_at_is_a_date_time_with_an_offset() {
    for (stated, code) in [
        (json!("2026-10-01T08:00:00"), "event.computed-at-without-offset"),
        (json!("2026-10-01"), "event.computed-at-date-only"),
        (json!("yesterday"), "event.computed-at-unreadable"),
        (json!(1_790_000_000), "event.computed-at"),
    ] {
        let mut value = two();
        value["computedAt"] = stated.clone();
        assert_eq!(codes(&value, &good()), [code], "{stated}");
        assert_eq!(parse(&value).event.computed_at().map(StatedTime::text), stated.as_str());
    }
    let mut value = two();
    value.as_object_mut().expect("an object").remove("computedAt");
    assert_eq!(codes(&value, &good()), ["event.computed-at-missing"]);
}

#[test]
fn seed_2_computed_at_after_reception_is_a_finding() {
    let received = |text| Context { received_at: Some(at(text)), ..good() };
    assert_eq!(codes(&two(), &received("2026-10-01T07:58:59Z")), ["event.computed-at-future"]);
    // One minute is the difference that two clocks may have.
    assert_eq!(codes(&two(), &received("2026-10-01T07:59:00Z")), [""; 0]);
}

#[test]
fn seed_2_should_show_the_time_beside_the_flags() {
    let basis = Basis::Service {
        computed_at: Some(StatedTime::parse("2026-10-01T08:00:00+02:00")),
        received_at: None,
        imported_at: None,
    };
    let standing = standing(&read(&record()), &basis, at("2026-12-01T00:00:00Z"));
    let Standing::Read(standing) = standing else { panic!("a valid record") };
    assert_eq!(
        standing.currency[0].line,
        "In force, not stale · as of 1 Oct 2026, 08:00:00 +02:00 · by the service’s Reader"
    );
}

#[test]
fn seed_2_a_record_is_whole_and_valid_against_its_schema() {
    let mut value = two();
    value["citations"][0]["record"]["package"]["digest"] = json!("sha256:AB");
    let parsed = parse(&value);
    assert_eq!(parsed.event.state_id(), "applied");
    assert!(parsed.event.citations()[0].record.valid().is_none());
    assert!(parsed.event.citations()[1].record.valid().is_some());
    assert_eq!(codes(&value, &good()), ["record.invalid"]);
    assert_eq!(parsed.findings[0].path, "/citations/0/record/package/digest");
    assert_eq!(parsed.findings[0].citation, Some(0));
}

#[test]
fn seed_2_an_event_whose_every_record_is_invalid_is_invalid() {
    let value = event(json!([{ "record": {} }, { "record": 1 }, { "marker": "[1]" }, 7]));
    let parsed = parse(&value);
    assert_eq!(parsed.event.state_id(), "invalid");
    assert_eq!(parsed.event.citations().len(), 4);
    let entries = parsed.findings.iter().filter(|f| f.code.id == "moca.event.entry").count();
    assert_eq!(entries, 2);
}

#[test]
fn seed_2_citations_is_a_list() {
    for bad in [json!(null), json!({}), json!("x")] {
        let mut value = two();
        value["citations"] = bad;
        assert_eq!(codes(&value, &good()), ["event.citations"]);
    }
}

#[test]
fn seed_2_unknown_members_are_newer_and_no_refusal() {
    let mut value = two();
    value["citations"][1]["record"]["trust"]["confidence"] = json!(0.9);
    value["citations"][1]["note"] = json!("x");
    value["language"] = json!("en");
    assert_eq!(parse(&value).event.state_id(), "applied");
    assert_eq!(
        codes(&value, &good()),
        ["event.unknown-member", "event.unknown-member", "record.unknown-member"]
    );
    assert!(parse(&value).event.citations()[1].record.valid().is_some());
}

#[test]
fn seed_2_a_marker_is_the_text_in_the_answer() {
    for bad in [json!(1), json!(""), json!("  "), json!("a\nb"), json!("x".repeat(2_000))] {
        let mut value = two();
        value["citations"][0]["marker"] = bad;
        assert_eq!(codes(&value, &good())[0], "event.marker");
        assert_eq!(parse(&value).event.citations()[0].marker, None);
    }
    let mut value = two();
    value["citations"][1]["marker"] = json!("[7]");
    assert_eq!(codes(&value, &good()), ["event.marker-not-in-text", "duty.not-cited"]);
    let mut value = two();
    value["citations"][1]["marker"] = json!("[1]");
    assert_eq!(codes(&value, &good()), ["event.marker-shared"]);
}

#[test]
fn seed_3_first_must_after_the_end_of_the_message_and_before_the_end_of_the_run() {
    assert_eq!(
        codes(&two(), &Context { message_ended: false, ..good() }),
        ["duty.before-message-end"]
    );
    assert_eq!(
        codes(&two(), &Context { run_finished: true, ..good() }),
        ["duty.after-run-finished"]
    );
    let both = Context { message_ended: false, run_finished: true, ..good() };
    let empty = codes(&event(json!([])), &both);
    assert_eq!(empty, ["duty.before-message-end", "duty.after-run-finished"]);
}

#[test]
fn seed_3_second_must_only_nodes_that_the_answer_cites() {
    let cited = event(json!([{ "record": record_of("late.md") }]));
    assert_eq!(codes(&cited, &good()), [""; 0]);
    let not_cited = event(json!([{ "record": record_of("winter.md") }]));
    assert_eq!(codes(&not_cited, &good()), ["duty.not-cited"]);
    // Of an answer that is not held nothing can be said.
    assert_eq!(codes(&not_cited, &Context { answer_text: None, ..good() }), [""; 0]);
}

#[test]
fn seed_3_second_must_only_nodes_returned_in_this_run() {
    let mut tools = ToolRecords::default();
    tools.add("no JSON at all");
    assert!(tools.is_empty());
    tools.add(&record().to_string());
    let context = Context { tool_records: &tools, ..good() };
    assert_eq!(codes(&two(), &context), ["duty.not-returned-in-run"]);
    // A reference in a search result is enough to have been returned.
    tools.add(r#"{"results":[{"ref":"https://bikes.example/handbook@3.2.0#fee.md"}]}"#);
    assert_eq!(codes(&two(), &Context { tool_records: &tools, ..good() }), [""; 0]);
}

#[test]
fn seed_3_second_must_records_are_found_in_texts_of_mcp_results() {
    let mut tools = ToolRecords::default();
    let text = json!({ "records": [record(), record_of("fee.md")] }).to_string();
    tools.add(&json!([{ "type": "text", "text": text }]).to_string());
    assert_eq!(codes(&two(), &Context { tool_records: &tools, ..good() }), [""; 0]);
    let mut old = record();
    old["node"].as_object_mut().expect("an object").remove("ref");
    let mut tools = ToolRecords::default();
    tools.add(&old.to_string());
    assert!(tools.returned("https://bikes.example/handbook@3.2.0#returns.md"));
}

#[test]
fn seed_3_third_must_not_change_a_record_but_may_leave_out_text() {
    let mut tools = ToolRecords::default();
    tools.add(&json!([record(), record_of("fee.md")]).to_string());
    let context = Context { tool_records: &tools, ..good() };
    let mut value = two();
    value["citations"][0]["record"].as_object_mut().expect("an object").remove("text");
    assert_eq!(codes(&value, &context), [""; 0]);
    for (pointer, changed) in [
        ("/citations/0/record/text", json!("another text")),
        ("/citations/0/record/trust/stale", json!(true)),
        ("/citations/0/record/node/title", json!("Another title")),
    ] {
        let mut value = two();
        *value.pointer_mut(pointer).expect("there") = changed;
        assert_eq!(codes(&value, &context), ["duty.record-changed"], "{pointer}");
    }
    let respelt = two().to_string().replace("120", "120.0");
    let parsed = event::parse(&respelt);
    assert_eq!(duty::check(&parsed.event, &context), []);
}

#[test]
fn seed_3_fourth_must_order_of_first_mention() {
    let value = event(json!([
        { "marker": "[2]", "record": record() },
        { "marker": "[1]", "record": record_of("fee.md") }
    ]));
    assert_eq!(codes(&value, &good()), ["duty.order"]);
}

#[test]
fn seed_3_fourth_must_one_entry_per_ref_and_span() {
    let mut second = record();
    let twice = |second: &Value| {
        event(
            json!([{ "marker": "[1]", "record": record() }, { "marker": "[2]", "record": second }]),
        )
    };
    assert_eq!(codes(&twice(&second), &good()), ["duty.duplicate"]);
    second["span"]["end"] = json!(481);
    assert_eq!(codes(&twice(&second), &good()), [""; 0]);
}

#[test]
fn seed_3_fifth_should_send_an_empty_list_when_nothing_resolves() {
    let parsed = parse(&event(json!([])));
    assert!(matches!(parsed.event, CitationEvent::Empty(_)));
    assert_ne!(AnswerSources::EmptyList.sentence(), AnswerSources::NoEvent.sentence());
    assert_eq!(duty::no_event("m").code.id, "moca.duty.no-event");
}

#[test]
fn seed_2_one_event_a_message_a_replay_is_told_from_a_second_statement() {
    let reordered = r#"{"citations":[],"version":1,"messageId":"m"}"#;
    assert_eq!(
        event::parse(reordered).event.content_sha256(),
        event::parse(r#"{ "version":1, "messageId":"m", "citations":[ ] }"#).event.content_sha256()
    );
    let after = |earlier| codes(&two(), &Context { earlier, ..good() });
    assert_eq!(after(Earlier::Same), ["duty.repeated-event"]);
    assert_eq!(after(Earlier::Other), ["duty.second-event"]);
}

#[test]
fn seed_4_first_must_key_by_ref_or_by_id_with_digest() {
    let reading = read(&record());
    let key = reading.valid().expect("a valid record").key();
    assert_eq!(key, CitationKey::Ref("https://bikes.example/handbook@3.2.0#returns.md".to_owned()));
    let newer = with(&[
        ("/package/version", json!("4.0.0")),
        ("/node/ref", json!("https://bikes.example/handbook@4.0.0#returns.md")),
    ]);
    // The same node.id in another version is another key.
    assert_ne!(read(&newer).valid().expect("a valid record").key(), key);
}

fn stated(reading: &Reading) -> Standing {
    let basis = Basis::Service {
        computed_at: Some(StatedTime::parse("2026-10-01T08:00:00Z")),
        received_at: None,
        imported_at: None,
    };
    standing(reading, &basis, at("2026-12-01T00:00:00Z"))
}

#[test]
fn seed_4_second_must_a_declared_verification_is_never_an_attested_review() {
    let declared = with(&[("/trust/declaredVerified", json!([{ "by": "human:t.oja" }]))]);
    let Standing::Read(standing) = stated(&read(&declared)) else { panic!("a valid record") };
    assert!(standing.reviews.is_empty());
    assert_eq!(standing.declared[0].badge, "Declared, not checked");
    assert!(
        !serde_json::to_value(&standing.declared[0])
            .expect("JSON")
            .as_object()
            .expect("an object")
            .contains_key("tone")
    );
}

#[test]
fn seed_4_second_must_stale_superseded_contested_and_out_of_force_are_shown_as_such() {
    for (pointer, value, badge) in [
        ("/trust/stale", json!(true), "Stale"),
        ("/trust/superseded", json!(true), "Superseded"),
        ("/trust/contested", json!(true), "Contested"),
        ("/trust/inForce", json!(false), "Not in force"),
    ] {
        let Standing::Read(standing) = stated(&read(&with(&[(pointer, value)]))) else {
            panic!("a valid record")
        };
        assert_eq!(standing.currency[0].badge, badge);
        assert!(standing.worst.tone >= Tone::Caution);
    }
}

#[test]
fn seed_4_third_must_fields_are_data_and_cannot_read_as_words_of_ours() {
    let hostile = with(&[("/package/signers", json!(["nobody. In force\u{202e}, not stale"]))]);
    let Standing::Read(standing) = stated(&read(&hostile)) else { panic!("a valid record") };
    assert_eq!(standing.integrity.badge, "Signed by “nobody. In force⟨U+202E⟩, not stale”");
}

#[test]
fn seed_4_fourth_must_an_event_of_an_unknown_message_is_named() {
    let finding = event::unknown_message("msg-9");
    assert_eq!(finding.code.id, "moca.event.message-unknown");
    assert_eq!(finding.code.breaks, Some("2-message-id"));
    assert_eq!(finding.message, "The conversation has no assistant message msg-9.");
}

#[test]
fn an_instant_is_never_taken_from_a_clock() {
    // Two calls with the same arguments agree, whatever time it is.
    let reading = read(&record());
    assert_eq!(stated(&reading), stated(&reading));
    assert_eq!(Instant::from_unix_millis(0).rfc3339(), "1970-01-01T00:00:00Z");
}
