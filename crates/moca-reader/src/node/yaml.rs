//! YAML 1.2, core schema, at the level of events: nothing is expanded, nothing is executed
//! (`facts/moca-reader §2.2`).

use std::collections::HashSet;
use std::sync::Arc;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::plain;
use crate::text::Text;
use crate::value::Value;

/// What is wrong with a YAML text, and in which of its lines (from 1).
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub(crate) struct YamlError {
    pub(crate) line: u32,
    pub(crate) what: String,
}

/// Reads one document. Refused are aliases, repeated keys, keys that are no scalars, tags outside
/// the core schema, characters YAML cannot hold, and collections nested deeper than `max_depth`.
///
/// `text` should be a part of `whole`, which the values then share.
pub(crate) fn parse(whole: &Arc<str>, text: &str, max_depth: usize) -> Result<Value, YamlError> {
    refuse_unprintable(text)?;
    match plain::parse(whole, text, max_depth) {
        Some(value) => Ok(value),
        None => parse_with_parser(text, max_depth),
    }
}

/// The same for any YAML, one event after the other.
pub(super) fn parse_with_parser(text: &str, max_depth: usize) -> Result<Value, YamlError> {
    let mut builder = Builder { open: Vec::new(), root: None, max_depth };
    let mut documents = 0;
    let mut parser = Parser::new_from_str(text);
    while let Some(next) = parser.next_event() {
        let (event, span) = next.map_err(|e| fault(e.marker().line(), e.info()))?;
        if let Event::DocumentStart(_) = event {
            documents += 1;
        }
        if documents > 1 {
            return Err(fault(span.start.line(), "more than one document"));
        }
        builder.take(event).map_err(|what| fault(span.start.line(), what))?;
    }
    Ok(builder.root.unwrap_or_default())
}

fn fault(line: usize, what: &str) -> YamlError {
    YamlError { line: u32::try_from(line).unwrap_or(u32::MAX), what: what.to_owned() }
}

fn refuse_unprintable(text: &str) -> Result<(), YamlError> {
    let is_plain = |b: u8| (b' '..=b'~').contains(&b) || b == b'\n';
    // A chunk at a time without a way out, which compiles to wide instructions.
    if text.as_bytes().chunks(64).all(|some| some.iter().fold(true, |all, &b| all & is_plain(b))) {
        return Ok(());
    }
    let allowed = |c: char| match c {
        '\t' | '\n' | '\r' | '\u{85}' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        other => !other.is_control(),
    };
    match text.find(|c| !allowed(c)) {
        None => Ok(()),
        Some(at) => {
            let line = text[..at].matches('\n').count() + 1;
            Err(fault(line, "a character that YAML does not allow"))
        }
    }
}

/// Collections that are not closed yet, innermost last.
struct Builder {
    open: Vec<Collection>,
    root: Option<Value>,
    max_depth: usize,
}

enum Collection {
    Seq(Vec<Value>),
    Map { members: Vec<(Text, Value)>, key: Option<Text>, keys: HashSet<Text> },
}

/// Mappings this small are searched for a repeated key one by one.
const SMALL_MAP: usize = 16;

impl Builder {
    fn take(&mut self, event: Event<'_>) -> Result<(), &'static str> {
        match event {
            Event::Alias(_) => Err("an alias"),
            Event::Scalar(text, style, _, tag) => {
                if matches!(self.open.last(), Some(Collection::Map { key: None, .. })) {
                    let key = match scalar(&text, style, tag.as_deref())? {
                        Value::String(key) => key,
                        other => key_text(&other).into(),
                    };
                    return self.take_key(key);
                }
                let value = scalar(&text, style, tag.as_deref())?;
                self.place(value);
                Ok(())
            }
            Event::SequenceStart(_, tag) => {
                self.begin(Collection::Seq(Vec::new()), tag.as_deref(), "seq")
            }
            Event::MappingStart(_, tag) => {
                let map = Collection::Map { members: Vec::new(), key: None, keys: HashSet::new() };
                self.begin(map, tag.as_deref(), "map")
            }
            Event::SequenceEnd | Event::MappingEnd => {
                match self.open.pop() {
                    Some(Collection::Seq(items)) => self.place(Value::Seq(items.into())),
                    Some(Collection::Map { members, .. }) => self.place(Value::Map(members.into())),
                    None => {}
                }
                Ok(())
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    fn begin(
        &mut self,
        collection: Collection,
        tag: Option<&Tag>,
        kind: &str,
    ) -> Result<(), &'static str> {
        if tag.is_some_and(|tag| !is_non_specific(tag) && core_tag(tag) != Some(kind)) {
            return Err("a tag that the core schema does not have here");
        }
        if matches!(self.open.last(), Some(Collection::Map { key: None, .. })) {
            return Err("a key that is no scalar");
        }
        if self.open.len() >= self.max_depth {
            return Err("nested too deep");
        }
        self.open.push(collection);
        Ok(())
    }

    fn take_key(&mut self, new: Text) -> Result<(), &'static str> {
        let Some(Collection::Map { members, key, keys }) = self.open.last_mut() else {
            return Ok(());
        };
        let repeated = if members.len() < SMALL_MAP {
            members.iter().any(|(key, _)| *key == new)
        } else {
            if keys.is_empty() {
                keys.extend(members.iter().map(|(key, _)| key.clone()));
            }
            !keys.insert(new.clone())
        };
        *key = Some(new);
        if repeated { Err("a repeated key") } else { Ok(()) }
    }

    fn place(&mut self, value: Value) {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Collection::Seq(items)) => items.push(value),
            Some(Collection::Map { members, key, .. }) => {
                members.push((key.take().unwrap_or_default(), value));
            }
        }
    }
}

/// A key that is no text, as the reference writes it: `1`, `true`, `null`.
fn key_text(key: &Value) -> String {
    match key {
        Value::Float(f) if f.is_nan() => "NaN".into(),
        Value::Float(f) if f.is_infinite() => {
            if *f > 0.0 { "Infinity" } else { "-Infinity" }.into()
        }
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<Value, &'static str> {
    let no_such_tag = Err("a tag that the core schema does not have here");
    let Some(tag) = tag else {
        return Ok(match style {
            ScalarStyle::Plain => resolve(text),
            _ => text.into(),
        });
    };
    if is_non_specific(tag) {
        return Ok(text.into());
    }
    let value = match core_tag(tag) {
        Some("str") => return Ok(text.into()),
        Some("null" | "bool" | "int" | "float") => resolve(text),
        _ => return no_such_tag,
    };
    match (core_tag(tag), value) {
        (Some("null"), value @ Value::Null) => Ok(value),
        (Some("bool"), value @ Value::Bool(_)) => Ok(value),
        (Some("int"), value @ Value::Int(_)) => Ok(value),
        (Some("float"), value @ (Value::Int(_) | Value::Float(_))) => Ok(value),
        _ => no_such_tag,
    }
}

/// `!` alone: text, list or mapping, whatever it looks like.
fn is_non_specific(tag: &Tag) -> bool {
    tag.handle.is_empty() && tag.suffix == "!" || tag.handle == "!" && tag.suffix.is_empty()
}

fn core_tag(tag: &Tag) -> Option<&str> {
    match tag.handle.as_str() {
        "tag:yaml.org,2002:" => Some(&tag.suffix),
        "" => tag.suffix.strip_prefix("tag:yaml.org,2002:"),
        _ => None,
    }
}

/// What a plain scalar stands for in the core schema (YAML 1.2.2 §10.3.2).
fn resolve(text: &str) -> Value {
    resolve_unless_text(text).unwrap_or_else(|| text.into())
}

/// The same for what is not text; `None` is text as it stands.
pub(super) fn resolve_unless_text(text: &str) -> Option<Value> {
    match text.as_bytes() {
        b"" | b"~" | b"null" | b"Null" | b"NULL" => Some(Value::Null),
        b"true" | b"True" | b"TRUE" => Some(Value::Bool(true)),
        b"false" | b"False" | b"FALSE" => Some(Value::Bool(false)),
        [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => number(text),
        _ => None,
    }
}

fn number(text: &str) -> Option<Value> {
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return radix_number(digits, radix);
        }
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned {
        ".inf" | ".Inf" | ".INF" => {
            let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
            return Some(Value::Float(sign * f64::INFINITY));
        }
        ".nan" | ".NaN" | ".NAN" if unsigned == text => return Some(Value::Float(f64::NAN)),
        _ => {}
    }
    if !is_decimal(unsigned) {
        return None;
    }
    let is_integer = unsigned.bytes().all(|b| b.is_ascii_digit());
    match text.parse() {
        Ok(n) if is_integer => Some(Value::Int(n)),
        _ => text.parse().ok().map(Value::Float),
    }
}

fn radix_number(digits: &str, radix: u32) -> Option<Value> {
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    Some(i64::from_str_radix(digits, radix).map_or_else(
        |_| {
            let add = |n: f64, c: char| {
                n * f64::from(radix) + f64::from(c.to_digit(radix).unwrap_or_default())
            };
            Value::Float(digits.chars().fold(0.0, add))
        },
        Value::Int,
    ))
}

/// Digits, perhaps with a point and an exponent; a digit at least, and no other letter.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|e| {
            let e = e.strip_prefix(['+', '-']).unwrap_or(e);
            !e.is_empty() && digits(e)
        })
}
