//! Test cases, one a line, each with its own `stream` of events and maybe its `input`.

use super::lines::{LineReader, without_byte_order_mark};
use super::outbox::{Outbox, Parts, Place};
use super::window::Window;
use super::{Connection, Content, Frames, ReadError};
use crate::finding::Finding;
use crate::frame::{Body, Frame, Malformed};
use crate::json;

/// Reads one case after the other; each is a connection.
pub(super) struct CaseLines {
    lines: LineReader,
    out: Outbox,
}

impl CaseLines {
    pub(super) fn open(content: Content) -> Self {
        Self { lines: LineReader::new(Window::new(content, 0)), out: Outbox::default() }
    }
}

impl Frames for CaseLines {
    fn next_frame(&mut self) -> Result<Option<Frame>, ReadError> {
        loop {
            if let Some(frame) = self.out.next() {
                return Ok(Some(frame));
            }
            self.lines.skip_empty()?;
            let out = &mut self.out;
            let read = self.lines.next(|line| {
                let (text, at) = without_byte_order_mark(line.text, line.at);
                if json::trim(&text).is_empty() {
                    return;
                }
                let name = json::member(&text, "name").and_then(json::string_value);
                let name = String::from_utf8_lossy(&name.unwrap_or_default()).into_owned();
                let connection = out.connect(Connection { name, ..Connection::default() }, &at);
                let place = Place { last: line.last, ..Place::new(at, connection) };
                if line.too_long {
                    out.malformed(place, text.into_owned(), Malformed::TooLong);
                } else if json::member(&text, "stream").is_none() {
                    out.text(text.into_owned(), place, None);
                } else {
                    case(&text, &place, out);
                }
            })?;
            if read.is_none() {
                return Ok(None);
            }
        }
    }

    fn connections(&self) -> &[Connection] {
        &self.out.connections
    }

    fn take_findings(&mut self) -> Vec<Finding> {
        self.out.take_findings()
    }
}

fn case(text: &[u8], place: &Place, out: &mut Outbox) {
    if let Some(input) = json::members(text).find(|member| &*member.key == b"input")
        && input.value.starts_with(b"{")
        && json::check(input.value).is_ok()
    {
        out.push(place.clone(), Body::Request(input.value.to_vec()));
    }
    for stream in json::members(text).filter(|member| &*member.key == b"stream") {
        if stream.value.starts_with(b"[") {
            let place = Place { last: stream.cut, ..place.clone() };
            out.parts(Parts::of(stream.value.to_vec(), place, None));
        }
    }
}
