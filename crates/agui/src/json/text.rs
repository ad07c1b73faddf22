//! Texts: layout, NaN, string escapes.

use std::borrow::Cow;

use memchr::memchr2;

use super::{is_space, quote_or_backslash};

/// The text without the white space outside of strings: same tokens, one line.
///
/// What an event is exported as when its text has line breaks.
#[must_use]
pub fn event_tokens(text: &[u8]) -> Cow<'_, [u8]> {
    let mut tokens: Option<Vec<u8>> = None;
    for (string, range) in Strings::of(text) {
        let piece = &text[range.clone()];
        if string || !piece.iter().any(|&byte| is_space(byte)) {
            if let Some(tokens) = &mut tokens {
                tokens.extend_from_slice(piece);
            }
        } else {
            let tokens = tokens.get_or_insert_with(|| text[..range.start].to_vec());
            tokens.extend(piece.iter().filter(|&&byte| !is_space(byte)));
        }
    }
    tokens.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The text with `null` in place of NaN, Infinity and -Infinity outside of strings: what a strict JSON
/// reader takes.
#[must_use]
pub fn without_nan(text: &[u8]) -> Cow<'_, [u8]> {
    let mut out: Option<Vec<u8>> = None;
    for (string, range) in Strings::of(text) {
        let mut at = range.start;
        while at < range.end {
            let rest = &text[at..range.end];
            let length = [&b"-Infinity"[..], b"Infinity", b"NaN"]
                .iter()
                .find(|word| !string && rest.starts_with(word))
                .map(|word| word.len());
            match length {
                Some(length) => {
                    out.get_or_insert_with(|| text[..at].to_vec()).extend_from_slice(b"null");
                    at += length;
                }
                None => {
                    let step = if string { rest.len() } else { 1 };
                    if let Some(out) = &mut out {
                        out.extend_from_slice(&rest[..step]);
                    }
                    at += step;
                }
            }
        }
    }
    out.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The content of a string, given without its quotes, with the escapes resolved.
///
/// Half a surrogate pair becomes bytes that are no UTF-8 ([`CodePoint`]), an escape that is none stays as it is.
#[must_use]
pub fn unescape(inner: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', inner).is_none() {
        return Cow::Borrowed(inner);
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut at = 0;
    while at < inner.len() {
        let (taken, piece) = string_piece(&inner[at..], true);
        match piece {
            Piece::Run(run) => out.extend_from_slice(run),
            Piece::Escaped(code) => code.push(&mut out),
            Piece::End => out.push(b'"'),
            Piece::NeedMore => break,
        }
        at += taken;
    }
    Cow::Owned(out)
}

/// The content of a string token (with its quotes); `None` when the token is no string.
pub(crate) fn string_value(token: &[u8]) -> Option<Cow<'_, [u8]>> {
    let inner = token.strip_prefix(b"\"")?;
    Some(unescape(inner.strip_suffix(b"\"").unwrap_or(inner)))
}

/// Appends `text` as a JSON string with its quotes; only what must be escaped is.
pub(crate) fn push_quoted(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..0x20 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

/// A character, or half of a surrogate pair, which is no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodePoint(u32);

impl CodePoint {
    /// Half a surrogate pair.
    pub(crate) fn half(unit: u16) -> Self {
        Self(u32::from(unit))
    }

    /// The character, if it is one.
    pub(crate) fn char(self) -> Option<char> {
        char::from_u32(self.0)
    }

    /// Appends UTF-8; of half a pair the three bytes that its number would have. They are no UTF-8, so nothing that
    /// reads on takes the text for what was sent.
    pub(crate) fn push(self, out: &mut Vec<u8>) {
        match self.char() {
            Some(char) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            // Six bits each; the masks keep every part within a byte.
            None => out.extend([
                0xe0 | (self.0 >> 12) as u8 & 0x0f,
                0x80 | (self.0 >> 6) as u8 & 0x3f,
                0x80 | self.0 as u8 & 0x3f,
            ]),
        }
    }

    /// Bytes that [`Self::push`] appends.
    pub(crate) fn len(self) -> usize {
        self.char().map_or(3, char::len_utf8)
    }
}

impl From<char> for CodePoint {
    fn from(char: char) -> Self {
        Self(u32::from(char))
    }
}

/// One step of [`string_piece`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Bytes that stand for themselves.
    Run(&'a [u8]),
    /// A resolved escape.
    Escaped(CodePoint),
    /// The closing quote.
    End,
    /// The bytes end inside an escape; come again with more behind them.
    NeedMore,
}

/// Resolves the escapes of a string over any cut of the bytes: takes one piece from the front of `bytes` and says how many bytes it was. With `last`, no more
/// bytes will come and an escape that is cut off stands for itself.
pub(crate) fn string_piece(bytes: &[u8], last: bool) -> (usize, Piece<'_>) {
    match bytes.first() {
        Some(b'"') => (1, Piece::End),
        Some(b'\\') => match escape(bytes) {
            Escape::Code(length, code) => (length, Piece::Escaped(code)),
            Escape::Cut if !last => (0, Piece::NeedMore),
            Escape::Cut | Escape::None => (1, Piece::Run(&bytes[..1])),
        },
        _ => {
            let end = quote_or_backslash(bytes).unwrap_or(bytes.len());
            (end, Piece::Run(&bytes[..end]))
        }
    }
}

enum Escape {
    Code(usize, CodePoint),
    Cut,
    None,
}

fn escape(bytes: &[u8]) -> Escape {
    let Some(&kind) = bytes.get(1) else { return Escape::Cut };
    let char = match kind {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(bytes),
        _ => return Escape::None,
    };
    Escape::Code(2, char.into())
}

fn unicode(bytes: &[u8]) -> Escape {
    let first = match hex(bytes.get(2..6)) {
        Some(Some(unit)) => unit,
        Some(None) => return Escape::None,
        None => return Escape::Cut,
    };
    if !(0xd800..0xdc00).contains(&first) {
        return Escape::Code(6, CodePoint(first));
    }
    // A high surrogate: its low one must follow.
    let rest = &bytes[6..];
    if rest.len() < 6 && b"\\u".starts_with(&rest[..rest.len().min(2)]) {
        return Escape::Cut;
    }
    match (rest.starts_with(b"\\u"), hex(rest.get(2..6))) {
        (true, Some(Some(second @ 0xdc00..=0xdfff))) => {
            let scalar = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            Escape::Code(12, CodePoint(scalar))
        }
        _ => Escape::Code(6, CodePoint(first)),
    }
}

fn hex(digits: Option<&[u8]>) -> Option<Option<u32>> {
    let digits = digits?;
    let mut value = 0;
    for &digit in digits {
        match char::from(digit).to_digit(16) {
            Some(digit) => value = value << 4 | digit,
            None => return Some(None),
        }
    }
    Some(Some(value))
}

/// Cuts a text into strings (with their quotes) and what stands between them.
struct Strings<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Strings<'a> {
    fn of(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }
}

impl Iterator for Strings<'_> {
    type Item = (bool, std::ops::Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let string = rest[0] == b'"';
        self.at = if string {
            let mut end = start + 1;
            loop {
                match memchr2(b'"', b'\\', &self.text[end..]) {
                    None => break self.text.len(),
                    Some(found) if self.text[end + found] == b'"' => break end + found + 1,
                    Some(found) => end = (end + found + 2).min(self.text.len()),
                }
            }
        } else {
            memchr::memchr(b'"', rest).map_or(self.text.len(), |found| start + found)
        };
        Some((string, start..self.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_leave_out_layout_only() {
        let text = b"{ \"a b\\\" c\" :\n\t[1,\r\n 2 ] , \"\":\" \"}";
        assert_eq!(&*event_tokens(text), b"{\"a b\\\" c\":[1,2],\"\":\" \"}");
        assert!(matches!(event_tokens(b"{\"a \":1}"), Cow::Borrowed(_)));
    }

    #[test]
    fn nan_becomes_null_outside_of_strings_only() {
        let text = br#"{"NaN":[NaN,-Infinity,Infinity,-1],"b":"NaN \" Infinity"}"#;
        assert_eq!(&*without_nan(text), br#"{"NaN":[null,null,null,-1],"b":"NaN \" Infinity"}"#);
        assert!(matches!(without_nan(br#"{"a":"NaN"}"#), Cow::Borrowed(_)));
    }

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(&*unescape(br#"a\n\u00e9\ud83d\ude00\/\\"#), "a\né😀/\\".as_bytes());
        assert_eq!(&*unescape(br"\ud800x"), b"\xed\xa0\x80x");
        assert_eq!(&*unescape(br"\ud800\u0041"), b"\xed\xa0\x80A");
        assert_eq!(&*unescape(br"\q\u12"), br"\q\u12");
        assert_eq!(string_value(b"\"a\\\"b\"").as_deref(), Some(&b"a\"b"[..]));
        assert_eq!(string_value(b"12"), None);
    }

    #[test]
    fn a_surrogate_pair_may_be_cut_anywhere() {
        let token = br"\ud83d\ude00";
        for cut in 1..token.len() {
            assert_eq!(string_piece(&token[..cut], false), (0, Piece::NeedMore), "{cut}");
        }
        assert_eq!(string_piece(token, false), (12, Piece::Escaped('😀'.into())));
    }

    #[test]
    fn quoting_escapes_what_it_must() {
        let mut out = Vec::new();
        push_quoted(&mut out, "a\"\\\n\u{1}é");
        assert_eq!(out, "\"a\\\"\\\\\\n\\u0001é\"".as_bytes());
    }
}
