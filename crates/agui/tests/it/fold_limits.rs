//! Long and hostile streams: texts are let go, what is kept is bounded, nothing takes for ever.

use std::time::{Duration, Instant};

use agui::fold::{
    MAX_FOREIGN_PER_RUN, MAX_ID_BYTES, MAX_MESSAGE_TEXT, MAX_REPLAY_BYTES, Role, Thread,
};
use agui::runs::{Splitter, Step};
use serde_json::{Value, json};

use crate::fold_support::{Archive, fold, folded, frames, steps};

fn started(run: &str) -> Value {
    json!({"type":"RUN_STARTED","threadId":"t","runId":run})
}

fn finished(run: &str) -> Value {
    json!({"type":"RUN_FINISHED","threadId":"t","runId":run})
}

fn content(id: &str, delta: &str) -> Value {
    json!({"type":"TEXT_MESSAGE_CONTENT","messageId":id,"delta":delta})
}

/// Enough for a slow machine, far less than what a quadratic fold needs.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn texts_longer_than_the_limit_are_cut_with_a_finding() {
    let piece = "é".repeat(1 << 19);
    let mut events = vec![started("r"), json!({"type":"TEXT_MESSAGE_START","messageId":"m"})];
    events.extend(vec![content("m", &piece); MAX_MESSAGE_TEXT / piece.len() + 3]);
    let archive = folded(&events);
    let text = &archive.message(&Role::Assistant, "m").text;
    assert!(text.len() <= MAX_MESSAGE_TEXT && text.len() + 2 > MAX_MESSAGE_TEXT);
    assert!(archive.has("agui.message.text-too-long"));
}

#[test]
fn the_limit_counts_what_was_handed_out_before() {
    let piece = "x".repeat(1 << 20);
    let mut all = vec![started("r"), json!({"type":"TEXT_MESSAGE_START","messageId":"m"})];
    all.extend(vec![content("m", &piece); MAX_MESSAGE_TEXT / piece.len() + 2]);
    let mut thread = Thread::new();
    let mut archive = Archive::default();
    for step in steps(frames(&all)) {
        thread.apply(&step);
        let changes = thread.take_changes();
        assert!(changes.messages.iter().all(|m| m.text.len() <= piece.len()));
        archive.take(changes);
    }
    assert_eq!(archive.message(&Role::Assistant, "m").text.len(), MAX_MESSAGE_TEXT);
}

#[test]
fn long_ids_are_cut_and_stay_different() {
    let long = |last: char| "i".repeat(MAX_ID_BYTES) + &last.to_string();
    let start = |id: String| json!({"type":"TEXT_MESSAGE_START","messageId":id});
    let archive =
        folded(&[started("r"), start(long('a')), start(long('b')), content(&long('a'), "A")]);
    let ids: Vec<_> =
        archive.said().iter().map(|(_, id, text)| (id.len() < MAX_ID_BYTES, *text)).collect();
    assert_eq!(ids, [(true, "A"), (true, "")]);
    assert!(archive.has("agui.message.id-too-long"));
}

#[test]
fn a_run_too_long_to_be_compared_is_kept_as_one_of_its_own() {
    let piece = "x".repeat(1 << 20);
    let mut one = vec![started("r"), json!({"type":"TEXT_MESSAGE_START","messageId":"m"})];
    one.extend(vec![json!({"type":"RAW","event":piece}); MAX_REPLAY_BYTES / piece.len() + 1]);
    one.push(finished("r"));
    let archive = folded(&[one.clone(), one].concat());
    assert_eq!(archive.runs.values().filter(|run| run.replay_of.is_none()).count(), 2);
    assert!(archive.has("agui.run.replay-not-compared"));
}

#[test]
fn findings_and_foreign_sources_of_a_run_are_bounded() {
    let sources: Vec<Value> =
        (0..2 * MAX_FOREIGN_PER_RUN).map(|n| json!({"title": n.to_string()})).collect();
    let mut events =
        vec![started("r"), json!({"type":"CUSTOM","name":"sources","value":{"sources":sources}})];
    events.extend(vec![json!({"type":"TEXT_MESSAGE_END","messageId":"gone"}); 5_000]);
    let archive = folded(&events);
    assert_eq!(archive.foreign.len(), MAX_FOREIGN_PER_RUN);
    assert!(archive.findings.len() < 100, "{}", archive.findings.len());
    let more = archive.findings.iter().find(|f| f.finding.message.contains("4980 more"));
    assert_eq!(more.unwrap().finding.code.id, "agui.message.end-not-open");
}

#[test]
fn ids_that_all_are_the_same_take_no_longer() {
    let begun = Instant::now();
    let list: Vec<Value> =
        (0..10_000).map(|n| json!({"id":"1","role":"user","content":n.to_string()})).collect();
    let snapshot = || json!({"type":"MESSAGES_SNAPSHOT","messages":list});
    let archive = folded(&[started("r"), snapshot(), snapshot(), finished("r")]);
    assert_eq!(archive.held.len(), list.len());
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
}

#[test]
fn equal_texts_take_no_longer() {
    let begun = Instant::now();
    let list = |from: usize| -> Vec<Value> {
        (from..from + 10_000)
            .map(|n| json!({"id":n.to_string(),"role":"assistant","content":"same"}))
            .collect()
    };
    let snapshot = |from| json!({"type":"MESSAGES_SNAPSHOT","messages":list(from)});
    let archive = folded(&[started("r"), snapshot(0), snapshot(100_000), finished("r")]);
    assert_eq!(archive.held.len(), 10_000);
    assert!(archive.aliases.is_empty() && archive.has("agui.messages.ambiguous"));
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
}

#[test]
fn many_results_of_one_message_keep_their_order() {
    let begun = Instant::now();
    let call = |n: u32| json!({"type":"TOOL_CALL_START","toolCallId":format!("c{n}"),"toolCallName":"n","parentMessageId":"m"});
    let result = |n: u32| json!({"type":"TOOL_CALL_RESULT","messageId":format!("r{n}"),"toolCallId":format!("c{n}"),"content":"x"});
    let mut events = vec![started("r")];
    events.extend((0..3_000).map(call));
    events.push(json!({"type":"TEXT_MESSAGE_START","messageId":"n"}));
    events.extend((0..3_000).map(result));
    let archive = folded(&events);
    let ids: Vec<_> = archive.said().iter().map(|(_, id, _)| (*id).to_owned()).collect();
    let mut expected = vec!["m".to_owned()];
    expected.extend((0..3_000).map(|n| format!("r{n}")));
    expected.push("n".to_owned());
    assert_eq!(ids, expected);
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
}

#[test]
fn places_between_two_messages_do_not_run_out() {
    // Each snapshot puts a question right before the same answer.
    let mut events = vec![started("r")];
    events.extend([json!({"type":"TEXT_MESSAGE_START","messageId":"a"}), content("a", "A")]);
    let questions = 100;
    let snapshot = |n: u32| json!({"type":"MESSAGES_SNAPSHOT","messages":[{"id":format!("q{n}"),"role":"user","content":format!("Q{n}")},{"id":"a","role":"assistant","content":"A"}]});
    events.extend((0..questions).map(snapshot));
    let mut thread = Thread::new();
    let mut archive = Archive::default();
    for step in steps(frames(&events)) {
        thread.apply(&step);
        archive.take(thread.take_changes());
    }
    let said = archive.said();
    assert_eq!(said.len(), questions as usize + 1);
    assert_eq!(said.last().unwrap().1, "a");
    let orders: Vec<i64> = archive.messages().iter().map(|m| m.order).collect();
    assert!(orders.windows(2).all(|w| w[0] < w[1]));
}

#[test]
fn a_long_thread_leaves_only_small_memories() {
    let mut splitter = Splitter::new();
    let mut thread = Thread::new();
    let mut steps = Vec::new();
    let text = "x".repeat(10_000);
    for n in 0..300 {
        let run = format!("r{n}");
        let start = json!({"type":"TEXT_MESSAGE_START","messageId":"m"});
        for frame in frames(&[started(&run), start, content("m", &text), finished(&run)]) {
            splitter.push(frame, &mut steps);
        }
        for step in steps.drain(..) {
            thread.apply(&step);
        }
        thread.take_changes();
    }
    splitter.finish(&mut steps);
    steps.iter().for_each(|step: &Step| thread.apply(step));
    thread.take_changes();
    assert!(thread.messages().is_empty(), "no text is held");
    let memory = serde_json::to_string(&thread.context().unwrap()).unwrap().len();
    assert!(memory < 300 * 600, "{memory} bytes for 300 runs of 10,000");
}

#[test]
fn copies_cost_no_more_than_their_bytes_pay_for() {
    let grow = vec![json!({"op":"copy","from":"/a","path":"/a/-"}); 18];
    let mut events = vec![json!({"type":"RUN_STARTED","threadId":"t","runId":"r"})];
    let mut bytes = 0;
    for n in 0.. {
        events.push(json!({"type":"STATE_SNAPSHOT","snapshot":{"a":[0,n]}}));
        events.push(json!({"type":"STATE_DELTA","delta":grow}));
        let copy = json!({"type":"STATE_DELTA","delta":[{"op":"copy","from":"/a/0","path":"/b"}]});
        events.extend(std::iter::repeat_n(copy, 50));
        bytes += 50 * 75;
        if bytes > 1 << 20 {
            break;
        }
    }
    let steps = steps(frames(&events));
    let began = Instant::now();
    let archive = fold(&steps);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert!(archive.has("agui.patch.too-large"));
}
