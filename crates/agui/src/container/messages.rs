//! Messages without events (facts/agui §4.7, §4.13): whether they had citations is unknown.

use super::outbox::{Outbox, Place};
use super::window::Window;
use super::{Connection, Content, Frames, MessagesShape, ReadError};
use crate::finding::Finding;
use crate::frame::{Body, Frame, Malformed};
use crate::json;
use crate::json::cursor::{Cursor, Entry, Raw};
use crate::limits::{MAX_EXCERPT_BYTES, MAX_FRAME_BYTES};

/// Reads the one list, request or snapshot.
pub(super) struct Messages {
    cursor: Cursor,
    out: Outbox,
    shape: MessagesShape,
    done: bool,
}

impl Messages {
    pub(super) fn open(content: Content, shape: MessagesShape) -> Self {
        let connection = Connection { citations_unknown: true, ..Connection::default() };
        let cursor = Cursor::new(Window::new(content, 0));
        Self { cursor, out: Outbox::single(connection), shape, done: false }
    }

    fn read(&mut self) -> Result<(), ReadError> {
        self.cursor.window().skip_byte_order_mark()?;
        if self.shape != MessagesShape::Object {
            let raw = self.cursor.value(MAX_FRAME_BYTES)?;
            self.hand_on(raw);
            return Ok(());
        }
        self.cursor.enter(b'{')?;
        loop {
            match self.cursor.entry(MAX_EXCERPT_BYTES)? {
                Entry::Key(key) if key == b"messages" && self.cursor.peek()? == Some(b'[') => {
                    let raw = self.cursor.value(MAX_FRAME_BYTES)?;
                    self.hand_on(raw);
                }
                Entry::Key(_) | Entry::Junk => self.cursor.skip()?,
                Entry::End | Entry::Cut => return Ok(()),
            }
        }
    }

    fn hand_on(&mut self, raw: Raw) {
        let place = Place::new(raw.at.clone(), 0);
        if self.shape == MessagesShape::Snapshot {
            return self.out.element(raw, 0, None);
        }
        let checked = json::check(&raw.bytes);
        let why = match (raw.fault(), checked) {
            (Some(why), _) => why,
            (None, Err(json::Fault::TooDeep)) => Malformed::TooDeep,
            (None, Err(fault)) => Malformed::NotJson(fault.to_string()),
            (None, Ok(checked)) => {
                if checked.not_a_number {
                    self.out.find(&super::codes::NOT_A_NUMBER, &raw.at, String::new());
                }
                let body = if self.shape == MessagesShape::Input {
                    Body::Request(raw.bytes)
                } else {
                    Body::Messages(raw.bytes)
                };
                return self.out.push(place, body);
            }
        };
        self.out.malformed(place, raw.bytes, why);
    }
}

impl Frames for Messages {
    fn next_frame(&mut self) -> Result<Option<Frame>, ReadError> {
        if !std::mem::replace(&mut self.done, true) {
            self.read()?;
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
