//! `.agui.jsonl` of AG-UI DevTools, schema version 1 (facts/agui §4.5).

use std::collections::HashMap;
use std::ops::Range;

use super::lines::{Line, LineReader, without_byte_order_mark};
use super::outbox::{Outbox, Place, twice};
use super::window::Window;
use super::{Connection, Content, Frames, ReadError, codes, http};
use crate::finding::Finding;
use crate::frame::{Arrival, Body, Frame, Malformed};
use crate::json;

/// Reads header, request, event and keepalive lines.
pub(super) struct AguiJsonl {
    lines: LineReader,
    records: Records,
}

struct Records {
    out: Outbox,
    /// Connections by `connId`.
    names: HashMap<String, u32>,
    /// What the last header line says of every connection.
    header: Connection,
}

impl AguiJsonl {
    pub(super) fn open(content: Content) -> Self {
        Self::resume(content, 0, Vec::new())
    }

    pub(super) fn resume(content: Content, offset: u64, known: Vec<Connection>) -> Self {
        let header = known.last().map_or_else(Connection::default, |last| Connection {
            service: last.service.clone(),
            started_at: last.started_at.clone(),
            transport: last.transport.clone(),
            redacted: last.redacted.clone(),
            ..Connection::default()
        });
        let lines = LineReader::new(Window::new(content, offset));
        let names =
            known.iter().zip(0..).map(|(known, index)| (known.name.clone(), index)).collect();
        Self { lines, records: Records { out: Outbox::resumed(known), names, header } }
    }
}

impl Frames for AguiJsonl {
    fn next_frame(&mut self) -> Result<Option<Frame>, ReadError> {
        loop {
            if let Some(frame) = self.records.out.next() {
                return Ok(Some(frame));
            }
            self.lines.skip_empty()?;
            let records = &mut self.records;
            if self.lines.next(|line| records.line(line))?.is_none() {
                return Ok(None);
            }
        }
    }

    fn connections(&self) -> &[Connection] {
        &self.records.out.connections
    }

    fn take_findings(&mut self) -> Vec<Finding> {
        self.records.out.take_findings()
    }
}

impl Records {
    fn line(&mut self, line: Line<'_>) {
        let Line { text, at, too_long, last } = line;
        let (text, at) = without_byte_order_mark(text, at);
        if json::trim(&text).is_empty() {
            return;
        }
        if too_long || json::check(&text).is_err() {
            let place = Place { last, ..Place::new(at, self.unnamed()) };
            return if too_long {
                self.out.malformed(place, text.into_owned(), Malformed::TooLong);
            } else {
                // Gives the fault its name.
                self.out.text(text.into_owned(), place, None);
            };
        }
        let record = Record::of(&text);
        let mut place = Place::new(at.clone(), self.connection(record.connection, &at));
        place.arrival = record.offset.and_then(number).map(Arrival::OffsetMillis);
        if let Some(name) = record.twice {
            return self.out.malformed(place, text.into_owned(), twice(name));
        }
        match record.kind.as_str() {
            "header" => {
                self.read_header(&text);
                self.out.push(place, Body::Note(text.into_owned()));
            }
            "request" => self.request(&text, place),
            "event" => match record.event {
                Some(event) => self.out.text(event.to_vec(), place, None),
                None => {
                    let why = Malformed::NotJson("an event record without an event".to_owned());
                    self.out.malformed(place, text.into_owned(), why);
                }
            },
            "keepalive" => {
                let comment = json::member(&text, "comment").and_then(json::string_value);
                let comment = comment.unwrap_or_default().into_owned();
                self.out.push(place, Body::KeepAlive(comment));
            }
            kind => {
                let message = format!("A record of kind {kind:.40?} was kept and not read.");
                self.out.find(&codes::UNKNOWN_RECORD, &place.at, message);
                self.out.push(place, Body::Note(text.into_owned()));
            }
        }
    }

    fn request(&mut self, text: &[u8], place: Place) {
        if let Some(connection) = self.out.connections.get_mut(place.connection as usize) {
            connection.method = text_of(text, "method");
            let url = text_of(text, "url");
            connection.url = url
                .map(|url| String::from_utf8_lossy(&http::bare_url(url.as_bytes()).0).into_owned());
        }
        let body = match json::member(text, "input").filter(|input| input.starts_with(b"{")) {
            Some(input) => Body::Request(input.to_vec()),
            None => Body::Note(text.to_vec()),
        };
        self.out.push(place, body);
    }

    fn read_header(&mut self, text: &[u8]) {
        let redacted = json::member(text, "redacted").unwrap_or_default();
        self.header = Connection {
            service: text_of(text, "framework"),
            started_at: text_of(text, "capturedAt"),
            transport: text_of(text, "transport"),
            redacted: json::elements(redacted)
                .filter_map(|(group, _)| json::string_value(group))
                .map(|group| String::from_utf8_lossy(&group).into_owned())
                .collect(),
            ..Connection::default()
        };
        for connection in &mut self.out.connections {
            connection.redacted.clone_from(&self.header.redacted);
        }
    }

    /// The connection that a record names; a new one when it was not met before.
    fn connection(&mut self, name: Option<String>, at: &Range<u64>) -> u32 {
        let Some(name) = name else { return self.unnamed() };
        if let Some(&known) = self.names.get(&name) {
            return known;
        }
        // What came before any name belongs to the first connection that has one.
        let index = match self.out.connections.as_mut_slice() {
            [only] if only.name.is_empty() => {
                *only = Connection { name: name.clone(), ..self.header.clone() };
                0
            }
            _ => self.out.connect(Connection { name: name.clone(), ..self.header.clone() }, at),
        };
        self.names.insert(name, index);
        index
    }

    /// The connection of a record that names none: the first one, wherever reading began.
    fn unnamed(&mut self) -> u32 {
        if self.out.connections.is_empty() {
            self.out.connections.push(self.header.clone());
        }
        0
    }
}

/// The members of a line that most lines have.
#[derive(Default)]
struct Record<'a> {
    kind: String,
    connection: Option<String>,
    offset: Option<&'a [u8]>,
    event: Option<&'a [u8]>,
    /// One of these that is there more than once.
    twice: Option<&'static str>,
}

impl<'a> Record<'a> {
    fn of(text: &'a [u8]) -> Self {
        let mut record = Self::default();
        let (mut kinds, mut names, mut events) = (0, 0, 0);
        for member in json::members(text) {
            match &*member.key {
                b"kind" => {
                    kinds += 1;
                    record.kind = owned(member.value).unwrap_or_default();
                }
                b"connId" => {
                    names += 1;
                    record.connection = owned(member.value);
                }
                b"tMs" => record.offset = Some(member.value),
                b"event" => {
                    events += 1;
                    record.event = Some(member.value);
                }
                _ => {}
            }
        }
        let counted = [("kind", kinds), ("connId", names), ("event", events)];
        record.twice = counted.iter().find(|(_, count)| *count > 1).map(|(name, _)| *name);
        record
    }
}

fn owned(token: &[u8]) -> Option<String> {
    json::string_value(token).map(|text| String::from_utf8_lossy(&text).into_owned())
}

fn text_of(text: &[u8], name: &str) -> Option<String> {
    json::member(text, name).and_then(owned)
}

fn number(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
