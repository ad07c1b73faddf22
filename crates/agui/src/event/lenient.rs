//! A second pass for texts that are nearly JSON (facts/agui §2.3): `NaN` and `Infinity` of Python
//! servers, numbers beyond what a double holds, raw control characters in strings, lone surrogates.

use serde::de::DeserializeOwned;

use super::odd;

/// Reads a value; what a strict parser refuses of it is replaced as [`clean`] does.
///
/// # Errors
/// What the strict parser says when it refuses the cleaned text too.
pub(crate) fn value<T: DeserializeOwned>(json: &str) -> serde_json::Result<T> {
    serde_json::from_str(json).or_else(|error| match clean(json) {
        Some(cleaned) => serde_json::from_str(&cleaned),
        None => Err(error),
    })
}

/// Rewrites a JSON text so that a strict reader takes it: `null` for NaN, Infinity and numbers beyond what a double
/// holds, U+FFFD for half surrogate pairs, escapes for raw control characters. `None` when there is nothing to rewrite.
#[must_use]
pub fn clean(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 16);
    let mut at = 0;
    let mut in_string = false;
    let mut changed = false;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if in_string {
            in_string = c != '"';
            let (used, replaced) = string_piece(rest, c);
            changed |= replaced.is_some();
            match replaced {
                Some(replaced) => out.push_str(&replaced),
                None => out.push_str(&rest[..used]),
            }
            at += used;
        } else if let Some(word) = NOT_JSON.iter().find(|word| rest.starts_with(**word)) {
            out.push_str("null");
            changed = true;
            at += word.len();
        } else if matches!(c, '-' | '0'..='9') {
            let end = behind_number(text, at);
            let number = &text[at..end];
            let too_large = odd::is_too_large(number);
            out.push_str(if too_large { "null" } else { number });
            changed |= too_large;
            at = end;
        } else {
            in_string = c == '"';
            out.push(c);
            at += c.len_utf8();
        }
    }
    changed.then_some(out)
}

/// Behind the string whose opening quote stands at `at`.
pub(super) fn behind_string(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = at + 1;
    loop {
        match memchr::memchr2(b'"', b'\\', bytes.get(end..).unwrap_or_default()) {
            None => return bytes.len(),
            Some(found) if bytes[end + found] == b'"' => return end + found + 1,
            Some(found) => end += found + 2,
        }
    }
}

/// Behind the number that begins at `at`.
pub(super) fn behind_number(text: &str, at: usize) -> usize {
    let part =
        |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    let rest = &text.as_bytes()[at..];
    // The first character counts whatever it is, so that a caller gets on.
    at + 1 + rest[1..].iter().take_while(|byte| part(byte)).count()
}

/// Python's words for numbers that JSON does not have.
const NOT_JSON: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// One character, escape or surrogate pair inside a string: its bytes, and what to write when not them.
fn string_piece(rest: &str, first: char) -> (usize, Option<String>) {
    if first != '\\' {
        let replaced = (first < ' ').then(|| format!("\\u{:04x}", u32::from(first)));
        return (first.len_utf8(), replaced);
    }
    match surrogates(rest) {
        Some(Surrogates::None) => (6, None),
        Some(Surrogates::Pair(_)) => (12, None),
        Some(Surrogates::Lone) => (6, Some("\\ufffd".to_owned())),
        None => (1 + rest[1..].chars().next().map_or(0, char::len_utf8), None),
    }
}

/// Decodes the inside of a string whose escapes a strict parser refuses; lone surrogates become U+FFFD.
pub(super) fn unescape(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut at = 0;
    while let Some(c) = inner[at..].chars().next() {
        let rest = &inner[at..];
        if c != '\\' {
            out.push(c);
            at += c.len_utf8();
            continue;
        }
        if let Some(first) = unit(rest) {
            let (decoded, used) = match pair(rest, first) {
                Surrogates::None => (char::from_u32(first), 6),
                Surrogates::Pair(code) => (char::from_u32(code), 12),
                Surrogates::Lone => (None, 6),
            };
            out.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
            at += used;
            continue;
        }
        let escaped = rest[1..].chars().next();
        out.push(match escaped {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some(other) => other,
            None => '\\',
        });
        at += 1 + escaped.map_or(0, char::len_utf8);
    }
    out
}

/// What the `\uXXXX` at the start is half of; `None` when there is no escape.
pub(super) fn surrogates(rest: &str) -> Option<Surrogates> {
    unit(rest).map(|unit| pair(rest, unit))
}

/// What a code unit is half of.
pub(super) enum Surrogates {
    None,
    Pair(u32),
    Lone,
}

fn pair(rest: &str, first: u32) -> Surrogates {
    match first {
        0xD800..=0xDBFF => match rest.get(6..).and_then(unit) {
            Some(second @ 0xDC00..=0xDFFF) => {
                Surrogates::Pair(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
            }
            _ => Surrogates::Lone,
        },
        0xDC00..=0xDFFF => Surrogates::Lone,
        _ => Surrogates::None,
    }
}

/// The code unit of a `\uXXXX` at the start.
fn unit(rest: &str) -> Option<u32> {
    let hex = rest.strip_prefix("\\u")?.get(..4)?;
    hex.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(hex, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{clean, unescape};

    #[test]
    fn not_a_number_and_lone_surrogates_become_readable() {
        let cleaned = clean(
            r#"{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \ud83d\ude00 \ud83d","d\udc00":1,"e":[1e999,-2E999,-3.5e2]}"#,
        );
        let value: serde_json::Value = serde_json::from_str(&cleaned.unwrap()).unwrap();
        assert_eq!(value["a"], serde_json::Value::Null);
        assert_eq!(value["c"], "NaN 😀 \u{fffd}");
        assert_eq!(value["d\u{fffd}"], 1);
        assert_eq!(value["e"], serde_json::json!([null, null, -350.0]));
        assert_eq!(clean(r#"{"a":1}"#), None);
    }

    #[test]
    fn raw_control_characters_in_strings_become_escapes() {
        let cleaned = clean("{\"a\":\"x\ny\"}").unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&cleaned).unwrap()["a"], "x\ny");
    }

    #[test]
    fn unescape_replaces_only_what_is_lone() {
        assert_eq!(unescape(r"\ud83d\ude00 \ud83dx \n \q \u00e9"), "😀 \u{fffd}x \n q é");
    }
}
