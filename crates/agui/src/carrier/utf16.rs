//! UTF-16 with a byte order mark, as PowerShell writes it.

use std::io::{self, Read};

use super::TextEncoding;
use crate::container::Content;
use crate::json::CodePoint;

/// The encoding that a byte order mark states.
pub(super) fn encoding(head: &[u8]) -> TextEncoding {
    if head.starts_with(b"\xff\xfe") {
        TextEncoding::Utf16Le
    } else if head.starts_with(b"\xfe\xff") {
        TextEncoding::Utf16Be
    } else {
        TextEncoding::Utf8
    }
}

/// A UTF-16 text as UTF-8; what is no character becomes bytes that are no UTF-8 ([`CodePoint`]).
pub(super) struct Utf16 {
    source: Content,
    big_endian: bool,
    mark_passed: bool,
    /// Bytes that were read and not decoded yet.
    raw: Vec<u8>,
    /// A high surrogate that waits for its partner.
    high: Option<u16>,
    /// Decoded bytes, given out up to `given`.
    ready: Vec<u8>,
    given: usize,
}

/// Bytes read at once.
const PIECE_BYTES: usize = 32 << 10;

impl Utf16 {
    pub(super) fn new(source: Content, encoding: TextEncoding) -> Self {
        Self {
            source,
            big_endian: encoding == TextEncoding::Utf16Be,
            mark_passed: false,
            raw: Vec::new(),
            high: None,
            ready: Vec::new(),
            given: 0,
        }
    }

    /// Decodes another piece; nothing is ready after it only at the end.
    fn decode(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.given = 0;
        while self.ready.is_empty() {
            let before = self.raw.len();
            self.raw.resize(before + PIECE_BYTES, 0);
            let read = loop {
                match self.source.read(&mut self.raw[before..]) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => break read?,
                }
            };
            self.raw.truncate(before + read);
            let units = self.raw.len() / 2 * 2;
            let bytes: Vec<u8> = self.raw.drain(..units).collect();
            for pair in bytes.chunks_exact(2) {
                let pair = [pair[0], pair[1]];
                let unit = if self.big_endian {
                    u16::from_be_bytes(pair)
                } else {
                    u16::from_le_bytes(pair)
                };
                self.unit(unit);
            }
            if read == 0 {
                if self.high.take().is_some() || !self.raw.is_empty() {
                    self.raw.clear();
                    self.push(char::REPLACEMENT_CHARACTER.into());
                }
                return Ok(());
            }
        }
        Ok(())
    }

    fn unit(&mut self, unit: u16) {
        if !std::mem::replace(&mut self.mark_passed, true) {
            return;
        }
        if let Some(high) = self.high.take() {
            if let Some(Ok(char)) = char::decode_utf16([high, unit]).next() {
                return self.push(char.into());
            }
            self.push(CodePoint::half(high));
        }
        match char::from_u32(u32::from(unit)) {
            Some(char) => self.push(char.into()),
            None if unit < 0xdc00 => self.high = Some(unit),
            None => self.push(CodePoint::half(unit)),
        }
    }

    fn push(&mut self, code: CodePoint) {
        code.push(&mut self.ready);
    }
}

impl Read for Utf16 {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready.len() {
            self.decode()?;
        }
        let rest = &self.ready[self.given..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.given += count;
        Ok(count)
    }
}
