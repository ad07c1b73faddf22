//! A JSON array of events (facts/agui §4.1), also several one after the other.

use super::outbox::Outbox;
use super::window::Window;
use super::{Connection, Content, Frames, ReadError, Wrapper};
use crate::finding::Finding;
use crate::frame::Frame;
use crate::json::cursor::{Cursor, Element};
use crate::limits::MAX_FRAME_BYTES;

/// Reads the elements one by one.
pub(super) struct JsonArray {
    cursor: Cursor,
    out: Outbox,
    wrapper: Option<Wrapper>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the first byte.
    Start,
    /// In the array, or behind it: what follows is read like elements of it.
    Elements {
        closed: bool,
    },
    Done,
}

impl JsonArray {
    pub(super) fn open(content: Content, wrapper: Option<Wrapper>) -> Self {
        Self::resume(content, 0, vec![Connection::default()], wrapper)
    }

    /// From the first byte of an element on.
    pub(super) fn resume(
        content: Content,
        offset: u64,
        known: Vec<Connection>,
        wrapper: Option<Wrapper>,
    ) -> Self {
        let state = if offset == 0 { State::Start } else { State::Elements { closed: false } };
        let cursor = Cursor::new(Window::new(content, offset));
        Self { cursor, out: Outbox::resumed(known), wrapper, state }
    }

    fn step(&mut self) -> Result<(), ReadError> {
        self.state = match self.state {
            State::Start => {
                self.cursor.window().skip_byte_order_mark()?;
                self.cursor.enter(b'[')?;
                State::Elements { closed: false }
            }
            State::Elements { closed } => match self.cursor.element()? {
                Element::Value => {
                    let raw = self.cursor.value(MAX_FRAME_BYTES)?;
                    self.out.element_or_list(raw, 0, self.wrapper);
                    State::Elements { closed }
                }
                Element::End => State::Elements { closed: true },
                Element::Cut => {
                    if !closed {
                        self.out.broken(self.cursor.window().offset());
                    }
                    State::Done
                }
            },
            State::Done => State::Done,
        };
        Ok(())
    }
}

impl Frames for JsonArray {
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
