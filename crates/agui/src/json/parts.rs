//! Members and elements of a JSON text that is at hand, also when it is cut off.

use std::borrow::Cow;
use std::ops::Range;

use super::{Scan, ValueScan, is_space, unescape};

/// One member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member<'a> {
    /// Its name, escapes resolved.
    pub key: Cow<'a, [u8]>,
    /// Its value as it stands in the text.
    pub value: &'a [u8],
    /// Where the value stands in the text.
    pub at: Range<usize>,
    /// The text ends inside the value.
    pub cut: bool,
}

/// The members of the object that `text` begins with, in order; none when it is no object.
///
/// Does not check the text: it goes on as long as names and values can be told apart.
#[must_use]
pub fn members(text: &[u8]) -> Members<'_> {
    Members { text, at: opened(text, b'{') }
}

/// The value of the last member called `name` (as JSON readers take it), as it stands in the text.
#[must_use]
pub fn member<'a>(text: &'a [u8], name: &str) -> Option<&'a [u8]> {
    members(text).filter(|member| *member.key == *name.as_bytes()).last().map(|member| member.value)
}

/// The value of the only member called `name`: [`Found::Twice`] when readers could take one or the other.
pub(crate) fn only_member<'a>(text: &'a [u8], name: &str) -> Found<'a> {
    let mut found = members(text).filter(|member| *member.key == *name.as_bytes());
    match (found.next(), found.next()) {
        (None, _) => Found::None,
        (Some(member), None) => Found::Once(member.value),
        (Some(_), Some(_)) => Found::Twice,
    }
}

/// How often a member is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found<'a> {
    None,
    /// Once, with its value as it stands in the text.
    Once(&'a [u8]),
    /// More than once.
    Twice,
}

/// The elements of the array that `text` begins with, in order, with their places; none when it is no array.
#[must_use]
pub fn elements(text: &[u8]) -> Elements<'_> {
    Elements { text, at: opened(text, b'[') }
}

/// See [`members`].
#[derive(Debug, Clone)]
pub struct Members<'a> {
    text: &'a [u8],
    at: Option<usize>,
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        let key = next_token(self.text, self.at.take()?)?;
        if self.text[key.start] != b'"' {
            return None;
        }
        let (key_end, key_cut) = value_end(self.text, key.start);
        let colon = key_end + self.text[key_end..].iter().position(|&byte| !is_space(byte))?;
        if key_cut || self.text[colon] != b':' {
            return None;
        }
        let start = next_token(self.text, colon + 1)?.start;
        let (end, cut) = value_end(self.text, start);
        self.at = Some(end);
        Some(Member {
            key: unescape(&self.text[key.start + 1..key_end - 1]),
            value: &self.text[start..end],
            at: start..end,
            cut,
        })
    }
}

/// See [`elements`].
#[derive(Debug, Clone)]
pub struct Elements<'a> {
    text: &'a [u8],
    at: Option<usize>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = (&'a [u8], Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let start = next_token(self.text, self.at.take()?)?.start;
        let (end, _) = value_end(self.text, start);
        self.at = Some(end);
        Some((&self.text[start..end], start..end))
    }
}

fn opened(text: &[u8], bracket: u8) -> Option<usize> {
    let first = text.iter().position(|&byte| !is_space(byte))?;
    (text[first] == bracket).then_some(first + 1)
}

/// Where the next value of a list, or of values one after the other, stands from `from` on.
pub(crate) fn next_value(text: &[u8], from: usize) -> Option<Range<usize>> {
    let start = next_token(text, from)?.start;
    Some(start..value_end(text, start).0)
}

/// The next byte that is neither white space nor a comma; `None` at a closing bracket or the end.
fn next_token(text: &[u8], from: usize) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    let start = from + rest.iter().position(|&byte| !is_space(byte) && byte != b',')?;
    (!matches!(text[start], b'}' | b']')).then_some(start..start + 1)
}

/// Where the value at `start` ends, and whether the text ends before it does.
fn value_end(text: &[u8], start: usize) -> (usize, bool) {
    let mut scan = ValueScan::default();
    match scan.feed(&text[start..]) {
        Scan::End(length) => (start + length, false),
        Scan::More => (text.len(), !scan.may_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_members_in_order_with_their_texts() {
        let text = br#" { "a" : 1 , "b\u0062":{"c":[1,2]}, "a":"x\"}" }"#;
        let found: Vec<_> = members(text).map(|m| (m.key.into_owned(), m.value)).collect();
        assert_eq!(
            found,
            [
                (b"a".to_vec(), &b"1"[..]),
                (b"bb".to_vec(), br#"{"c":[1,2]}"#),
                (b"a".to_vec(), br#""x\"}""#)
            ]
        );
        assert_eq!(member(text, "a"), Some(&br#""x\"}""#[..]));
    }

    #[test]
    fn gives_what_a_cut_text_has() {
        let found: Vec<_> = members(br#"{"type":"RUN","input":{"a":[1"#).collect();
        assert_eq!(found.len(), 2);
        assert!(!found[0].cut && found[1].cut);
        assert_eq!(elements(b"[1, {\"a\":2}, \"c").count(), 3);
        assert_eq!(elements(b"{}").count(), 0);
        assert_eq!(members(b"{\"a").count(), 0);
    }
}
