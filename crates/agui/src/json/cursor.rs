//! Reads a JSON text from its beginning to its end without holding more of it than one value.

use std::io::{self, Write};
use std::ops::Range;

use super::{Scan, ValueScan, is_space, unescape};
use crate::container::window::Window;
use crate::frame::Malformed;

/// A place in a JSON text that comes in as a stream.
pub(crate) struct Cursor {
    window: Window,
}

/// A value as it stands in the text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Raw {
    /// Its bytes; when it is [`Whole::TooLong`], its beginning only.
    pub(crate) bytes: Vec<u8>,
    /// Where it stands in the content.
    pub(crate) at: Range<u64>,
    /// Whether it is all there.
    pub(crate) whole: Whole,
}

/// Whether a value is all there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whole {
    Yes,
    /// The text ends inside it.
    Cut,
    /// Longer than the limit asked for.
    TooLong,
    /// Nested deeper than the limit.
    TooDeep,
}

impl Raw {
    /// Why the value cannot be taken, when it cannot.
    pub(crate) fn fault(&self) -> Option<Malformed> {
        match self.whole {
            Whole::Yes => None,
            Whole::Cut => Some(Malformed::Truncated),
            Whole::TooLong => Some(Malformed::TooLong),
            Whole::TooDeep => Some(Malformed::TooDeep),
        }
    }
}

/// What comes next in an array.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// A value begins here.
    Value,
    /// The array ended.
    End,
    /// The text ended before the array did.
    Cut,
}

/// What comes next in an object.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A member of this name; its value begins here.
    Key(Vec<u8>),
    /// Something that is no member name; to be taken as a value.
    Junk,
    /// The object ended.
    End,
    /// The text ended before the object did.
    Cut,
}

impl Cursor {
    pub(crate) fn new(window: Window) -> Self {
        Self { window }
    }

    /// The bytes under the cursor.
    pub(crate) fn window(&mut self) -> &mut Window {
        &mut self.window
    }

    /// Goes to the next byte that is no white space and gives it without taking it; `None` at the end.
    pub(crate) fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            let bytes = self.window.available()?;
            let Some(&first) = bytes.first() else { return Ok(None) };
            if !is_space(first) {
                return Ok(Some(first));
            }
            let spaces = bytes.iter().take_while(|&&byte| is_space(byte)).count();
            self.window.consume(spaces);
        }
    }

    /// Takes `bracket` if it comes next.
    pub(crate) fn enter(&mut self, bracket: u8) -> io::Result<bool> {
        let found = self.peek()? == Some(bracket);
        if found {
            self.window.consume(1);
        }
        Ok(found)
    }

    /// Goes to the next element of the array that the cursor is in.
    pub(crate) fn element(&mut self) -> io::Result<Element> {
        loop {
            match self.peek()? {
                None => return Ok(Element::Cut),
                Some(b',') => self.window.consume(1),
                Some(b']') => {
                    self.window.consume(1);
                    return Ok(Element::End);
                }
                Some(_) => return Ok(Element::Value),
            }
        }
    }

    /// Goes to the value of the next member of the object that the cursor is in.
    pub(crate) fn entry(&mut self, key_limit: usize) -> io::Result<Entry> {
        loop {
            match self.peek()? {
                None => return Ok(Entry::Cut),
                Some(b',') => self.window.consume(1),
                Some(b'}') => {
                    self.window.consume(1);
                    return Ok(Entry::End);
                }
                Some(b'"') => {
                    let token = self.value(key_limit)?;
                    if token.whole == Whole::Cut {
                        return Ok(Entry::Cut);
                    }
                    if self.peek()? == Some(b':') {
                        self.window.consume(1);
                        if self.peek()?.is_none() {
                            return Ok(Entry::Cut);
                        }
                    }
                    let inner = token.bytes.get(1..token.bytes.len().saturating_sub(1));
                    return Ok(Entry::Key(unescape(inner.unwrap_or_default()).into_owned()));
                }
                Some(_) => return Ok(Entry::Junk),
            }
        }
    }

    /// Takes the value that begins here, holding no more than `limit` bytes of it.
    pub(crate) fn value(&mut self, limit: usize) -> io::Result<Raw> {
        let mut bytes = Vec::new();
        let mut too_long = false;
        let (at, whole) = self.walk(|piece| {
            let room = limit - bytes.len();
            too_long |= piece.len() > room;
            bytes.extend_from_slice(&piece[..piece.len().min(room)]);
            Ok(())
        })?;
        let whole = if too_long { Whole::TooLong } else { whole };
        if too_long {
            bytes.truncate(crate::limits::MAX_EXCERPT_BYTES.min(limit));
            bytes.shrink_to_fit();
        }
        Ok(Raw { bytes, at, whole })
    }

    /// Takes the value that begins here and lets it go.
    pub(crate) fn skip(&mut self) -> io::Result<()> {
        self.walk(|_| Ok(())).map(|_| ())
    }

    /// Copies the value that begins here to `out`, byte for byte.
    pub(crate) fn copy(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.walk(|piece| out.write_all(piece)).map(|_| ())
    }

    /// Takes the value that begins here, giving its bytes to `each` piece by piece.
    fn walk(
        &mut self,
        mut each: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<(Range<u64>, Whole)> {
        self.peek()?;
        let start = self.window.offset();
        let mut scan = ValueScan::default();
        let whole = loop {
            let bytes = self.window.available()?;
            if bytes.is_empty() {
                break if scan.may_end() { Whole::Yes } else { Whole::Cut };
            }
            let (taken, ended) = match scan.feed(bytes) {
                Scan::More => (bytes.len(), false),
                Scan::End(length) => (length, true),
            };
            each(&bytes[..taken])?;
            self.window.consume(taken);
            if ended {
                break Whole::Yes;
            }
        };
        let whole = if scan.too_deep() { Whole::TooDeep } else { whole };
        Ok((start..self.window.offset(), whole))
    }
}
