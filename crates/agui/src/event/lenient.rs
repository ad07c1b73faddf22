//! A second pass for texts that are nearly JSON (facts/agui §2.3): `NaN` and `Infinity` of Python
//! servers, raw control characters in strings, lone surrogates in member names.

/// Rewrites a text so that a strict parser takes it; `None` when there is nothing to rewrite.
pub(super) fn clean(text: &str) -> Option<String> {
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
        } else {
            in_string = c == '"';
            out.push(c);
            at += c.len_utf8();
        }
    }
    changed.then_some(out)
}

/// Python's words for numbers that JSON does not have.
const NOT_JSON: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// One character, escape or surrogate pair inside a string: its bytes, and what to write when not them.
fn string_piece(rest: &str, first: char) -> (usize, Option<String>) {
    if first != '\\' {
        let replaced = (first < ' ').then(|| format!("\\u{:04x}", u32::from(first)));
        return (first.len_utf8(), replaced);
    }
    match unit(rest).map(|unit| pair(rest, unit)) {
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

enum Surrogates {
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
            r#"{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \ud83d\ude00 \ud83d","d\udc00":1}"#,
        );
        let value: serde_json::Value = serde_json::from_str(&cleaned.unwrap()).unwrap();
        assert_eq!(value["a"], serde_json::Value::Null);
        assert_eq!(value["c"], "NaN 😀 \u{fffd}");
        assert_eq!(value["d\u{fffd}"], 1);
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
