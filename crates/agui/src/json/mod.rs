//! JSON as bytes: checking, scanning and taking apart without a model and without recursion.
//!
//! Nothing here changes a text or needs it to be UTF-8; strings are compared and copied as bytes.

mod check;
pub(crate) mod cursor;
mod parts;
mod scan;
mod text;

pub use check::{Checked, Fault, Kind, check};
pub use parts::{Elements, Member, Members, elements, member, members};
pub use text::{event_tokens, unescape, without_nan};

pub use crate::event::lenient::clean as readable;
pub(crate) use check::walk;
pub(crate) use parts::{Found, next_value, only_member};
pub(crate) use scan::{Scan, ValueScan};
pub(crate) use text::{CodePoint, Piece, push_quoted, string_piece, string_value};

/// Whether `byte` is white space between JSON tokens.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// `text` without the white space around it.
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    let Some(first) = text.iter().position(|&byte| !is_space(byte)) else { return &[] };
    let last = text.iter().rposition(|&byte| !is_space(byte)).unwrap_or(first);
    &text[first..=last]
}

/// Place of the first quote or backslash.
///
/// Most strings are short, so the first bytes are looked at eight at a time before a search is set up.
pub(crate) fn quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const SHORT: usize = 32;
    let mut at = 0;
    while at < SHORT
        && let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>())
    {
        let chunk = u64::from_le_bytes(*chunk);
        let quote = chunk ^ (ONES * 0x22);
        let backslash = chunk ^ (ONES * 0x5c);
        // The lowest marked byte is exact; bytes above it may be marked by a borrow.
        let marks =
            (quote.wrapping_sub(ONES) & !quote | backslash.wrapping_sub(ONES) & !backslash) & HIGH;
        if marks != 0 {
            return Some(at + marks.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr::memchr2(b'"', b'\\', &bytes[at..]).map(|found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_are_found_anywhere() {
        for length in 0..70 {
            let mut text = vec![b'!'; length];
            assert_eq!(quote_or_backslash(&text), None);
            for place in 0..length {
                for byte in [b'"', b'\\'] {
                    let before = std::mem::replace(&mut text[place], byte);
                    assert_eq!(quote_or_backslash(&text), Some(place));
                    text[place] = before;
                }
            }
        }
    }
}
