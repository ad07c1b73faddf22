//! The grammar of RFC 8259, byte by byte.

use std::borrow::Cow;

use super::{JsonError, MAX_DEPTH, Node, distinct};

/// A place in the text. `skip` checks the grammar without building anything.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut cursor = Self { text, at: 0 };
        cursor.space();
        cursor
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fail<T>(&self) -> Result<T, JsonError> {
        Err(JsonError::Syntax(self.at))
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    pub(super) fn end(&self) -> Result<(), JsonError> {
        if self.at == self.text.len() { Ok(()) } else { self.fail() }
    }

    fn take(&mut self, byte: u8) -> Result<(), JsonError> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            self.fail()
        }
    }

    pub(super) fn value(&mut self, depth: usize) -> Result<Node<'a>, JsonError> {
        let depth = deeper(depth)?;
        let node = match self.peek() {
            Some(b'{') => {
                let mut members = Vec::new();
                self.object(|cursor, name| {
                    members.push((name, cursor.value(depth)?));
                    Ok(())
                })?;
                distinct(&members)?;
                Node::Object(members)
            }
            Some(b'[') => {
                let mut items = Vec::new();
                self.array(|cursor| {
                    items.push(cursor.value(depth)?);
                    Ok(())
                })?;
                Node::Array(items)
            }
            Some(b'"') => Node::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Node::Number(self.number()?),
            _ => self.word()?,
        };
        self.space();
        Ok(node)
    }

    pub(super) fn skip(&mut self, depth: usize) -> Result<(), JsonError> {
        let depth = deeper(depth)?;
        match self.peek() {
            Some(b'{') => self.object(|cursor, _| cursor.skip(depth))?,
            Some(b'[') => self.array(|cursor| cursor.skip(depth))?,
            Some(b'"') => {
                self.quoted()?;
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
            }
            _ => {
                self.word()?;
            }
        }
        self.space();
        Ok(())
    }

    /// The raw text of the next value, without the white space after it.
    pub(super) fn raw(&mut self, depth: usize) -> Result<&'a str, JsonError> {
        let start = self.at;
        self.skip(depth)?;
        Ok(self.text[start..self.at].trim_end_matches([' ', '\t', '\n', '\r']))
    }

    pub(super) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, Cow<'a, str>) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        self.take(b'{')?;
        self.space();
        if self.peek() != Some(b'}') {
            loop {
                let name = self.string()?;
                self.space();
                self.take(b':')?;
                self.space();
                member(self, name)?;
                if self.peek() != Some(b',') {
                    break;
                }
                self.at += 1;
                self.space();
            }
        }
        self.take(b'}')?;
        self.space();
        Ok(())
    }

    pub(super) fn array(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        self.take(b'[')?;
        self.space();
        if self.peek() != Some(b']') {
            loop {
                item(self)?;
                if self.peek() != Some(b',') {
                    break;
                }
                self.at += 1;
                self.space();
            }
        }
        self.take(b']')?;
        self.space();
        Ok(())
    }

    fn word(&mut self) -> Result<Node<'a>, JsonError> {
        let rest = &self.text[self.at..];
        for (word, node) in
            [("null", Node::Null), ("true", Node::Bool(true)), ("false", Node::Bool(false))]
        {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(node);
            }
        }
        self.fail()
    }

    fn number(&mut self) -> Result<&'a str, JsonError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { self.fail() }
    }

    /// Passes a string and returns what is between its quotes, and whether it has escapes.
    fn quoted(&mut self) -> Result<(&'a str, bool), JsonError> {
        self.take(b'"')?;
        let start = self.at;
        let mut escaped = false;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.at += 1;
                    match self.peek() {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                            self.at += 1;
                        }
                        Some(b'u') => {
                            let hex = self.text.as_bytes().get(self.at + 1..self.at + 5);
                            if !hex.is_some_and(|h| h.iter().all(u8::is_ascii_hexdigit)) {
                                return self.fail();
                            }
                            self.at += 5;
                        }
                        _ => return self.fail(),
                    }
                }
                Some(0x20..) => self.at = plain_end(self.text.as_bytes(), self.at + 1),
                _ => return self.fail(),
            }
        }
        let inner = &self.text[start..self.at];
        self.at += 1;
        Ok((inner, escaped))
    }

    fn string(&mut self) -> Result<Cow<'a, str>, JsonError> {
        let start = self.at;
        let (inner, escaped) = self.quoted()?;
        if !escaped {
            return Ok(Cow::Borrowed(inner));
        }
        unescape(inner).map(Cow::Owned).ok_or(JsonError::LoneSurrogate(start))
    }
}

/// Place of the next quote, backslash or control character from `at` on, or close before it: eight bytes at a time.
fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let chunk = u64::from_le_bytes(*chunk);
        let quote = chunk ^ (ONES * 0x22);
        let backslash = chunk ^ (ONES * 0x5c);
        // The lowest marked byte is exact; bytes above it may be marked by a borrow.
        let marks = (quote.wrapping_sub(ONES) & !quote
            | backslash.wrapping_sub(ONES) & !backslash
            | chunk.wrapping_sub(ONES * 0x20) & !chunk)
            & HIGH;
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at
}

fn deeper(depth: usize) -> Result<usize, JsonError> {
    if depth >= MAX_DEPTH { Err(JsonError::TooDeep) } else { Ok(depth + 1) }
}

/// Decodes a string whose escapes `quoted` has checked; `None` for half a surrogate pair.
fn unescape(inner: &str) -> Option<String> {
    let mut units: Vec<u16> = Vec::new();
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        flush(&mut units, &mut out, at == 0)?;
        out.push_str(&rest[..at]);
        let escape = rest.as_bytes()[at + 1];
        rest = &rest[at + 2..];
        let c = match escape {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                units.push(u16::from_str_radix(&rest[..4], 16).ok()?);
                rest = &rest[4..];
                continue;
            }
            other => char::from(other),
        };
        flush(&mut units, &mut out, false)?;
        out.push(c);
    }
    flush(&mut units, &mut out, false)?;
    out.push_str(rest);
    Some(out)
}

/// Writes the pending `\u` units; with `more`, a first half at the end may still find its second.
fn flush(units: &mut Vec<u16>, out: &mut String, more: bool) -> Option<()> {
    if more {
        return Some(());
    }
    for c in char::decode_utf16(units.drain(..)) {
        out.push(c.ok()?);
    }
    Some(())
}
