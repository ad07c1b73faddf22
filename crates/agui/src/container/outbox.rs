//! What a reader found and has not handed on yet.

use std::collections::VecDeque;
use std::ops::Range;

use super::{Connection, Wrapper, codes, names};
use crate::finding::{Code, Finding};
use crate::frame::{Arrival, Body, Frame, Malformed};
use crate::json::{self, Fault, Found, Kind, cursor};
use crate::limits::{MAX_CONNECTIONS, MAX_FRAME_BYTES};

/// Frames, findings and connections of a reader.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    items: VecDeque<Item>,
    findings: Vec<Finding>,
    pub(super) connections: Vec<Connection>,
}

/// What is handed on next.
#[derive(Debug)]
enum Item {
    Frame(Frame),
    /// Events that stand in one text; taken out one by one, since a line may hold millions.
    Parts(Parts),
}

/// Several events in one text.
#[derive(Debug)]
pub(super) struct Parts {
    /// A JSON list, or values one after the other.
    text: Vec<u8>,
    /// How much of it was taken.
    taken: usize,
    /// Where the text stands, when each event has a range of its own; else all have that of `place`.
    pub(super) base: Option<u64>,
    place: Place,
    wrapper: Option<Wrapper>,
}

impl Parts {
    /// The events of `text`; the last one may be cut off when `place` says so.
    pub(super) fn of(text: Vec<u8>, place: Place, wrapper: Option<Wrapper>) -> Self {
        let taken = usize::from(text.starts_with(b"["));
        Self { text, taken, base: None, place, wrapper }
    }

    fn next(&mut self) -> Option<(Vec<u8>, Place)> {
        let at = json::next_value(&self.text, self.taken)?;
        self.taken = at.end;
        let mut place = self.place.clone();
        place.last &= at.end == self.text.len();
        if let Some(base) = self.base {
            place.at = base + at.start as u64..base + at.end as u64;
        }
        Some((self.text[at].to_vec(), place))
    }
}

/// Where a text stands and how it came.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    pub(super) at: Range<u64>,
    pub(super) connection: u32,
    pub(super) arrival: Option<Arrival>,
    /// Type that the container names outside of the text.
    pub(super) name: Option<Vec<u8>>,
    /// The content ends right behind the text, so that it may have been cut off.
    pub(super) last: bool,
}

impl Place {
    pub(super) fn new(at: Range<u64>, connection: u32) -> Self {
        Self { at, connection, ..Self::default() }
    }

    fn frame(self, body: Body) -> Frame {
        let Self { at, connection, arrival, .. } = self;
        Frame { at, connection, arrival, event_name: None, body }
    }
}

impl Outbox {
    /// With the connections of a source of one connection.
    pub(super) fn single(connection: Connection) -> Self {
        Self { connections: vec![connection], ..Self::default() }
    }

    /// With connections that are known from reading an earlier part.
    pub(super) fn resumed(connections: Vec<Connection>) -> Self {
        Self { connections, ..Self::default() }
    }

    pub(super) fn next(&mut self) -> Option<Frame> {
        loop {
            let mut parts = match self.items.pop_front()? {
                Item::Frame(frame) => return Some(frame),
                Item::Parts(parts) => parts,
            };
            if let Some((text, place)) = parts.next() {
                let wrapper = parts.wrapper;
                self.items.push_front(Item::Parts(parts));
                let checked = json::check(&text);
                return Some(self.frame(text, checked, place, wrapper));
            }
        }
    }

    /// Whether nothing waits to be handed on.
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Hands on the events of a text one by one.
    pub(super) fn parts(&mut self, parts: Parts) {
        self.items.push_back(Item::Parts(parts));
    }

    pub(super) fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// Opens a connection; beyond [`MAX_CONNECTIONS`] gives the last one.
    pub(super) fn connect(&mut self, connection: Connection, at: &Range<u64>) -> u32 {
        if self.connections.len() < MAX_CONNECTIONS {
            self.connections.push(connection);
        } else {
            self.find(&codes::TOO_MANY_CONNECTIONS, at, String::new());
        }
        // MAX_CONNECTIONS fits, and there is at least one.
        u32::try_from(self.connections.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn find(&mut self, code: &'static Code, at: &Range<u64>, message: String) {
        let message = if message.is_empty() { code.meaning.to_owned() } else { message };
        self.findings.push(Finding { code, message, event: None, at: Some(at.clone()) });
    }

    pub(super) fn push(&mut self, place: Place, body: Body) {
        self.items.push_back(Item::Frame(place.frame(body)));
    }

    pub(super) fn malformed(&mut self, place: Place, bytes: Vec<u8>, why: Malformed) {
        self.push(place, Body::Malformed { bytes, why });
    }

    /// A value of a JSON container that should be an event.
    pub(super) fn element(&mut self, raw: cursor::Raw, connection: u32, wrapper: Option<Wrapper>) {
        let place = Place::new(raw.at.clone(), connection);
        match raw.fault() {
            None => self.object(raw.bytes, place, wrapper),
            Some(why) => self.malformed(place, raw.bytes, why),
        }
    }

    /// The same, where a list of events may stand in the place of one.
    pub(super) fn element_or_list(
        &mut self,
        raw: cursor::Raw,
        connection: u32,
        wrapper: Option<Wrapper>,
    ) {
        if raw.bytes.starts_with(b"[") && raw.fault().is_none() {
            return self.text(raw.bytes, Place::new(raw.at, connection), wrapper);
        }
        self.element(raw, connection, wrapper);
    }

    /// The JSON text around the events is broken at `offset`.
    pub(super) fn broken(&mut self, offset: u64) {
        self.find(&codes::BROKEN, &(offset..offset), String::new());
    }

    /// A line or the data of an SSE frame: an event, a list of events, several events one after the other,
    /// or the end marker.
    pub(super) fn text(&mut self, mut text: Vec<u8>, place: Place, wrapper: Option<Wrapper>) {
        if text.len() > MAX_FRAME_BYTES {
            text.truncate(crate::limits::MAX_EXCERPT_BYTES);
            text.shrink_to_fit();
            return self.malformed(place, text, Malformed::TooLong);
        }
        let trimmed = json::trim(&text);
        if trimmed == b"[DONE]" {
            return self.push(place, Body::Done);
        }
        if trimmed.len() < text.len() {
            text = trimmed.to_vec();
        }
        let checked = json::check(&text);
        let several = match checked {
            Ok(checked) => checked.kind == Kind::Array && json::elements(&text).next().is_some(),
            Err(Fault::More { .. }) => is_sequence(&text),
            Err(_) => false,
        };
        if several {
            return self.parts(Parts::of(text, place, wrapper));
        }
        let frame = self.frame(text, checked, place, wrapper);
        self.items.push_back(Item::Frame(frame));
    }

    /// A text that should be one event.
    fn object(&mut self, text: Vec<u8>, place: Place, wrapper: Option<Wrapper>) {
        let checked = json::check(&text);
        let frame = self.frame(text, checked, place, wrapper);
        self.items.push_back(Item::Frame(frame));
    }

    fn frame(
        &mut self,
        text: Vec<u8>,
        checked: Result<json::Checked, Fault>,
        place: Place,
        wrapper: Option<Wrapper>,
    ) -> Frame {
        let why = match checked {
            Ok(checked) if checked.kind == Kind::Object => {
                if checked.not_a_number {
                    self.find(&codes::NOT_A_NUMBER, &place.at, String::new());
                }
                return event(text, place, wrapper);
            }
            Ok(_) => Malformed::NotAnObject,
            Err(Fault::TooDeep) => Malformed::TooDeep,
            Err(Fault::Cut) if place.last && !text.is_empty() => Malformed::Truncated,
            Err(fault) => Malformed::NotJson(fault.to_string()),
        };
        place.frame(Body::Malformed { bytes: text, why })
    }
}

fn event(text: Vec<u8>, place: Place, wrapper: Option<Wrapper>) -> Frame {
    let Place { at, connection, mut arrival, name, .. } = place;
    let found = wrapper.map_or(Found::None, |wrapper| json::only_member(&text, wrapper.name()));
    let text = match found {
        Found::Twice => {
            let why = twice(wrapper.map_or("event", Wrapper::name));
            let body = Body::Malformed { bytes: text, why };
            return Frame { at, connection, arrival, event_name: None, body };
        }
        Found::Once(inner) if inner.starts_with(b"{") => {
            arrival = arrival.or_else(|| wrapper_arrival(&text));
            inner.to_vec()
        }
        Found::Once(_) | Found::None => text,
    };
    let event_name = name
        .filter(|name| names::is_event_name(name) && json::member(&text, "type").is_none())
        .map(|name| String::from_utf8_lossy(&name).into_owned());
    Frame { at, connection, arrival, event_name, body: Body::Event(text) }
}

/// A member that holds an event is there twice: readers take one or the other, so neither is read.
pub(super) fn twice(name: &str) -> Malformed {
    Malformed::Ambiguous(format!("the member {name} is there more than once"))
}

impl Wrapper {
    /// Name of the member.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Payload => "payload",
            Self::Data => "data",
        }
    }
}

/// Whether an object names an AG-UI event as its `type`, or is one in protobuf's JSON (facts/agui §1.15).
pub(super) fn has_event_type(text: &[u8]) -> bool {
    let mut members = json::members(text);
    let mut first = None;
    let mut count = 0;
    for member in members.by_ref() {
        if *member.key == *b"type" {
            return json::string_value(member.value)
                .is_some_and(|name| names::is_event_name(&name));
        }
        count += 1;
        first.get_or_insert(member);
    }
    first.is_some_and(|only| {
        count == 1 && only.value.starts_with(b"{") && names::is_event_name(&only.key)
    })
}

/// The time that a wrapper states beside its event, as it stands there.
fn wrapper_arrival(text: &[u8]) -> Option<Arrival> {
    let value =
        ["t", "ts", "time", "timestamp"].iter().find_map(|name| json::member(text, name))?;
    let value = json::string_value(value).unwrap_or(value.into());
    Some(Arrival::Text(String::from_utf8_lossy(&value).into_owned()))
}

/// Whether `text` is several JSON objects one after the other.
fn is_sequence(text: &[u8]) -> bool {
    let mut taken = 0;
    while let Some(at) = json::next_value(text, taken) {
        taken = at.end;
        if !json::check(&text[at]).is_ok_and(|checked| checked.kind == Kind::Object) {
            return false;
        }
    }
    json::trim(&text[taken..]).is_empty()
}
