//! JSON objects one after the other, each over several lines, as `jq` writes them.

use super::outbox::Outbox;
use super::window::Window;
use super::{Connection, Content, Frames, ReadError, Wrapper};
use crate::finding::Finding;
use crate::frame::Frame;
use crate::json::cursor::Cursor;
use crate::limits::MAX_FRAME_BYTES;

/// Reads the values one by one.
pub(super) struct JsonSequence {
    cursor: Cursor,
    out: Outbox,
    wrapper: Option<Wrapper>,
}

impl JsonSequence {
    pub(super) fn open(content: Content, wrapper: Option<Wrapper>) -> Self {
        Self::resume(content, 0, vec![Connection::default()], wrapper)
    }

    pub(super) fn resume(
        content: Content,
        offset: u64,
        known: Vec<Connection>,
        wrapper: Option<Wrapper>,
    ) -> Self {
        let cursor = Cursor::new(Window::new(content, offset));
        Self { cursor, out: Outbox::resumed(known), wrapper }
    }
}

impl Frames for JsonSequence {
    fn next_frame(&mut self) -> Result<Option<Frame>, ReadError> {
        if self.cursor.window().offset() == 0 {
            self.cursor.window().skip_byte_order_mark()?;
        }
        if self.out.is_empty() && self.cursor.peek()?.is_some() {
            let raw = self.cursor.value(MAX_FRAME_BYTES)?;
            self.out.element(raw, 0, self.wrapper);
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
