//! The bytes of a node's file, as text where they are text.

use std::ops::Range;
use std::sync::Arc;

use super::decode;
use crate::text::Text;

/// One file, held once for all that is cited from it.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// UTF-8.
    Text(Arc<str>),
    /// Anything else.
    Bytes(Arc<[u8]>),
}

impl Content {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.into()),
            Err(_) => Self::Bytes(bytes.into()),
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }

    /// Everything from byte `start` on. Bytes that are not UTF-8 become U+FFFD.
    pub(crate) fn from(&self, start: usize) -> Text {
        match self {
            Self::Text(text) => Text::part_of(text, text.get(start..).unwrap_or_default()),
            Self::Bytes(bytes) => (*decode(bytes.get(start..).unwrap_or_default())).into(),
        }
    }

    /// The text between two bytes; `None` if they are not all there, or cut a character.
    pub(crate) fn passage(&self, range: Range<usize>) -> Option<Text> {
        match self {
            Self::Text(text) => Some(Text::part_of(text, text.get(range)?)),
            Self::Bytes(bytes) => Some(std::str::from_utf8(bytes.get(range)?).ok()?.into()),
        }
    }

    /// The text between two bytes, as a range of a text that can be shared.
    pub(crate) fn between(&self, range: Range<usize>) -> (Arc<str>, Range<usize>) {
        if let Self::Text(text) = self
            && text.get(range.clone()).is_some()
        {
            return (Arc::clone(text), range);
        }
        let text: Arc<str> = decode(self.bytes().get(range).unwrap_or_default()).into();
        let all = 0..text.len();
        (text, all)
    }
}
