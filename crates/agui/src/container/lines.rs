//! Lines that end with LF, CRLF or CR, over any cut of the bytes.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use memchr::memchr2;

use super::window::Window;
use crate::json::{self, CodePoint};
use crate::limits::{MAX_EXCERPT_BYTES, MAX_FRAME_BYTES};

/// Longest line held: a frame and its field name.
const MAX_LINE_BYTES: usize = MAX_FRAME_BYTES + 64;

/// One line without its line end.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// Its bytes; of a line that is too long, the beginning.
    pub(super) text: Cow<'a, [u8]>,
    /// Where it stands in the content.
    pub(super) at: Range<u64>,
    /// Longer than is held.
    pub(super) too_long: bool,
    /// The content ends behind it without a line end.
    pub(super) last: bool,
}

/// Puts lines together from pieces.
#[derive(Debug, Default)]
pub(super) struct Lines {
    held: Vec<u8>,
    /// Where the held line begins and ends so far, when one is held.
    begun: Option<Range<u64>>,
    too_long: bool,
    after_return: bool,
}

impl Lines {
    /// Takes bytes from the front of `bytes`, which stand at `offset`, up to the end of one line: how many,
    /// and the line when it is complete.
    pub(super) fn split<'a>(&mut self, bytes: &'a [u8], offset: u64) -> (usize, Option<Line<'a>>) {
        let from = usize::from(self.after_return && bytes.first() == Some(&b'\n'));
        if !bytes.is_empty() {
            self.after_return = false;
        }
        let rest = &bytes[from..];
        let start = offset + from as u64;
        let Some(end) = memchr2(b'\n', b'\r', rest) else {
            if !rest.is_empty() {
                self.hold(rest, start..start + rest.len() as u64);
            }
            return (bytes.len(), None);
        };
        self.after_return = rest[end] == b'\r';
        let at = start..start + end as u64;
        let line = if self.begun.is_some() {
            self.hold(&rest[..end], at);
            self.take(false)
        } else {
            Some(Line { text: Cow::Borrowed(&rest[..end]), at, too_long: false, last: false })
        };
        (from + end + 1, line)
    }

    /// Takes one character that stands at `at` in another form, such as an escape.
    pub(super) fn escaped(&mut self, code: CodePoint, at: Range<u64>) -> Option<Line<'static>> {
        let after_return = std::mem::take(&mut self.after_return);
        match code.char() {
            Some('\n') if after_return => None,
            Some(end @ ('\n' | '\r')) => {
                self.after_return = end == '\r';
                self.hold(&[], at.start..at.start);
                self.take(false)
            }
            _ => {
                let mut resolved = Vec::with_capacity(code.len());
                code.push(&mut resolved);
                self.hold(&resolved, at);
                None
            }
        }
    }

    /// The line that has no line end, once all bytes were given.
    pub(super) fn finish(&mut self) -> Option<Line<'static>> {
        self.take(true)
    }

    fn hold(&mut self, bytes: &[u8], at: Range<u64>) {
        let room = MAX_LINE_BYTES - self.held.len();
        self.too_long |= bytes.len() > room;
        self.held.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.begun.get_or_insert_with(|| at.clone()).end = at.end;
    }

    fn take(&mut self, last: bool) -> Option<Line<'static>> {
        let at = self.begun.take()?;
        let mut text = std::mem::take(&mut self.held);
        let too_long = std::mem::take(&mut self.too_long);
        if too_long {
            text.truncate(MAX_EXCERPT_BYTES);
            text.shrink_to_fit();
        }
        Some(Line { text: Cow::Owned(text), at, too_long, last })
    }
}

/// A line without the byte order mark that it may begin with: the first of a content, or of one that was put
/// behind another.
pub(super) fn without_byte_order_mark(
    text: Cow<'_, [u8]>,
    at: Range<u64>,
) -> (Cow<'_, [u8]>, Range<u64>) {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if !text.starts_with(MARK) {
        return (text, at);
    }
    let text = match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[MARK.len()..]),
        Cow::Owned(mut text) => {
            text.drain(..MARK.len());
            Cow::Owned(text)
        }
    };
    (text, at.start + MARK.len() as u64..at.end)
}

/// The lines of a content.
pub(super) struct LineReader {
    window: Window,
    lines: Lines,
}

impl LineReader {
    pub(super) fn new(window: Window) -> Self {
        Self { window, lines: Lines::default() }
    }

    /// Goes over empty lines at once: a file may have millions.
    pub(super) fn skip_empty(&mut self) -> io::Result<()> {
        while self.lines.begun.is_none() {
            let bytes = self.window.available()?;
            let empty = bytes.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
            if empty == 0 {
                break;
            }
            self.lines.after_return = false;
            self.window.consume(empty);
        }
        Ok(())
    }

    /// Gives the next line to `take`; `None` at the end of the content.
    pub(super) fn next<T>(&mut self, take: impl FnOnce(Line<'_>) -> T) -> io::Result<Option<T>> {
        loop {
            let offset = self.window.offset();
            let bytes = self.window.available()?;
            if bytes.is_empty() {
                return Ok(self.lines.finish().map(take));
            }
            let (taken, line) = self.lines.split(bytes, offset);
            if let Some(line) = line {
                let result = take(line);
                self.window.consume(taken);
                return Ok(Some(result));
            }
            self.window.consume(taken);
        }
    }

    /// The bytes behind the last line and its line end.
    pub(super) fn window(&mut self) -> io::Result<&mut Window> {
        if self.lines.after_return && self.window.available()?.first() == Some(&b'\n') {
            self.lines.after_return = false;
            self.window.consume(1);
        }
        Ok(&mut self.window)
    }

    /// Gives the next line of the `count` bytes that come next; `None` when they are used up, with how many
    /// are left.
    pub(super) fn next_within<T>(
        &mut self,
        count: &mut u64,
        take: impl FnOnce(Line<'_>) -> T,
    ) -> io::Result<Option<T>> {
        while *count > 0 {
            let offset = self.window.offset();
            let bytes = self.window.available()?;
            if bytes.is_empty() {
                *count = 0;
                break;
            }
            let part = &bytes[..bytes.len().min(usize::try_from(*count).unwrap_or(usize::MAX))];
            let (taken, line) = self.lines.split(part, offset);
            *count -= taken as u64;
            if let Some(line) = line {
                let result = take(line);
                self.window.consume(taken);
                return Ok(Some(result));
            }
            self.window.consume(taken);
        }
        Ok(None)
    }
}

/// The lines of a text that stands in a JSON string.
#[derive(Debug, Default)]
pub(super) struct StringLines {
    lines: Lines,
    /// Bytes of the text so far, escapes resolved.
    pub(super) length: u64,
    ended: bool,
}

impl StringLines {
    /// Gives the next line to `take`; `None` behind the closing quote or at the end of the content. The
    /// window stands behind the opening quote at first.
    pub(super) fn next<T>(
        &mut self,
        window: &mut Window,
        take: impl FnOnce(Line<'_>) -> T,
    ) -> io::Result<Option<T>> {
        while !self.ended {
            let offset = window.offset();
            // An escape with its surrogate partner is 12 bytes long.
            let bytes = window.at_least(12)?;
            let (taken, piece) = json::string_piece(bytes, bytes.len() < 12);
            let (taken, line) = match piece {
                json::Piece::Run(run) => {
                    let (taken, line) = self.lines.split(run, offset);
                    self.length += taken as u64;
                    (taken, line)
                }
                json::Piece::Escaped(code) => {
                    self.length += code.len() as u64;
                    (taken, self.lines.escaped(code, offset..offset + taken as u64))
                }
                json::Piece::End => {
                    self.ended = true;
                    (taken, None)
                }
                json::Piece::NeedMore => {
                    self.ended = true;
                    (bytes.len(), None)
                }
            };
            self.ended |= bytes.is_empty();
            if let Some(line) = line {
                let result = take(line);
                window.consume(taken);
                return Ok(Some(result));
            }
            window.consume(taken);
        }
        Ok(self.lines.finish().map(take))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&[u8]]) -> Vec<(String, Range<u64>)> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        let mut keep = |line: Line<'_>| {
            found.push((String::from_utf8_lossy(&line.text).into_owned(), line.at));
        };
        let mut offset = 0;
        for piece in pieces {
            let mut at = 0;
            while at < piece.len() {
                let (taken, line) = lines.split(&piece[at..], offset + at as u64);
                line.into_iter().for_each(&mut keep);
                at += taken;
            }
            offset += piece.len() as u64;
        }
        lines.finish().into_iter().for_each(&mut keep);
        found
    }

    #[test]
    fn every_line_end_counts_once_however_the_bytes_are_cut() {
        let text = b"a\nbc\r\n\rd\r\n\r\ne";
        let whole = lines(&[text]);
        let texts: Vec<_> = whole.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, ["a", "bc", "", "d", "", "e"]);
        assert_eq!(whole[3].1, 7..8);
        let single: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(lines(&single), whole);
    }
}
