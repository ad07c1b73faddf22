//! Texts and numbers that JSON can spell and clients cannot hold.

use memchr::memmem;

use super::lenient;
use crate::event::{Event, JsonType, Note};

/// Notes on what of the event clients read as something else.
pub(super) fn notes(event: &Event) -> Vec<Note> {
    let mut notes = Vec::new();
    if has_lone_surrogate(event.bytes()) {
        notes.push(Note::LoneSurrogate);
    }
    let mut numbers = Numbers::default();
    for member in &event.members {
        let value = super::Raw::new(&event.text[member.value.clone()]);
        match value.kind() {
            JsonType::Number => numbers.look(value.json()),
            JsonType::Object | JsonType::Array => numbers.look_into(value.json()),
            JsonType::Null | JsonType::Boolean | JsonType::String => {}
        }
    }
    notes.extend(numbers.too_large.map(Note::NumberTooLarge));
    notes.extend(numbers.inexact.map(Note::NumberInexact));
    notes
}

/// Whether a string of this JSON text holds half of a surrogate pair.
fn has_lone_surrogate(text: &[u8]) -> bool {
    let mut from = 0;
    while let Some(found) = memmem::find(&text[from..], b"\\u") {
        let at = from + found;
        // An odd number of backslashes before it leaves this one without meaning.
        let before = text[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        let rest = String::from_utf8_lossy(&text[at..text.len().min(at + 12)]);
        match lenient::surrogates(&rest) {
            _ if before % 2 == 1 => from = at + 2,
            Some(lenient::Surrogates::Lone) => return true,
            Some(lenient::Surrogates::Pair(_)) => from = at + 12,
            Some(lenient::Surrogates::None) | None => from = at + 2,
        }
    }
    false
}

/// The first numbers found that clients read as others.
#[derive(Default)]
struct Numbers {
    too_large: Option<String>,
    inexact: Option<String>,
}

impl Numbers {
    /// Looks at every number of a list or an object.
    fn look_into(&mut self, json: &str) {
        let bytes = json.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'"' => at = lenient::behind_string(json, at),
                b'-' | b'0'..=b'9' => {
                    let end = lenient::behind_number(json, at);
                    self.look(&json[at..end]);
                    at = end;
                }
                _ => at += 1,
            }
        }
    }

    fn look(&mut self, number: &str) {
        // Few numbers are long, have an exponent, or are nothing with a sign.
        if number.len() < 19 && number != "-0" && !number.contains(['e', 'E']) {
            return;
        }
        if is_too_large(number) {
            self.too_large.get_or_insert_with(|| number.to_owned());
        } else if number == "-0" || is_long(number) {
            self.inexact.get_or_insert_with(|| number.to_owned());
        }
    }
}

/// Whether a number is beyond what a double holds.
pub(super) fn is_too_large(number: &str) -> bool {
    number.parse::<f64>().is_ok_and(f64::is_infinite)
}

/// Whether it is a whole number of more than 64 bits with its sign.
fn is_long(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    digits.bytes().all(|byte| byte.is_ascii_digit()) && number.parse::<i64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::has_lone_surrogate;
    use crate::event::{Event, Note};

    #[test]
    fn half_a_pair_is_told_from_a_whole_one_and_from_a_backslash() {
        for (text, lone) in [
            (r#""\ud800""#, true),
            (r#""\uD800x""#, true),
            (r#""\udc00\ud800""#, true),
            (r#""\ud83d\ude00""#, false),
            (r#""\ud83d\ude00\ud83d""#, true),
            (r#""\\ud800""#, false),
            (r#""\\\ud800""#, true),
            (r#""\u00e9\\u""#, false),
            ("\"\\ud800é\"", true),
            (r#""\u"#, false),
        ] {
            assert_eq!(has_lone_surrogate(text.as_bytes()), lone, "{text}");
        }
        assert!(has_lone_surrogate(b"\"\\ud800\xff\xff\xff\""));
    }

    #[test]
    fn numbers_that_clients_change_are_named_wherever_they_stand() {
        let notes = |json: &str| {
            let event = Event::parse(json.as_bytes().to_vec());
            event
                .notes()
                .iter()
                .filter(|n| matches!(n, Note::NumberTooLarge(_) | Note::NumberInexact(_)))
                .cloned()
                .collect::<Vec<_>>()
        };
        let custom = |value: &str| format!(r#"{{"type":"CUSTOM","name":"x","value":{value}}}"#);
        for value in ["1e999", "[0,{\"a\\\"\":-1E400}]"] {
            assert!(matches!(notes(&custom(value))[..], [Note::NumberTooLarge(_)]), "{value}");
        }
        for value in ["-0", "9223372036854775808", "[-9223372036854775809]", "{\"a\":-0}"] {
            assert!(matches!(notes(&custom(value))[..], [Note::NumberInexact(_)]), "{value}");
        }
        for value in ["0", "-0.0", "1e300", "9223372036854775807", "\"1e999 -0\"", "[1.5,-2]"] {
            assert!(notes(&custom(value)).is_empty(), "{value}");
        }
        assert_eq!(notes(&custom("[1e999,-0,2e999]")).len(), 2);
    }
}
