//! Data as a package wrote it: JSON of `moca.json`, YAML 1.2 core of a frontmatter.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::text::Text;

/// A JSON or YAML value with the members of a mapping in the order they were written.
///
/// `Serialize` writes JSON as ECMAScript does: a whole number without a fraction however it was
/// written, and `null` for `.inf` and `.nan`, since JSON has neither. A clone shares its parts.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    /// `null`, `~`, or nothing.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer that fits 64 signed bits.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// Text.
    String(Text),
    /// A list.
    Seq(Arc<[Value]>),
    /// A mapping; keys are unique.
    Map(Arc<[(Text, Value)]>),
}

impl Value {
    /// A list.
    pub fn seq(items: impl IntoIterator<Item = Value>) -> Self {
        Value::Seq(items.into_iter().collect())
    }

    /// A mapping; the caller sees to it that no key repeats.
    pub fn map<K: Into<Text>>(members: impl IntoIterator<Item = (K, Value)>) -> Self {
        Value::Map(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    /// The member `key` of a mapping; `None` for anything else.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.iter().find(|(k, _)| *k == *key).map(|(_, v)| v)
    }

    /// Follows members one after another: `path(&["moca", "evidence"])`.
    pub fn path(&self, keys: &[&str]) -> Option<&Value> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    /// The text, if this is text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(s) => Some(s),
            _ => None,
        }
    }

    /// The text as it is shared, if this is text.
    pub fn as_text(&self) -> Option<&Text> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The items, if this is a list.
    pub fn as_seq(&self) -> Option<&[Value]> {
        match self {
            Value::Seq(items) => Some(items),
            _ => None,
        }
    }

    /// The members, if this is a mapping.
    pub fn as_map(&self) -> Option<&[(Text, Value)]> {
        match self {
            Value::Map(members) => Some(members),
            _ => None,
        }
    }

    /// The number as an integer: `3` and `3.0` both are, as in JSON Schema.
    pub fn as_integer(&self) -> Option<i64> {
        match *self {
            Value::Int(n) => Some(n),
            // 2^53: beyond it a float no longer names one integer.
            Value::Float(f) if f.fract() == 0.0 && f.abs() <= 9_007_199_254_740_992.0 =>
            {
                #[allow(clippy::cast_possible_truncation)]
                Some(f as i64)
            }
            _ => None,
        }
    }

    /// True for `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::String(text.into())
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => out.serialize_unit(),
            Value::Bool(b) => out.serialize_bool(*b),
            Value::Int(n) => out.serialize_i64(*n),
            Value::Float(f) => match self.as_integer() {
                Some(whole) => out.serialize_i64(whole),
                None => out.serialize_f64(*f),
            },
            Value::String(s) => out.serialize_str(s),
            Value::Seq(items) => out.collect_seq(items.iter()),
            Value::Map(members) => {
                let mut map = out.serialize_map(Some(members.len()))?;
                for (key, value) in members.iter() {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// Of a repeated key the last value stays, at the place of the first, as `JSON.parse` does.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, b: bool) -> Result<Value, E> {
        Ok(Value::Bool(b))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
        Ok(Value::Int(n))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
        #[allow(clippy::cast_precision_loss)]
        Ok(i64::try_from(n).map_or(Value::Float(n as f64), Value::Int))
    }

    fn visit_f64<E>(self, f: f64) -> Result<Value, E> {
        Ok(Value::Float(f))
    }

    fn visit_str<E>(self, s: &str) -> Result<Value, E> {
        Ok(Value::String(s.into()))
    }

    fn visit_string<E>(self, s: String) -> Result<Value, E> {
        Ok(Value::String(s.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::Seq(items.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members: Vec<(Text, Value)> = Vec::new();
        let mut places = std::collections::HashMap::new();
        while let Some((key, value)) = map.next_entry::<String, Value>()? {
            let key = Text::from(key);
            let place = *places.entry(key.clone()).or_insert(members.len());
            match members.get_mut(place) {
                Some(member) => member.1 = value,
                None => members.push((key, value)),
            }
        }
        Ok(Value::Map(members.into()))
    }
}
