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

pub(crate) use scan::{Scan, ValueScan};
pub(crate) use text::{Piece, push_quoted, string_piece, string_value};

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
