//! The bytes of a content as a window that moves forward and knows where it stands.

use std::io::{self, Read};

use super::Content;

/// Bytes held at once while nothing longer is asked for.
const WINDOW_BYTES: usize = 64 << 10;

/// A window on a content.
pub(crate) struct Window {
    content: Content,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    offset: u64,
    /// Bytes that were gone over since they were last taken, when they are kept.
    passed: Option<Vec<u8>>,
}

impl Window {
    /// A window whose first byte is byte `offset` of the content.
    pub(crate) fn new(content: Content, offset: u64) -> Self {
        Self { content, buffer: vec![0; WINDOW_BYTES], start: 0, end: 0, offset, passed: None }
    }

    /// Bytes from here on; empty only at the end of the content.
    pub(crate) fn available(&mut self) -> io::Result<&[u8]> {
        self.at_least(1)
    }

    /// At least `count` bytes from here on, or all that are left. `count` is at most [`WINDOW_BYTES`].
    pub(crate) fn at_least(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.end - self.start < count {
            if self.start > 0 {
                self.buffer.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.start = 0;
            }
            match self.content.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// From now on keeps the bytes it goes over, or no longer; gives those kept so far.
    pub(crate) fn keep_passed(&mut self, keep: bool) -> Vec<u8> {
        std::mem::replace(&mut self.passed, keep.then(Vec::new)).unwrap_or_default()
    }

    /// Goes `count` bytes on; no more than [`Self::available`] gave.
    pub(crate) fn consume(&mut self, count: usize) {
        if let Some(passed) = &mut self.passed {
            passed.extend_from_slice(&self.buffer[self.start..self.start + count]);
        }
        self.start += count;
        self.offset += count as u64;
    }

    /// Where the window stands in the content.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Goes over a UTF-8 byte order mark.
    pub(crate) fn skip_byte_order_mark(&mut self) -> io::Result<()> {
        if self.at_least(3)?.starts_with(b"\xef\xbb\xbf") {
            self.consume(3);
        }
        Ok(())
    }
}
