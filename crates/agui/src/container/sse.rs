//! Server-sent events as they were captured (facts/agui §2.3, §4.3).

use std::collections::VecDeque;
use std::ops::Range;

use super::lines::{Line, LineReader, without_byte_order_mark};
use super::outbox::{Outbox, Place};
use super::window::Window;
use super::{Connection, Content, Frames, ReadError, http};
use crate::finding::Finding;
use crate::frame::{Arrival, Body, Frame, Malformed};
use crate::limits::{MAX_EXCERPT_BYTES, MAX_FRAME_BYTES};

/// Reads a capture: with or without header block, chunk sizes and a final blank line.
pub(super) struct Sse {
    lines: LineReader,
    parser: SseParser,
    out: Outbox,
    chunk: Chunk,
}

/// Where the reader stands in a body that still has its chunk sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chunk {
    /// There are none, or no more.
    None,
    /// A header block comes first.
    Header,
    /// A line with the next chunk's size is due.
    Size,
    /// In a chunk, with what is left of it.
    Data(u64),
}

impl Sse {
    pub(super) fn open(content: Content, chunked: bool) -> Self {
        let connection = Connection { transport: Some("sse".to_owned()), ..Connection::default() };
        let mut sse = Self::resume(content, 0, vec![connection]);
        if chunked {
            sse.chunk = Chunk::Header;
        }
        sse
    }

    pub(super) fn resume(content: Content, offset: u64, known: Vec<Connection>) -> Self {
        let last = u32::try_from(known.len().saturating_sub(1)).unwrap_or(u32::MAX);
        Self {
            lines: LineReader::new(Window::new(content, offset)),
            parser: SseParser { events: offset > 0, ..SseParser::new(last) },
            out: Outbox::resumed(known),
            chunk: Chunk::None,
        }
    }

    /// Reads one line or chunk size; whether there was one.
    fn step(&mut self) -> Result<bool, ReadError> {
        let (parser, out) = (&mut self.parser, &mut self.out);
        match self.chunk {
            Chunk::None => {
                if parser.is_between() {
                    self.lines.skip_empty()?;
                }
                Ok(self.lines.next(|line| parser.line(line, out))?.is_some())
            }
            Chunk::Header => {
                let starts = self.lines.window()?.at_least(5)?.starts_with(b"HTTP/");
                if starts || parser.in_header() {
                    return Ok(self.lines.next(|line| parser.line(line, out))?.is_some());
                }
                self.chunk = Chunk::Size;
                Ok(true)
            }
            Chunk::Size => {
                let window = self.lines.window()?;
                let bytes = window.at_least(MAX_SIZE_LINE)?;
                (self.chunk, _) = match chunk_size(bytes) {
                    Some((length, 0)) => (Chunk::None, window.consume(length)),
                    Some((length, size)) => (Chunk::Data(size), window.consume(length)),
                    // Not a size after all: what is left is read as it stands.
                    None => (Chunk::None, ()),
                };
                Ok(true)
            }
            Chunk::Data(mut left) => {
                let read = self.lines.next_within(&mut left, |line| parser.line(line, out))?;
                self.chunk = Chunk::Data(left);
                if read.is_none() {
                    let window = self.lines.window()?;
                    let end = window.at_least(2)?;
                    let length = if end.starts_with(b"\r\n") {
                        2
                    } else {
                        usize::from(end.starts_with(b"\n"))
                    };
                    window.consume(length);
                    self.chunk = Chunk::Size;
                }
                Ok(true)
            }
        }
    }
}

impl Frames for Sse {
    fn next_frame(&mut self) -> Result<Option<Frame>, ReadError> {
        loop {
            if let Some(frame) = self.out.next() {
                return Ok(Some(frame));
            }
            if !self.step()? {
                self.parser.finish(&mut self.out);
                return Ok(self.out.next());
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

/// Comments and unknown lines inside of one frame that are handed on.
const MAX_INSIDE: usize = 4096;

/// Longest line that states a chunk's size.
const MAX_SIZE_LINE: usize = 256;

/// Length of the line with a chunk's size at the front of `bytes`, and the size.
pub(super) fn chunk_size(bytes: &[u8]) -> Option<(usize, u64)> {
    let end = memchr::memchr(b'\n', &bytes[..bytes.len().min(MAX_SIZE_LINE)])?;
    let line = bytes[..end].trim_ascii_end();
    let digits = line.split(|&byte| byte == b';').next()?.trim_ascii_end();
    if digits.is_empty() || digits.len() > 8 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    Some((end + 1, u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?))
}

/// Makes frames out of the lines of an event stream.
#[derive(Debug, Default)]
pub(super) struct SseParser {
    connection: u32,
    /// The range of the open frame.
    open: Option<Range<u64>>,
    data: Option<Vec<u8>>,
    too_long: bool,
    name: Option<Vec<u8>>,
    /// Lines of the open frame that are no data, for a frame without any.
    fields: Vec<u8>,
    /// Comments and unknown lines inside the open frame.
    inside: Vec<Body>,
    header: Option<(Vec<u8>, Range<u64>)>,
    /// Data was seen on this connection.
    pub(super) events: bool,
    /// When each event arrived, with its data, as far as somebody else wrote it down.
    pub(super) times: VecDeque<(i64, Vec<u8>)>,
}

impl SseParser {
    pub(super) fn new(connection: u32) -> Self {
        Self { connection, ..Self::default() }
    }

    fn in_header(&self) -> bool {
        self.header.is_some()
    }

    /// Whether neither a frame nor a header block is open, so that empty lines say nothing.
    fn is_between(&self) -> bool {
        self.open.is_none() && self.header.is_none()
    }

    /// Takes one line.
    pub(super) fn line(&mut self, line: Line<'_>, out: &mut Outbox) {
        let Line { text, at, too_long, .. } = line;
        // Inside of a stream it would be part of a field's name.
        let (text, at) = if at.start == 0 { without_byte_order_mark(text, at) } else { (text, at) };
        if self.header.is_some() && http::is_stream_line(&text) {
            self.end_header(out);
        }
        if self.header.is_some() {
            return self.header_line(&text, at, out);
        }
        if text.is_empty() {
            return self.dispatch(false, out);
        }
        if http::status_line(&text).is_some() || http::is_request_line(&text) {
            self.dispatch(false, out);
            return self.header_line(&text, at, out);
        }
        let colon = memchr::memchr(b':', &text);
        let value = colon.map_or(text.len(), |colon| {
            colon + 1 + usize::from(text.get(colon + 1) == Some(&b' '))
        });
        match &text[..colon.unwrap_or(text.len())] {
            b"data" => {
                self.extend(at);
                self.add_data(text.into_owned(), value, too_long);
            }
            b"event" => {
                self.extend(at);
                self.name = Some(text[value..].to_vec());
                self.add_field(&text);
            }
            b"id" | b"retry" => {
                self.extend(at);
                self.add_field(&text);
            }
            b"" => self.aside(Body::KeepAlive(text[value..].to_vec()), at, out),
            _ => {
                if let Some(status) = text.strip_prefix(b"< ").and_then(http::status_line) {
                    self.begin_reply(status, &at, out);
                }
                self.aside(Body::Note(text.into_owned()), at, out);
            }
        }
    }

    /// Hands on what is open at the end of the stream.
    pub(super) fn finish(&mut self, out: &mut Outbox) {
        self.end_header(out);
        self.dispatch(true, out);
    }

    fn extend(&mut self, at: Range<u64>) {
        match &mut self.open {
            Some(open) => open.end = at.end,
            None => self.open = Some(at),
        }
    }

    fn add_data(&mut self, mut line: Vec<u8>, value: usize, too_long: bool) {
        let Some(data) = &mut self.data else {
            line.drain(..value);
            self.too_long = too_long;
            self.data = Some(line);
            return;
        };
        if data.len() + line.len() - value > MAX_FRAME_BYTES {
            self.too_long = true;
            data.truncate(MAX_EXCERPT_BYTES);
        } else if !self.too_long {
            self.too_long = too_long;
            data.push(b'\n');
            data.extend_from_slice(&line[value..]);
        }
    }

    fn add_field(&mut self, line: &[u8]) {
        if self.fields.len() < MAX_EXCERPT_BYTES {
            self.fields.extend_from_slice(line);
            self.fields.push(b'\n');
        }
    }

    /// A line that is part of no event: on its own, or inside of an open frame.
    fn aside(&mut self, body: Body, at: Range<u64>, out: &mut Outbox) {
        match &mut self.open {
            Some(open) => {
                open.end = at.end;
                // More are not handed on one by one; their bytes are in the frame's range.
                if self.inside.len() < MAX_INSIDE {
                    self.inside.push(body);
                }
            }
            None => out.push(Place::new(at, self.connection), body),
        }
    }

    fn dispatch(&mut self, last: bool, out: &mut Outbox) {
        let Some(at) = self.open.take() else { return };
        let name = self.name.take();
        let fields = std::mem::take(&mut self.fields);
        let too_long = std::mem::take(&mut self.too_long);
        let mut place = Place::new(at, self.connection);
        for body in self.inside.drain(..) {
            out.push(place.clone(), body);
        }
        let Some(data) = self.data.take() else {
            return out.push(place, Body::Note(fields));
        };
        self.events = true;
        place.name = name;
        place.last = last;
        if let Some((time, expected)) = self.times.pop_front() {
            if expected == data {
                place.arrival = Some(Arrival::UnixMillis(time));
            } else {
                self.times.clear();
            }
        }
        if too_long {
            out.malformed(place, data, Malformed::TooLong);
        } else {
            out.text(data, place, None);
        }
    }

    fn header_line(&mut self, line: &[u8], at: Range<u64>, out: &mut Outbox) {
        if let Some(status) = http::status_line(line) {
            self.begin_reply(status, &at, out);
        } else if let Some((name, value)) = http::header(line)
            && name.eq_ignore_ascii_case(b"server")
            && let Some(connection) = out.connections.get_mut(self.connection as usize)
        {
            connection.service = Some(String::from_utf8_lossy(value).into_owned());
        }
        let (bytes, range) = self.header.get_or_insert_with(|| (Vec::new(), at.clone()));
        range.end = at.end;
        if bytes.len() < MAX_EXCERPT_BYTES {
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
        }
        if line.is_empty() {
            self.end_header(out);
        }
    }

    fn end_header(&mut self, out: &mut Outbox) {
        if let Some((bytes, at)) = self.header.take() {
            out.push(Place::new(at, self.connection), Body::Note(bytes));
        }
    }

    /// A status line: another connection, when the one before had events.
    fn begin_reply(&mut self, status: Option<u16>, at: &Range<u64>, out: &mut Outbox) {
        if std::mem::take(&mut self.events) {
            let next = Connection { transport: Some("sse".to_owned()), ..Connection::default() };
            self.connection = out.connect(next, at);
        }
        if let Some(connection) = out.connections.get_mut(self.connection as usize) {
            connection.status = status;
        }
    }
}
