//! Raw bytes and records, made safe to look at.

use std::{io::Read, ops::Range};

use archive::{Reader, SourceId, Stream};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::contract::{Failure, RawText, RecordField};

/// Bytes shown of what a finding or event is about.
const SHOWN_BYTES: u64 = 64 << 10;

/// Fields shown of one record.
const SHOWN_FIELDS: usize = 2000;

/// Bytes of a source's content as text.
pub(super) fn raw_text(
    reader: &Reader,
    source: SourceId,
    at: Range<u64>,
) -> Result<RawText, Failure> {
    let length = at.end.saturating_sub(at.start);
    let mut bytes = Vec::new();
    let shown = at.start..at.start + length.min(SHOWN_BYTES);
    reader.read_content(source, Stream::Content, shown).read_to_end(&mut bytes)?;
    Ok(RawText { text: render::plain(&String::from_utf8_lossy(&bytes)), cut: length > SHOWN_BYTES })
}

/// Every field of a JSON text in its order, scalars as they are spelt.
pub(super) fn fields(json: &str) -> Vec<RecordField> {
    let mut out = Vec::new();
    let mut deserializer = serde_json::Deserializer::from_str(json);
    // A record that is no JSON has no fields; its raw text is shown beside.
    if (Walk { path: String::new(), out: &mut out }).deserialize(&mut deserializer).is_err() {
        out.clear();
    }
    out
}

struct Walk<'o> {
    path: String,
    out: &'o mut Vec<RecordField>,
}

impl Walk<'_> {
    fn scalar(self, value: &str) {
        if self.out.len() < SHOWN_FIELDS {
            self.out.push(RecordField {
                path: render::plain_line(&self.path),
                value: render::plain(value),
            });
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let raw: &'de RawValue = serde::Deserialize::deserialize(deserializer)?;
        let text = raw.get();
        let mut inner = serde_json::Deserializer::from_str(text);
        let walked = match text.as_bytes().first() {
            Some(b'{') => inner.deserialize_map(self),
            Some(b'[') => inner.deserialize_seq(self),
            Some(b'"') => serde_json::from_str::<String>(text).map(|value| self.scalar(&value)),
            _ => {
                self.scalar(text);
                Ok(())
            }
        };
        walked.map_err(serde::de::Error::custom)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a JSON object or list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut empty = true;
        while let Some(key) = map.next_key::<String>()? {
            empty = false;
            let path = if self.path.is_empty() { key } else { format!("{}.{key}", self.path) };
            map.next_value_seed(Walk { path, out: &mut *self.out })?;
        }
        if empty {
            self.scalar("{}");
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut index = 0;
        let path = self.path.clone();
        while list
            .next_element_seed(Walk { path: format!("{path}[{index}]"), out: &mut *self.out })?
            .is_some()
        {
            index += 1;
        }
        if index == 0 {
            self.scalar("[]");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_order_and_spelling() {
        let shown: Vec<String> = fields(r#"{"b":{"z":[1.0,{"a":"x"}]},"a":[],"c":null}"#)
            .into_iter()
            .map(|field| format!("{}={}", field.path, field.value))
            .collect();
        assert_eq!(shown, ["b.z[0]=1.0", "b.z[1].a=x", "a=[]", "c=null"]);
        assert!(fields("{").is_empty());
    }
}
