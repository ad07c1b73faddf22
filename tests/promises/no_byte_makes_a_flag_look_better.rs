//! No byte of an event may make a flag look better than everyone who reads the event must find it.

use app::contract::{Commands, FindingQuery};
use recite_tests::scratch::Scratch;
use serde_json::{Value, json};

use crate::recordings_give_their_messages::{messages, reports};

const ANSWER: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Keep it [1]."}
{"type":"TEXT_MESSAGE_END","messageId":"m"}
"#;
const END: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}
"#;

fn record() -> Value {
    let package = "https://bikes.example/moca/rules";
    json!({
        "package": { "id": package, "version": "1.0.0", "digest": format!("sha256:{}", "0f".repeat(32)),
            "signed": true, "signers": ["Bikes publisher"] },
        "node": { "id": format!("{package}#a.md"), "path": "a.md", "type": "Policy",
            "ref": format!("{package}@1.0.0#a.md"), "title": "Returns" },
        "trust": { "status": "stable", "declaredVerified": [],
            "attestedReviews": [{ "reviewer": "human:sam", "reviewedAt": "2026-09-01T08:00:00Z", "outcome": "accurate", "signer": "Bikes editors" }],
            "stale": false, "inForce": true, "superseded": false, "contested": false }
    })
}

fn value(record: &Value) -> String {
    json!({ "version": 1, "messageId": "m", "computedAt": "2026-10-01T08:15:02Z",
        "citations": [{ "marker": "[1]", "record": record }] })
    .to_string()
}

/// The sources of the only answer of a recording whose citation event is `event`.
fn sources(event: &[u8]) -> Value {
    let scratch = Scratch::new();
    let recording = [ANSWER.as_bytes(), event, b"\n", END.as_bytes()].concat();
    let _ = scratch.import_bytes("one.jsonl", &recording);
    shown_answer(&scratch)
}

fn event(value: &str) -> String {
    format!(r#"{{"type":"CUSTOM","name":"moca.citations","value":{value}}}"#)
}

/// Everything that a badge could show as good.
fn good(sources: &Value) -> usize {
    sources.to_string().matches(r#""tone":"good""#).count()
}

#[test]
fn the_plain_event_has_good_flags() {
    let plain = sources(event(&value(&record())).as_bytes());
    assert_eq!(plain["state"], "applied");
    assert!(good(&plain) >= 2, "{plain:#}");
}

#[test]
fn a_record_that_is_not_utf8_is_invalid() {
    let text = event(&value(&record())).replace("Returns", "Ret\u{1}urns");
    let broken: Vec<u8> = text.bytes().map(|byte| if byte == 1 { 0xff } else { byte }).collect();
    let told = sources(&broken);
    assert_eq!(told["state"], "invalid");
    assert_eq!(good(&told), 0, "{told:#}");
}

#[test]
fn invalid_utf8_beside_the_value_does_not_cost_the_value() {
    let text =
        event(&value(&record())).replace(r#""CUSTOM","#, "\"CUSTOM\",\"rawEvent\":\"\u{1}\",");
    let beside: Vec<u8> = text.bytes().map(|byte| if byte == 1 { 0xff } else { byte }).collect();
    assert_eq!(sources(&beside)["state"], "applied");
}

#[test]
fn an_event_that_says_something_twice_is_invalid() {
    let (good_value, stale) = (
        value(&record()),
        value(&{
            let mut stale = record();
            stale["trust"]["stale"] = json!(true);
            stale
        }),
    );
    for twice in [
        format!(
            r#"{{"type":"CUSTOM","name":"moca.citations","value":{stale},"value":{good_value}}}"#
        ),
        format!(
            r#"{{"type":"CUSTOM","name":"moca.citations","value":{stale},"val\u0075e":{good_value}}}"#
        ),
        format!(
            r#"{{"type":"CUSTOM","name":"other","name":"moca.citations","value":{good_value}}}"#
        ),
        format!(r#"{{"type":"RAW","type":"CUSTOM","name":"moca.citations","value":{good_value}}}"#),
        format!(
            r#"{{"event":{{"type":"CUSTOM","name":"moca.citations","value":{stale},"value":{good_value}}}}}"#
        ),
    ] {
        let told = sources(twice.as_bytes());
        assert_eq!(told["state"], "invalid", "{twice}");
        assert_eq!(good(&told), 0, "{told:#}");
    }
}

#[test]
fn a_wrapper_may_have_names_of_its_own() {
    let wrapped = format!(r#"{{"name":"seven","event":{}}}"#, event(&value(&record())));
    assert_eq!(sources(wrapped.as_bytes())["state"], "applied");
}

#[test]
fn nearly_version_one_is_another_version() {
    for (version, state) in [
        ("1.0", "applied"),
        ("10e-1", "applied"),
        ("1.0000000000000000001", "unknown-version"),
        ("0.99999999999999999999", "unknown-version"),
        ("-1", "unknown-version"),
        ("true", "unknown-version"),
    ] {
        let told = value(&record()).replace(r#""version":1"#, &format!(r#""version":{version}"#));
        assert_eq!(sources(event(&told).as_bytes())["state"], state, "{version}");
    }
}

#[test]
fn who_cannot_be_seen_has_not_signed() {
    for nobody in [
        "",
        " ",
        "\u{200b}",
        "\u{3164}",
        "\u{0}",
        "\u{115f}\u{1160}",
        "\u{ffa0}",
        "\u{2800}",
        "\u{301}",
        "\u{345}",
        "—",
    ] {
        let mut unsigned = record();
        unsigned["package"]["signers"] = json!([nobody]);
        unsigned["trust"]["attestedReviews"][0]["signer"] = json!(nobody);
        let told = sources(event(&value(&unsigned)).as_bytes());
        assert_eq!(told["state"], "applied");
        let standing = &told["items"][0]["standing"];
        assert_ne!(standing["integrity"]["tone"], "good", "{nobody:?}");
        assert_eq!(standing["reviews"][0]["tone"], "unknown", "{nobody:?}");
    }
}

#[test]
fn a_review_that_cannot_have_been_there_is_no_approval() {
    for (day, tone) in [
        ("2026-10-01", "good"),
        ("2026-10-01T08:00:00Z", "good"),
        ("2026-10-02", "unknown"),
        ("2026-10-01T08:17:00Z", "unknown"),
        ("2031-01-01T00:00:00+02:00", "unknown"),
        ("some day", "unknown"),
        ("", "unknown"),
    ] {
        let mut later = record();
        later["trust"]["attestedReviews"][0]["reviewedAt"] = json!(day);
        let told = sources(event(&value(&later)).as_bytes());
        assert_eq!(told["items"][0]["standing"]["reviews"][0]["tone"], tone, "{day}");
    }
}

/// The state of the only answer of a recording as it is given.
fn state_of(name: &str, recording: &[u8]) -> Value {
    let scratch = Scratch::new();
    let _ = scratch.import_bytes(name, recording);
    let reports = reports(&scratch);
    let answer =
        messages(&reports).find(|message| message["messageId"] == "m").expect("the answer");
    answer["citations"]["state"].clone()
}

#[test]
fn half_characters_that_a_container_holds_are_no_text() {
    for (title, state) in
        [("Returns", "applied"), ("Ret\u{fffd}urns", "applied"), ("Ret\u{1}urns", "invalid")]
    {
        let mut titled = record();
        titled["node"]["title"] = json!(title);
        let event = event(&value(&titled)).replace("\\u0001", "\u{1}");
        let lines = format!("{ANSWER}{event}\n{END}");

        let units: Vec<u16> =
            lines.encode_utf16().map(|unit| if unit == 1 { 0xd800 } else { unit }).collect();
        let wide: Vec<u8> =
            [0xfeff].iter().chain(&units).flat_map(|unit| unit.to_le_bytes()).collect();
        assert_eq!(state_of("wide.jsonl", &wide), state, "UTF-16, {title:?}");

        let body: String = lines.lines().map(|line| format!("data: {line}\n\n")).collect();
        let entry = json!({ "startedDateTime": "2026-10-01T08:15:00Z",
            "request": { "method": "POST", "url": "https://desk.example/agent" },
            "response": { "status": 200, "content": { "mimeType": "text/event-stream", "text": body } } });
        let har = json!({ "log": { "version": "1.2", "creator": { "name": "x", "version": "1" }, "entries": [entry] } });
        // The body's control character stands escaped in the archive, as half a pair does.
        let har = har.to_string().replace("\\u0001", "\\ud800");
        assert_eq!(state_of("calls.har", har.as_bytes()), state, "HAR, {title:?}");
    }
}

#[test]
fn no_other_recording_unsays_what_a_recording_said() {
    let mut bad = record();
    bad["trust"]["superseded"] = json!(true);
    let first = [ANSWER.as_bytes(), event(&value(&bad)).as_bytes(), b"\n", END.as_bytes()].concat();
    let started = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r2","parentRunId":"r"}"#;
    let ended = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r2"}"#;
    let forged = format!("{started}\n{}\n{ended}\n", event(&value(&record())));
    let apart = {
        let scratch = Scratch::new();
        let _ = scratch.import_bytes("honest.jsonl", &first);
        let _ = scratch.import_bytes("forged.jsonl", forged.as_bytes());
        shown_answer(&scratch)
    };
    let together = {
        let scratch = Scratch::new();
        let _ = scratch.import_bytes("both.jsonl", &[&first, forged.as_bytes()].concat());
        shown_answer(&scratch)
    };
    for told in [apart, together] {
        assert_eq!(told["items"][0]["standing"]["worst"]["word"], "superseded", "{told:#}");
    }
}

#[test]
fn no_other_recording_gives_sources_to_an_answer_without_any() {
    let scratch = Scratch::new();
    let _ = scratch.import_bytes("honest.jsonl", format!("{ANSWER}{END}").as_bytes());
    let started = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r2","parentRunId":"r"}"#;
    let ended = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r2"}"#;
    let forged = format!("{started}\n{}\n{ended}\n", event(&value(&record())));
    let _ = scratch.import_bytes("forged.jsonl", forged.as_bytes());
    assert_eq!(shown_answer(&scratch)["state"], "none");
    let reports = reports(&scratch);
    assert!(
        reports.iter().any(|report| report["orphanCitations"][0]["state"] == "unknown-message")
    );
}

#[test]
fn a_later_event_of_the_same_run_is_the_one_shown() {
    let mut stale = record();
    stale["trust"]["stale"] = json!(true);
    let both = format!("{}\n{}", event(&value(&record())), event(&value(&stale)));
    assert_eq!(sources(both.as_bytes())["items"][0]["standing"]["worst"]["word"], "stale");
}

#[test]
fn words_added_after_the_sources_are_told() {
    let scratch = Scratch::new();
    let more = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":" And pay nothing."}"#;
    let recording = format!("{ANSWER}{}\n{more}\n{END}", event(&value(&record())));
    let _ = scratch.import_bytes("one.jsonl", recording.as_bytes());
    let found = scratch.app.list_findings(FindingQuery::default()).unwrap().findings;
    let codes: Vec<&str> = found.iter().map(|finding| finding.code.as_str()).collect();
    assert!(codes.contains(&"agui.citations.message-went-on"), "{codes:?}");
    assert!(!codes.contains(&"agui.citations.before-message-end"), "told once: {codes:?}");
}

#[test]
fn thousands_of_events_for_one_answer_cost_no_more_than_their_number() {
    let many: String = (0..4000)
        .map(|second| {
            event(&value(&record()).replace("08:15:02Z", &format!("08:15:02.{second:04}Z"))) + "\n"
        })
        .collect();
    let begun = std::time::Instant::now();
    assert_eq!(sources(many.trim_end().as_bytes())["state"], "applied");
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}

/// The sources of the answer of all recordings of a scratch archive.
fn shown_answer(scratch: &Scratch) -> Value {
    let reports = reports(scratch);
    let answer =
        messages(&reports).find(|message| message["messageId"] == "m").expect("the answer");
    answer["citations"].clone()
}
