//! Where an answer mentions a source: markers and versioned node references in its text, outside code (`seed §3`).

use std::collections::HashMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use memchr::{
    memchr3,
    memmem::{self, Finder},
};
use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::name::NodeRef;

/// Most mentions told of one text; an answer that repeats a marker more often is not read by anyone.
pub const MAX_MENTIONS: usize = 1_000;

/// One place in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// UTF-8 bytes of the answer.
    pub bytes: Range<usize>,
    /// The same in code points.
    pub code_points: Range<usize>,
}

/// The places of each text in the answer, in order; `None` and the empty text have none. Places do not overlap: at each
/// the longest text counts, and equal texts share their places.
///
/// A place counts when it is outside code (spans and blocks, as CommonMark has them) and is not part of a longer word
/// or reference: `[1]` is not in `[10]`, and `…#refund.md` is not in `…#refund.md.bak`.
#[must_use]
pub fn mentions(answer: &str, texts: &[Option<&str>]) -> Vec<Vec<Mention>> {
    let mut places = vec![Vec::new(); texts.len()];
    let mut distinct: Vec<&str> = Vec::new();
    // Many citations may share a text; the search sees each once.
    let mut owners: HashMap<&str, Vec<usize>> = HashMap::new();
    for (owner, text) in texts.iter().enumerate() {
        let Some(text) = text.filter(|text| !text.is_empty()) else { continue };
        let of_text = owners.entry(text).or_default();
        if of_text.is_empty() {
            distinct.push(text);
        }
        of_text.push(owner);
    }
    if distinct.is_empty() {
        return places;
    }
    let found = longest_at_each_place(answer, &distinct);
    if found.is_empty() {
        return places;
    }
    let is_ref: Vec<bool> = distinct.iter().map(|text| NodeRef::parse(text).is_ok()).collect();
    let code = code_ranges(answer);
    let mut counts = vec![0_usize; distinct.len()];
    let found = found
        .into_iter()
        .filter(|(text, place)| stands_alone(answer, place, is_ref[*text]) && outside(&code, place))
        .filter(|(text, _)| {
            counts[*text] += 1;
            counts[*text] <= MAX_MENTIONS
        });
    let (mut byte, mut point) = (0, 0);
    for (text, bytes) in found {
        point += answer[byte..bytes.start].chars().count();
        byte = bytes.start;
        let code_points = point..point + answer[bytes.clone()].chars().count();
        for owner in &owners[distinct[text]] {
            places[*owner].push(Mention { bytes: bytes.clone(), code_points: code_points.clone() });
        }
    }
    places
}

/// Most bytes of texts that one search automaton is built of: it takes some fifty times as much memory.
const MAX_AUTOMATON: usize = 256 * 1024;

/// Most texts that are searched for one by one: that is faster than to build an automaton for one answer.
const MAX_ONE_BY_ONE: usize = 16;

/// Every place of any text, leftmost and longest, without overlap.
fn longest_at_each_place(answer: &str, texts: &[&str]) -> Vec<(usize, Range<usize>)> {
    if texts.len() <= MAX_ONE_BY_ONE {
        one_by_one(answer, texts)
    } else {
        all_at_once(answer, texts)
    }
}

fn one_by_one(answer: &str, texts: &[&str]) -> Vec<(usize, Range<usize>)> {
    let next = |finder: &Finder<'_>, from: usize| {
        finder.find(&answer.as_bytes()[from..]).map(|found| from + found)
    };
    // Each text with its next place.
    let mut searches: Vec<(usize, Finder<'_>, usize)> = texts
        .iter()
        .enumerate()
        .filter_map(|(text, words)| {
            let finder = Finder::new(words.as_bytes());
            let at = next(&finder, 0)?;
            Some((text, finder, at))
        })
        .collect();
    let mut found = Vec::new();
    while let Some((text, at)) = searches
        .iter()
        .min_by_key(|(text, _, at)| (*at, std::cmp::Reverse(texts[*text].len())))
        .map(|(text, _, at)| (*text, *at))
    {
        let end = at + texts[text].len();
        found.push((text, at..end));
        searches.retain_mut(|(_, finder, at)| {
            if *at >= end {
                return true;
            }
            next(finder, end).is_some_and(|place| {
                *at = place;
                true
            })
        });
    }
    found
}

fn all_at_once(answer: &str, texts: &[&str]) -> Vec<(usize, Range<usize>)> {
    let mut found: Vec<(usize, Range<usize>)> = Vec::new();
    let mut start = 0;
    while start < texts.len() {
        let mut bytes = 0;
        let batch = texts[start..]
            .iter()
            .take_while(|text| {
                bytes += text.len();
                bytes <= MAX_AUTOMATON
            })
            .count()
            .max(1);
        // Each answer has texts of its own: what is built fastest is best, though it searches more slowly.
        let search = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .match_kind(MatchKind::LeftmostLongest)
            .build(&texts[start..start + batch]);
        // Building fails only past 2^31 states; then no place is known, as for a text that is not there.
        if let Ok(search) = search {
            let hits = search.find_iter(answer);
            found.extend(hits.map(|hit| (start + hit.pattern().as_usize(), hit.range())));
        }
        start += batch;
    }
    found.sort_by_key(|(_, place)| (place.start, std::cmp::Reverse(place.end)));
    let mut end = 0;
    found.retain(|(_, place)| {
        let free = place.start >= end;
        if free {
            end = place.end;
        }
        free
    });
    found
}

/// Code spans and code blocks, in order.
fn code_ranges(answer: &str) -> Vec<Range<usize>> {
    // Code is fenced, or stands behind a tab or four spaces.
    let bytes = answer.as_bytes();
    if memchr3(b'`', b'~', b'\t', bytes).is_none() && memmem::find(bytes, b"    ").is_none() {
        return Vec::new();
    }
    Parser::new_ext(answer, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Code(_) | Event::Start(Tag::CodeBlock(_)) => Some(range),
            _ => None,
        })
        .collect()
}

fn outside(code: &[Range<usize>], place: &Range<usize>) -> bool {
    let next = code.partition_point(|range| range.end <= place.start);
    code.get(next).is_none_or(|range| range.start >= place.end)
}

/// An edge that is a letter, digit or `_` must not touch another one; a reference must not go on as a longer one.
fn stands_alone(answer: &str, place: &Range<usize>, is_ref: bool) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let text = &answer[place.clone()];
    let before = answer[..place.start].chars().next_back();
    let mut rest = answer[place.end..].chars();
    let after = rest.next();
    let joins = |edge: Option<char>, neighbour: Option<char>| {
        edge.is_some_and(word) && neighbour.is_some_and(word)
    };
    if joins(text.chars().next(), before) || joins(text.chars().next_back(), after) {
        return false;
    }
    if !is_ref {
        return true;
    }
    let goes_on = match after {
        // A full stop ends a sentence, or goes on with the end of a file name.
        Some('.') => rest.next().is_some_and(char::is_alphanumeric),
        Some(c) => matches!(c, '-' | '/'),
        None => false,
    };
    !goes_on && !before.is_some_and(|c| matches!(c, '-' | '/' | '.' | '@' | ':'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{all_at_once, one_by_one};

    proptest! {
        #[test]
        fn few_texts_are_found_where_an_automaton_finds_them(
            answer in "[ab1\\[\\]é]{0,40}",
            texts in prop::collection::btree_set("[ab1\\[\\]é]{1,4}", 1..6),
        ) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            prop_assert_eq!(one_by_one(&answer, &texts), all_at_once(&answer, &texts));
        }
    }
}
