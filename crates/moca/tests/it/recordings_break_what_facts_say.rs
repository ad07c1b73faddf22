//! Every recording with `moca.citations` gives the states, digests, first mentions and broken rules of its facts.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use moca::duty::{self, Context, Earlier, ToolRecords};
use moca::event::{self, CitationEvent};
use moca::finding::{EVENT_MESSAGE_UNKNOWN, Finding};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::shared;

/// As much of an AG-UI event as the duties look at; both spellings of the names.
#[derive(Deserialize)]
struct Event {
    r#type: String,
    #[serde(alias = "message_id", rename = "messageId")]
    message_id: Option<String>,
    role: Option<String>,
    delta: Option<Value>,
    content: Option<Value>,
    name: Option<String>,
    value: Option<Box<RawValue>>,
}

/// The recordings in the plain containers; HAR is opened, the inspector's session and the binary one are left to the importer.
fn events(path: &Path) -> Option<Vec<Event>> {
    let text = std::fs::read_to_string(path).ok()?;
    let parse = |text: &str| serde_json::from_str::<Event>(text).expect("an event");
    let of_sse = |text: &str| -> Vec<Event> {
        text.lines()
            .filter_map(|line| line.strip_prefix("data:"))
            .map(str::trim)
            .filter(|data| *data != "[DONE]")
            .map(parse)
            .collect()
    };
    match path.extension()?.to_str()? {
        "sse" | "txt" => Some(of_sse(&text)),
        "jsonl" if path.to_str()?.ends_with(".agui.jsonl") => {
            #[derive(Deserialize)]
            struct Line {
                event: Option<Event>,
            }
            let line = |line| serde_json::from_str::<Line>(line).expect("a line").event;
            Some(text.lines().filter_map(line).collect())
        }
        "jsonl" => Some(text.lines().map(parse).collect()),
        "har" => {
            let har: Value = serde_json::from_str(&text).expect("a HAR");
            let entries = har["log"]["entries"].as_array().expect("entries");
            let bodies = entries.iter().filter_map(|e| {
                let content = &e["response"]["content"];
                content["mimeType"].as_str()?.contains("event-stream").then_some(())?;
                content["text"].as_str()
            });
            Some(bodies.flat_map(of_sse).collect())
        }
        "json" if text.trim_start().starts_with('[') => serde_json::from_str(&text).ok(),
        _ => None,
    }
}

struct Judged {
    event: CitationEvent,
    state: &'static str,
    breaks: BTreeSet<&'static str>,
}

/// A fold just large enough for the duties: texts and ends of messages, runs, tool results.
fn judge(events: &[Event]) -> Vec<(usize, Judged, HashMap<String, String>)> {
    let mut texts: HashMap<String, String> = HashMap::new();
    let mut open = None;
    for event in events {
        let id = event.message_id.clone();
        match event.r#type.as_str() {
            "TEXT_MESSAGE_START" if event.role.as_deref().unwrap_or("assistant") == "assistant" => {
                texts.entry(id.clone().expect("an id")).or_default();
            }
            "TEXT_MESSAGE_CHUNK" => open = id.or(open),
            _ => {}
        }
        if event.r#type.starts_with("TEXT_MESSAGE_C") {
            let id = event.message_id.clone().or_else(|| open.clone()).expect("an id");
            let delta = event.delta.as_ref().and_then(Value::as_str).unwrap_or_default();
            texts.entry(id).or_default().push_str(delta);
        }
    }
    let mut judged = Vec::new();
    let (mut ended, mut in_run, mut chunked) = (BTreeSet::new(), false, None);
    let mut tools = ToolRecords::default();
    let mut earlier: HashMap<String, Vec<String>> = HashMap::new();
    for (index, event) in events.iter().enumerate() {
        if event.r#type == "TEXT_MESSAGE_CHUNK" {
            chunked = event.message_id.clone().or(chunked);
        } else if let Some(id) = chunked.take() {
            ended.insert(id);
        }
        match event.r#type.as_str() {
            "RUN_STARTED" => {
                in_run = true;
                tools = ToolRecords::default();
            }
            "RUN_FINISHED" | "RUN_ERROR" => {
                in_run = false;
                tools = ToolRecords::default();
            }
            "TEXT_MESSAGE_END" => {
                ended.insert(event.message_id.clone().expect("an id"));
            }
            "TOOL_CALL_RESULT" if in_run => {
                tools.add(event.content.as_ref().and_then(Value::as_str).unwrap_or_default());
            }
            "CUSTOM" if event.name.as_deref() == Some(event::EVENT_NAME) => {
                let parsed = event::parse(event.value.as_ref().expect("a value").get());
                let id = parsed.event.message_id().unwrap_or_default().to_owned();
                let mut found: Vec<Finding> = parsed.findings;
                let judging = !matches!(parsed.event, CitationEvent::UnknownVersion(_));
                let mut state = parsed.event.state_id();
                match texts.get(&id) {
                    Some(answer) => {
                        let earlier = earlier.entry(id.clone()).or_default();
                        let said = parsed.event.content_sha256();
                        let context = Context {
                            answer_text: Some(answer),
                            message_ended: ended.contains(&id),
                            run_finished: !in_run,
                            earlier: match earlier.as_slice() {
                                [] => Earlier::None,
                                all if all.contains(&said) => Earlier::Same,
                                _ => Earlier::Other,
                            },
                            tool_records: &tools,
                            received_at: None,
                        };
                        found.extend(duty::check(&parsed.event, &context));
                        earlier.push(said);
                    }
                    None if judging => {
                        found.push(event::unknown_message(&id));
                        state = "unknown-message";
                    }
                    None => {}
                }
                assert_eq!(
                    state == "unknown-message",
                    found.iter().any(|f| *f.code == EVENT_MESSAGE_UNKNOWN)
                );
                let breaks = found.iter().filter_map(|f| f.code.breaks).collect();
                judged.push((index, Judged { event: parsed.event, state, breaks }, texts.clone()));
            }
            _ => {}
        }
    }
    judged
}

#[test]
fn states_digests_mentions_and_broken_rules_are_those_of_the_facts() {
    let Some(shared) = shared::folder("recordings_break_what_facts_say") else { return };
    let folder = shared.join("agui-recordings/moca");
    let facts = std::fs::read_to_string(folder.join("facts.json")).expect("the facts");
    let facts: Value = serde_json::from_str(&facts).expect("JSON");
    let (mut files, mut seen) = (0, 0);
    for recording in facts["recordings"].as_array().expect("recordings") {
        let file = recording["file"].as_str().expect("a name");
        let Some(events) = events(&folder.join(file)) else {
            println!("left to the importer: {file}");
            continue;
        };
        let listed = recording["citationEventList"].as_array().expect("a list");
        let judged = judge(&events);
        if file == "messages-only.json" {
            continue;
        }
        assert_eq!(judged.len(), listed.len(), "{file}");
        files += 1;
        for (fact, (index, judged, texts)) in listed.iter().zip(&judged) {
            let place = format!("{file} event {index}");
            assert_eq!(fact["eventIndex"], *index, "{place}");
            assert_eq!(fact["state"], judged.state, "{place}");
            let breaks: BTreeSet<_> = fact["breaks"]
                .as_array()
                .expect("breaks")
                .iter()
                .filter_map(Value::as_str)
                .collect();
            assert_eq!(breaks, judged.breaks, "{place}");
            assert_eq!(
                fact["computedAt"].as_str(),
                judged.event.computed_at().map(moca::StatedTime::text),
                "{place}"
            );
            if judged.state != "unknown-version" {
                same_citations(fact, judged, texts, &place);
            }
            seen += 1;
        }
    }
    assert_eq!((files, seen), (21, 121));
}

fn same_citations(fact: &Value, judged: &Judged, texts: &HashMap<String, String>, place: &str) {
    let facts = fact["citations"].as_array().expect("citations");
    let citations = judged.event.citations();
    assert_eq!(facts.len(), citations.len(), "{place}");
    let answer = fact["messageId"].as_str().and_then(|id| texts.get(id)).map_or("", String::as_str);
    for (fact, citation) in facts.iter().zip(citations) {
        assert_eq!(fact["marker"].as_str(), citation.marker.as_deref(), "{place}");
        assert_eq!(fact["ref"].as_str(), citation.record.node_ref(), "{place}");
        assert_eq!(fact["recordSha256"].as_str(), citation.record.record_sha256(), "{place}");
        let texts = [citation.marker.as_deref(), citation.record.node_ref()];
        let first = duty::mentions(answer, &texts)
            .iter()
            .flatten()
            .map(|mention| mention.code_points.start)
            .min();
        assert_eq!(fact["firstMention"].as_u64(), first.map(|f| f as u64), "{place}");
        let schema = match citation.record.valid() {
            Some(record) if record.unknown_members.is_empty() => "valid",
            Some(_) => "unknown-member",
            None => "invalid",
        };
        assert_eq!(fact["schema"], schema, "{place}");
    }
}
