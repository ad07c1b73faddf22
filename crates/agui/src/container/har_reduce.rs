//! An HTTP archive without everything that is no AG-UI conversation (facts/agui §4.4).

use std::io::{self, Write};

use super::body_reduce;
use super::har_entry::{Entry, is_base64, is_binary};
use super::reduce::bare_url_token;
use super::window::Window;
use super::{Content, LeftOut, request_reduce};
use crate::json;
use crate::json::cursor::{self, Cursor, Element, Raw, Whole};
use crate::limits::{MAX_EXCERPT_BYTES, MAX_FRAME_BYTES};

/// What the reduced archive begins with; the same for each, so that the same bytes give the same bytes.
const HEAD: &[u8] =
    br#"{"log":{"version":"1.2","creator":{"name":"Recite","version":"1"},"entries":["#;
const TAIL: &[u8] = b"]}}\n";

/// Writes the reduced archive: of the entries that are AG-UI, method, bare URL, time, bodies and status; texts
/// of bodies as the same JSON tokens. What it writes reads as an HTTP archive, and reduces to itself.
pub(super) fn reduce(content: Content, out: &mut dyn Write) -> io::Result<LeftOut> {
    let mut window = Window::new(content, 0);
    window.skip_byte_order_mark()?;
    let mut reducer = Reducer {
        cursor: Cursor::new(window),
        out,
        levels: Vec::new(),
        entry: Entry::default(),
        pending: Vec::new(),
        passing: false,
        opened: false,
        entries: 0,
        cut: false,
        lost: 0,
        left_out: LeftOut::default(),
    };
    reducer.out.write_all(HEAD)?;
    if reducer.cursor.enter(b'{')? {
        reducer.levels.push(Level::Root);
    }
    while !reducer.levels.is_empty() {
        reducer.step()?;
    }
    // What breaks off stays an archive that breaks off, so that it is told whenever it is read.
    if !reducer.cut {
        reducer.out.write_all(TAIL)?;
    }
    Ok(reducer.left_out)
}

struct Reducer<'a> {
    cursor: Cursor,
    out: &'a mut dyn Write,
    levels: Vec<Level>,
    entry: Entry,
    /// What was kept of the entry, while it is not known to be AG-UI.
    pending: Vec<u8>,
    /// The entry is known to be AG-UI: what is kept goes out at once.
    passing: bool,
    /// The last thing kept was an opening brace.
    opened: bool,
    entries: u64,
    /// The archive breaks off.
    cut: bool,
    /// Bytes that the entry's body lost.
    lost: u64,
    left_out: LeftOut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Log,
    Entries,
    Entry,
    Request,
    PostData,
    Response,
    Content,
}

impl Reducer<'_> {
    fn step(&mut self) -> io::Result<()> {
        let Some(&level) = self.levels.last() else { return Ok(()) };
        if level == Level::Entries {
            return match self.cursor.element()? {
                Element::Value if self.cursor.enter(b'{')? => {
                    self.entry = Entry::default();
                    self.lost = 0;
                    self.passing = false;
                    self.pending = b"{".to_vec();
                    self.opened = true;
                    self.levels.push(Level::Entry);
                    Ok(())
                }
                Element::Value => self.cursor.skip(),
                Element::End => self.leave(),
                Element::Cut => self.leave_cut(),
            };
        }
        match self.cursor.entry(MAX_EXCERPT_BYTES)? {
            cursor::Entry::Key(key) => self.member(level, &key),
            cursor::Entry::Junk => self.cursor.skip(),
            cursor::Entry::End => self.leave(),
            cursor::Entry::Cut => self.leave_cut(),
        }
    }

    fn leave_cut(&mut self) -> io::Result<()> {
        self.cut = true;
        self.leave()
    }

    fn leave(&mut self) -> io::Result<()> {
        match self.levels.pop() {
            Some(Level::Root | Level::Log | Level::Entries) | None => Ok(()),
            Some(Level::Entry) if self.passing || self.entry.is_agui() => {
                self.pass()?;
                self.keep(b"}")
            }
            Some(Level::Entry) => {
                self.left_out.entries += 1;
                self.pending = Vec::new();
                Ok(())
            }
            Some(Level::Content) => {
                self.end_content()?;
                self.keep(b"}")
            }
            Some(_) => self.keep(b"}"),
        }
    }

    /// Writes what of a body had to wait for the members beside it: how it is encoded, and how long it is.
    fn end_content(&mut self) -> io::Result<()> {
        if let Some(raw) = self.entry.body.take() {
            let binary = self.entry.mime.as_deref().is_some_and(is_binary);
            let (token, lost) = if binary {
                (raw.bytes, 0)
            } else if self.entry.encoding.as_deref().is_some_and(is_base64) {
                body_reduce::base64_token(&raw.bytes, &mut self.left_out)?
            } else {
                body_reduce::text_token(&raw.bytes, &mut self.left_out)?
            };
            self.lost = lost;
            self.key(b"text")?;
            self.keep(&token)?;
        }
        if let Some(size) = self.entry.size {
            self.key(b"size")?;
            self.keep(size.saturating_sub(self.lost).to_string().as_bytes())?;
        }
        Ok(())
    }

    fn member(&mut self, level: Level, key: &[u8]) -> io::Result<()> {
        let inner = match (level, key) {
            (Level::Root, b"log") => Some((b'{', Level::Log)),
            (Level::Log, b"entries") => Some((b'[', Level::Entries)),
            (Level::Entry, b"request") => Some((b'{', Level::Request)),
            (Level::Entry, b"response") => Some((b'{', Level::Response)),
            (Level::Request, b"postData") => Some((b'{', Level::PostData)),
            (Level::Response, b"content") => Some((b'{', Level::Content)),
            _ => None,
        };
        if let Some((bracket, inner)) = inner {
            if !self.cursor.enter(bracket)? {
                return self.cursor.skip();
            }
            if !matches!(inner, Level::Log | Level::Entries) {
                self.key(key)?;
                self.keep(b"{")?;
            }
            self.levels.push(inner);
            return Ok(());
        }
        match (level, key) {
            (Level::Entry, b"startedDateTime")
            | (Level::Request, b"method")
            | (Level::Response, b"status")
            | (Level::Content, b"mimeType" | b"encoding" | b"size") => self.small(key),
            (Level::Request, b"url") => {
                let raw = self.cursor.value(MAX_EXCERPT_BYTES)?;
                let url = bare_url_token(&raw.bytes, &mut self.left_out);
                self.key(key)?;
                self.keep(&url)
            }
            (Level::PostData, b"text") => {
                let raw = self.cursor.value(MAX_FRAME_BYTES)?;
                if raw.whole != Whole::Yes || !raw.bytes.starts_with(b"\"") {
                    return Ok(());
                }
                let Some(text) = json::string_value(&raw.bytes) else { return Ok(()) };
                self.entry.take_request(raw.at, &text);
                let Some(token) = request_reduce::token(&raw.bytes, &text, &mut self.left_out)
                else {
                    return Ok(());
                };
                self.key(key)?;
                self.keep(&token)
            }
            (Level::Content, b"text") => self.body(key),
            (Level::Entry, b"_eventSourceMessages") => self.messages(key),
            (Level::Request | Level::Response, b"headers") => {
                let raw = self.cursor.value(MAX_FRAME_BYTES)?;
                self.left_out.count_headers(&raw.bytes);
                Ok(())
            }
            (Level::Request | Level::Response, b"cookies") => {
                let raw = self.cursor.value(MAX_FRAME_BYTES)?;
                self.left_out.cookies += json::elements(&raw.bytes).count() as u64;
                Ok(())
            }
            _ => self.cursor.skip(),
        }
    }

    /// A number or a short string.
    fn small(&mut self, key: &[u8]) -> io::Result<()> {
        let raw = self.cursor.value(MAX_EXCERPT_BYTES)?;
        if raw.whole != Whole::Yes || matches!(raw.bytes.first(), Some(b'{' | b'[')) {
            return Ok(());
        }
        let text = || Some(String::from_utf8_lossy(&json::string_value(&raw.bytes)?).into_owned());
        match key {
            b"mimeType" => self.entry.mime = text(),
            b"encoding" => self.entry.encoding = text(),
            b"size" => {
                self.entry.size = std::str::from_utf8(&raw.bytes).ok().and_then(|n| n.parse().ok());
                return Ok(());
            }
            _ => {}
        }
        self.key(key)?;
        self.keep(&raw.bytes)
    }

    /// The reply's text: passed on without holding it when the entry is known to be AG-UI and the text plain for
    /// certain, else held until the members beside it are known.
    fn body(&mut self, key: &[u8]) -> io::Result<()> {
        if self.cursor.peek()? != Some(b'"') {
            return self.cursor.skip();
        }
        if self.entry.is_agui() && self.entry.is_plain(&mut self.cursor)? {
            self.key(key)?;
            self.pass()?;
            self.cursor.enter(b'"')?;
            self.out.write_all(b"\"")?;
            let window = self.cursor.window();
            self.lost = body_reduce::copy_text(window, &mut *self.out, &mut self.left_out)?;
            return Ok(());
        }
        let raw = self.cursor.value(MAX_FRAME_BYTES)?;
        self.entry.body = Some(raw).filter(|raw: &Raw| raw.whole == Whole::Yes);
        Ok(())
    }

    fn messages(&mut self, key: &[u8]) -> io::Result<()> {
        const KEPT: [&[u8]; 6] = [b"type", b"time", b"id", b"eventId", b"eventName", b"data"];
        let raw = self.cursor.value(MAX_FRAME_BYTES)?;
        self.key(key)?;
        let mut list = b"[".to_vec();
        for (message, _) in json::elements(&raw.bytes) {
            if list.len() > 1 {
                list.push(b',');
            }
            list.push(b'{');
            for member in json::members(message) {
                let plain = !matches!(member.value.first(), Some(b'{' | b'['));
                if plain && request_reduce::is_header_text(member.value) {
                    self.left_out.headers += 1;
                    continue;
                }
                if !member.cut && plain && KEPT.contains(&&*member.key) {
                    if list.last() != Some(&b'{') {
                        list.push(b',');
                    }
                    json::push_quoted(&mut list, &String::from_utf8_lossy(&member.key));
                    list.push(b':');
                    list.extend_from_slice(member.value);
                }
            }
            list.push(b'}');
        }
        list.push(b']');
        self.keep(&list)
    }

    /// Writes a member's name, with a comma where one is due.
    fn key(&mut self, key: &[u8]) -> io::Result<()> {
        let mut name = Vec::new();
        if !self.opened {
            name.push(b',');
        }
        json::push_quoted(&mut name, &String::from_utf8_lossy(key));
        name.push(b':');
        self.keep(&name)
    }

    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.opened = bytes == b"{";
        if self.passing {
            return self.out.write_all(bytes);
        }
        self.pending.extend_from_slice(bytes);
        Ok(())
    }

    /// From now on what is kept goes out at once.
    fn pass(&mut self) -> io::Result<()> {
        if !self.passing {
            if self.entries > 0 {
                self.out.write_all(b",\n")?;
            }
            self.entries += 1;
            self.passing = true;
            self.out.write_all(&std::mem::take(&mut self.pending))?;
        }
        Ok(())
    }
}
