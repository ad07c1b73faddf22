//! Events as received: one a line, or as `.agui.jsonl`.

use std::io::{Cursor, Read, Write};

use agui::{
    container::{Content, Format, Frames},
    event::{Event, key},
    frame::{Body, Frame},
    json::event_tokens,
};
use archive::{CitationEvent, ConversationId, Reader, Run, Source, SourceId, Stream};
use serde_json::json;

use super::read::written;
use crate::{
    App, browse,
    contract::{ErrorKind, ExportFormat, Failure},
    failure::Storage,
    stored::{stored_connection, stored_content, stored_frames},
};

/// Runs read at a time.
const PAGE: u32 = 200;

/// Bytes of a run up to which it is read at once; longer ones come with a connection of their own.
const MAX_RUN_AT_ONCE: u64 = 16 << 20;

/// Writes the events of all runs of a conversation, each as it was received.
///
/// An event that spans several lines is written without the white space outside its strings, so that it is one line;
/// all others are written byte for byte.
pub(super) fn write(
    app: &App,
    reader: &Reader,
    conversation: ConversationId,
    format: ExportFormat,
    now: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    reader.conversation(conversation).storage()?.ok_or_else(|| browse::not_held("conversation"))?;
    if reader.runs_from(conversation, 0, 1).storage()?.is_empty() {
        let message = "The recording of this conversation has messages only, no events.";
        return Err(Failure::new(ErrorKind::BadInput, message)
            .hint("Export it as Markdown or HTML; its bytes are in the archive as they came."));
    }
    if format == ExportFormat::AguiJsonl {
        let header = json!({ "kind": "header", "schemaVersion": 1, "tool": concat!("recite@", env!("CARGO_PKG_VERSION")),
            "capturedAt": now, "transport": "sse", "redacted": [] });
        written(writeln!(out, "{header}"))?;
    }
    let mut next = 0;
    let mut seq = 0_u64;
    let mut known = None;
    loop {
        let runs = reader.runs_from(conversation, next, PAGE).storage()?;
        let Some(last) = runs.last() else { return Ok(()) };
        next = last.number + 1;
        for run in &runs {
            each_event(app, reader, run, &mut known, |request, event| {
                if format == ExportFormat::Events {
                    return match request {
                        true => Ok(()),
                        false => line(out, &one_line(event)),
                    };
                }
                let kind = if request { "request" } else { "event" };
                let member = if request { "input" } else { "event" };
                seq += 1;
                let head = format!(
                    "{{\"kind\":\"{kind}\",\"connId\":\"r{}\",\"seq\":{seq},\"tMs\":0,\"{member}\":",
                    run.number
                );
                written(out.write_all(head.as_bytes()))?;
                written(out.write_all(&one_line(event)))?;
                line(out, b"}")
            })?;
        }
    }
}

/// The event's text on one line.
fn one_line(event: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    match event.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
        true => event_tokens(event),
        false => event.into(),
    }
}

fn line(out: &mut dyn Write, bytes: &[u8]) -> Result<(), Failure> {
    written(out.write_all(bytes).and_then(|()| out.write_all(b"\n")))
}

/// Calls `each` with every request and event of a run, in arrival order.
fn each_event(
    app: &App,
    reader: &Reader,
    run: &Run,
    known: &mut Option<(SourceId, Format)>,
    mut each: impl FnMut(bool, &[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let source =
        reader.source(run.source).storage()?.ok_or_else(|| browse::not_held("recording"))?;
    let connection = reader
        .connection(run.connection)
        .storage()?
        .ok_or_else(|| browse::not_held("connection"))?;
    let mut frames = frames_of(app, reader, &source, connection.number, run, known)?;
    let mut index = frames.first_event;
    let mut left = run.events;
    let mut request: Option<Vec<u8>> = None;
    while let Some(frame) = frames.frames.next_frame()? {
        let mine = frame.connection == connection.number;
        match frame.body {
            Body::Request(text) if mine => request = Some(text),
            Body::Event(text) => {
                if mine && index >= run.first_event {
                    if let Some(request) = request.take() {
                        each(true, &request)?;
                    }
                    each(false, &text)?;
                    left = left.saturating_sub(1);
                    if left == 0 {
                        return Ok(());
                    }
                }
                index += 1;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Frames of a source from some place on, and the index of the first event among them.
struct FramesFrom {
    frames: Box<dyn Frames + Send>,
    first_event: u64,
}

/// Frames that hold a run: from its first byte on where the container allows it, else from the beginning. `format` is
/// that of the source that was read before.
fn frames_of(
    app: &App,
    reader: &Reader,
    source: &Source,
    connection: u32,
    run: &Run,
    format: &mut Option<(SourceId, Format)>,
) -> Result<FramesFrom, Failure> {
    let told = match format {
        Some((of, told)) if *of == source.id => *told,
        _ => {
            let (told, frames) = stored_frames(app, source)?;
            *format = Some((source.id, told));
            if run.at.start == 0 {
                return Ok(FramesFrom { frames, first_event: 0 });
            }
            told
        }
    };
    if told.resumable() && run.at.start > 0 {
        // A capture goes on with the last connection it knows, so those behind the run's own stay out.
        let known =
            reader.connections_of_source(source.id, connection.saturating_add(1)).storage()?;
        let known = known.into_iter().map(stored_connection).collect();
        let content = run_content(app, reader, source, run)?;
        if let Some(frames) = told.resume(content, run.at.start, known) {
            return Ok(FramesFrom { frames, first_event: run.first_event });
        }
    }
    let (_, frames) = stored_frames(app, source)?;
    Ok(FramesFrom { frames, first_event: 0 })
}

/// Content of a source from the beginning of a run on; at least to its end.
fn run_content(app: &App, reader: &Reader, source: &Source, run: &Run) -> Result<Content, Failure> {
    if run.at.end.saturating_sub(run.at.start) > MAX_RUN_AT_ONCE {
        return stored_content(app, source, run.at.start);
    }
    let mut bytes = Vec::new();
    reader.read_content(source.id, Stream::Content, run.at.clone()).read_to_end(&mut bytes)?;
    Ok(Box::new(Cursor::new(bytes)))
}

/// The `value` of a citation event, as received; none when the event has none.
pub(super) fn citation_value(
    reader: &Reader,
    event: &CitationEvent,
) -> Result<Option<String>, Failure> {
    let mut bytes = Vec::new();
    reader.read_content(event.source, Stream::Content, event.at.clone()).read_to_end(&mut bytes)?;
    // The range is that of the frame in its container; the container reads it once more.
    let text = match agui::container::open(Box::new(Cursor::new(bytes.clone()))) {
        Ok((_, mut frames)) => match frames.next_frame()? {
            Some(Frame { body: Body::Event(text), .. }) => text,
            _ => bytes,
        },
        Err(_) => bytes,
    };
    let event = Event::parse(text);
    Ok(event.get(&key::VALUE).ok().map(|value| value.json().to_owned()))
}
