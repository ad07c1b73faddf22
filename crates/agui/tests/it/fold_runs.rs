//! Runs of a thread: replays, variants, parents, interrupts, compaction, what they used and named
//! (facts/agui §3.1, §3.5, §3.6).

use agui::fold::{CitationValue, Parent, Question, Role, RunKey};
use serde_json::{Value, json};

use crate::fold_support::{Archive, by_thread, fold, folded, frames, request, steps};

fn started(run: &str) -> Value {
    json!({"type":"RUN_STARTED","threadId":"t","runId":run})
}

fn finished(run: &str) -> Value {
    json!({"type":"RUN_FINISHED","threadId":"t","runId":run})
}

fn run(name: &str, text: &str) -> Vec<Value> {
    vec![
        started(name),
        json!({"type":"TEXT_MESSAGE_START","messageId":"m"}),
        json!({"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":text}),
        json!({"type":"TEXT_MESSAGE_END","messageId":"m"}),
        finished(name),
    ]
}

fn with(events: &[Value]) -> Archive {
    let mut all = vec![started("r")];
    all.extend_from_slice(events);
    all.push(finished("r"));
    folded(&all)
}

fn codes(archive: &Archive) -> Vec<&'static str> {
    let codes = archive.codes().into_iter().map(|(code, _)| code);
    codes.filter(|code| *code != "agui.run.question-not-recorded").collect()
}

#[test]
fn a_replayed_run_is_shown_once() {
    let events: Vec<Value> =
        [run("a", "one"), run("b", "two"), run("a", "one"), run("b", "two")].concat();
    let archive = folded(&events);
    let texts: Vec<_> = archive.said().iter().map(|(_, _, text)| *text).collect();
    assert_eq!(texts, ["one", "two"]);
    let replays: Vec<_> = archive.runs.values().map(|run| (run.replay_of, run.events)).collect();
    assert_eq!(replays, [(None, 5), (None, 5), (Some(RunKey(0)), 5), (Some(RunKey(1)), 5)]);
    assert_eq!(archive.codes().iter().filter(|(code, _)| *code == "agui.run.replay").count(), 2);
}

#[test]
fn the_same_run_with_other_events_is_kept_beside_the_first() {
    let archive = folded(&[run("a", "one"), run("a", "two")].concat());
    let texts: Vec<_> = archive.said().iter().map(|(_, _, text)| *text).collect();
    assert_eq!(texts, ["one", "two"]);
    assert_eq!(archive.run(1).variant_of, Some(RunKey(0)));
    assert!(archive.has("agui.run.same-id-other-events"));
}

#[test]
fn a_parent_called_the_run_or_is_continued_by_it() {
    let child = |run: &str, parent: &str| json!({"type":"RUN_STARTED","threadId":"t","runId":run,"parentRunId":parent});
    let mut all = frames(&[
        started("a"),
        child("b", "a"),
        finished("b"),
        finished("a"),
        child("c", "a"),
        child("d", "x"),
    ]);
    all[1].connection = 1;
    all[2].connection = 1;
    let (_, steps) = by_thread(steps(all)).remove(0);
    let archive = fold(&steps);
    let parents: Vec<_> =
        archive.runs.values().map(|run| (run.run_id.as_deref().unwrap(), run.parent)).collect();
    let expected = [
        ("a", None),
        ("b", Some(Parent::CalledBy)),
        ("c", Some(Parent::Continues)),
        ("d", Some(Parent::NotHeld)),
    ];
    assert_eq!(parents, expected);
}

#[test]
fn interrupts_are_read_in_every_shape_and_their_answers_are_held() {
    let shapes = [
        json!({"outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"confirmation","expiresAt":"2026"}]}}),
        json!({"outcome":"interrupt","interrupts":[{"id":"i","reason":"confirmation","expiresAt":"2026"}]}),
        json!({"outcome":"interrupt","interrupt":{"id":"i","reason":"confirmation","expires_at":"2026"}}),
    ];
    for shape in shapes {
        let mut end = finished("a");
        end.as_object_mut().unwrap().extend(shape.as_object().unwrap().clone());
        let mut all = frames(&[started("a"), end]);
        all.push(request(&json!({"threadId":"t","runId":"b","messages":[],"resume":[{"interruptId":"i","status":"resolved","payload":{"ok":true}}]})));
        all.extend(frames(&[started("b"), finished("b")]));
        let archive = fold(&steps(all));
        let interrupt = &archive.run(0).interrupts[0];
        let told =
            (interrupt.id.as_str(), interrupt.reason.as_deref(), interrupt.expires_at.as_deref());
        assert_eq!(told, ("i", Some("confirmation"), Some("2026")), "{shape}");
        assert_eq!(archive.run(0).ending.as_ref().unwrap().word(), "interrupted");
        let resume = &archive.run(1).resumes[0];
        assert_eq!(
            (resume.interrupt.as_str(), resume.payload.as_deref()),
            ("i", Some("{\"ok\":true}"))
        );
        assert_eq!(archive.run(1).question, Question::Resumes);
        assert_eq!(codes(&archive), [""; 0]);
    }
}

#[test]
fn a_run_without_a_question_says_so() {
    let archive = with(&[]);
    assert_eq!(archive.run(0).question, Question::NotRecorded);
    assert_eq!(archive.codes(), [("agui.run.question-not-recorded", Some(0))]);
}

#[test]
fn a_compacted_run_is_known_by_its_pieces() {
    let text = "A sentence that no model would send in one piece of its stream.";
    let piece = |text: &str| json!({"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":text});
    let start = json!({"type":"TEXT_MESSAGE_START","messageId":"m"});
    let end = json!({"type":"TEXT_MESSAGE_END","messageId":"m"});
    let timed = json!({"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":text,"timestamp":1});
    assert!(with(&[start.clone(), piece(text), end.clone()]).run(0).compacted);
    assert!(!with(&[start.clone(), piece(text), piece("x"), end.clone()]).run(0).compacted);
    assert!(!with(&[start.clone(), piece("Yes."), end.clone()]).run(0).compacted);
    assert!(!with(&[start, timed, end]).run(0).compacted);
}

#[test]
fn what_compaction_held_back_is_taken_after_the_end() {
    let citation = json!({"type":"CUSTOM","name":"moca.citations","value":{"version":1,"messageId":"m","citations":[]}});
    let events = [
        started("a"),
        finished("a"),
        citation.clone(),
        json!({"type":"TEXT_MESSAGE_START","messageId":"m"}),
        json!({"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"late"}),
        citation,
    ];
    let archive = folded(&events);
    let message = archive.message(&Role::Assistant, "m");
    assert!(message.after_end && !message.ended.is_ended());
    let held: Vec<_> = archive
        .citations
        .iter()
        .map(|c| {
            (c.event, c.message_id.as_deref(), c.message_known, c.message_ended, c.run_finished)
        })
        .collect();
    assert_eq!(held, [(2, Some("m"), false, false, true), (5, Some("m"), true, false, true)]);
    let value = archive.citations[0].value.json().unwrap();
    assert_eq!(value, r#"{"citations":[],"messageId":"m","version":1}"#);
    assert!(
        archive.has("agui.citations.before-message-end")
            && archive.has("agui.citations.after-run-end")
    );
}

#[test]
fn citation_values_stay_as_received() {
    let texts = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        r#"{"type":"CUSTOM","name":"moca.citations","value": { "version" : 1.0, "messageId":"é", "x":1e2 } }"#,
        r#"{"type":"CUSTOM","name":"moca.citations","value":null}"#,
        r#"{"type":"CUSTOM","name":"moca.citations"}"#,
        r#"{"type":"CUSTOM","name":"moca.citations","value":{"message_id":"m"}}"#,
        r#"{"type":"CUSTOM","name":"moca.citations","value":{"messageId":7}}"#,
    ];
    let archive = fold(&steps(crate::fold_support::texts(&texts)));
    let held: Vec<_> =
        archive.citations.iter().map(|c| (c.value.json(), c.message_id.as_deref())).collect();
    let expected = [
        (Some(r#"{ "version" : 1.0, "messageId":"é", "x":1e2 }"#), Some("é")),
        (Some("null"), None),
        (None, None),
        (Some(r#"{"message_id":"m"}"#), None),
        (Some(r#"{"messageId":7}"#), None),
    ];
    assert_eq!(held, expected);
}

#[test]
fn a_citation_that_two_readers_may_read_differently_is_not_relied_on() {
    let told = r#"{"type":"CUSTOM","name":"moca.citations","value":{"messageId":"m"}}"#;
    let bare = r#"{"name":"moca.citations","value":{"messageId":"m"}}"#;
    let held = |name: Option<&str>, text: &str| {
        let mut frames = crate::fold_support::texts(&[
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            &text.replace("TOLD", told).replace("BARE", bare),
        ]);
        frames[1].event_name = name.map(str::to_owned);
        fold(&steps(frames)).citations.remove(0).value
    };
    for sure in [
        "TOLD",
        r#"{"name":"seven","event":TOLD}"#,
        r#"{"t":1,"event":TOLD,"data":{"id":7}}"#,
        r#"{"id":"9","type":"custom","timestamp":1,"payload":TOLD}"#,
        r#"{"type":"CUSTOM","data":BARE}"#,
        r#"{"custom":BARE}"#,
    ] {
        assert!(held(None, sure).json().is_some(), "{sure}");
    }
    for unsure in [
        r#"{"event":{},"event":TOLD}"#,
        r#"{"event":TOLD,"event":TOLD}"#,
        r#"{"event":TOLD,"payload":TOLD}"#,
        r#"{"type":"CUSTOM","data":BARE,"payload":BARE}"#,
        r#"{"name":"moca.citations","value":{},"event":TOLD}"#,
        r#"{"type":"CUSTOM","value":{},"data":BARE}"#,
        r#"{"name":"moca.citations","event":{"type":"CUSTOM","value":{}}}"#,
        r#"{"type":"LOG","event":TOLD}"#,
        r#"{"type":"custom_debug","payload":TOLD}"#,
        r#"{"type":5,"event":TOLD}"#,
        r#"{"type":"LOG","type":"CUSTOM","event":TOLD}"#,
        r#"{"type":"CUSTOM","event":{"type":"RAW","name":"moca.citations","value":{}}}"#,
        r#"{"custom":{"type":"RAW","name":"moca.citations","value":{}}}"#,
    ] {
        assert!(matches!(held(None, unsure), CitationValue::Unsure(_)), "{unsure}");
    }
    assert!(held(Some("message"), r#"{"event":TOLD}"#).json().is_some());
    for (name, unsure) in [
        ("RAW", r#"{"event":TOLD}"#),
        ("CUSTOM", r#"{"name":"log","event":TOLD}"#),
        ("CUSTOM", r#"{"type":5,"name":"moca.citations","value":{}}"#),
    ] {
        assert!(matches!(held(Some(name), unsure), CitationValue::Unsure(_)), "{name} {unsure}");
    }
}

#[test]
fn steps_and_spans_out_of_order_are_findings() {
    let event = |kind: &str, name: &str| json!({"type":kind,"stepName":name,"messageId":name});
    let archive = with(&[
        event("STEP_STARTED", "s"),
        event("STEP_STARTED", "s"),
        event("STEP_FINISHED", "s"),
        event("STEP_FINISHED", "s"),
        event("STEP_STARTED", "open"),
        event("REASONING_START", "r"),
        event("REASONING_START", "r"),
        event("REASONING_END", "r"),
        event("REASONING_END", "r"),
    ]);
    let expected = [
        ("agui.step.started-twice", Some(2)),
        ("agui.step.not-started", Some(4)),
        ("agui.reasoning.started-twice", Some(7)),
        ("agui.reasoning.not-started", Some(9)),
        ("agui.run.finished-while-open", Some(10)),
    ];
    assert_eq!(archive.codes()[..5], expected);
}

#[test]
fn sub_agents_usage_result_and_names_are_told_of_a_run() {
    let mut end = finished("r");
    end["usage"] = json!([{"model":"m1","inputTokens":3},{"model":"m2","outputTokens":4}]);
    end["result"] = json!({"ok":true});
    let archive = folded(&[
        started("r"),
        json!({"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"Searcher","parentToolCallId":"c"}),
        json!({"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":{"type":"suspended"}}),
        json!({"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"Searcher"}),
        json!({"type":"SUBAGENT_ERROR","subagentRunId":"s","message":"no"}),
        json!({"type":"SUBAGENT_FINISHED","subagentRunId":"x"}),
        json!({"type":"CUSTOM","name":"usage","value":1}),
        json!({"type":"CUSTOM","name":"usage","value":2}),
        json!({"type":"RAW","source":"bedrock","event":{}}),
        json!({"type":"FUTURE"}),
        json!({"type":"META","metaType":"feedback","payload":{}}),
        end,
    ]);
    let run = archive.run(0);
    let agents: Vec<_> = run
        .subagents
        .iter()
        .map(|s| (s.id.as_str(), s.name.as_deref(), s.outcome.as_deref()))
        .collect();
    assert_eq!(agents, [("s", Some("Searcher"), Some("error")), ("x", None, Some("success"))]);
    let names: Vec<_> = run
        .names
        .iter()
        .map(|n| (n.kind.as_str(), n.name.as_str(), n.count, n.first_event))
        .collect();
    let expected = [
        ("CUSTOM", "usage", 2, 6),
        ("RAW", "bedrock", 1, 8),
        ("FUTURE", "", 1, 9),
        ("META", "feedback", 1, 10),
    ];
    assert_eq!(names, expected);
    let usage: Vec<_> = run.usage.iter().map(|u| (u.model.as_deref(), u.input, u.output)).collect();
    assert_eq!(usage, [(Some("m1"), Some(3), None), (Some("m2"), None, Some(4))]);
    assert_eq!(run.result.as_deref(), Some("{\"ok\":true}"));
    assert_eq!(
        codes(&archive),
        ["agui.subagent.id-reused", "agui.subagent.not-started", "agui.event.unknown-type"]
    );
}
