//! Every recording at hand gives the events, connections and digests that an extractor without our code found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agui::container::{self, Recording};
use agui::frame::{Body, Frame};
use agui::json;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The folder of recordings; `None`, and said so, when it is not there.
pub(crate) fn folder() -> Option<PathBuf> {
    let shared = std::env::var_os("RECITE_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = shared.join("agui-recordings");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("not run: no recordings at {}", folder.display());
    None
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn read(path: &Path) -> Recording {
    container::frames(&std::fs::read(path).unwrap())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn events(frames: &[Frame]) -> Vec<&[u8]> {
    frames
        .iter()
        .filter_map(|frame| match &frame.body {
            Body::Event(text) => Some(&text[..]),
            _ => None,
        })
        .collect()
}

fn digest(texts: &[impl AsRef<[u8]>]) -> String {
    let texts: Vec<&[u8]> = texts.iter().map(AsRef::as_ref).collect();
    let digest = Sha256::digest(texts.join(&b'\n'));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn by_type(events: &[&[u8]]) -> Value {
    let mut counts = BTreeMap::new();
    for event in events {
        let name =
            serde_json::from_slice::<Value>(event).unwrap()["type"].as_str().unwrap().to_owned();
        *counts.entry(name).or_insert(0) += 1;
    }
    serde_json::to_value(counts).unwrap()
}

/// Checks what both kinds of expectation say of a list of frames.
fn agrees(name: &str, frames: &[Frame], expected: &Value) {
    let events = events(frames);
    assert_eq!(events.len() as u64, expected["events"], "{name}: events");
    let types = expected.get("byType").unwrap_or(&expected["eventTypes"]);
    assert_eq!(by_type(&events), *types, "{name}: types");
    if let Some(texts) = expected.get("eventTextsSha256") {
        assert_eq!(digest(&events), *texts, "{name}: texts");
        let tokens: Vec<_> = events.iter().map(|event| json::event_tokens(event)).collect();
        assert_eq!(digest(&tokens), expected["eventTokensSha256"], "{name}: tokens");
    }
    if let Some(malformed) = expected.get("malformedFrames") {
        let found = frames.iter().filter(|frame| matches!(frame.body, Body::Malformed { .. }));
        assert_eq!(found.count() as u64, *malformed, "{name}: malformed frames");
    }
}

fn count(frames: &[Frame], kind: fn(&Body) -> bool) -> usize {
    frames.iter().filter(|frame| kind(&frame.body)).count()
}

#[test]
fn every_recording_has_the_expected_events_and_connections() {
    let Some(folder) = folder() else { return };
    let mut files = 0;
    for entry in std::fs::read_dir(folder.join("expected")).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.file_name().unwrap().to_str().unwrap().strip_suffix(".json") else {
            continue;
        };
        let expected = read_json(&path);
        let recording = read(&folder.join(name));
        files += 1;
        if let Some(cases) = expected["cases"].as_array() {
            assert_eq!(recording.format.name(), "case-lines");
            assert_eq!(recording.connections.len(), cases.len());
            for (index, case) in cases.iter().enumerate() {
                let name = &recording.connections[index].name;
                assert_eq!(*name, case["name"]);
                let frames: Vec<_> = recording
                    .frames
                    .iter()
                    .filter(|frame| frame.connection as usize == index)
                    .cloned()
                    .collect();
                agrees(name, &frames, case);
            }
            continue;
        }
        assert_eq!(recording.format.name(), expected["container"], "{name}");
        agrees(name, &recording.frames, &expected);
        // The expectation has an entry for each thread in each connection.
        let mut connections: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        for part in expected["connections"].as_array().unwrap() {
            let sums = connections.entry(part["connection"].as_u64().unwrap()).or_default();
            sums.0 += part["events"].as_u64().unwrap();
            sums.1 += part["requests"].as_u64().unwrap();
        }
        assert_eq!(recording.connections.len(), connections.len(), "{name}: connections");
        for (index, (events, requests)) in connections {
            let of = |kind: fn(&Body) -> bool| {
                let own =
                    recording.frames.iter().filter(|frame| u64::from(frame.connection) == index);
                own.filter(|frame| kind(&frame.body)).count() as u64
            };
            assert_eq!(of(|body| matches!(body, Body::Event(_))), events, "{name}: {index}");
            assert_eq!(of(|body| matches!(body, Body::Request(_))), requests, "{name}: {index}");
        }
    }
    assert_eq!(files, 12);
}

#[test]
fn every_recording_with_citations_has_the_expected_events_and_connections() {
    let Some(folder) = folder() else { return };
    let facts = read_json(&folder.join("moca/facts.json"));
    for expected in facts["recordings"].as_array().unwrap() {
        let name = expected["file"].as_str().unwrap();
        let recording = read(&folder.join("moca").join(name));
        agrees(name, &recording.frames, expected);
        let frames = &recording.frames;
        assert_eq!(recording.connections.len() as u64, expected["connections"], "{name}");
        let requests = count(frames, |body| matches!(body, Body::Request(_)));
        assert_eq!(requests as u64, expected["requestsHeld"], "{name}: requests");
        let keep_alives = count(frames, |body| matches!(body, Body::KeepAlive(_)));
        assert_eq!(keep_alives as u64, expected["keepAlives"], "{name}: keep-alives");
        assert_eq!(count(frames, |body| matches!(body, Body::Malformed { .. })), 0, "{name}");
        assert!(recording.findings.is_empty(), "{name}: {:?}", recording.findings);
    }
}

#[test]
fn events_that_are_no_conversation_are_read_too() {
    let Some(folder) = folder() else { return };
    let recording = read(&folder.join("spec-draft-valid-events.jsonl"));
    assert_eq!(recording.format.name(), "jsonl");
    assert_eq!(events(&recording.frames).len(), 93);
}

#[test]
fn a_protobuf_run_decodes_to_the_events_it_was_made_of() {
    let Some(folder) = folder() else { return };
    let run = read(&folder.join("moca/protobuf-run.bin"));
    let twin = read(&folder.join("moca/protobuf-twin.jsonl"));
    assert_eq!(run.format.name(), "protobuf");
    let values = |recording: &Recording| -> Vec<Value> {
        events(&recording.frames)
            .iter()
            .map(|event| serde_json::from_slice(event).unwrap())
            .collect()
    };
    assert_eq!(values(&run), values(&twin));
}

#[test]
fn messages_without_events_are_marked() {
    let Some(folder) = folder() else { return };
    let recording = read(&folder.join("moca/messages-only.json"));
    assert_eq!(recording.format.name(), "messages");
    assert!(recording.connections[0].citations_unknown);
    assert!(matches!(recording.frames[..], [Frame { body: Body::Messages(_), .. }]));
}
