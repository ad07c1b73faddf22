//! A second pass for texts that are nearly JSON (facts/agui §2.3): `NaN` and `Infinity` of Python
//! servers, raw control characters in strings, lone surrogates in member names.

/// Rewrites a text so that a strict parser takes it; `None` when there is nothing to rewrite.
pub(super) fn clean(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len() + 16);
    let mut at = 0;
    let mut in_string = false;
    let mut changed = false;
    while at < bytes.len() {
        let rest = &text[at..];
        if in_string {
            let (piece, used) = in_string_piece(rest);
            changed |= piece != rest[..used];
            in_string = !rest.starts_with('"');
            out.push_str(&piece);
            at += used;
        } else if let Some(word) =
            ["-Infinity", "Infinity", "NaN"].iter().find(|w| rest.starts_with(**w))
        {
            out.push_str("null");
            changed = true;
            at += word.len();
        } else {
            let c = rest.chars().next()?;
            in_string = c == '"';
            out.push(c);
            at += c.len_utf8();
        }
    }
    changed.then_some(out)
}

/// One character, escape or surrogate pair inside a string: what to write and how many bytes it stood in.
fn in_string_piece(rest: &str) -> (String, usize) {
    if let Some(escape) = rest.strip_prefix('\\') {
        let Some(first) = unit(rest) else {
            let second = escape.chars().next();
            let used = 1 + second.map_or(0, char::len_utf8);
            return (rest[..used].to_owned(), used);
        };
        return match pair(rest, first) {
            Surrogates::None => (rest[..6].to_owned(), 6),
            Surrogates::Pair(_) => (rest[..12].to_owned(), 12),
            Surrogates::Lone => ("\\ufffd".to_owned(), 6),
        };
    }
    match rest.chars().next() {
        Some(c) if c < ' ' => (format!("\\u{:04x}", u32::from(c)), 1),
        Some(c) => (c.to_string(), c.len_utf8()),
        None => (String::new(), 1),
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
