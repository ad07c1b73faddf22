//! Which container a source is, by its content and never by its name (facts/agui §4).

use super::outbox::has_event_type;
use super::{Format, MessagesShape, NotRecognised, Wrapper, names, protobuf, sse, sse_reduce};
use crate::json::{self, Member};
use crate::limits::MAX_HEAD_BYTES;

/// What is looked for, in plain words.
const LOOKED_FOR: [&str; 10] = [
    "a JSON list of AG-UI events",
    "AG-UI events one a line",
    "an event stream (SSE) with AG-UI events",
    "an AG-UI DevTools file",
    "an HTTP archive (HAR)",
    "an agui-inspector session",
    "a list of messages or a run's input",
    "an aimock fixture",
    "an object with a list of events",
    "length-prefixed protobuf",
];

/// Elements of a list that are looked at before it counts as no list of events.
const LOOKED_AT: usize = 200;

/// Tells the container by the beginning of the content (after [`crate::carrier`]).
///
/// `complete` says that `head` is all there is. [`super::open`] calls this with a longer head where one helps.
///
/// # Errors
/// [`NotRecognised`], with what was looked for and what was found.
pub fn detect(head: &[u8], complete: bool) -> Result<Format, NotRecognised> {
    if protobuf::is_framed_event(head) {
        return Ok(Format::Protobuf);
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let trimmed = json::trim(text);
    let found = match trimmed.first() {
        Some(b'[') => list(trimmed),
        Some(b'{') => object(trimmed, complete),
        _ => None,
    };
    found
        .or_else(|| chunked(text, complete))
        .or_else(|| lines(text, complete))
        .ok_or_else(|| refusal(head, trimmed, complete))?
}

type Verdict = Result<Format, NotRecognised>;

/// A text that begins with a bracket.
fn list(text: &[u8]) -> Option<Verdict> {
    for (element, _) in json::elements(text).take(LOOKED_AT) {
        if let Some(wrapper) = event_wrapper(element) {
            return Some(Ok(Format::JsonArray { wrapper }));
        }
        if has_text(element, "role") {
            return Some(Ok(Format::Messages(MessagesShape::List)));
        }
    }
    None
}

/// A text that begins with a brace.
fn object(text: &[u8], complete: bool) -> Option<Verdict> {
    let members: Vec<Member<'_>> = json::members(text).collect();
    let value = |name: &str| {
        members.iter().find(|member| *member.key == *name.as_bytes()).map(|member| member.value)
    };
    let list = |name: &str| value(name).filter(|value| value.starts_with(b"["));
    if value("kind").is_some() && (value("schemaVersion").is_some() || value("connId").is_some()) {
        return Some(Ok(Format::AguiJsonl));
    }
    if let Some(wrapper) = event_wrapper(text) {
        return Some(Ok(events(text, complete, wrapper)));
    }
    if let Some(log) = value("log").filter(|log| log.starts_with(b"{")) {
        let known = ["entries", "version", "creator", "pages", "browser"];
        if json::members(log).any(|member| known.iter().any(|name| *member.key == *name.as_bytes()))
        {
            return Some(Ok(Format::Har));
        }
    }
    if let Some(session) = value("session").filter(|session| session.starts_with(b"{")) {
        let known = ["exchanges", "frames"];
        if known.iter().any(|name| json::member(session, name).is_some()) {
            return Some(inspector(value("version")));
        }
    }
    let fixtures = list("fixtures").is_some()
        || value("agui").is_some_and(|agui| json::member(agui, "fixtures").is_some());
    if fixtures {
        return Some(Ok(Format::Aimock));
    }
    if list("aguiEvents").is_some() {
        return Some(Ok(Format::EventsObject { wrapper: None, ambient: true }));
    }
    if list("stream").is_some_and(|stream| first_event(stream).is_some()) {
        return Some(Ok(Format::CaseLines));
    }
    if let Some(wrapper) = list("events").and_then(first_event) {
        return Some(Ok(Format::EventsObject { wrapper, ambient: false }));
    }
    if let Some(messages) = list("messages") {
        let thread = value("threadId").or(value("thread_id"));
        let run = value("runId").or(value("run_id"));
        if thread.is_some() && run.is_some() {
            return Some(Ok(Format::Messages(MessagesShape::Input)));
        }
        let roles =
            json::elements(messages).next().is_some_and(|(first, _)| has_text(first, "role"));
        if roles {
            return Some(Ok(Format::Messages(MessagesShape::Object)));
        }
    }
    let lists = members.iter().filter(|member| first_event(member.value).is_some()).count();
    let all_lists = members.iter().all(|member| member.value.starts_with(b"["));
    (lists > 0 && all_lists).then_some(Ok(Format::NamedLists))
}

/// Objects that are events: how they stand one after the other.
fn events(text: &[u8], complete: bool, wrapper: Option<Wrapper>) -> Format {
    let mut scan = json::ValueScan::default();
    let json::Scan::End(end) = scan.feed(text) else {
        // One that is longer than the head stands on a line of its own unless it has line breaks.
        return if text.contains(&b'\n') {
            Format::JsonSequence { wrapper }
        } else {
            Format::Jsonl { wrapper }
        };
    };
    let alone = complete && json::trim(&text[end..]).is_empty();
    let name = json::member(text, "type").and_then(json::string_value).unwrap_or_default();
    if alone && wrapper.is_none() && names::is_messages_snapshot(&name) {
        return Format::Messages(MessagesShape::Snapshot);
    }
    if text[..end].contains(&b'\n') {
        Format::JsonSequence { wrapper }
    } else {
        Format::Jsonl { wrapper }
    }
}

fn inspector(version: Option<&[u8]>) -> Verdict {
    match version {
        None | Some(b"0") => Ok(Format::InspectorSession),
        Some(version) => Err(NotRecognised {
            looked_for: vec!["an agui-inspector session of version 0"],
            found: format!("an agui-inspector session of version {}", printable(version, 20)),
            hint: Some("Export it with agui-inspector 0.2, or update Recite."),
            more_may_help: false,
        }),
    }
}

/// By lines, when the beginning alone does not decide.
fn lines(text: &[u8], complete: bool) -> Option<Verdict> {
    let (mut filled, mut events, mut wrapped, mut cases, mut stream) =
        (0, 0, None, 0, Stream::default());
    let mut rest = text.split(|&byte| byte == b'\n' || byte == b'\r').peekable();
    while let Some(line) = rest.next() {
        let cut = rest.peek().is_none() && !complete;
        let line = json::trim(line);
        if line.is_empty() {
            continue;
        }
        stream.line(line);
        if cut && filled > 0 {
            continue;
        }
        filled += 1;
        let element = json::elements(line).next().map_or(line, |(element, _)| element);
        if let Some(wrapper) = event_wrapper(element) {
            wrapped = wrapped.or(Some(wrapper));
            events += 1;
        } else if json::member(line, "connId").is_some() && json::member(line, "kind").is_some() {
            return Some(Ok(Format::AguiJsonl));
        } else if json::member(line, "stream").and_then(first_event).is_some() {
            cases += 1;
        }
    }
    if events > 0 && events * 2 >= filled {
        return Some(Ok(Format::Jsonl { wrapper: wrapped.flatten() }));
    }
    if stream.evidence || (stream.fields > 0 && !stream.data && stream.fields == filled) {
        return Some(Ok(Format::Sse { chunked: false, headers: sse_reduce::has_headers(text) }));
    }
    (cases > 0 && cases * 2 >= filled).then_some(Ok(Format::CaseLines))
}

/// What lines say of an event stream.
#[derive(Debug, Default)]
struct Stream {
    /// AG-UI came in it, or a reply said that one follows.
    evidence: bool,
    /// Lines that event streams have.
    fields: usize,
    data: bool,
    reply: bool,
}

impl Stream {
    fn line(&mut self, line: &[u8]) {
        let (field, value) = match memchr::memchr(b':', line) {
            Some(colon) => (&line[..colon], json::trim(&line[colon + 1..])),
            None => (line, &b""[..]),
        };
        self.reply |= super::http::status_line(line).is_some();
        match field {
            b"data" => {
                self.data = true;
                self.evidence |= names_type(value);
                let first = json::elements(value).next().map_or(value, |(element, _)| element);
                self.evidence |= has_event_type(first) || event_wrapper(first).is_some();
            }
            b"event" => self.evidence |= names::is_event_name(value),
            b"" | b"id" | b"retry" => {}
            _ => {
                let stream = field.eq_ignore_ascii_case(b"content-type")
                    && value.to_ascii_lowercase().starts_with(b"text/event-stream");
                self.evidence |= stream && self.reply;
                return;
            }
        }
        self.fields += 1;
    }
}

/// Whether a line of an object that stands over several lines names an event as its `type`.
fn names_type(line: &[u8]) -> bool {
    line.starts_with(b"\"type\"")
        && json::members(&[b"{", line].concat()).next().is_some_and(|member| {
            json::string_value(member.value).is_some_and(|name| names::is_event_name(&name))
        })
}

/// Whether a text is an event stream; for replies whose type is not stated.
pub(super) fn is_event_stream(text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n' || byte == b'\r').find(|line| !line.is_empty());
    line.is_some_and(super::http::is_stream_line)
}

/// An event stream whose body still has its chunk sizes: behind the header block stands a size that fits.
fn chunked(text: &[u8], complete: bool) -> Option<Verdict> {
    let mut body = text;
    while body.starts_with(b"HTTP/") {
        let end = [&b"\r\n\r\n"[..], b"\n\n"]
            .iter()
            .filter_map(|blank| memchr::memmem::find(body, blank).map(|at| at + blank.len()))
            .min()?;
        body = &body[end..];
    }
    // The lines of chunks may begin in the middle of an event: only the head tells.
    let headers = sse_reduce::has_headers(&text[..text.len() - body.len()]);
    let mut stream = text[..text.len() - body.len()].to_vec();
    let mut chunks = 0;
    while let Some((line, size)) = sse::chunk_size(body) {
        let end = usize::try_from(size).ok()?.checked_add(line)?;
        let chunk = body.get(line..end).unwrap_or(&body[line..]);
        stream.extend_from_slice(chunk);
        chunks += 1;
        let behind = body.get(end..).unwrap_or_default();
        let line_end = [&b"\r\n"[..], b"\n"].iter().find_map(|end| behind.strip_prefix(*end));
        match line_end {
            Some(rest) => body = rest,
            None if behind.is_empty() => break,
            None => return None,
        }
    }
    if chunks == 0 {
        return None;
    }
    match lines(&stream, complete)? {
        Ok(Format::Sse { .. }) => Some(Ok(Format::Sse { chunked: true, headers })),
        _ => None,
    }
}

/// Whether a value is an event, and which member of it holds the event; `None` when it is none.
fn event_wrapper(value: &[u8]) -> Option<Option<Wrapper>> {
    if !value.starts_with(b"{") {
        return None;
    }
    let wrapped = |wrapper: Wrapper| {
        json::members(value)
            .find(|member| *member.key == *wrapper.name().as_bytes())
            .is_some_and(|member| has_event_type(member.value))
    };
    if has_event_type(value) {
        // `type` and `payload` of one name: the inspector of CopilotKit.
        let repeated = json::member(value, "payload").is_some_and(|payload| {
            json::member(payload, "type").is_some()
                && json::member(payload, "type") == json::member(value, "type")
        });
        return Some(repeated.then_some(Wrapper::Payload));
    }
    [Wrapper::Event, Wrapper::Payload, Wrapper::Data]
        .into_iter()
        .find(|wrapper| wrapped(*wrapper))
        .map(Some)
}

/// The wrapper of the first events of a list; `None` when there are none.
fn first_event(list: &[u8]) -> Option<Option<Wrapper>> {
    json::elements(list).take(LOOKED_AT).find_map(|(element, _)| event_wrapper(element))
}

fn has_text(value: &[u8], name: &str) -> bool {
    json::member(value, name).is_some_and(|text| text.starts_with(b"\""))
}

fn refusal(head: &[u8], text: &[u8], complete: bool) -> NotRecognised {
    let (found, hint) = describe(head, text);
    NotRecognised {
        looked_for: LOOKED_FOR.to_vec(),
        found,
        hint,
        more_may_help: !complete && head.len() < MAX_HEAD_BYTES,
    }
}

fn describe(head: &[u8], text: &[u8]) -> (String, Option<&'static str>) {
    if head.is_empty() {
        return ("an empty file".to_owned(), None);
    }
    if text.is_empty() {
        return ("nothing but white space".to_owned(), None);
    }
    let nulls = head.iter().take(64).filter(|&&byte| byte == 0).count();
    if nulls * 3 >= head.len().min(64) && head.len() > 4 {
        let hint = "If it is UTF-16 text, save it with a byte order mark or as UTF-8.";
        return (format!("bytes that begin {}", hex(head)), Some(hint));
    }
    if head.iter().take(64).any(|&byte| byte < 0x20 && !byte.is_ascii_whitespace()) {
        return (format!("bytes that begin {}", hex(head)), None);
    }
    match text.first() {
        Some(b'[') => match json::elements(text).next() {
            None if is_empty(text, b']') => ("an empty JSON list".to_owned(), None),
            None => ("a JSON list that breaks off before its first element".to_owned(), None),
            Some((first, _)) => {
                (format!("a JSON list that begins with {}", printable(first, 60)), None)
            }
        },
        Some(b'{') => {
            if is_empty(text, b'}') {
                return ("an empty JSON object".to_owned(), None);
            }
            let names: Vec<_> =
                json::members(text).take(6).map(|member| printable(&member.key, 24)).collect();
            if names.is_empty() {
                let found =
                    format!("text that begins “{}” and is no JSON object", printable(text, 60));
                return (found, None);
            }
            (format!("a JSON object with the members {}", names.join(", ")), None)
        }
        _ => (format!("text that begins “{}”", printable(text, 60)), None),
    }
}

/// Whether a list or an object ends right behind its beginning.
fn is_empty(text: &[u8], end: u8) -> bool {
    json::trim(&text[1..]).first() == Some(&end)
}

fn hex(bytes: &[u8]) -> String {
    let bytes: Vec<_> = bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    bytes.join(" ")
}

/// The first characters of a text, without what could do harm on a terminal.
fn printable(text: &[u8], length: usize) -> String {
    let start = &text[..text.len().min(length * 4)];
    let text = String::from_utf8_lossy(start);
    let harmless = |char: char| {
        if char.is_alphanumeric() || (' '..='~').contains(&char) { char } else { '·' }
    };
    let mut shown: String = text.chars().take(length).map(harmless).collect();
    if text.chars().count() > length {
        shown.push('…');
    }
    shown
}
