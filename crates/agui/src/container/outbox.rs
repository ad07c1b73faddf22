//! What a reader found and has not handed on yet.

use std::collections::VecDeque;
use std::ops::Range;

use super::{Connection, Wrapper, codes, names};
use crate::finding::{Code, Finding};
use crate::frame::{Arrival, Body, Frame, Malformed};
use crate::json::{self, Fault, Kind, cursor};
use crate::limits::{MAX_CONNECTIONS, MAX_FRAME_BYTES};

/// Frames, findings and connections of a reader.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    frames: VecDeque<Frame>,
    findings: Vec<Finding>,
    pub(super) connections: Vec<Connection>,
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
        self.frames.pop_front()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
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
        let Place { at, connection, arrival, .. } = place;
        self.frames.push_back(Frame { at, connection, arrival, event_name: None, body });
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
        match json::check(&text) {
            Ok(checked)
                if checked.kind == Kind::Array && json::elements(&text).next().is_some() =>
            {
                for (element, _) in json::elements(&text) {
                    self.object(element.to_vec(), place.clone(), wrapper);
                }
            }
            Err(Fault::More { .. }) if is_sequence(&text) => {
                for part in sequence(&text) {
                    self.object(part.to_vec(), place.clone(), wrapper);
                }
            }
            checked => self.checked(text, checked, place, wrapper),
        }
    }

    /// A text that should be one event.
    fn object(&mut self, text: Vec<u8>, place: Place, wrapper: Option<Wrapper>) {
        let checked = json::check(&text);
        self.checked(text, checked, place, wrapper);
    }

    fn checked(
        &mut self,
        text: Vec<u8>,
        checked: Result<json::Checked, Fault>,
        place: Place,
        wrapper: Option<Wrapper>,
    ) {
        let why = match checked {
            Ok(checked) if checked.kind == Kind::Object => {
                if checked.not_a_number {
                    self.find(&codes::NOT_A_NUMBER, &place.at, String::new());
                }
                return self.event(text, place, wrapper);
            }
            Ok(_) => Malformed::NotAnObject,
            Err(Fault::TooDeep) => Malformed::TooDeep,
            Err(Fault::Cut) if place.last && !text.is_empty() => Malformed::Truncated,
            Err(fault) => Malformed::NotJson(fault.to_string()),
        };
        self.malformed(place, text, why);
    }

    fn event(&mut self, text: Vec<u8>, place: Place, wrapper: Option<Wrapper>) {
        let Place { at, connection, mut arrival, name, .. } = place;
        let text = match wrapper.and_then(|wrapper| wrapper.inner(&text)) {
            Some(inner) => {
                arrival = arrival.or_else(|| wrapper_arrival(&text));
                inner.to_vec()
            }
            None => text,
        };
        let event_name = name
            .filter(|name| names::is_event_name(name) && json::member(&text, "type").is_none())
            .map(|name| String::from_utf8_lossy(&name).into_owned());
        self.frames.push_back(Frame {
            at,
            connection,
            arrival,
            event_name,
            body: Body::Event(text),
        });
    }
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

    /// The event that `text` wraps.
    fn inner(self, text: &[u8]) -> Option<&[u8]> {
        json::member(text, self.name()).filter(|value| value.starts_with(b"{"))
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
    sequence(text).all(|part| json::check(part).is_ok_and(|checked| checked.kind == Kind::Object))
}

/// The values that stand one after the other in `text`.
fn sequence(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = json::trim(rest);
        let end = match json::ValueScan::default().feed(rest) {
            json::Scan::End(end) => end,
            json::Scan::More => rest.len(),
        };
        let (part, behind) = rest.split_at(end);
        rest = behind;
        (!part.is_empty()).then_some(part)
    })
}
