//! HTTP archives (facts/agui §4.4): each AG-UI entry is a connection, read without holding its reply.

use super::har_entry::{self, Entry, is_binary, is_event_stream};
use super::lines::{Line, Lines, StringLines};
use super::outbox::{Outbox, Place, twice};
use super::sse::SseParser;
use super::window::Window;
use super::{Connection, Content, Frames, ReadError, codes, protobuf};
use crate::finding::Finding;
use crate::frame::{Body, Frame, Malformed};
use crate::json;
use crate::json::cursor::{self, Cursor, Element, Raw, Whole};
use crate::limits::{MAX_EXCERPT_BYTES, MAX_FRAME_BYTES};

/// Reads the entries one after the other.
pub(super) struct Har {
    cursor: Cursor,
    out: Outbox,
    /// The objects and lists that the cursor is in, from the outside to the inside.
    levels: Vec<Level>,
    entry: Entry,
    parser: SseParser,
    started: bool,
    /// The archive breaks off, which was told.
    cut: bool,
}

/// Where in the archive the cursor stands.
#[derive(Debug)]
enum Level {
    Root,
    Log,
    Entries,
    Entry,
    Request,
    PostData,
    Response,
    Content,
    /// In the string that holds a reply.
    Text(StringLines),
}

impl Har {
    pub(super) fn open(content: Content) -> Self {
        Self {
            cursor: Cursor::new(Window::new(content, 0)),
            out: Outbox::default(),
            levels: Vec::new(),
            entry: Entry::default(),
            parser: SseParser::default(),
            started: false,
            cut: false,
        }
    }

    fn step(&mut self) -> Result<(), ReadError> {
        match self.levels.last_mut() {
            Some(Level::Text(lines)) => {
                let (parser, out) = (&mut self.parser, &mut self.out);
                let read = lines.next(self.cursor.window(), |line| parser.line(line, out))?;
                if read.is_none() {
                    parser.finish(out);
                    self.entry.received = Some(lines.length);
                    self.levels.pop();
                }
                Ok(())
            }
            Some(Level::Entries) => match self.cursor.element()? {
                Element::Value if self.cursor.enter(b'{')? => {
                    let at = self.cursor.window().offset() - 1;
                    self.entry = Entry::default();
                    self.entry.at = at..at;
                    self.levels.push(Level::Entry);
                    Ok(())
                }
                Element::Value => Ok(self.cursor.skip()?),
                Element::End => self.leave(),
                Element::Cut => self.leave_cut(),
            },
            Some(_) => match self.cursor.entry(MAX_EXCERPT_BYTES)? {
                cursor::Entry::Key(key) => self.member(&key),
                cursor::Entry::Junk => Ok(self.cursor.skip()?),
                cursor::Entry::End => self.leave(),
                cursor::Entry::Cut => self.leave_cut(),
            },
            None => Ok(()),
        }
    }

    fn leave_cut(&mut self) -> Result<(), ReadError> {
        if !std::mem::replace(&mut self.cut, true) {
            self.out.broken(self.cursor.window().offset());
        }
        self.leave()
    }

    fn leave(&mut self) -> Result<(), ReadError> {
        match self.levels.pop() {
            Some(Level::Entry) => {
                self.entry.at.end = self.cursor.window().offset();
                self.finish_entry();
            }
            Some(Level::Request) => self.entry.asked = true,
            _ => {}
        }
        Ok(())
    }

    fn member(&mut self, key: &[u8]) -> Result<(), ReadError> {
        let entered = match (self.levels.last(), key) {
            (Some(Level::Root), b"log") => Some((b'{', Level::Log)),
            (Some(Level::Log), b"entries") => Some((b'[', Level::Entries)),
            (Some(Level::Entry), b"request") => Some((b'{', Level::Request)),
            (Some(Level::Entry), b"response") => Some((b'{', Level::Response)),
            (Some(Level::Request), b"postData") => Some((b'{', Level::PostData)),
            (Some(Level::Response), b"content") => Some((b'{', Level::Content)),
            _ => None,
        };
        if let Some((bracket, level)) = entered {
            if self.cursor.enter(bracket)? {
                self.levels.push(level);
                return Ok(());
            }
            return Ok(self.cursor.skip()?);
        }
        match (self.levels.last(), key) {
            (Some(Level::Entry), b"startedDateTime") => self.entry.started_at = self.small()?,
            (Some(Level::Request), b"method") => self.entry.method = self.small()?,
            (Some(Level::Request), b"url") => self.entry.url = self.small()?,
            (Some(Level::Response), b"status") => self.entry.status = self.number()?,
            (Some(Level::Content), b"mimeType") => self.entry.mime = self.small()?,
            (Some(Level::Content), b"encoding") => self.entry.encoding = self.small()?,
            (Some(Level::Content), b"size") => self.entry.size = self.number()?,
            (Some(Level::PostData), b"text") => {
                let raw = self.cursor.value(MAX_FRAME_BYTES)?;
                self.request_body(raw);
            }
            (Some(Level::Entry), b"_eventSourceMessages") => {
                let raw = self.cursor.value(MAX_FRAME_BYTES)?;
                if let Some(first) = self.entry.messages.take() {
                    self.refuse_twice("_eventSourceMessages", [first, raw]);
                } else {
                    self.entry.messages = Some(raw);
                }
            }
            (Some(Level::Content), b"text") => return self.reply(),
            _ => self.cursor.skip()?,
        }
        Ok(())
    }

    fn small(&mut self) -> Result<Option<String>, ReadError> {
        let raw = self.cursor.value(MAX_EXCERPT_BYTES)?;
        let text = json::string_value(&raw.bytes).filter(|_| raw.whole == Whole::Yes);
        Ok(text.map(|text| String::from_utf8_lossy(&text).into_owned()))
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<Option<T>, ReadError> {
        let raw = self.cursor.value(MAX_EXCERPT_BYTES)?;
        Ok(std::str::from_utf8(&raw.bytes).ok().and_then(|text| text.parse().ok()))
    }

    fn request_body(&mut self, raw: Raw) {
        if let Some(why) = raw.fault() {
            self.entry.request = Some((raw.at, Body::Malformed { bytes: raw.bytes, why }));
            return;
        }
        let Some(text) = json::string_value(&raw.bytes) else { return };
        self.entry.take_request(raw.at.clone(), &text);
        if self.entry.is_run() {
            self.connect();
        }
    }

    /// The connection of this entry, which is AG-UI; hands on its request.
    fn connect(&mut self) -> u32 {
        let connection = match self.entry.connection {
            Some(connection) => connection,
            None => {
                let connection = self.out.connect(Connection::default(), &self.entry.at);
                self.entry.connection = Some(connection);
                connection
            }
        };
        self.entry.describe(&mut self.out.connections[connection as usize]);
        if let Some((at, body)) = self.entry.request.take() {
            self.out.push(Place::new(at, connection), body);
        }
        connection
    }

    /// The reply's body: read as it comes when its request is known, and that it is an event stream whose text is
    /// plain for certain; else held until the entry is complete: its members come in any order.
    fn reply(&mut self) -> Result<(), ReadError> {
        if let Some(first) = self.entry.body.take() {
            let second = self.cursor.value(MAX_FRAME_BYTES)?;
            self.refuse_twice("text", [first, second]);
            return Ok(());
        }
        if self.entry.received.is_some() {
            let second = self.cursor.value(MAX_FRAME_BYTES)?;
            self.refuse_twice("text", [second]);
            return Ok(());
        }
        let plain = self.entry.asked
            && self.entry.mime.as_deref().is_some_and(is_event_stream)
            && self.entry.is_plain(&mut self.cursor)?;
        if plain && self.cursor.enter(b'"')? {
            let connection = self.connect();
            self.parser = SseParser::new(connection);
            self.parser.times = self.entry.times();
            self.levels.push(Level::Text(StringLines::default()));
        } else {
            let raw = self.cursor.value(MAX_FRAME_BYTES)?;
            self.entry.body = Some(raw);
        }
        Ok(())
    }

    /// Keeps what is there more than once, without reading it.
    fn refuse_twice<const N: usize>(&mut self, name: &str, all: [Raw; N]) {
        let connection = self.connect();
        // Not to be told as missing.
        self.entry.received.get_or_insert(1);
        self.entry.size = None;
        for raw in all {
            self.out.malformed(Place::new(raw.at, connection), raw.bytes, twice(name));
        }
    }

    fn finish_entry(&mut self) {
        if !self.entry.is_agui() {
            return;
        }
        let connection = self.connect();
        if let Some(raw) = self.entry.body.take() {
            self.held_reply(raw, connection);
        }
        let messages = self.entry.messages.take();
        if self.entry.received.unwrap_or(0) == 0
            && let Some(messages) = messages
        {
            self.entry.received = self.messages(&messages, connection).then_some(1);
            self.entry.size = None;
        }
        let at = self.entry.at.clone();
        match (self.entry.received, self.entry.size) {
            (None | Some(0), None) | (None, Some(_)) => {
                self.out.find(&codes::BODY_MISSING, &at, String::new());
            }
            (Some(received), Some(size)) if received < size => {
                let message = format!("The body of a reply has {received} of {size} bytes.");
                self.out.find(&codes::BODY_CUT, &at, message);
            }
            _ => {}
        }
    }

    fn held_reply(&mut self, raw: Raw, connection: u32) {
        let place = Place::new(raw.at.clone(), connection);
        let Some(text) = json::string_value(&raw.bytes) else { return };
        if raw.whole == Whole::TooLong {
            return self.out.malformed(place, raw.bytes, Malformed::TooLong);
        }
        let text = if self.entry.encoding.as_deref().is_some_and(har_entry::is_base64) {
            match har_entry::from_base64(&text) {
                Ok(decoded) => decoded,
                // Some recorders name an encoding that they did not use.
                Err(_) if super::detect::is_event_stream(&text) => text.into_owned(),
                Err(error) => {
                    let why = Malformed::NotJson(format!("not base64: {error}"));
                    return self.out.malformed(place, text.into_owned(), why);
                }
            }
        } else {
            text.into_owned()
        };
        self.entry.received = Some(text.len() as u64);
        let mime = self.entry.mime.as_deref().unwrap_or_default();
        if is_binary(mime) {
            return protobuf::frames_in(&text, &place, &mut self.out);
        }
        if is_event_stream(mime) || super::detect::is_event_stream(&text) {
            self.parser = SseParser::new(connection);
            self.parser.times = self.entry.times();
            each_line(&text, &place, |line| self.parser.line(line, &mut self.out));
            return self.parser.finish(&mut self.out);
        }
        if mime.contains("jsonl") || mime.contains("ndjson") {
            return each_line(&text, &place, |line| {
                if !line.text.is_empty() {
                    self.out.text(line.text.into_owned(), place.clone(), None);
                }
            });
        }
        self.out.push(place, Body::Note(text));
    }

    /// Events that the recorder took apart itself; whether there were any.
    fn messages(&mut self, raw: &Raw, connection: u32) -> bool {
        if raw.whole == Whole::TooLong {
            let place = Place::new(raw.at.clone(), connection);
            self.out.malformed(place, raw.bytes.clone(), Malformed::TooLong);
            return true;
        }
        let mut any = false;
        for message in har_entry::messages(raw) {
            any = true;
            let mut place = Place::new(message.at, connection);
            place.arrival = message.time.map(crate::frame::Arrival::UnixMillis);
            if message.twice {
                self.out.malformed(place, message.data, twice("data"));
                continue;
            }
            place.name = message.name;
            self.out.text(message.data, place, None);
        }
        any
    }
}

/// Gives the lines of a text that is at hand; all stand at `place`.
fn each_line(text: &[u8], place: &Place, mut take: impl FnMut(Line<'_>)) {
    let mut lines = Lines::default();
    let mut at = 0;
    while at < text.len() {
        let (taken, line) = lines.split(&text[at..], 0);
        line.into_iter().for_each(|line| take(Line { at: place.at.clone(), ..line }));
        at += taken;
    }
    lines.finish().into_iter().for_each(|line| take(Line { at: place.at.clone(), ..line }));
}

impl Frames for Har {
    fn next_frame(&mut self) -> Result<Option<Frame>, ReadError> {
        if !self.started {
            self.started = true;
            self.cursor.window().skip_byte_order_mark()?;
            if self.cursor.enter(b'{')? {
                self.levels.push(Level::Root);
            }
        }
        while self.out.is_empty() && !self.levels.is_empty() {
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
