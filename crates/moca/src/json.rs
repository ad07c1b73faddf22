//! A strict JSON reader that keeps what a record's digest needs: numbers as spelt, and raw slices.
//!
//! `serde_json::Value` would change `753.0` and `1e2`, and let the last of two equal members win in silence.
//! Here a number stays text, a repeated member is an error, and depth is bounded.

mod cursor;

use std::borrow::Cow;
use std::fmt::Write;

use cursor::Cursor;

/// Deepest nesting that is read; records of the 0.4 schema need 6, sources of evidence are open objects.
pub(crate) const MAX_DEPTH: usize = 128;

/// A JSON value, borrowing from its text where nothing is escaped.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node<'a> {
    Null,
    Bool(bool),
    /// As spelt.
    Number(&'a str),
    String(Cow<'a, str>),
    Array(Vec<Node<'a>>),
    /// In the order of the text, names distinct.
    Object(Vec<(Cow<'a, str>, Node<'a>)>),
}

/// Why a text is no JSON value that this crate reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum JsonError {
    #[error("not JSON at byte {0}")]
    Syntax(usize),
    #[error("a text at byte {0} holds half a surrogate pair and is no Unicode")]
    LoneSurrogate(usize),
    #[error("the member “{0}” is there twice")]
    Duplicate(String),
    #[error("nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

/// Reads a whole text as one value.
pub(crate) fn parse(text: &str) -> Result<Node<'_>, JsonError> {
    let mut cursor = Cursor::new(text);
    let node = cursor.value(0)?;
    cursor.end()?;
    Ok(node)
}

/// Names and raw texts of an object's members.
pub(crate) type RawMembers<'a> = Vec<(Cow<'a, str>, &'a str)>;

/// The members of an object, each with its raw text; `None` when the text is another kind of value.
pub(crate) fn members(text: &str) -> Result<Option<RawMembers<'_>>, JsonError> {
    let mut cursor = Cursor::new(text);
    if cursor.peek() != Some(b'{') {
        cursor.skip(0)?;
        return cursor.end().map(|()| None);
    }
    let mut members = Vec::new();
    cursor.object(|cursor, name| {
        members.push((name, cursor.raw(1)?));
        Ok(())
    })?;
    cursor.end()?;
    distinct(&members)?;
    Ok(Some(members))
}

/// Like [`members`], of a text that has been gone through before; a text of another kind is not looked at.
pub(crate) fn members_of(text: &str) -> Result<Option<RawMembers<'_>>, JsonError> {
    if Cursor::new(text).peek() == Some(b'{') { members(text) } else { Ok(None) }
}

/// Hands each item of an array, as raw text, to `each`; `false` when the text is another kind of value.
pub(crate) fn items<'a>(text: &'a str, mut each: impl FnMut(&'a str)) -> Result<bool, JsonError> {
    let mut cursor = Cursor::new(text);
    if cursor.peek() != Some(b'[') {
        return Ok(false);
    }
    cursor.array(|cursor| {
        each(cursor.raw(1)?);
        Ok(())
    })?;
    cursor.end()?;
    Ok(true)
}

impl<'a> Node<'a> {
    /// The member `name` of an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Node<'a>> {
        match self {
            Node::Object(members) => members.iter().find(|(n, _)| n == name).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The text of a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Node::String(text) => Some(text),
            _ => None,
        }
    }

    /// What kind of value it is, for a message.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Node::Null => "null",
            Node::Bool(_) => "a boolean",
            Node::Number(_) => "a number",
            Node::String(_) => "a text",
            Node::Array(_) => "a list",
            Node::Object(_) => "an object",
        }
    }

    /// Canonical JSON: members sorted by code point, no white space, numbers as spelt, only what must be escaped escaped.
    pub(crate) fn canonical(&self) -> String {
        let mut out = String::new();
        write(self, &mut out, None, Numbers::AsSpelt);
        out
    }

    /// Canonical JSON with equal numbers spelt alike: for comparing values that went different ways (`753` becomes
    /// `753.0` in a binary recording).
    pub(crate) fn comparable(&self) -> String {
        let mut out = String::new();
        write(self, &mut out, None, Numbers::Normal);
        out
    }

    /// Like [`Node::comparable`], without the object's own member `name`.
    pub(crate) fn comparable_without(&self, name: &str) -> String {
        let mut out = String::new();
        write(self, &mut out, Some(name), Numbers::Normal);
        out
    }
}

#[derive(Clone, Copy)]
enum Numbers {
    AsSpelt,
    Normal,
}

fn write(node: &Node<'_>, out: &mut String, leave_out: Option<&str>, numbers: Numbers) {
    match node {
        Node::Null => out.push_str("null"),
        Node::Bool(true) => out.push_str("true"),
        Node::Bool(false) => out.push_str("false"),
        Node::Number(spelling) => match numbers {
            Numbers::AsSpelt => out.push_str(spelling),
            Numbers::Normal => out.push_str(&normal_number(spelling)),
        },
        Node::String(text) => write_string(text, out),
        Node::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write(item, out, None, numbers);
            }
            out.push(']');
        }
        Node::Object(members) => {
            let mut sorted: Vec<_> =
                members.iter().filter(|(name, _)| Some(name.as_ref()) != leave_out).collect();
            // UTF-8 sorts by bytes as by code points.
            sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
            out.push('{');
            for (i, (name, value)) in sorted.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_string(name, out);
                out.push(':');
                write(value, out, None, numbers);
            }
            out.push('}');
        }
    }
}

/// One spelling for each value: digits of an integer stay, all else is the shortest text of the double.
fn normal_number(spelling: &str) -> Cow<'_, str> {
    if spelling.bytes().all(|b| b.is_ascii_digit()) {
        return Cow::Borrowed(spelling);
    }
    match spelling.parse::<f64>() {
        Ok(0.0) => Cow::Borrowed("0"),
        Ok(value) if value.is_finite() => Cow::Owned(value.to_string()),
        _ => Cow::Borrowed(spelling),
    }
}

/// The natural number that a JSON number spells in any way (`753`, `753.0`, `7.53e2`), to the last digit; `None` for
/// every other number and for what most readers would take for infinity. What is beyond `u64` becomes its largest.
pub(crate) fn natural(spelling: &str) -> Option<u64> {
    spelling.parse().ok().filter(|value: &f64| value.is_finite())?;
    let (mantissa, exponent) = spelling.split_once(['e', 'E']).unwrap_or((spelling, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches(['-', '0']);
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    if whole.starts_with('-') {
        return None;
    }
    let length = |text: &str| i64::try_from(text.len()).ok();
    // The value is `significant` × 10^power.
    let power = exponent
        .parse::<i64>()
        .ok()?
        .checked_sub(length(fraction)?)?
        .checked_add(length(digits)? - length(significant)?)?;
    let value = significant.bytes().fold(0_u64, |value, digit| {
        value.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
    });
    let factor = 10_u64.saturating_pow(u32::try_from(power.min(20)).ok()?);
    Some(value.saturating_mul(factor))
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        // What is escaped is ASCII, so both cuts lie between characters.
        out.push_str(&text[plain..at]);
        plain = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x8 => out.push_str("\\b"),
            0xc => out.push_str("\\f"),
            control => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{control:04x}");
            }
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

fn distinct<T>(members: &[(Cow<'_, str>, T)]) -> Result<(), JsonError> {
    let mut names: Vec<&str> = members.iter().map(|(name, _)| name.as_ref()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(JsonError::Duplicate(crate::text::shown(pair[0]))),
        None => Ok(()),
    }
}
