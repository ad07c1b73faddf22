//! Requests, echoed inputs and snapshots add what the stream lacks, double nothing and guess nothing
//! (facts/agui §3.3, §3.4).

use agui::fold::{AliasReason, Origin, Question, Role, RunKey, Thread, Via};
use agui::frame::{Body, Frame};
use serde_json::{Value, json};

use crate::fold_support::{Archive, fold, folded, frames, request, steps};

fn started(run: &str, messages: Option<Value>) -> Value {
    match messages {
        Some(messages) => {
            json!({"type":"RUN_STARTED","threadId":"t","runId":run,"input":{"threadId":"t","runId":run,"messages":messages}})
        }
        None => json!({"type":"RUN_STARTED","threadId":"t","runId":run}),
    }
}

fn finished(run: &str) -> Value {
    json!({"type":"RUN_FINISHED","threadId":"t","runId":run})
}

fn answer(id: &str, text: &str) -> Vec<Value> {
    vec![
        json!({"type":"TEXT_MESSAGE_START","messageId":id}),
        json!({"type":"TEXT_MESSAGE_CONTENT","messageId":id,"delta":text}),
        json!({"type":"TEXT_MESSAGE_END","messageId":id}),
    ]
}

fn snapshot(messages: Value) -> Value {
    json!({"type":"MESSAGES_SNAPSHOT","messages":messages})
}

fn run(name: &str, input: Option<Value>, parts: &[Vec<Value>]) -> Vec<Value> {
    let mut events = vec![started(name, input)];
    events.extend(parts.iter().flatten().cloned());
    events.push(finished(name));
    events
}

fn asked(id: &str, text: &str) -> Value {
    json!({"id":id,"role":"user","content":text})
}

fn answered(id: &str, text: &str) -> Value {
    json!({"id":id,"role":"assistant","content":text})
}

fn without_id(role: &str, text: &str) -> Value {
    json!({"role":role,"content":text})
}

fn texts(archive: &Archive) -> Vec<&str> {
    archive.said().iter().map(|(_, _, text)| *text).collect()
}

#[test]
fn histories_in_inputs_and_requests_are_not_doubled() {
    let first = json!([asked("u1", "Q1")]);
    let second = json!([asked("u1", "Q1"), answered("a1", "A1"), asked("u2", "Q2")]);
    let mut all = vec![request(&json!({"threadId":"t","runId":"a","messages":first}))];
    all.extend(frames(&run("a", Some(first), &[answer("a1", "A1")])));
    all.push(request(&json!({"threadId":"t","runId":"b","messages":second})));
    all.extend(frames(&run("b", Some(second), &[answer("a2", "A2")])));
    let archive = fold(&steps(all));
    assert_eq!(texts(&archive), ["Q1", "A1", "Q2", "A2"]);
    assert_eq!(archive.message(&Role::User, "u1").origin, Origin::Request);
    assert_eq!(
        (archive.run(0).question, archive.run(1).question),
        (Question::Recorded, Question::Recorded)
    );
    assert!(!archive.has("agui.run.question-not-recorded"));
}

#[test]
fn histories_without_ids_are_not_doubled_and_a_repeated_question_is_asked_again() {
    let second =
        json!([without_id("user", "yes"), answered("x9", "Sure?"), without_id("user", "yes")]);
    let mut events = run("a", Some(json!([without_id("user", "yes")])), &[answer("a1", "Sure?")]);
    events.extend(run("b", Some(second), &[answer("a2", "Done.")]));
    // A client that sends nothing but the question asks the same again.
    events.extend(run("c", Some(json!([without_id("user", "yes")])), &[answer("a3", "Again.")]));
    let archive = folded(&events);
    assert_eq!(texts(&archive), ["yes", "Sure?", "yes", "Done.", "yes", "Again."]);
    assert!(archive.has("agui.message.id-derived"));
    let alias = &archive.aliases[0];
    assert_eq!((alias.id.as_str(), alias.reason), ("x9", AliasReason::EqualText));
}

#[test]
fn questions_that_share_an_id_are_both_kept() {
    let mut events = run("a", Some(json!([asked("1", "Q1")])), &[answer("a1", "A1")]);
    events.extend(run("b", Some(json!([asked("1", "Q2")])), &[answer("a2", "A2")]));
    let archive = folded(&events);
    assert_eq!(texts(&archive), ["Q1", "A1", "Q2", "A2"]);
    assert!(archive.has("agui.message.id-reused"));
}

#[test]
fn the_same_words_under_another_id_are_another_question() {
    let mut events = run("a", Some(json!([asked("u1", "yes")])), &[answer("a1", "A1")]);
    events.extend(run("b", Some(json!([asked("u2", "yes")])), &[answer("a2", "A2")]));
    let archive = folded(&events);
    assert_eq!(texts(&archive), ["yes", "A1", "yes", "A2"]);
    assert!(archive.aliases.is_empty());
}

#[test]
fn a_snapshot_renames_by_tool_call_and_by_equal_text() {
    let tools = vec![
        json!({"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n"}),
        json!({"type":"TOOL_CALL_END","toolCallId":"c"}),
        json!({"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":"42"}),
    ];
    let renamed = json!([
        asked("u1", "Q"),
        {"id":"s1","role":"assistant","content":"","toolCalls":[{"id":"c","type":"function","function":{"name":"n","arguments":""}}]},
        {"id":"s2","role":"tool","toolCallId":"c","content":"42"},
        answered("s3", " It is 42.\n"),
    ]);
    let archive = folded(&run(
        "a",
        Some(json!([asked("u1", "Q")])),
        &[tools, answer("m", "It is 42."), vec![snapshot(renamed)]],
    ));
    assert_eq!(texts(&archive), ["Q", "", "42", "It is 42."]);
    let aliases: Vec<_> = archive
        .aliases
        .iter()
        .map(|a| (archive.held[&a.message].id.as_str(), a.id.as_str(), a.reason))
        .collect();
    let expected = [
        ("c", "s1", AliasReason::ToolCallId),
        ("r", "s2", AliasReason::ToolCallId),
        ("m", "s3", AliasReason::EqualText),
    ];
    assert_eq!(aliases, expected);
    assert_eq!(archive.calls.len(), 1);
    assert!(archive.edits.is_empty());
}

#[test]
fn an_alias_is_never_guessed_among_equal_texts() {
    let renamed = json!([answered("x", "Yes."), answered("y", "Yes.")]);
    let events =
        run("a", None, &[answer("m", "Yes."), answer("n", "Yes."), vec![snapshot(renamed)]]);
    let archive = folded(&events);
    assert_eq!(texts(&archive), ["Yes.", "Yes."], "nothing is doubled");
    assert!(archive.aliases.is_empty());
    assert!(archive.has("agui.messages.ambiguous"));
    let one = folded(&run(
        "a",
        None,
        &[answer("m", "Yes."), answer("n", "Yes."), vec![snapshot(json!([answered("x", "Yes.")]))]],
    ));
    assert_eq!(texts(&one), ["Yes.", "Yes."]);
    assert!(one.aliases.is_empty());
}

fn cited(id: &str) -> Vec<Value> {
    vec![json!({"type":"CUSTOM","name":"moca.citations","value":{"messageId":id}})]
}

/// The text of the message to which the last citations event leads, and what the thread says.
fn last_cited(events: &[Value]) -> (Option<String>, Archive) {
    let mut thread = Thread::new();
    steps(frames(events)).iter().for_each(|step| thread.apply(step));
    let mut archive = Archive::default();
    archive.take(thread.take_changes());
    let citation = archive.citations.last().unwrap();
    let id = citation.message_id.as_deref().unwrap();
    let found = thread.find_assistant(id, Some(citation.run)).map(|found| found.message);
    (found.map(|key| archive.held[&key].text.clone()), archive)
}

#[test]
fn a_citation_of_a_later_run_reaches_no_answer_of_an_earlier_one_by_its_words_alone() {
    let first = [answer("a1", "Yes."), cited("a1")];
    let with_question = |name: &str, id: &str, parts: &[Vec<Value>]| {
        run(name, Some(json!([asked(id, &format!("Q {id}"))])), parts)
    };
    let mut events = with_question("a", "u1", &first);
    let list = json!([answered("z", "Yes.")]);
    events.extend(with_question("b", "u2", &[vec![snapshot(list)], cited("z")]));
    let (found, archive) = last_cited(&events);
    assert_eq!(found.as_deref(), Some("Yes."));
    assert_eq!(texts(&archive), ["Q u1", "Yes.", "Q u2", "Yes."], "both answers are there");
    assert!(archive.aliases.is_empty());

    let mut events = with_question("a", "u1", &first);
    let list = json!([asked("u1", "Q u1"), answered("z", "Yes."), asked("u2", "Q u2")]);
    events.extend(with_question("b", "u2", &[vec![snapshot(list)], cited("z")]));
    let (found, archive) = last_cited(&events);
    assert_eq!(found, None, "the history has the answer under another id; it is none of this run");
    assert_eq!(texts(&archive), ["Q u1", "Yes.", "Q u2"]);
    assert_eq!(archive.aliases.len(), 1);
}

#[test]
fn a_shared_tool_call_makes_no_alias_of_another_text() {
    let call = vec![
        json!({"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"a1"}),
        json!({"type":"TOOL_CALL_END","toolCallId":"c"}),
    ];
    let listed = json!([{"id":"z","role":"assistant","content":"other","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}}]}]);
    let mut events = run("a", None, &[call, answer("a1", "first")]);
    events.extend(run("b", None, &[vec![snapshot(listed)], cited("z")]));
    let (found, archive) = last_cited(&events);
    assert_eq!(found.as_deref(), Some("other"));
    assert!(archive.aliases.is_empty() && archive.edits.is_empty());
}

#[test]
fn an_id_that_two_answers_of_a_run_have_leads_to_none() {
    let twice = json!([asked("u", "Q"), answered("m", "One."), answered("m", "Two.")]);
    let mut events = run("a", None, &[vec![snapshot(twice)], cited("m")]);
    let (found, archive) = last_cited(&events);
    assert_eq!((found, texts(&archive)), (None, vec!["Q", "One.", "Two."]));
    assert!(archive.has("agui.citations.several-messages"));
    assert!(!archive.citations[0].message_known);
    events.extend(run("b", None, &[cited("m")]));
    assert_eq!(last_cited(&events).0, None);
}

#[test]
fn the_order_of_a_list_forbids_an_alias() {
    let list = json!([answered("x", "Hello."), answered("a1", "First.")]);
    let events =
        run("a", None, &[answer("a1", "First."), answer("a2", "Hello."), vec![snapshot(list)]]);
    let archive = folded(&events);
    assert!(archive.aliases.is_empty());
    assert_eq!(texts(&archive), ["Hello.", "First.", "Hello."]);
}

#[test]
fn roles_are_kept_apart_by_lists_too() {
    let list = json!([asked("m", "Same."), answered("m", "Same."), {"id":"m","role":"reasoning","content":"Same."}]);
    let archive = folded(&run("a", None, &[answer("m", "Same."), vec![snapshot(list)]]));
    let said = [("user", "m", "Same."), ("assistant", "m", "Same."), ("reasoning", "m", "Same.")];
    assert_eq!(archive.said(), said);
    assert!(archive.aliases.is_empty());
}

#[test]
fn a_question_that_only_a_snapshot_holds_stands_before_its_answer() {
    let think = vec![
        json!({"type":"REASONING_MESSAGE_START","messageId":"th","role":"reasoning"}),
        json!({"type":"REASONING_MESSAGE_CONTENT","messageId":"th","delta":"hm"}),
        json!({"type":"REASONING_MESSAGE_END","messageId":"th"}),
    ];
    let mut events = run("a", None, &[answer("a1", "A1")]);
    let list =
        json!([asked("u1", "Q1"), answered("a1", "A1"), asked("u2", "Q2"), answered("a2", "A2")]);
    events.extend(run("b", None, &[think, answer("a2", "A2"), vec![snapshot(list)]]));
    let archive = folded(&events);
    assert_eq!(texts(&archive), ["Q1", "A1", "Q2", "hm", "A2"]);
    assert_eq!(
        (archive.run(0).question, archive.run(1).question),
        (Question::NotRecorded, Question::Recorded)
    );
}

#[test]
fn a_snapshot_in_the_middle_of_a_message_costs_no_text() {
    let events = [
        started("a", None),
        json!({"type":"TEXT_MESSAGE_START","messageId":"m"}),
        json!({"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"}),
        snapshot(json!([answered("m", "He")])),
        snapshot(json!([asked("u", "Q")])),
        json!({"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lo"}),
        json!({"type":"TEXT_MESSAGE_END","messageId":"m"}),
        finished("a"),
    ];
    let archive = folded(&events);
    assert_eq!(archive.message(&Role::Assistant, "m").text, "Hello");
    assert!(archive.edits.is_empty());
}

#[test]
fn another_text_for_a_message_is_kept_beside_the_one_received() {
    let list = || snapshot(json!([answered("m", "Edited.")]));
    let archive = folded(&run("a", None, &[answer("m", "Said."), vec![list(), list()]]));
    assert_eq!(texts(&archive), ["Said."]);
    let edits: Vec<_> = archive.edits.iter().map(|e| (e.text.as_str(), e.event)).collect();
    assert_eq!(edits, [("Edited.", Some(4))], "once, however often it is told");
    assert!(archive.has("agui.messages.other-text"));
}

#[test]
fn messages_only_sources_are_whole_and_have_no_run() {
    let list = json!([without_id("user", "Q"), {"id":"a","role":"assistant","content":null,"tool_calls":[{"id":"c","name":"n","args":{"x":1}}]},
        {"id":"r","role":"tool","tool_call_id":"c","content":"1"}, 7]);
    for text in [list.to_string(), json!({"messages":list,"state":{"s":1}}).to_string()] {
        let with_state = text.starts_with('{');
        let at = 0..text.len() as u64;
        let frame = Frame {
            at,
            connection: 0,
            arrival: None,
            event_name: None,
            body: Body::Messages(text.into_bytes()),
        };
        let archive = fold(&steps(vec![frame]));
        let said = [("user", "message:list:1", "Q"), ("assistant", "a", ""), ("tool", "r", "1")];
        assert_eq!(archive.said(), said);
        assert!(
            archive
                .held
                .values()
                .all(|m| m.run.is_none() && m.origin == Origin::List && m.ended.is_ended())
        );
        let call = archive.calls.values().next().unwrap();
        assert_eq!((call.name.as_str(), call.arguments().as_str()), ("n", "{\"x\":1}"));
        assert!(archive.has("agui.messages.unreadable") && archive.has("agui.message.id-derived"));
        assert_eq!(archive.state_value(), if with_state { json!({"s":1}) } else { json!({}) });
    }
}

#[test]
fn an_id_leads_to_the_message_of_its_own_run_first() {
    let mut events = Vec::new();
    for name in ["a", "b", "c"] {
        events.extend(run(name, None, &[answer("m", name)]));
    }
    events.extend(run("d", None, &[vec![snapshot(json!([answered("z", "b")]))]]));
    let all = steps(frames(&events));
    let mut thread = Thread::new();
    all.iter().for_each(|step| thread.apply(step));
    let texts: Vec<_> = thread.messages().iter().map(|m| (m.key, m.text.clone())).collect();
    let text = |run: Option<u64>, id: &str| {
        let found = thread.find_assistant(id, run.map(RunKey))?;
        let (_, text) = texts.iter().find(|(key, _)| *key == found.message)?;
        Some((text.clone(), found.via))
    };
    assert_eq!(text(Some(0), "m"), Some(("a".into(), Via::Id)));
    assert_eq!(text(Some(1), "m"), Some(("b".into(), Via::Id)));
    assert_eq!(text(Some(3), "m"), Some(("c".into(), Via::Id)), "the latest of an earlier run");
    assert_eq!(text(None, "m"), Some(("c".into(), Via::Id)));
    assert_eq!(text(Some(3), "z"), Some(("b".into(), Via::Id)), "said again, not renamed");
    assert_eq!(thread.messages().len(), 4);
    assert_eq!(text(Some(0), "nobody"), None);
}

#[test]
fn an_empty_message_of_an_earlier_run_is_not_filled_in_by_a_later_list() {
    // Whether its text is still held must make no difference (found by the random cuts).
    let mut events = run("a", None, &[answer("m", ""), vec![snapshot(json!([answered("m", "")]))]]);
    events.extend(run("b", None, &[vec![snapshot(json!([answered("m", "yes")]))]]));
    let archive = folded(&events);
    assert_eq!(texts(&archive), [""]);
    assert_eq!(archive.edits[0].text, "yes");
    let own =
        folded(&run("a", None, &[answer("m", ""), vec![snapshot(json!([answered("m", "yes")]))]]));
    assert_eq!((texts(&own), own.edits.len()), (vec!["yes"], 0));
}

#[test]
fn the_question_of_a_container_counts_where_no_other_is_held() {
    let mut events = run("a", None, &[answer("a1", "A1")]);
    events.extend(run("b", None, &[answer("a2", "A2")]));
    events.extend(run("c", Some(json!([asked("u", "Mine")])), &[answer("a3", "A3")]));
    let mut thread = Thread::new();
    for step in steps(frames(&events)) {
        thread.apply(&step);
        if let agui::runs::Step::RunBegins(head) = &step
            && head.run_id.as_deref() != Some("a")
        {
            thread.offer_question(head.run, "Hello");
        }
    }
    let mut archive = Archive::default();
    archive.take(thread.take_changes());
    assert_eq!(texts(&archive), ["A1", "Hello", "A2", "Mine", "A3"]);
    let asked: Vec<_> = archive.runs.values().map(|run| run.question).collect();
    assert_eq!(asked, [Question::NotRecorded, Question::Recorded, Question::Recorded]);
    assert!(archive.held.values().any(|m| m.origin == Origin::Container && m.text == "Hello"));
}
