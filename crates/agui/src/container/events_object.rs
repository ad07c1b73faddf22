//! Objects with lists of events: `{"events":[…]}`, the ambient-code export, and objects whose every member
//! is a list (facts/agui §4.10, §4.11, §4.16).

use super::outbox::Outbox;
use super::window::Window;
use super::{Connection, Content, Frames, ReadError, Wrapper};
use crate::finding::Finding;
use crate::frame::Frame;
use crate::json;
use crate::json::cursor::{Cursor, Element, Entry};
use crate::limits::{MAX_EXCERPT_BYTES, MAX_FRAME_BYTES};

/// Reads the lists of an object.
pub(super) struct EventsObject {
    cursor: Cursor,
    out: Outbox,
    wrapper: Option<Wrapper>,
    lists: Lists,
    connection: u32,
    state: State,
}

/// Which members of the object are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lists {
    /// The one called so.
    Named(&'static str),
    /// Each, as a connection of its own.
    Every,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Object,
    List,
    Done,
}

impl EventsObject {
    pub(super) fn open(content: Content, lists: Lists, wrapper: Option<Wrapper>) -> Self {
        let known = match lists {
            Lists::Named(_) => vec![Connection::default()],
            Lists::Every => Vec::new(),
        };
        Self::new(content, 0, known, lists, wrapper, State::Start)
    }

    /// From the first byte of an element of the list on.
    pub(super) fn resume(
        content: Content,
        offset: u64,
        known: Vec<Connection>,
        lists: Lists,
        wrapper: Option<Wrapper>,
    ) -> Self {
        let state = if offset == 0 { State::Start } else { State::List };
        Self::new(content, offset, known, lists, wrapper, state)
    }

    fn new(
        content: Content,
        offset: u64,
        known: Vec<Connection>,
        lists: Lists,
        wrapper: Option<Wrapper>,
        state: State,
    ) -> Self {
        let cursor = Cursor::new(Window::new(content, offset));
        Self { cursor, out: Outbox::resumed(known), wrapper, lists, connection: 0, state }
    }

    fn step(&mut self) -> Result<(), ReadError> {
        self.state = match self.state {
            State::Start => {
                self.cursor.window().skip_byte_order_mark()?;
                if self.cursor.enter(b'{')? { State::Object } else { State::Done }
            }
            State::Object => match self.cursor.entry(MAX_EXCERPT_BYTES)? {
                Entry::Key(key) => self.member(&key)?,
                Entry::Junk => {
                    let offset = self.cursor.window().offset();
                    self.out.broken(offset);
                    self.cursor.skip()?;
                    State::Object
                }
                Entry::End => State::Done,
                Entry::Cut => self.cut(),
            },
            State::List => match self.cursor.element()? {
                Element::Value => {
                    let raw = self.cursor.value(MAX_FRAME_BYTES)?;
                    self.out.element(raw, self.connection, self.wrapper);
                    State::List
                }
                Element::End => State::Object,
                Element::Cut => self.cut(),
            },
            State::Done => State::Done,
        };
        Ok(())
    }

    fn member(&mut self, key: &[u8]) -> Result<State, ReadError> {
        match self.lists {
            Lists::Named(name) if key == name.as_bytes() => {
                if self.cursor.enter(b'[')? {
                    return Ok(State::List);
                }
            }
            Lists::Every => {
                if self.cursor.enter(b'[')? {
                    let name = String::from_utf8_lossy(key).into_owned();
                    let offset = self.cursor.window().offset();
                    let connection = Connection { name, ..Connection::default() };
                    self.connection = self.out.connect(connection, &(offset..offset));
                    return Ok(State::List);
                }
            }
            Lists::Named(_) if key == b"projectName" => {
                let raw = self.cursor.value(MAX_EXCERPT_BYTES)?;
                if let (Some(connection), Some(name)) =
                    (self.out.connections.first_mut(), json::string_value(&raw.bytes))
                {
                    connection.service = Some(String::from_utf8_lossy(&name).into_owned());
                }
                return Ok(State::Object);
            }
            Lists::Named(_) => {}
        }
        self.cursor.skip()?;
        Ok(State::Object)
    }

    fn cut(&mut self) -> State {
        let offset = self.cursor.window().offset();
        self.out.broken(offset);
        State::Done
    }
}

impl Frames for EventsObject {
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
