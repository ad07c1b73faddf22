//! Text that is shared instead of copied.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// Text out of a package: a passage of a file, or text of its own. A clone shares the bytes, so
/// records are made and copied without copying what they cite.
///
/// It derefs to [`str`]. As long as a passage is held, so is the file that it is in.
#[derive(Clone, Default)]
pub struct Text {
    whole: Arc<str>,
    start: u32,
    /// Behind the last byte, or [`WHOLE`].
    end: u32,
}

/// Stands for the end of `whole`, wherever that is.
const WHOLE: u32 = u32::MAX;

impl Text {
    /// The text itself.
    pub fn as_str(&self) -> &str {
        match self.end {
            WHOLE => &self.whole,
            // A range that `part_of` has seen to be one of whole characters.
            end => self.whole.get(self.start as usize..end as usize).unwrap_or_default(),
        }
    }

    /// `part` without copying it, if it lies in `whole`; a copy otherwise.
    pub(crate) fn part_of(whole: &Arc<str>, part: &str) -> Self {
        let start = (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize);
        let shared = start.and_then(|start| {
            let end = start.checked_add(part.len())?;
            let (from, to) = (u32::try_from(start).ok()?, u32::try_from(end).ok()?);
            (to != WHOLE && whole.get(start..end).is_some()).then_some((from, to))
        });
        match shared {
            Some((start, end)) => Self { whole: Arc::clone(whole), start, end },
            None => part.into(),
        }
    }

    /// A part of this text, sharing its bytes.
    pub(crate) fn part(&self, part: &str) -> Self {
        Self::part_of(&self.whole, part)
    }

    fn byte_len(&self) -> usize {
        match self.end {
            WHOLE => self.whole.len(),
            end => (end - self.start) as usize,
        }
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self
    }
}

impl From<Arc<str>> for Text {
    fn from(whole: Arc<str>) -> Self {
        Self { whole, start: 0, end: WHOLE }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Arc::<str>::from(text).into()
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Arc::<str>::from(text).into()
    }
}

impl From<&Text> for String {
    fn from(text: &Text) -> Self {
        text.as_str().to_owned()
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.as_str().to_owned()
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.byte_len() == other.len() && self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, other: &String) -> bool {
        *self == **other
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        *self == **other
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other)
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{Arc, Text};

    #[test]
    fn a_part_shares_the_bytes_of_the_whole() {
        let whole: Arc<str> = "ab cé d".into();
        let part = Text::part_of(&whole, &whole[3..6]);
        assert_eq!(part, "cé");
        assert_eq!(part.part(&part.as_str()[1..]), "é");
        assert_eq!(Arc::strong_count(&whole), 2);
        assert_eq!(Text::part_of(&whole, &whole[7..]), "d");
        assert_eq!(Text::part_of(&whole, ""), "");
    }

    #[test]
    fn what_does_not_lie_in_the_whole_is_copied() {
        let whole: Arc<str> = "abc".into();
        let part = Text::part_of(&whole, "abc");
        assert_eq!((part, Arc::strong_count(&whole)), ("abc".into(), 1));
        assert_eq!(Text::default(), "");
    }
}
