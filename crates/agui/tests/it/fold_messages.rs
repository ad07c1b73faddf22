//! Messages, reasoning, chunks and tool calls fold by facts/agui §3.1–§3.3; broken rules are findings.

use agui::fold::{Ended, Entity, Question, Role};
use serde_json::{Value, json};

use crate::fold_support::{Archive, folded};

fn started(run: &str) -> Value {
    json!({"type":"RUN_STARTED","threadId":"t","runId":run})
}

fn started_1_0(run: &str) -> Value {
    json!({"type":"RUN_STARTED","threadId":"t","runId":run,"protocolVersion":"1.0"})
}

fn finished(run: &str) -> Value {
    json!({"type":"RUN_FINISHED","threadId":"t","runId":run})
}

fn start(id: &str) -> Value {
    json!({"type":"TEXT_MESSAGE_START","messageId":id,"role":"assistant"})
}

fn content(id: &str, delta: &str) -> Value {
    json!({"type":"TEXT_MESSAGE_CONTENT","messageId":id,"delta":delta})
}

fn end(id: &str) -> Value {
    json!({"type":"TEXT_MESSAGE_END","messageId":id})
}

fn chunk(id: Option<&str>, delta: &str) -> Value {
    match id {
        Some(id) => json!({"type":"TEXT_MESSAGE_CHUNK","messageId":id,"delta":delta}),
        None => json!({"type":"TEXT_MESSAGE_CHUNK","delta":delta}),
    }
}

/// One finished run of these events.
fn run(events: &[Value]) -> Archive {
    let mut all = vec![started("r")];
    all.extend_from_slice(events);
    all.push(finished("r"));
    folded(&all)
}

/// Codes but for what every run here has.
fn codes(archive: &Archive) -> Vec<&'static str> {
    let codes = archive.codes().into_iter().map(|(code, _)| code);
    codes
        .filter(|code| !["agui.run.question-not-recorded", "agui.run.compacted"].contains(code))
        .collect()
}

#[test]
fn text_is_collected_until_its_end() {
    let archive =
        run(&[start("m"), content("m", "Hel"), content("m", ""), content("m", "lo"), end("m")]);
    assert_eq!(archive.said(), [("assistant", "m", "Hello")]);
    let message = archive.message(&Role::Assistant, "m");
    assert_eq!(
        (message.ended, message.first_event, message.end_event),
        (Ended::Yes, Some(1), Some(5))
    );
    assert_eq!(codes(&archive), [""; 0]);
}

#[test]
fn several_messages_are_open_at_once() {
    let archive =
        run(&[start("a"), start("b"), content("b", "2"), content("a", "1"), end("a"), end("b")]);
    assert_eq!(archive.said(), [("assistant", "a", "1"), ("assistant", "b", "2")]);
    assert_eq!(codes(&archive), [""; 0]);
}

#[test]
fn a_message_started_again_is_one_message_with_two_segments() {
    let archive =
        run(&[start("m"), content("m", "a"), end("m"), start("m"), content("m", "b"), end("m")]);
    assert_eq!(archive.said(), [("assistant", "m", "ab")]);
    assert_eq!(archive.message(&Role::Assistant, "m").segments, 2);
    assert_eq!(codes(&archive), [""; 0]);
}

#[test]
fn the_same_id_in_another_run_is_another_message() {
    let mut events = Vec::new();
    for (run, text) in [("a", "one"), ("b", "two")] {
        events.extend([started(run), start("m"), content("m", text), end("m"), finished(run)]);
    }
    let archive = folded(&events);
    assert_eq!(archive.said(), [("assistant", "m", "one"), ("assistant", "m", "two")]);
    assert_eq!(codes(&archive), ["agui.message.id-reused"]);
}

#[test]
fn broken_order_is_a_finding_at_its_event_and_loses_no_text() {
    let cases: [(&[Value], &str, u64, &[&str]); 6] = [
        (
            &[start("m"), start("m"), content("m", "x"), end("m")],
            "agui.message.started-twice",
            2,
            &["x"],
        ),
        (&[content("m", "x"), content("m", "y"), end("m")], "agui.message.not-started", 1, &["xy"]),
        (&[start("m"), end("m"), content("m", "x")], "agui.message.content-after-end", 3, &["x"]),
        (&[end("m")], "agui.message.end-not-open", 1, &[]),
        (&[start("m"), content("m", "x")], "agui.run.finished-while-open", 3, &["x"]),
        (
            &[json!({"type":"TEXT_MESSAGE_CONTENT","delta":"x"})],
            "agui.message.not-started",
            1,
            &["x"],
        ),
    ];
    for (events, code, at, texts) in cases {
        let archive = run(events);
        assert_eq!(
            archive.said().iter().map(|(_, _, text)| *text).collect::<Vec<_>>(),
            texts,
            "{events:?}"
        );
        assert!(archive.codes().contains(&(code, Some(at))), "{code} in {:?}", archive.codes());
    }
}

#[test]
fn another_role_for_an_open_message_is_a_finding_and_the_first_stays() {
    let system = json!({"type":"TEXT_MESSAGE_START","messageId":"m","role":"system"});
    let archive = run(&[start("m"), content("m", "x"), end("m"), system, end("m")]);
    assert_eq!(archive.said(), [("assistant", "m", "x")]);
    assert_eq!(codes(&archive), ["agui.message.role-changed"]);
}

#[test]
fn reasoning_and_text_with_one_id_stay_apart() {
    let archive = run(&[
        json!({"type":"REASONING_START","messageId":"m"}),
        json!({"type":"REASONING_MESSAGE_START","messageId":"m","role":"assistant"}),
        json!({"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":"hm"}),
        json!({"type":"REASONING_MESSAGE_END","messageId":"m"}),
        json!({"type":"REASONING_END","messageId":"m"}),
        start("m"),
        content("m", "Yes."),
        end("m"),
        json!({"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"PLAN","content":{"a":1}}),
        json!({"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"m","content":"r"}),
        json!({"type":"TEXT_MESSAGE_START","messageId":"m","role":"user"}),
    ]);
    let said = [
        ("reasoning", "m", "hm"),
        ("assistant", "m", "Yes."),
        ("activity", "m", ""),
        ("tool", "m", "r"),
        ("user", "m", ""),
    ];
    assert_eq!(archive.said(), said);
    assert_eq!(archive.run(0).question, Question::Recorded);
}

#[test]
fn encrypted_values_are_kept_and_are_no_text() {
    let archive = run(&[
        json!({"type":"REASONING_MESSAGE_START","messageId":"m","role":"reasoning"}),
        json!({"type":"REASONING_MESSAGE_END","messageId":"m"}),
        json!({"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m","encryptedValue":"SECRET"}),
        json!({"type":"REASONING_ENCRYPTED_VALUE","subtype":"tool-call","entityId":"c","encryptedValue":"OTHER"}),
    ]);
    let key = archive.message(&Role::Reasoning, "m").key;
    let kept: Vec<_> = archive.encrypted.iter().map(|e| (e.of.clone(), e.value.as_str())).collect();
    assert_eq!(
        kept,
        [(Entity::Message(key), "SECRET"), (Entity::Unknown("c".to_owned()), "OTHER")]
    );
    assert_eq!(archive.said(), [("reasoning", "m", "")]);
    assert_eq!(codes(&archive), ["agui.reasoning.encrypted-of-unknown"]);
}

#[test]
fn thinking_becomes_reasoning_with_a_made_id_and_keeps_its_title() {
    let archive = run(&[
        json!({"type":"THINKING_START","title":"Plan"}),
        json!({"type":"THINKING_TEXT_MESSAGE_START"}),
        json!({"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"a"}),
        json!({"type":"THINKING_TEXT_MESSAGE_END"}),
        json!({"type":"THINKING_TEXT_MESSAGE_START"}),
        json!({"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"b"}),
        json!({"type":"THINKING_TEXT_MESSAGE_END"}),
        json!({"type":"THINKING_END"}),
        json!({"type":"THINKING_START","title":"Only a title"}),
        json!({"type":"THINKING_END"}),
        json!({"type":"THINKING_CONTENT","delta":"dart"}),
    ]);
    let told: Vec<_> = archive
        .messages()
        .iter()
        .map(|m| (m.id.as_str(), m.text.as_str(), m.title.as_deref(), m.id_derived))
        .collect();
    let expected = [
        ("thinking:r:1", "a", Some("Plan"), true),
        ("thinking:r:2", "b", Some("Plan"), true),
        ("thinking:r:3", "", Some("Only a title"), true),
        ("thinking:r:4", "dart", None, true),
    ];
    assert_eq!(told, expected);
    assert_eq!(
        codes(&archive),
        ["agui.event.retired-type", "agui.run.finished-while-open", "agui.event.retired-type"]
    );
}

#[test]
fn chunks_are_expanded_and_custom_ends_them() {
    let custom = json!({"type":"CUSTOM","name":"moca.citations","value":{"messageId":"m"}});
    let archive = run(&[chunk(Some("m"), "a"), chunk(None, "b"), custom]);
    assert_eq!(archive.said(), [("assistant", "m", "ab")]);
    assert_eq!(archive.message(&Role::Assistant, "m").ended, Ended::Implied);
    let citation = &archive.citations[0];
    assert!(citation.message_known && citation.message_ended && !citation.run_finished);
    assert_eq!(codes(&archive), [""; 0]);
}

#[test]
fn raw_activity_and_encrypted_values_do_not_end_chunks() {
    let archive = run(&[
        chunk(Some("m"), "a"),
        json!({"type":"RAW","event":1}),
        json!({"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"PLAN","content":{}}),
        json!({"type":"FUTURE_EVENT"}),
        chunk(None, "b"),
        json!({"type":"STATE_DELTA","delta":[]}),
        chunk(Some("m"), "c"),
    ]);
    assert_eq!(archive.message(&Role::Assistant, "m").text, "abc");
    assert_eq!(archive.message(&Role::Assistant, "m").segments, 2);
    assert!(!archive.has("agui.chunk.no-id"));
}

#[test]
fn a_chunk_without_an_id_is_kept_and_said() {
    let first = run(&[chunk(None, "a")]);
    assert_eq!(first.said(), [("assistant", "message:r:1", "a")]);
    assert_eq!(codes(&first), ["agui.chunk.no-id"]);
    let later =
        run(&[chunk(Some("m"), "a"), json!({"type":"STATE_DELTA","delta":[]}), chunk(None, "b")]);
    assert_eq!(later.said(), [("assistant", "m", "ab")]);
    assert_eq!(codes(&later), ["agui.chunk.no-id"]);
}

#[test]
fn from_1_0_on_each_sub_agent_has_a_chunk_of_its_own() {
    let of = |agent: &str, id: Option<&str>, delta: &str| {
        let mut event = chunk(id, delta);
        event["subagentRunId"] = json!(agent);
        event
    };
    let events =
        [of("x", Some("a"), "1"), of("y", Some("b"), "2"), of("x", None, "3"), of("y", None, "4")];
    let mut all = vec![started_1_0("r")];
    all.extend(events);
    all.push(finished("r"));
    let archive = folded(&all);
    assert_eq!(archive.said(), [("assistant", "a", "13"), ("assistant", "b", "24")]);
    let agents: Vec<_> =
        archive.run(0).subagents.iter().map(|s| (s.id.as_str(), s.name.as_deref())).collect();
    assert_eq!(agents, [("x", None), ("y", None)]);
}

#[test]
fn chunks_and_the_long_form_may_mix() {
    let archive =
        run(&[start("m"), chunk(Some("m"), "a"), chunk(None, "b"), content("m", "c"), end("m")]);
    assert_eq!(archive.said(), [("assistant", "m", "abc")]);
    assert_eq!(archive.message(&Role::Assistant, "m").ended, Ended::Yes);
    assert_eq!(codes(&archive), [""; 0]);
}

#[test]
fn an_error_ends_the_run_and_not_the_message() {
    let events =
        [started("r"), chunk(Some("m"), "par"), json!({"type":"RUN_ERROR","message":"no"})];
    let archive = folded(&events);
    assert_eq!(archive.message(&Role::Assistant, "m").ended, Ended::No);
    let incomplete = folded(&[started("r"), start("m"), content("m", "par")]);
    assert_eq!(incomplete.message(&Role::Assistant, "m").ended, Ended::No);
    assert_eq!(incomplete.run(0).ending.as_ref().unwrap().word(), "incomplete");
}

#[test]
fn reasoning_chunks_end_with_an_empty_piece() {
    let piece =
        |delta: &str| json!({"type":"REASONING_MESSAGE_CHUNK","messageId":"m","delta":delta});
    let archive = run(&[piece("a"), piece("b"), piece("")]);
    assert_eq!(archive.said(), [("reasoning", "m", "ab")]);
    assert_eq!(archive.message(&Role::Reasoning, "m").ended, Ended::Implied);
}

#[test]
fn metadata_is_merged_per_key() {
    let mut first = start("m");
    first["metadata"] = json!({"a":1,"b":{"x":1}});
    let mut second = end("m");
    second["metadata"] = json!({"b":2});
    let archive = run(&[first, second]);
    let metadata = archive.message(&Role::Assistant, "m").metadata.clone().unwrap();
    assert_eq!(serde_json::from_str::<Value>(&metadata).unwrap(), json!({"a":1,"b":2}));
}

#[test]
fn another_sub_agent_for_an_open_message_is_a_finding() {
    let mut opener = start("m");
    opener["subagentRunId"] = json!("x");
    let mut other = content("m", "a");
    other["subagentRunId"] = json!("y");
    let archive = run(&[opener, content("m", "b"), other, end("m")]);
    assert_eq!(archive.said(), [("assistant", "m", "ba")]);
    assert_eq!(codes(&archive), ["agui.message.other-subagent"]);
}

#[test]
fn a_sub_agent_and_the_agent_that_use_one_id_do_not_run_together() {
    let by = |mut event: Value, owner: &str| {
        event["subagentRunId"] = json!(owner);
        event
    };
    let one_by_one = [
        start("m"),
        content("m", "a"),
        end("m"),
        by(start("m"), "s"),
        content("m", "b"),
        by(end("m"), "s"),
        start("m"),
        content("m", "c"),
        end("m"),
    ];
    let archive = run(&one_by_one);
    assert_eq!(archive.said(), [("assistant", "m", "ac"), ("assistant", "m", "b")]);
    let at_once = [
        by(start("m"), "s"),
        start("m"),
        by(content("m", "b"), "s"),
        content("m", "a"),
        by(content("m", "b"), "s"),
        content("m", "c"),
        end("m"),
        by(end("m"), "s"),
    ];
    let archive = run(&at_once);
    assert_eq!(archive.said(), [("assistant", "m", "bb"), ("assistant", "m", "ac")]);
    assert!(archive.held.values().all(|message| message.ended == Ended::Yes));
    assert_eq!(codes(&archive), ["agui.message.other-subagent"]);
}

#[test]
fn a_message_that_goes_on_after_its_citations_is_told_at_their_event() {
    let citation = json!({"type":"CUSTOM","name":"moca.citations","value":{"messageId":"m"}});
    let whole = [start("m"), content("m", "one"), end("m"), citation];
    let told = |more: &[Value]| {
        let archive = run(&[&whole[..], more].concat());
        let found = archive.codes();
        let went_on = |(code, _): &(&str, _)| *code == "agui.citations.message-went-on";
        found.into_iter().filter(went_on).collect::<Vec<_>>()
    };
    let at_citation: Vec<_> = vec![("agui.citations.message-went-on", Some(4))];
    let again = [start("m"), content("m", " and more"), content("m", "."), end("m")];
    assert_eq!(told(&again), at_citation);
    assert_eq!(told(&[content("m", " and more")]), at_citation);
    assert_eq!(told(&[start("m"), end("m"), start("n"), content("n", "x"), end("n")]), []);
}
