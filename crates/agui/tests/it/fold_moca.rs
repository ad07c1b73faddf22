//! Every recording with `moca.citations` gives the runs, messages, aliases and answers that its facts state.

use std::collections::BTreeMap;
use std::path::Path;

use agui::container;
use agui::fold::{AliasReason, Message, Role, RunKey, Thread, Via};
use agui::runs::Step;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::fold_support::{Archive, by_thread, json_file, recordings, steps};

struct Held {
    thread_id: Option<String>,
    thread: Thread,
    archive: Archive,
}

#[test]
fn runs_messages_aliases_and_answers_are_those_of_the_facts() {
    let Some(folder) = recordings() else { return };
    let facts = json_file(&folder.join("moca/facts.json"));
    let facts = facts["recordings"].as_array().unwrap();
    for fact in facts {
        let file = fact["file"].as_str().unwrap();
        let threads = threads_of(&folder.join("moca").join(file));
        runs(file, &threads, fact);
        messages(file, &threads, fact);
        aliases(file, &threads, fact);
        answers(file, &threads, fact);
        citations(file, &threads, fact);
    }
    assert_eq!(facts.len(), 24);
}

fn threads_of(path: &Path) -> Vec<Held> {
    let recording = container::frames(&std::fs::read(path).unwrap()).unwrap();
    let fold = |(thread_id, steps): (Option<String>, Vec<Step>)| {
        let mut thread = Thread::new();
        steps.iter().for_each(|step| thread.apply(step));
        let mut archive = Archive::default();
        archive.take(thread.take_changes());
        Held { thread_id, thread, archive }
    };
    by_thread(steps(recording.frames)).into_iter().map(fold).collect()
}

fn runs(file: &str, threads: &[Held], fact: &Value) {
    let mut found = Vec::new();
    for held in threads {
        for run in held.archive.runs.values() {
            assert_eq!(run.replay_of, None, "{file}");
            let mut told = json!({"threadId": run.thread_id, "runId": run.run_id, "end": run.ending.as_ref().unwrap().word()});
            if let Some(version) = &run.protocol_version {
                told["protocolVersion"] = json!(version);
            }
            if let Some(parent) = &run.parent_run_id {
                told["parentRunId"] = json!(parent);
            }
            if let Some(agui::runs::Ending::Error { code: Some(code), .. }) = &run.ending {
                told["errorCode"] = json!(code);
            }
            found.push(told);
        }
    }
    assert_eq!(json!(found), fact["runs"], "{file}: runs");
}

fn messages(file: &str, threads: &[Held], fact: &Value) {
    let mut counts: BTreeMap<&str, usize> =
        ["user", "assistantText", "assistantToolCallsOnly", "tool", "all"]
            .into_iter()
            .map(|k| (k, 0))
            .collect();
    for held in threads {
        for message in held.archive.messages() {
            let kind = match message.role {
                Role::User => "user",
                Role::Tool => "tool",
                Role::Assistant if message.text.is_empty() => {
                    assert!(!held.archive.calls_of(message).is_empty(), "{file}: {}", message.id);
                    "assistantToolCallsOnly"
                }
                Role::Assistant => "assistantText",
                _ => panic!("{file}: role {}", message.role.name()),
            };
            *counts.get_mut(kind).unwrap() += 1;
            *counts.get_mut("all").unwrap() += 1;
        }
    }
    assert_eq!(json!(counts), fact["messages"], "{file}: messages");
}

fn aliases(file: &str, threads: &[Held], fact: &Value) {
    let mut found = Vec::new();
    for held in threads {
        for alias in &held.archive.aliases {
            let message = &held.archive.held[&alias.message];
            let by = match alias.reason {
                AliasReason::ToolCallId => "tool call id",
                AliasReason::EqualText => "equal text",
            };
            found.push(json!({"streamed": message.id, "snapshot": alias.id, "role": message.role.name(), "by": by}));
        }
    }
    let mut expected = fact.get("aliases").and_then(Value::as_array).cloned().unwrap_or_default();
    let key = |value: &Value| value.to_string();
    expected.sort_by_key(key);
    found.sort_by_key(key);
    assert_eq!(found, expected, "{file}: aliases");
}

fn answers(file: &str, threads: &[Held], fact: &Value) {
    let answers = fact["answers"].as_array().unwrap();
    let texts = |held: &Held| {
        let is_answer = |m: &&Message| m.role == Role::Assistant && !m.text.is_empty();
        held.archive.messages().into_iter().filter(is_answer).count()
    };
    assert_eq!(threads.iter().map(texts).sum::<usize>(), answers.len(), "{file}: answers");
    for answer in answers {
        let id = answer["messageId"].as_str().unwrap();
        let thread = answer["threadId"].as_str().unwrap();
        let held =
            threads.iter().find(|h| h.thread_id.as_deref().unwrap_or("(none)") == thread).unwrap();
        let message = held.archive.message(&Role::Assistant, id);
        if let Some(text) = answer.get("text") {
            assert_eq!(json!(message.text), *text, "{file}: {id}");
        } else {
            let digest = Sha256::digest(message.text.as_bytes());
            let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(json!(hex), answer["textSha256"], "{file}: {id}");
        }
        match answer.get("ended") {
            Some(ended) => assert_eq!(json!(message.ended.is_ended()), *ended, "{file}: {id}"),
            None => assert_eq!(message.ended, agui::fold::Ended::Whole, "{file}: {id}"),
        }
        // The facts call it outside a run what comes after the run's end; here it stays with that run.
        let run = message
            .run
            .filter(|_| !message.after_end)
            .map(|key| held.archive.runs[&key].run_id.clone());
        assert_eq!(json!(run), answer["runId"], "{file}: {id}");
    }
}

fn citations(file: &str, threads: &[Held], fact: &Value) {
    let mut found = Vec::new();
    for held in threads {
        found.extend(held.archive.citations.iter().map(|citation| (held, citation)));
    }
    found.sort_by_key(|(_, citation)| citation.event);
    let expected = fact["citationEventList"].as_array().unwrap();
    assert_eq!(found.len(), expected.len(), "{file}: citation events");
    for ((held, citation), expected) in found.iter().zip(expected) {
        let what = format!("{file}: citations event {}", citation.event);
        assert_eq!(json!(citation.event), expected["eventIndex"], "{what}");
        assert_eq!(json!(citation.message_id), expected["messageId"], "{what}");
        let run = (!citation.run_finished).then(|| held.archive.runs[&citation.run].run_id.clone());
        assert_eq!(json!(run), expected["runId"], "{what}");
        let breaks = |code: &str| expected["breaks"].as_array().unwrap().iter().any(|b| b == code);
        let resolved = citation
            .message_id
            .as_deref()
            .and_then(|id| held.thread.find_assistant(id, Some(citation.run)));
        assert_eq!(
            resolved.is_none(),
            expected["state"] == "unknown-message" || citation.message_id.is_none(),
            "{what}"
        );
        if resolved.is_some() {
            assert_eq!(!citation.message_ended, breaks("3.1-before-message-end"), "{what}");
        }
        assert_eq!(citation.run_finished, breaks("3.1-after-run-finished"), "{what}");
        let value: Value = serde_json::from_str(citation.value.json().unwrap()).unwrap();
        assert_eq!(
            value.get("computedAt").cloned().unwrap_or_default(),
            expected["computedAt"],
            "{what}"
        );
    }
}

#[test]
fn ids_of_a_snapshot_lead_to_the_streamed_message() {
    let Some(folder) = recordings() else { return };
    let threads = threads_of(&folder.join("moca/renamed-by-snapshot.sse"));
    let held = &threads[0];
    let streamed = held.archive.message(&Role::Assistant, "msg-6fec431777");
    let found = held.thread.find_assistant("msg-6fec431777", Some(RunKey(0))).unwrap();
    assert_eq!((found.message, found.via), (streamed.key, Via::Id));
    let found = held.thread.find_assistant("lc_run--2718b5bfde25", Some(RunKey(0))).unwrap();
    assert_eq!((found.message, found.via), (streamed.key, Via::Alias(AliasReason::EqualText)));
    assert_eq!(
        held.thread.find_assistant("a8b4182dbf00bc42", None),
        None,
        "a tool message is no answer"
    );
}
