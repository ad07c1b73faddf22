//! One entry of an HTTP archive, as far as it is known.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::{Connection, http};
use crate::frame::Body;
use crate::json::cursor::{Cursor, Raw};
use crate::json::{self, Found};

/// Bytes at the beginning of a body's text by which it is told from base64.
const TELLING_BYTES: usize = 4096;

/// Base64 as recorders write it: with or without its padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// What was read of an entry so far.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) at: Range<u64>,
    pub(super) connection: Option<u32>,
    pub(super) started_at: Option<String>,
    pub(super) method: Option<String>,
    pub(super) url: Option<String>,
    pub(super) status: Option<u16>,
    pub(super) mime: Option<String>,
    pub(super) encoding: Option<String>,
    /// Length of the reply's body that the archive states, in bytes.
    pub(super) size: Option<u64>,
    /// The request's body, until it is handed on.
    pub(super) request: Option<(Range<u64>, Body)>,
    run: bool,
    /// The request was read to its end, so that it comes before the reply.
    pub(super) asked: bool,
    /// The reply's body as it stands in the file, when it could not be read at once.
    pub(super) body: Option<Raw>,
    /// Bytes of the reply's body that were read.
    pub(super) received: Option<u64>,
    /// `_eventSourceMessages`.
    pub(super) messages: Option<Raw>,
}

/// One of `_eventSourceMessages`.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) at: Range<u64>,
    /// Milliseconds since 1970.
    pub(super) time: Option<i64>,
    pub(super) name: Option<Vec<u8>>,
    pub(super) data: Vec<u8>,
    /// The data is there more than once; this is the whole message then.
    pub(super) twice: bool,
}

impl Entry {
    /// Whether the request asks for a run.
    pub(super) fn is_run(&self) -> bool {
        self.run
    }

    /// Whether the entry is AG-UI: an event stream came back, or a run was asked for.
    pub(super) fn is_agui(&self) -> bool {
        self.run
            || self.mime.as_deref().is_some_and(|mime| is_event_stream(mime) || is_binary(mime))
    }

    /// Whether the string that the cursor stands at, the reply's text, is no base64 for certain. `encoding` may
    /// stand behind the text; an event stream has colons, which base64 does not have.
    pub(super) fn is_plain(&self, cursor: &mut Cursor) -> io::Result<bool> {
        if cursor.peek()? != Some(b'"') {
            return Ok(false);
        }
        if let Some(encoding) = &self.encoding {
            return Ok(!is_base64(encoding));
        }
        let begin = &cursor.window().at_least(TELLING_BYTES)?[1..];
        let end = begin.iter().position(|&byte| matches!(byte, b'"' | b':'));
        Ok(end.is_some_and(|end| begin[end] == b':'))
    }

    pub(super) fn take_request(&mut self, at: Range<u64>, text: &[u8]) {
        let input = run_input(text);
        self.run = input.is_some();
        self.request = Some((
            at,
            match input {
                Some(input) => Body::Request(input.to_vec()),
                None => Body::Note(text.to_vec()),
            },
        ));
    }

    /// Writes what is known to the connection.
    pub(super) fn describe(&self, connection: &mut Connection) {
        connection.url = self
            .url
            .as_ref()
            .map(|url| String::from_utf8_lossy(&http::bare_url(url.as_bytes()).0).into_owned());
        connection.method.clone_from(&self.method);
        connection.status = self.status;
        connection.started_at.clone_from(&self.started_at);
        connection.transport = self
            .mime
            .as_deref()
            .map(|mime| if is_binary(mime) { "binary".to_owned() } else { "sse".to_owned() });
    }

    /// When each event arrived, for the parser of the stream.
    pub(super) fn times(&self) -> VecDeque<(i64, Vec<u8>)> {
        let messages = self.messages.iter().flat_map(messages);
        messages.map_while(|message| Some((message.time?, message.data))).collect()
    }
}

/// The messages of a `_eventSourceMessages` list.
pub(super) fn messages(raw: &Raw) -> impl Iterator<Item = Message> {
    json::elements(&raw.bytes).filter_map(|(text, at)| {
        let (data, twice) = match json::only_member(text, "data") {
            Found::None => return None,
            Found::Once(data) => (json::string_value(data)?.into_owned(), false),
            Found::Twice => (text.to_vec(), true),
        };
        let seconds = json::member(text, "time")
            .and_then(|time| std::str::from_utf8(time).ok()?.parse::<f64>().ok());
        let name = json::member(text, "eventName").and_then(json::string_value);
        Some(Message {
            at: raw.at.start + at.start as u64..raw.at.start + at.end as u64,
            time: seconds.map(|seconds| (seconds * 1000.0).round() as i64),
            name: name.map(std::borrow::Cow::into_owned),
            data,
            twice,
        })
    })
}

/// The RunAgentInput that a request body is or, on CopilotKit's single route, has as its `body`.
pub(super) fn run_input(text: &[u8]) -> Option<&[u8]> {
    json::check(text).ok()?;
    let input = if json::member(text, "method").is_some() {
        json::member(text, "body").unwrap_or(text)
    } else {
        json::trim(text)
    };
    let has = |names: [&str; 2]| names.iter().any(|name| json::member(input, name).is_some());
    let messages = json::member(input, "messages").is_some_and(|list| list.starts_with(b"["));
    (messages && has(["threadId", "thread_id"])).then_some(input)
}

/// Whether a body's `encoding` says base64.
pub(super) fn is_base64(encoding: &str) -> bool {
    encoding.trim().eq_ignore_ascii_case("base64")
}

/// The bytes of a base64 text, which may be wrapped into lines.
pub(super) fn from_base64(text: &[u8]) -> Result<Vec<u8>, base64::DecodeError> {
    if text.iter().any(u8::is_ascii_whitespace) {
        let text: Vec<u8> = text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
        return BASE64.decode(text);
    }
    BASE64.decode(text)
}

/// Bytes as base64.
pub(super) fn to_base64(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

pub(super) fn is_event_stream(mime: &str) -> bool {
    mime.trim_start().to_ascii_lowercase().starts_with("text/event-stream")
}

pub(super) fn is_binary(mime: &str) -> bool {
    mime.trim_start().to_ascii_lowercase().starts_with("application/vnd.ag-ui.event+proto")
}
