//! Borrowed views of JSON text: no tree is built for what is only looked at.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::{Checked, Fault, Kind, walk};

/// What a member holds, as far as it was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Got<T> {
    /// There is no such member.
    Missing,
    /// The member is `null`, which 0.x servers write for "absent" (facts/agui §1.1).
    Null,
    /// The member holds a value of another type.
    Wrong(JsonType),
    /// The value.
    Ok(T),
}

impl<T> Got<T> {
    /// The value, if there is a usable one.
    pub fn ok(self) -> Option<T> {
        match self {
            Self::Ok(value) => Some(value),
            _ => None,
        }
    }

    /// Another view of the value, which may turn out to be of the wrong type.
    pub fn and_then<U>(self, view: impl FnOnce(T) -> Got<U>) -> Got<U> {
        match self {
            Self::Ok(value) => view(value),
            Self::Missing => Got::Missing,
            Self::Null => Got::Null,
            Self::Wrong(found) => Got::Wrong(found),
        }
    }
}

/// The six types of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // The names are JSON's own.
pub enum JsonType {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl fmt::Display for JsonType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "a list",
            Self::Object => "an object",
        })
    }
}

/// One JSON value as its text, without white space around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// Wraps the text of one JSON value, which must be valid JSON.
    pub(crate) fn new(json: &'a str) -> Self {
        Self(json)
    }

    /// The JSON text.
    pub fn json(self) -> &'a str {
        self.0
    }

    /// The type, told by the first character.
    pub fn kind(self) -> JsonType {
        match self.0.as_bytes().first() {
            Some(b'"') => JsonType::String,
            Some(b'{') => JsonType::Object,
            Some(b'[') => JsonType::Array,
            Some(b't' | b'f') => JsonType::Boolean,
            Some(b'n') | None => JsonType::Null,
            Some(_) => JsonType::Number,
        }
    }

    /// The string it holds. Lone surrogates are shown as U+FFFD.
    pub fn text(self) -> Got<Cow<'a, str>> {
        match self.kind() {
            JsonType::String => Got::Ok(unquote(self.0)),
            JsonType::Null => Got::Null,
            other => Got::Wrong(other),
        }
    }

    /// `true` or `false`.
    pub fn boolean(self) -> Got<bool> {
        match self.kind() {
            JsonType::Boolean => Got::Ok(self.0 == "true"),
            JsonType::Null => Got::Null,
            other => Got::Wrong(other),
        }
    }

    /// A whole number from 0, as token counts are.
    pub fn count(self) -> Option<u64> {
        self.0.parse().ok()
    }

    /// The members, when it is an object.
    pub fn object(self) -> Option<Object<'a>> {
        (self.kind() == JsonType::Object).then(|| Object::parse(self.0)).flatten()
    }

    /// The elements, when it is a list.
    pub fn array(self) -> Option<Vec<Raw<'a>>> {
        if self.kind() != JsonType::Array {
            return None;
        }
        let elements: Vec<&RawValue> = serde_json::from_str(self.0).ok()?;
        Some(elements.into_iter().map(|e| Raw(e.get())).collect())
    }
}

/// The members of a JSON object in their order, duplicates included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object<'a>(Vec<(Cow<'a, str>, Raw<'a>)>);

impl<'a> Object<'a> {
    /// Reads an object's text; `None` when it is not one.
    pub fn parse(json: &'a str) -> Option<Self> {
        let mut members = Vec::with_capacity(8);
        let mut readable = true;
        let walked = walk(json.as_bytes(), |name, value| match name_of(&json[name]) {
            Some(name) => members.push((name, Raw(&json[value]))),
            None => readable = false,
        });
        match walked {
            Ok(Checked { kind: Kind::Object, not_a_number: false, control: false }) => {
                readable.then_some(Self(members))
            }
            Ok(_) => None,
            // What stands deeper is not looked at here, whatever its depth.
            Err(Fault::TooDeep) => {
                serde_json::from_str::<Members<'a>>(json).ok().map(|m| Self(m.0))
            }
            Err(_) => None,
        }
    }

    /// Every member.
    pub fn members(&self) -> &[(Cow<'a, str>, Raw<'a>)] {
        &self.0
    }

    /// The value under exactly this name; the last one counts, as for JSON.parse.
    pub fn get(&self, name: &str) -> Option<Raw<'a>> {
        self.0.iter().rev().find(|(n, _)| n == name).map(|(_, raw)| *raw)
    }

    /// The value under a key or one of its aliases.
    pub fn look(&self, key: &super::Key) -> Got<Raw<'a>> {
        let mut got = Got::Missing;
        for name in std::iter::once(&key.name).chain(key.aliases) {
            match self.get(name) {
                Some(raw) if raw.kind() != JsonType::Null => return Got::Ok(raw),
                Some(_) => got = Got::Null,
                None => {}
            }
        }
        got
    }

    /// The string under a key or one of its aliases.
    pub fn text(&self, key: &super::Key) -> Got<Cow<'a, str>> {
        self.look(key).and_then(Raw::text)
    }

    /// The string under a key or one of its aliases, owned.
    pub fn owned(&self, key: &super::Key) -> Option<String> {
        self.text(key).ok().map(Cow::into_owned)
    }

    /// A name that stands twice.
    pub(super) fn duplicate(&self) -> Option<&str> {
        // Objects of events have a dozen members; a sorted copy is only made for odd ones.
        if self.0.len() <= 24 {
            let twice = |i: usize| self.0[..i].iter().any(|(name, _)| *name == self.0[i].0);
            return (1..self.0.len()).find(|i| twice(*i)).map(|i| self.0[i].0.as_ref());
        }
        let mut names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_ref()).collect();
        names.sort_unstable();
        names.windows(2).find(|w| w[0] == w[1]).map(|w| w[0])
    }
}

/// A member's name, given with its quotes; `None` when it is no Unicode.
fn name_of(quoted: &str) -> Option<Cow<'_, str>> {
    let inner = &quoted[1..quoted.len() - 1];
    if inner.contains('\\') {
        return serde_json::from_str(quoted).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(inner))
}

struct Members<'a>(Vec<(Cow<'a, str>, Raw<'a>)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Vec<(Cow<'de, str>, Raw<'de>)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(8);
                while let Some((Name(name), value)) =
                    map.next_entry::<Name<'de>, &'de RawValue>()?
                {
                    members.push((name, Raw(value.get())));
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(Collect).map(Members)
    }
}

/// A member's name, borrowed unless it is written with escapes.
struct Name<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrow;

        impl<'de> Visitor<'de> for Borrow {
            type Value = Cow<'de, str>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(name))
            }

            fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(name.to_owned()))
            }
        }

        deserializer.deserialize_str(Borrow).map(Name)
    }
}

/// Decodes a JSON string's text, quotes included.
fn unquote(json: &str) -> Cow<'_, str> {
    let inner = json.get(1..json.len().saturating_sub(1)).unwrap_or_default();
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Cow::Borrowed(inner);
    }
    match serde_json::from_str::<String>(json) {
        Ok(text) => Cow::Owned(text),
        Err(_) => Cow::Owned(super::lenient::unescape(inner)),
    }
}
