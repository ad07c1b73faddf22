//! Sessions of agui-inspector, version 0 (facts/agui §4.6).

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::har_entry::run_input;
use super::lines::Lines;
use super::outbox::{Outbox, Place, twice};
use super::sse::SseParser;
use super::window::Window;
use super::{Connection, Content, Frames, ReadError, codes, http, protobuf};
use crate::finding::Finding;
use crate::frame::{Arrival, Body, Frame, Malformed};
use crate::json;
use crate::json::cursor::{Cursor, Element, Entry, Raw};
use crate::limits::{MAX_EXCERPT_BYTES, MAX_FRAME_BYTES};

/// Reads exchanges and their frames.
pub(super) struct Inspector {
    cursor: Cursor,
    out: Outbox,
    /// Exchanges by id, with what was met of their frames.
    exchanges: HashMap<Vec<u8>, Exchange>,
    state: State,
}

#[derive(Debug, Default)]
struct Exchange {
    connection: Option<u32>,
    description: Connection,
    last_index: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Root,
    Session,
    Exchanges,
    Frames,
    Done,
}

impl Inspector {
    pub(super) fn open(content: Content) -> Self {
        let cursor = Cursor::new(Window::new(content, 0));
        Self { cursor, out: Outbox::default(), exchanges: HashMap::new(), state: State::Start }
    }

    fn step(&mut self) -> Result<(), ReadError> {
        self.state = match self.state {
            State::Start => {
                self.cursor.window().skip_byte_order_mark()?;
                if self.cursor.enter(b'{')? { State::Root } else { State::Done }
            }
            State::Root => match self.cursor.entry(MAX_EXCERPT_BYTES)? {
                Entry::Key(key) if key == b"session" && self.cursor.enter(b'{')? => State::Session,
                Entry::Key(_) | Entry::Junk => self.skip(State::Root)?,
                Entry::End | Entry::Cut => State::Done,
            },
            State::Session => match self.cursor.entry(MAX_EXCERPT_BYTES)? {
                Entry::Key(key) if key == b"exchanges" && self.cursor.enter(b'[')? => {
                    State::Exchanges
                }
                Entry::Key(key) if key == b"frames" && self.cursor.enter(b'[')? => State::Frames,
                Entry::Key(_) | Entry::Junk => self.skip(State::Session)?,
                Entry::End | Entry::Cut => State::Root,
            },
            list @ (State::Exchanges | State::Frames) => match self.cursor.element()? {
                Element::Value => {
                    let raw = self.cursor.value(MAX_FRAME_BYTES)?;
                    if list == State::Frames {
                        self.frame(raw);
                    } else {
                        self.exchange(raw);
                    }
                    list
                }
                Element::End | Element::Cut => State::Session,
            },
            State::Done => State::Done,
        };
        Ok(())
    }

    fn skip(&mut self, state: State) -> Result<State, ReadError> {
        self.cursor.skip()?;
        Ok(state)
    }

    fn exchange(&mut self, raw: Raw) {
        if let Some(why) = raw.fault() {
            let connection = self.connection(b"");
            return self.out.malformed(Place::new(raw.at, connection), raw.bytes, why);
        }
        let members: Vec<json::Member<'_>> = json::members(&raw.bytes).collect();
        if let Some(name) = ASKED.into_iter().find(|name| is_twice(&members, name)) {
            let connection = self.connection(b"");
            let place = Place::new(raw.at, connection);
            return self.out.malformed(place, raw.bytes.clone(), twice(name));
        }
        let text = |name| json::member(&raw.bytes, name).and_then(json::string_value);
        let owned = |name| text(name).map(|text| String::from_utf8_lossy(&text).into_owned());
        let id = text("id").unwrap_or_default().into_owned();
        let url = text("path").map(|path| http::bare_url(&path).0);
        let started_at = json::member(&raw.bytes, "startedAt").map(|time| {
            let time = json::string_value(time).unwrap_or(time.into());
            String::from_utf8_lossy(&time).into_owned()
        });
        let exchange = self.exchanges.entry(id.clone()).or_default();
        exchange.description = Connection {
            name: String::from_utf8_lossy(&id).into_owned(),
            url: url.map(|url| String::from_utf8_lossy(&url).into_owned()),
            method: owned("method"),
            status: json::member(&raw.bytes, "status").and_then(number),
            started_at,
            transport: owned("encoding").or_else(|| Some("sse".to_owned())),
            ..Connection::default()
        };
        if let Some(index) = exchange.connection
            && let Some(connection) = self.out.connections.get_mut(index as usize)
        {
            connection.clone_from(&exchange.description);
        }
        let request = text("requestBody").or_else(|| {
            json::member(&raw.bytes, "requestBodyJson").map(std::borrow::Cow::Borrowed)
        });
        if let Some(input) = request.as_deref().and_then(run_input) {
            let connection = self.connection(&id);
            self.out.push(Place::new(raw.at.clone(), connection), Body::Request(input.to_vec()));
        }
        let frames = json::member(&raw.bytes, "frameIds").unwrap_or_default();
        if json::elements(frames).next().is_none()
            && let Some(reply) = text("responseBody")
            && super::detect::is_event_stream(&reply)
        {
            self.reply(&reply, &id, &raw);
        }
    }

    /// A reply that was not taken apart into frames.
    fn reply(&mut self, reply: &[u8], id: &[u8], raw: &Raw) {
        let mut parser = SseParser::new(self.connection(id));
        let mut lines = Lines::default();
        let mut at = 0;
        while at < reply.len() {
            let (taken, line) = lines.split(&reply[at..], 0);
            if let Some(mut line) = line {
                line.at = raw.at.clone();
                parser.line(line, &mut self.out);
            }
            at += taken;
        }
        if let Some(mut line) = lines.finish() {
            line.at = raw.at.clone();
            parser.line(line, &mut self.out);
        }
        parser.finish(&mut self.out);
    }

    fn frame(&mut self, raw: Raw) {
        let members: Vec<json::Member<'_>> = json::members(&raw.bytes).collect();
        let value = |name: &str| {
            members.iter().find(|member| *member.key == *name.as_bytes()).map(|member| member.value)
        };
        let text = |name| value(name).and_then(json::string_value);
        let id = text("exchangeId").unwrap_or_default();
        let connection = self.connection(&id);
        let mut place = Place::new(raw.at.clone(), connection);
        if let Some(why) = raw.fault() {
            return self.out.malformed(place, raw.bytes, why);
        }
        if let Some(name) = TOLD.into_iter().find(|name| is_twice(&members, name)) {
            return self.out.malformed(place, raw.bytes.clone(), twice(name));
        }
        self.check_order(&id, value("index").and_then(number), &raw);
        place.arrival = value("offsetMs").and_then(number).map(Arrival::OffsetMillis);
        let data = text("data");
        if let (None, Some(bytes)) = (&data, text("bytes")) {
            return match STANDARD.decode(&*bytes) {
                Ok(bytes) => protobuf::frames_in(&bytes, &place, &mut self.out),
                Err(error) => {
                    let why = Malformed::NotProtobuf(format!("not base64: {error}"));
                    self.out.malformed(place, bytes.into_owned(), why);
                }
            };
        }
        let envelope = text("envelope").unwrap_or_default();
        match (text("classification").as_deref(), data) {
            (Some(b"partial"), data) => {
                let bytes = data.unwrap_or(envelope).into_owned();
                self.out.malformed(place, bytes, Malformed::Truncated);
            }
            (_, Some(data)) => {
                place.name = envelope
                    .split(|&byte| byte == b'\n' || byte == b'\r')
                    .find_map(|line| line.strip_prefix(b"event:"))
                    .map(|name| name.trim_ascii().to_vec());
                self.out.text(data.into_owned(), place, None);
            }
            (_, None) => {
                let body = match envelope.strip_prefix(b":") {
                    Some(comment) => Body::KeepAlive(comment.trim_ascii().to_vec()),
                    None => Body::Note(envelope.into_owned()),
                };
                self.out.push(place, body);
            }
        }
    }

    fn check_order(&mut self, id: &[u8], index: Option<u64>, raw: &Raw) {
        let Some(exchange) = self.exchanges.get_mut(id) else { return };
        if index < exchange.last_index {
            self.out.find(&codes::OUT_OF_ORDER, &raw.at, String::new());
        }
        exchange.last_index = exchange.last_index.max(index);
    }

    /// The connection of an exchange, opened with its first frame.
    fn connection(&mut self, id: &[u8]) -> u32 {
        let offset = self.cursor.window().offset();
        let exchange = self.exchanges.entry(id.to_vec()).or_default();
        *exchange.connection.get_or_insert_with(|| {
            if exchange.description.name.is_empty() {
                exchange.description.name = String::from_utf8_lossy(id).into_owned();
            }
            self.out.connect(exchange.description.clone(), &(offset..offset))
        })
    }
}

/// Members that say what a frame holds and whose it is.
const TOLD: [&str; 6] = ["exchangeId", "data", "bytes", "envelope", "classification", "index"];

/// Members that say what an exchange holds.
const ASKED: [&str; 5] = ["id", "requestBody", "requestBodyJson", "responseBody", "frameIds"];

fn is_twice(members: &[json::Member<'_>], name: &str) -> bool {
    members.iter().filter(|member| *member.key == *name.as_bytes()).nth(1).is_some()
}

fn number<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

impl Frames for Inspector {
    fn next_frame(&mut self) -> Result<Option<Frame>, ReadError> {
        while self.out.is_empty() && self.state != State::Done {
            self.step()?;
        }
        Ok(self.out.next())
    }

    fn connections(&self) -> &[Connection] {
        &self.out.connections
    }

    fn take_findings(&mut self) -> Vec<Finding> {
        self.out.take_findings()
    }
}
