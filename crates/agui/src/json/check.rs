//! Whether a text is JSON: one pass, no allocation, no recursion.

use std::ops::Range;

use super::is_space;
use crate::limits::MAX_DEPTH;

/// A text that is JSON, give or take NaN, Infinity and raw control characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// What the value is.
    pub kind: Kind,
    /// It holds NaN or Infinity, which JSON does not have ([`super::without_nan`]).
    pub not_a_number: bool,
    /// A string holds a raw control character, which JSON does not allow ([`super::readable`]). Line ends in
    /// strings are refused all the same: they are where lines were broken.
    pub control: bool,
}

/// The kinds of value that matter to containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An object.
    Object,
    /// An array.
    Array,
    /// Anything else.
    Scalar,
}

/// Why a text is no JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// The text ends inside the value, or is empty.
    #[error("the text ends inside a value")]
    Cut,
    /// There is more text behind the value.
    #[error("more text behind the value, at byte {at}")]
    More {
        /// Where it begins.
        at: usize,
    },
    /// Something else stands where a token is due.
    #[error("expected {expected} at byte {at}")]
    Unexpected {
        /// Where, from the beginning of the text.
        at: usize,
        /// What is due there.
        expected: &'static str,
    },
}

/// Checks that `text` is one JSON value with nothing but white space around it.
///
/// Strings may hold invalid UTF-8 and lone surrogates, objects may name a member twice: none of that
/// hinders reading, and the bytes are kept as they are.
///
/// # Errors
/// The first fault found.
pub fn check(text: &[u8]) -> Result<Checked, Fault> {
    walk(text, |_, _| ())
}

/// Checks like [`check`] and tells the places of the outermost object's members: name with its quotes, and value.
pub(crate) fn walk(
    text: &[u8],
    mut member: impl FnMut(Range<usize>, Range<usize>),
) -> Result<Checked, Fault> {
    let mut at = after_space(text, 0);
    let kind = match text.get(at) {
        Some(b'{') => Kind::Object,
        Some(b'[') => Kind::Array,
        Some(_) => Kind::Scalar,
        None => return Err(Fault::Cut),
    };
    // One bit for each open level, 1 for an object; MAX_DEPTH levels fit.
    let mut open: u128 = 0;
    let mut depth = 0;
    let mut not_a_number = false;
    let mut control = false;
    // The outermost object's member at hand.
    let (mut name, mut value) = (0..0, 0);
    loop {
        // A value is due at `at`.
        match text.get(at) {
            Some(&byte @ (b'{' | b'[')) => {
                if depth == MAX_DEPTH {
                    return Err(Fault::TooDeep);
                }
                depth += 1;
                let object = byte == b'{';
                open = open << 1 | u128::from(object);
                at = after_space(text, at + 1);
                if text.get(at) != Some(if object { &b'}' } else { &b']' }) {
                    if object {
                        let start = at;
                        let end;
                        (end, at) = key(text, at, &mut control)?;
                        if depth == 1 {
                            (name, value) = (start..end, at);
                        }
                    }
                    continue;
                }
                depth -= 1;
                open >>= 1;
                at += 1;
            }
            Some(b'"') => at = string(text, at + 1, &mut control)?,
            Some(b'-' | b'0'..=b'9') => at = number(text, at, &mut not_a_number)?,
            Some(b't') => at = word(text, at, b"true")?,
            Some(b'f') => at = word(text, at, b"false")?,
            Some(b'n') => at = word(text, at, b"null")?,
            Some(b'N') => {
                at = word(text, at, b"NaN")?;
                not_a_number = true;
            }
            Some(b'I') => {
                at = word(text, at, b"Infinity")?;
                not_a_number = true;
            }
            Some(_) => return Err(Fault::Unexpected { at, expected: "a value" }),
            None => return Err(Fault::Cut),
        }
        // A value ended at `at`.
        loop {
            if depth == 1 && open & 1 == 1 {
                member(name.clone(), value..at);
            }
            at = after_space(text, at);
            if depth == 0 {
                if at < text.len() {
                    return Err(Fault::More { at });
                }
                return Ok(Checked { kind, not_a_number, control });
            }
            let object = open & 1 == 1;
            match text.get(at) {
                Some(b',') => {
                    at = after_space(text, at + 1);
                    if object {
                        let start = at;
                        let end;
                        (end, at) = key(text, at, &mut control)?;
                        if depth == 1 {
                            (name, value) = (start..end, at);
                        }
                    }
                    break;
                }
                Some(b'}') if object => {}
                Some(b']') if !object => {}
                Some(_) if object => {
                    return Err(Fault::Unexpected { at, expected: "a comma or a closing brace" });
                }
                Some(_) => {
                    return Err(Fault::Unexpected { at, expected: "a comma or a closing bracket" });
                }
                None => return Err(Fault::Cut),
            }
            depth -= 1;
            open >>= 1;
            at += 1;
        }
    }
}

fn after_space(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && is_space(text[at]) {
        at += 1;
    }
    at
}

/// Reads a member's name and colon; gives where the name ends and where its value begins.
fn key(text: &[u8], at: usize, control: &mut bool) -> Result<(usize, usize), Fault> {
    match text.get(at) {
        Some(b'"') => {}
        Some(_) => return Err(Fault::Unexpected { at, expected: "a member name" }),
        None => return Err(Fault::Cut),
    }
    let end = string(text, at + 1, control)?;
    let at = after_space(text, end);
    match text.get(at) {
        Some(b':') => Ok((end, after_space(text, at + 1))),
        Some(_) => Err(Fault::Unexpected { at, expected: "a colon" }),
        None => Err(Fault::Cut),
    }
}

/// Reads a string from behind its opening quote; gives the place behind its closing one.
fn string(text: &[u8], mut at: usize, control: &mut bool) -> Result<usize, Fault> {
    loop {
        at = special(text, at);
        match text.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => match text.get(at + 1) {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
                Some(b'u') => {
                    for place in at + 2..at + 6 {
                        match text.get(place) {
                            Some(byte) if byte.is_ascii_hexdigit() => {}
                            Some(_) => {
                                return Err(Fault::Unexpected {
                                    at: place,
                                    expected: "a hexadecimal digit",
                                });
                            }
                            None => return Err(Fault::Cut),
                        }
                    }
                    at += 6;
                }
                Some(_) => {
                    return Err(Fault::Unexpected { at: at + 1, expected: "an escape" });
                }
                None => return Err(Fault::Cut),
            },
            Some(b'\n' | b'\r') => {
                return Err(Fault::Unexpected { at, expected: "no line end in a string" });
            }
            Some(_) => {
                *control = true;
                at += 1;
            }
            None => return Err(Fault::Cut),
        }
    }
}

/// Place of the next quote, backslash or control character from `at` on, eight bytes at a time.
fn special(text: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    while let Some(chunk) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let bytes = u64::from_le_bytes(*chunk);
        let quote = bytes ^ (ONES * 0x22);
        let backslash = bytes ^ (ONES * 0x5c);
        // The lowest marked byte is exact; bytes above it may be marked by a borrow.
        let marks = (quote.wrapping_sub(ONES) & !quote
            | backslash.wrapping_sub(ONES) & !backslash
            | bytes.wrapping_sub(ONES * 0x20) & !bytes)
            & HIGH;
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while at < text.len() && text[at] >= 0x20 && text[at] != b'"' && text[at] != b'\\' {
        at += 1;
    }
    at
}

fn word(text: &[u8], at: usize, word: &'static [u8]) -> Result<usize, Fault> {
    let rest = &text[at..];
    if rest.starts_with(word) {
        Ok(at + word.len())
    } else if word.starts_with(rest) {
        Err(Fault::Cut)
    } else {
        Err(Fault::Unexpected { at, expected: "a value" })
    }
}

fn number(text: &[u8], mut at: usize, not_a_number: &mut bool) -> Result<usize, Fault> {
    if text[at] == b'-' {
        at += 1;
    }
    match text.get(at) {
        Some(b'0') => at += 1,
        Some(b'1'..=b'9') => at = digits(text, at)?,
        Some(b'I') => {
            *not_a_number = true;
            return word(text, at, b"Infinity");
        }
        Some(_) => return Err(Fault::Unexpected { at, expected: "a digit" }),
        None => return Err(Fault::Cut),
    }
    if text.get(at) == Some(&b'.') {
        at = digits(text, at + 1)?;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = text.get(at) {
            at += 1;
        }
        at = digits(text, at)?;
    }
    Ok(at)
}

fn digits(text: &[u8], from: usize) -> Result<usize, Fault> {
    let count = text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    match (count, text.get(from)) {
        (0, Some(_)) => Err(Fault::Unexpected { at: from, expected: "a digit" }),
        (0, None) => Err(Fault::Cut),
        _ => Ok(from + count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_json_takes() {
        for text in [
            "{}",
            " [ ] ",
            "[1,-0,1e999,0.5E-3,9223372036854775808]",
            r#"{"a":{"b":[true,false,null]}}"#,
            r#""\ud800""#,
            r#"{"a":1,"a":2}"#,
            r#""\u00e9\"\\\/\b\f\n\r\t""#,
        ] {
            assert!(check(text.as_bytes()).is_ok(), "{text}");
        }
        assert!(check(b"\"\xff\xfe\"").is_ok());
        assert!(check(b"[\"a\tb\",\"\x01\"]").is_ok_and(|checked| checked.control));
        assert!(check(b"[NaN,-Infinity,Infinity]").is_ok_and(|checked| checked.not_a_number));
    }

    #[test]
    fn refuses_what_json_refuses() {
        for text in [
            "",
            "{",
            "[1,]",
            "{,}",
            r#"{"a"}"#,
            r#"{"a":}"#,
            "01",
            "1.",
            "-",
            "+1",
            "nul",
            "tru",
            "[1 2]",
            "{}{}",
            "'a'",
            "\"a\nb\"",
            r#""\x""#,
            r#""\u12g4""#,
            r#"{a:1}"#,
            "]",
            "[}",
            "nan",
        ] {
            assert!(check(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn names_the_fault() {
        assert_eq!(check(b"{\"incomplete\":"), Err(Fault::Cut));
        assert_eq!(check(b"{} {}"), Err(Fault::More { at: 3 }));
        assert_eq!(check(b"not json"), Err(Fault::Unexpected { at: 0, expected: "a value" }));
        let deep = |levels: usize| [vec![b'['; levels], vec![b']'; levels]].concat();
        assert!(check(&deep(MAX_DEPTH)).is_ok());
        assert_eq!(check(&deep(MAX_DEPTH + 1)), Err(Fault::TooDeep));
        assert_eq!(check(&deep(10_000)), Err(Fault::TooDeep));
    }
}
