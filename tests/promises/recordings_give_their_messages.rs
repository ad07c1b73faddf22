//! Every recording with citations gives the events, runs, messages, endings and answers that its facts state.

use std::collections::BTreeMap;

use app::contract::{Commands, ConversationQuery};
use recite_tests::{scratch::Scratch, shared};
use serde_json::Value;

/// A recording of the shared corpus with its facts.
pub(crate) struct Recording {
    pub(crate) file: String,
    pub(crate) path: std::path::PathBuf,
    pub(crate) facts: Value,
}

/// All of them; none where the corpus is absent.
pub(crate) fn recordings() -> Vec<Recording> {
    let Some(folder) = shared("agui-recordings/moca") else { return Vec::new() };
    let facts: Value =
        serde_json::from_slice(&std::fs::read(folder.join("facts.json")).unwrap()).unwrap();
    let list = facts["recordings"].as_array().unwrap();
    assert_eq!(list.len(), 24, "the corpus is the one these tests were written for");
    list.iter()
        .map(|facts| {
            let file = facts["file"].as_str().unwrap().to_owned();
            Recording { path: folder.join(&file), file, facts: facts.clone() }
        })
        .collect()
}

/// All conversations of an archive as the JSON of `recite show`.
pub(crate) fn reports(scratch: &Scratch) -> Vec<Value> {
    let page = scratch.app.list_conversations(ConversationQuery::default()).unwrap();
    assert!(page.next.is_none(), "the corpus has fewer conversations than a page");
    page.conversations
        .iter()
        .map(|row| serde_json::to_value(scratch.app.report(&row.id).unwrap()).unwrap())
        .collect()
}

/// All messages of all conversations.
pub(crate) fn messages(reports: &[Value]) -> impl Iterator<Item = &Value> {
    reports
        .iter()
        .flat_map(|report| report["runs"].as_array().unwrap())
        .flat_map(|run| run["messages"].as_array().unwrap())
}

fn has_text(message: &Value) -> bool {
    !message["text"].as_str().unwrap().trim().is_empty()
}

#[test]
fn counts_and_endings_are_those_of_the_facts() {
    for recording in recordings() {
        let (file, facts) = (&recording.file, &recording.facts);
        let scratch = Scratch::new();
        let told = scratch.import(&recording.path);
        assert_eq!(u64::from(told.events), facts["events"].as_u64().unwrap(), "{file}: events");
        assert_eq!(
            u64::from(told.runs) as usize,
            facts["runs"].as_array().unwrap().len(),
            "{file}: runs"
        );
        assert_eq!(
            u64::from(told.citation_events),
            facts["citationEvents"].as_u64().unwrap(),
            "{file}: citation events"
        );
        let reports = reports(&scratch);
        let ends: Vec<String> = reports
            .iter()
            .rev()
            .flat_map(|report| report["runs"].as_array().unwrap())
            .filter(|run| run["id"].is_string())
            .map(|run| run["ending"].as_str().unwrap().to_owned())
            .collect();
        let stated: Vec<String> = facts["runs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|run| run["end"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(ends, stated, "{file}: endings");

        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for message in messages(&reports) {
            let kind = match message["role"].as_str().unwrap() {
                "assistant" if has_text(message) => "assistantText",
                "assistant" => "assistantToolCallsOnly",
                "user" => "user",
                "tool" => "tool",
                other => panic!("{file}: a message of role {other}"),
            };
            *counts.entry(kind).or_default() += 1;
        }
        for kind in ["user", "assistantText", "assistantToolCallsOnly", "tool"] {
            let stated = facts["messages"][kind].as_u64().unwrap();
            assert_eq!(counts.get(kind).copied().unwrap_or_default(), stated, "{file}: {kind}");
        }
        assert_eq!(
            u64::from(told.messages),
            facts["messages"]["all"].as_u64().unwrap(),
            "{file}: messages"
        );
    }
}

#[test]
fn answers_have_their_text_their_end_and_their_state() {
    for recording in recordings() {
        let (file, facts) = (&recording.file, &recording.facts);
        let scratch = Scratch::new();
        let _ = scratch.import(&recording.path);
        let reports = reports(&scratch);
        let answers: Vec<&Value> = messages(&reports)
            .filter(|message| message["role"] == "assistant" && has_text(message))
            .collect();
        let stated = facts["answers"].as_array().unwrap();
        assert_eq!(answers.len(), stated.len(), "{file}: number of answers");
        for answer in stated {
            let id = answer["messageId"].as_str().unwrap();
            let held = answers
                .iter()
                .find(|held| held["messageId"] == id && text_is(held, answer))
                .unwrap_or_else(|| panic!("{file}: no answer {id} with its text"));
            if answer["ended"].is_boolean() {
                assert_eq!(held["ended"], answer["ended"], "{file}: end of {id}");
            }
            // An event that names a message through the unknown-message state is not on the message.
            let state = answer["state"].as_str().unwrap_or("none");
            let accepted: Vec<&str> = accepted_states(facts, id, state);
            let shown = held["citations"]["state"].as_str().unwrap();
            assert!(
                accepted.contains(&shown),
                "{file}: state of {id} is {shown}, not one of {accepted:?}"
            );
        }
    }
}

/// The state of an answer, and those that the facts call just as defensible.
fn accepted_states<'f>(facts: &'f Value, id: &str, state: &'f str) -> Vec<&'f str> {
    let mut accepted = vec![state];
    for event in facts["citationEventList"].as_array().unwrap() {
        if event["messageId"] == id && event["state"] == state {
            accepted.extend(
                event["alsoAccept"].as_array().into_iter().flatten().filter_map(Value::as_str),
            );
        }
    }
    accepted
}

fn text_is(held: &Value, stated: &Value) -> bool {
    use sha2::{Digest, Sha256};
    let text = held["text"].as_str().unwrap();
    match stated["text"].as_str() {
        Some(stated) => text == stated,
        None => {
            let hex: String =
                Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
            stated["textSha256"] == hex
        }
    }
}

#[test]
fn ids_that_a_snapshot_changed_are_aliases_and_citations_follow() {
    for recording in recordings() {
        let aliases = recording.facts["aliases"].as_array().cloned().unwrap_or_default();
        if aliases.is_empty() {
            continue;
        }
        let scratch = Scratch::new();
        let told = scratch.import(&recording.path);
        let conversation = told.conversation_ids[0].clone();
        let page = scratch
            .app
            .transcript(app::contract::TranscriptQuery { conversation, first: 0, limit: 100 })
            .unwrap();
        for alias in &aliases {
            let streamed = alias["streamed"].as_str().unwrap();
            let message = page
                .items
                .iter()
                .map(|item| &item.message)
                .find(|message| {
                    message
                        .aliases
                        .iter()
                        .any(|known| alias["snapshot"] == known.message_id.as_str())
                })
                .unwrap_or_else(|| panic!("{}: no alias for {streamed}", recording.file));
            assert_eq!(message.message_id.as_deref(), Some(streamed));
            let by = &message
                .aliases
                .iter()
                .find(|known| alias["snapshot"] == known.message_id.as_str())
                .unwrap()
                .by;
            assert_eq!(alias["by"], by.as_str(), "{}: {streamed}", recording.file);
        }
    }
}
