//! JSON objects, one a line (facts/agui §4.2, §4.12, §4.14, §4.15).

use super::lines::LineReader;
use super::outbox::{Outbox, Place};
use super::window::Window;
use super::{Connection, Content, Frames, ReadError, Wrapper};
use crate::finding::Finding;
use crate::frame::{Frame, Malformed};
use crate::json;

/// Reads lines; a line that is no event is a malformed frame and reading goes on.
pub(super) struct Jsonl {
    lines: LineReader,
    out: Outbox,
    wrapper: Option<Wrapper>,
}

impl Jsonl {
    pub(super) fn open(content: Content, wrapper: Option<Wrapper>) -> Self {
        Self::resume(content, 0, vec![Connection::default()], wrapper)
    }

    pub(super) fn resume(
        content: Content,
        offset: u64,
        known: Vec<Connection>,
        wrapper: Option<Wrapper>,
    ) -> Self {
        let lines = LineReader::new(Window::new(content, offset));
        Self { lines, out: Outbox::resumed(known), wrapper }
    }
}

impl Frames for Jsonl {
    fn next_frame(&mut self) -> Result<Option<Frame>, ReadError> {
        loop {
            if let Some(frame) = self.out.next() {
                return Ok(Some(frame));
            }
            self.lines.skip_empty()?;
            let (out, wrapper) = (&mut self.out, self.wrapper);
            let read = self.lines.next(|line| {
                let (text, at) = super::lines::without_byte_order_mark(line.text, line.at);
                if json::trim(&text).is_empty() {
                    return;
                }
                let mut place = Place::new(at, 0);
                place.last = line.last;
                if line.too_long {
                    out.malformed(place, text.into_owned(), Malformed::TooLong);
                } else {
                    out.text(text.into_owned(), place, wrapper);
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
