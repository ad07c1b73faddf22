//! Tool calls and results fold by facts/agui §3.3 and §3.6.

use agui::fold::{Ended, Role};
use serde_json::{Value, json};

use crate::fold_support::{Archive, fold, folded, frames, request, steps};

fn started(run: &str) -> Value {
    json!({"type":"RUN_STARTED","threadId":"t","runId":run})
}

fn finished(run: &str) -> Value {
    json!({"type":"RUN_FINISHED","threadId":"t","runId":run})
}

fn interrupted(run: &str) -> Value {
    let outcome = json!({"type":"interrupt","interrupts":[{"id":"i1","reason":"tool_call","toolCallId":"c"}]});
    json!({"type":"RUN_FINISHED","threadId":"t","runId":run,"outcome":outcome})
}

fn call(id: &str, parent: Value) -> Vec<Value> {
    call_with(id, parent, "{\"a\":1}")
}

fn call_with(id: &str, parent: Value, arguments: &str) -> Vec<Value> {
    let mut start = json!({"type":"TOOL_CALL_START","toolCallId":id,"toolCallName":"search"});
    if !parent.is_null() {
        start["parentMessageId"] = parent;
    }
    vec![
        start,
        json!({"type":"TOOL_CALL_ARGS","toolCallId":id,"delta":arguments}),
        json!({"type":"TOOL_CALL_END","toolCallId":id}),
    ]
}

fn result(message: &str, call: &str, content: &str) -> Value {
    json!({"type":"TOOL_CALL_RESULT","messageId":message,"toolCallId":call,"content":content})
}

fn text(id: &str, delta: &str) -> Vec<Value> {
    vec![
        json!({"type":"TEXT_MESSAGE_START","messageId":id}),
        json!({"type":"TEXT_MESSAGE_CONTENT","messageId":id,"delta":delta}),
        json!({"type":"TEXT_MESSAGE_END","messageId":id}),
    ]
}

fn run(name: &str, parts: &[Vec<Value>]) -> Vec<Value> {
    let mut events = vec![started(name)];
    events.extend(parts.iter().flatten().cloned());
    events.push(finished(name));
    events
}

fn codes(archive: &Archive) -> Vec<&'static str> {
    let codes = archive.codes().into_iter().map(|(code, _)| code);
    codes
        .filter(|code| !["agui.run.question-not-recorded", "agui.run.compacted"].contains(code))
        .collect()
}

#[test]
fn a_call_belongs_to_its_parent_or_to_a_message_with_its_own_id() {
    let archive = folded(&run(
        "r",
        &[
            text("m", "Let me see."),
            call("c1", json!("m")),
            call("c2", json!("")),
            call("c3", Value::Null),
            call("c4", json!("p")),
        ],
    ));
    let said = [
        ("assistant", "m", "Let me see."),
        ("assistant", "c2", ""),
        ("assistant", "c3", ""),
        ("assistant", "p", ""),
    ];
    assert_eq!(archive.said(), said);
    let of: Vec<_> =
        archive.calls.values().map(|call| archive.held[&call.message].id.as_str()).collect();
    assert_eq!(of, ["m", "c2", "c3", "p"]);
    assert_eq!(codes(&archive), [""; 0]);
}

#[test]
fn text_that_follows_a_call_goes_into_its_message() {
    let archive = folded(&run("r", &[call("c", json!("m")), text("m", "Done.")]));
    assert_eq!(archive.said(), [("assistant", "m", "Done.")]);
    assert_eq!(archive.message(&Role::Assistant, "m").ended, Ended::Yes);
}

#[test]
fn results_stand_behind_their_assistant_message_and_earlier_results() {
    let archive = folded(&run(
        "r",
        &[
            call("c1", json!("m")),
            call("c2", json!("m")),
            text("n", "Meanwhile."),
            vec![result("r2", "c2", "two"), result("r1", "c1", "one"), result("rx", "cx", "lost")],
        ],
    ));
    let said = [
        ("assistant", "m", ""),
        ("tool", "r2", "two"),
        ("tool", "r1", "one"),
        ("assistant", "n", "Meanwhile."),
        ("tool", "rx", "lost"),
    ];
    assert_eq!(archive.said(), said);
    assert_eq!(codes(&archive), ["agui.tool.result-without-call"]);
}

#[test]
fn a_result_may_share_the_id_of_its_assistant_message_or_have_none() {
    let no_id = json!({"type":"TOOL_CALL_RESULT","toolCallId":"d","content":"2"});
    let archive = folded(&run(
        "r",
        &[call("c", Value::Null), vec![result("c", "c", "1")], call("d", Value::Null), vec![no_id]],
    ));
    let said = [
        ("assistant", "c", ""),
        ("tool", "c", "1"),
        ("assistant", "d", ""),
        ("tool", "result:d", "2"),
    ];
    assert_eq!(archive.said(), said);
    assert!(archive.message(&Role::Tool, "result:d").id_derived);
    assert_eq!(codes(&archive), ["agui.event.field-missing"]);
}

#[test]
fn results_of_any_shape_are_kept() {
    let odd = |id: &str, content: Value| json!({"type":"TOOL_CALL_RESULT","messageId":id,"toolCallId":"c","content":content});
    let parts = json!([{"type":"text","text":"a"},{"type":"hologram"},{"type":"text","text":"b"}]);
    let archive = folded(&run(
        "r",
        &[call("c", Value::Null), vec![odd("o", json!({"x":1})), odd("p", parts.clone())]],
    ));
    assert_eq!(archive.message(&Role::Tool, "o").text, "{\"x\":1}");
    let listed = archive.message(&Role::Tool, "p");
    assert_eq!(listed.text, "a\nb");
    assert_eq!(serde_json::from_str::<Value>(listed.parts.as_ref().unwrap()).unwrap(), parts);
    let expected =
        ["agui.event.field-type", "agui.messages.unknown-part", "agui.tool.result-twice"];
    assert_eq!(codes(&archive), expected);
}

#[test]
fn a_call_started_again_after_an_interrupt_is_one_call_shown_once() {
    let mut events = vec![started("a")];
    events.extend(call("c", Value::Null));
    events.push(interrupted("a"));
    events.push(started("b"));
    events.extend(call_with("c", Value::Null, "{ \"a\" : 1 }"));
    events.extend([result("m", "c", "ok"), finished("b")]);
    let archive = folded(&events);
    assert_eq!(archive.said(), [("assistant", "c", ""), ("tool", "m", "ok")]);
    let call = &archive.calls[&agui::fold::CallKey(0)];
    assert_eq!((call.segments.len(), call.segments[1].same_as), (2, Some(0)));
    assert_eq!(call.arguments(), "{\"a\":1}");
    assert_eq!(codes(&archive), ["agui.run.interrupt-unanswered", "agui.tool.started-again"]);
    assert_eq!(archive.run(0).pending_tool_calls, [call.key], "it waited after the first run");
    assert_eq!(archive.run(1).pending_tool_calls, []);
}

#[test]
fn other_arguments_of_a_resumed_call_are_shown_too() {
    let mut events = vec![started("a")];
    events.extend(call("c", Value::Null));
    events.push(interrupted("a"));
    events.extend(run("b", &[call_with("c", Value::Null, "{\"a\":2}")]));
    let archive = folded(&events);
    assert_eq!(archive.calls.len(), 1);
    assert_eq!(archive.calls[&agui::fold::CallKey(0)].arguments(), "{\"a\":1}{\"a\":2}");
}

#[test]
fn the_same_call_id_in_a_run_that_resumes_nothing_is_another_call() {
    let mut events = run("a", &[call("c", Value::Null), vec![result("m", "c", "1")]]);
    events.extend(run("b", &[call("c", Value::Null), vec![result("n", "c", "2")]]));
    let archive = folded(&events);
    assert_eq!(archive.calls.len(), 2);
    let said =
        [("assistant", "c", ""), ("tool", "m", "1"), ("assistant", "c", ""), ("tool", "n", "2")];
    assert_eq!(archive.said(), said);
    assert_eq!(codes(&archive), ["agui.tool.id-reused"]);
}

#[test]
fn broken_order_of_calls_is_a_finding_at_its_event() {
    let args = || json!({"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"x"});
    let end = || json!({"type":"TOOL_CALL_END","toolCallId":"c"});
    let start = || json!({"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n"});
    let cases: [(Vec<Value>, &str, u64, &str); 5] = [
        (vec![start(), start(), args(), end()], "agui.tool.started-twice", 2, "x"),
        (vec![args(), args()], "agui.tool.not-started", 1, "xx"),
        (vec![start(), end(), args()], "agui.tool.arguments-after-end", 3, "x"),
        (vec![start(), args(), end(), end()], "agui.tool.end-not-open", 4, "x"),
        (vec![start(), args()], "agui.run.finished-while-open", 3, "x"),
    ];
    for (events, code, at, arguments) in cases {
        let archive = folded(&run("r", &[events]));
        assert!(archive.codes().contains(&(code, Some(at))), "{code} in {:?}", archive.codes());
        assert_eq!(archive.calls[&agui::fold::CallKey(0)].arguments(), arguments);
    }
}

#[test]
fn tool_chunks_are_expanded() {
    let chunk = |id: Option<&str>, delta: &str| match id {
        Some(id) => {
            json!({"type":"TOOL_CALL_CHUNK","toolCallId":id,"toolCallName":"n","parentMessageId":"m","delta":delta})
        }
        None => json!({"type":"TOOL_CALL_CHUNK","delta":delta}),
    };
    let events = vec![chunk(Some("c"), "{\"a\""), chunk(None, ":1}"), chunk(Some("d"), "{}")];
    let archive = folded(&run("r", &[events]));
    let calls: Vec<_> = archive
        .calls
        .values()
        .map(|c| (c.id.as_str(), c.arguments(), c.segments[0].ended))
        .collect();
    assert_eq!(
        calls,
        [("c", "{\"a\":1}".into(), Ended::Implied), ("d", "{}".into(), Ended::Implied)]
    );
    assert_eq!(archive.said(), [("assistant", "m", "")]);
    assert_eq!(codes(&archive), [""; 0]);
}

#[test]
fn calls_without_a_result_wait_for_the_application_and_its_answer_comes_with_the_next_request() {
    let mut all = frames(&run("a", &[call("c", Value::Null)]));
    let history = json!([
        {"id":"c","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"search","arguments":"{\"a\":1}"}}]},
        {"id":"answer","role":"tool","toolCallId":"c","content":"42"},
    ]);
    all.push(request(&json!({"threadId":"t","runId":"b","messages":history})));
    all.extend(frames(&run("b", &[vec![result("answer", "c", "42")], text("m", "It is 42.")])));
    let archive = fold(&steps(all));
    assert_eq!(
        archive.said(),
        [("assistant", "c", ""), ("tool", "answer", "42"), ("assistant", "m", "It is 42.")]
    );
    assert_eq!(archive.run(0).pending_tool_calls.len(), 1);
    assert_eq!(archive.run(1).pending_tool_calls, []);
    assert_eq!(archive.run(1).question, agui::fold::Question::Resumes);
    assert_eq!(archive.calls.len(), 1);
    assert!(archive.calls[&agui::fold::CallKey(0)].result.is_some());
}
