//! Where the reference clients succeed, the archive has the same messages by role and text, in the same order.

use std::fs;

use recite_tests::{scratch::Scratch, shared};
use serde_json::Value;

use crate::recordings_give_their_messages::reports;

/// Text of a client's message: the string, or the text parts joined by LF; nothing for activity.
fn text(message: &Value) -> String {
    match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts
                .iter()
                .filter(|part| part["type"] == "text")
                .filter_map(|part| part["text"].as_str())
                .collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

#[test]
fn messages_of_every_recording_are_those_of_the_clients() {
    let (Some(folder), Some(files)) =
        (shared("agui-recordings/expected"), shared("agui-recordings"))
    else {
        return;
    };
    let mut compared = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(recording) =
            name.strip_suffix(".json").filter(|name| *name != "conformance-1.0-streams.jsonl")
        else {
            continue;
        };
        let facts: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let scratch = Scratch::new();
        let _ = scratch.import(&files.join(recording));
        // Conversations are listed newest first; the facts give threads in the order of the file.
        let mut reports = reports(&scratch);
        reports.sort_by_key(|report| report["id"].as_str().unwrap().parse::<i64>().unwrap());
        let held: Vec<(String, String)> = reports
            .iter()
            .flat_map(|report| report["runs"].as_array().unwrap())
            .flat_map(|run| run["messages"].as_array().unwrap())
            .filter(|message| message["role"] != "activity")
            .map(|message| {
                (
                    message["role"].as_str().unwrap().to_owned(),
                    message["text"].as_str().unwrap().to_owned(),
                )
            })
            .collect();
        for (version, client) in facts["client"].as_object().unwrap() {
            let stated: Vec<(String, String)> = client["messages"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|message| message["role"] != "activity")
                .map(|message| (message["role"].as_str().unwrap().to_owned(), text(message)))
                .collect();
            compared += 1;
            if client["error"].is_null() {
                let extra_allowed = recording.contains("edge");
                if !extra_allowed {
                    assert_eq!(held, stated, "{recording}, client {version}");
                    continue;
                }
            }
            // Where a client fails, each of its messages is held with a text that begins with the client's, in order.
            let mut rest = held.iter();
            for (role, text) in &stated {
                assert!(
                    rest.any(|(held_role, held_text)| held_role == role
                        && held_text.starts_with(text.as_str())),
                    "{recording}, client {version}: no {role} message with {text:?}"
                );
            }
        }
    }
    assert!(compared >= 20, "two clients over each recording; {compared} were compared");
}
