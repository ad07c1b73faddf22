//! Writes what was played as people save it (`facts/agui §4`).

use moca_reader::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::Failure;
use super::json::{line, object, text};
use super::play::Connection;
use super::script::{Container, Script};

impl Container {
    /// Requests stand beside the events; elsewhere RUN_STARTED echoes them.
    pub(super) fn has_requests(self) -> bool {
        matches!(self, Self::AguiJsonl | Self::Har)
    }
}

/// The bytes of the recording.
pub(super) fn bytes(script: &Script, connections: &[Connection]) -> Result<Vec<u8>, Failure> {
    let written = match script.container {
        Container::AguiJsonl => agui_jsonl(script, connections)?,
        Container::Har => har(script, connections)?,
        Container::Jsonl => lines(connections)?,
        Container::SseWithHead => sse_with_head(connections)?,
        Container::Messages => message_list(connections)?,
    };
    Ok(written.into_bytes())
}

/// AG-UI DevTools, schema version 1 (`facts/agui §4.5`); times count from the header's.
fn agui_jsonl(script: &Script, connections: &[Connection]) -> Result<String, Failure> {
    let captured = connections.first().map_or(0, |first| first.began);
    let header = object([
        ("kind", text("header")),
        ("schemaVersion", Value::Int(1)),
        ("tool", text("agui-devtools@1.4.0")),
        ("capturedAt", text(rfc3339(captured)?)),
        ("url", text(script.endpoint)),
        ("framework", text(script.framework)),
        ("transport", text("sse")),
        ("redacted", Value::seq([])),
    ]);
    let mut out = line(&header)? + "\n";
    for (number, connection) in connections.iter().enumerate() {
        let name = format!("c{}", number + 1);
        let request = object([
            ("kind", text("request")),
            ("connId", text(&name)),
            ("tMs", Value::Int(connection.began - captured)),
            ("method", text("POST")),
            ("url", text(script.endpoint)),
            ("input", connection.input.clone()),
        ]);
        out += &(line(&request)? + "\n");
        for (sequence, arrived) in (1..).zip(&connection.events) {
            let event = object([
                ("kind", text("event")),
                ("connId", text(&name)),
                ("seq", Value::Int(sequence)),
                ("tMs", Value::Int(arrived.at - captured)),
                ("event", arrived.event.clone()),
            ]);
            out += &(line(&event)? + "\n");
        }
    }
    Ok(out)
}

/// What a browser exports of its network traffic, a cookie included, which an archive must leave out (`facts/agui §4.4`).
fn har(script: &Script, connections: &[Connection]) -> Result<String, Failure> {
    let header = |name: &str, value: &str| object([("name", text(name)), ("value", text(value))]);
    let entry = |connection: &Connection| -> Result<Value, Failure> {
        let ended = connection.events.last().map_or(connection.began, |last| last.at);
        Ok(object([
            ("startedDateTime", text(rfc3339(connection.began)?)),
            ("time", Value::Int(ended - connection.began)),
            (
                "request",
                object([
                    ("method", text("POST")),
                    ("url", text(script.endpoint)),
                    ("httpVersion", text("HTTP/2")),
                    (
                        "headers",
                        Value::seq([
                            header("accept", "text/event-stream"),
                            header("cookie", "session=sample-cookie-that-stays-out-of-the-archive"),
                        ]),
                    ),
                    (
                        "postData",
                        object([
                            ("mimeType", text("application/json")),
                            ("text", text(line(&connection.input)?)),
                        ]),
                    ),
                ]),
            ),
            (
                "response",
                object([
                    ("status", Value::Int(200)),
                    ("statusText", text("OK")),
                    ("headers", Value::seq([header("content-type", "text/event-stream")])),
                    (
                        "content",
                        object([
                            ("mimeType", text("text/event-stream")),
                            ("text", text(sse(connection)?)),
                        ]),
                    ),
                ]),
            ),
        ]))
    };
    let entries: Result<Vec<Value>, Failure> = connections.iter().map(entry).collect();
    let har = object([(
        "log",
        object([
            ("version", text("1.2")),
            ("creator", object([("name", text("Browser")), ("version", text("131.0"))])),
            ("entries", Value::seq(entries?)),
        ]),
    )]);
    Ok(serde_json::to_string_pretty(&har)? + "\n")
}

fn lines(connections: &[Connection]) -> Result<String, Failure> {
    let mut out = String::new();
    for arrived in connections.iter().flat_map(|connection| &connection.events) {
        out += &(line(&arrived.event)? + "\n");
    }
    Ok(out)
}

fn sse_with_head(connections: &[Connection]) -> Result<String, Failure> {
    let mut out = String::from(
        "HTTP/1.1 200 OK\ncontent-type: text/event-stream\ncache-control: no-cache\n\n: connected\n\n",
    );
    for connection in connections {
        out += &sse(connection)?;
    }
    Ok(out)
}

fn sse(connection: &Connection) -> Result<String, Failure> {
    let mut out = String::new();
    for arrived in &connection.events {
        out += &format!("data: {}\n\n", line(&arrived.event)?);
    }
    Ok(out)
}

/// What a message store has: the list that the server gives at the end, and nothing of the events.
fn message_list(connections: &[Connection]) -> Result<String, Failure> {
    let mut events = connections.iter().rev().flat_map(|connection| connection.events.iter().rev());
    let messages = events
        .find_map(|arrived| arrived.event.get("messages"))
        .ok_or("a message list needs a MESSAGES_SNAPSHOT")?;
    Ok(serde_json::to_string_pretty(messages)? + "\n")
}

fn rfc3339(millis: i64) -> Result<String, Failure> {
    let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000)?;
    Ok(at.format(&Rfc3339)?)
}
