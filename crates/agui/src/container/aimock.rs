//! aimock fixtures (facts/agui §4.8): each fixture is a connection with one run.

use super::outbox::{Outbox, Parts, Place};
use super::window::Window;
use super::{Connection, Content, Frames, ReadError};
use crate::finding::Finding;
use crate::frame::{Body, Frame, Malformed};
use crate::json;
use crate::json::cursor::{Cursor, Element, Entry, Raw, Whole};
use crate::limits::{MAX_EXCERPT_BYTES, MAX_FRAME_BYTES};

/// Reads one fixture after the other.
pub(super) struct Aimock {
    cursor: Cursor,
    out: Outbox,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    /// In the object that has `fixtures`, or `agui` which has them.
    Object,
    Fixtures,
    Done,
}

impl Aimock {
    pub(super) fn open(content: Content) -> Self {
        let cursor = Cursor::new(Window::new(content, 0));
        Self { cursor, out: Outbox::default(), state: State::Start }
    }

    fn step(&mut self) -> Result<(), ReadError> {
        self.state = match self.state {
            State::Start => {
                self.cursor.window().skip_byte_order_mark()?;
                if self.cursor.enter(b'{')? { State::Object } else { State::Done }
            }
            State::Object => match self.cursor.entry(MAX_EXCERPT_BYTES)? {
                Entry::Key(key) if key == b"fixtures" && self.cursor.enter(b'[')? => {
                    State::Fixtures
                }
                Entry::Key(key) if key == b"agui" && self.cursor.enter(b'{')? => State::Object,
                Entry::Key(_) | Entry::Junk => {
                    self.cursor.skip()?;
                    State::Object
                }
                // Behind the inner object the outer one goes on; nothing in it is read any more.
                Entry::End | Entry::Cut => State::Done,
            },
            State::Fixtures => match self.cursor.element()? {
                Element::Value => {
                    let raw = self.cursor.value(MAX_FRAME_BYTES)?;
                    self.fixture(raw);
                    State::Fixtures
                }
                Element::End => State::Object,
                Element::Cut => State::Done,
            },
            State::Done => State::Done,
        };
        Ok(())
    }

    fn fixture(&mut self, raw: Raw) {
        let index = self.out.connections.len();
        let matched = json::member(&raw.bytes, "match").unwrap_or_default();
        let question = json::member(matched, "message").and_then(json::string_value);
        let events = json::member(&raw.bytes, "events");
        let connection = Connection {
            name: format!("fixture {}", index + 1),
            question: question.map(|text| String::from_utf8_lossy(&text).into_owned()),
            citations_unknown: events.is_none(),
            ..Connection::default()
        };
        let connection = self.out.connect(connection, &raw.at);
        if raw.whole == Whole::TooLong || raw.whole == Whole::TooDeep {
            return self.out.element(raw, connection, None);
        }
        let place = Place::new(raw.at.clone(), connection);
        let mut found = false;
        for member in json::members(&raw.bytes) {
            match &*member.key {
                b"events" => {
                    found |= json::elements(member.value).next().is_some();
                    let place = Place { last: member.cut, ..place.clone() };
                    let mut parts = Parts::of(member.value.to_vec(), place, None);
                    parts.base = Some(raw.at.start + member.at.start as u64);
                    self.out.parts(parts);
                }
                b"text" if member.value.starts_with(b"\"") && !member.cut && events.is_none() => {
                    found = true;
                    let list = [&br#"[{"role":"assistant","content":"#[..], member.value, b"}]"];
                    self.out.push(place.clone(), Body::Messages(list.concat()));
                }
                _ => {}
            }
        }
        if !found {
            let why = if raw.whole == Whole::Cut {
                Malformed::Truncated
            } else {
                Malformed::NotJson("a fixture without events".to_owned())
            };
            self.out.malformed(place, raw.bytes, why);
        }
    }
}

impl Frames for Aimock {
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
