//! Where the markers and node references of citations stand in an answer.

use std::collections::HashSet;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag};

use crate::answer::MAX_MARKDOWN_BYTES;

/// Bytes of one marker or node reference; longer ones are not looked for.
pub const MAX_TEXT_BYTES: usize = 1024;
/// Bytes of all texts of one answer together; those after it are not looked for.
pub const MAX_TEXTS_BYTES: usize = 1 << 20;

/// The Markdown that is read: CommonMark with tables, strikethrough and task lists.
pub(crate) const MARKDOWN: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// What may refer to one citation in the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// The citation, as it comes back in `data-citation` and in [`crate::Place`].
    pub citation: u32,
    /// The citation's marker (seed §2 `marker`) and its versioned node reference
    /// `<package id>@<version>#<path>` (seed §3), as far as it has them.
    pub texts: Vec<String>,
}

/// The markers of one answer, ready to be looked for.
#[derive(Debug, Clone, Default)]
pub struct Markers {
    texts: Vec<String>,
    citations: Vec<u32>,
    automaton: Option<AhoCorasick>,
}

/// One place that refers to a citation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The citation whose text stands here.
    pub citation: u32,
    /// Where, as bytes of the Markdown.
    pub bytes: Range<usize>,
    /// The mention is the label of a Markdown reference definition (`[1]: https://…`).
    pub(crate) definition: bool,
}

impl Markers {
    /// Takes the markers in the order of the citations; of equal texts the first citation's counts.
    /// Empty and blank texts, and texts with a control character or over [`MAX_TEXT_BYTES`], are left out.
    pub fn new(markers: impl IntoIterator<Item = Marker>) -> Self {
        let mut texts: Vec<String> = Vec::new();
        let mut citations = Vec::new();
        let mut seen = HashSet::new();
        let mut bytes = 0;
        for marker in markers {
            for text in marker.texts {
                let usable = text.len() <= MAX_TEXT_BYTES
                    && bytes + text.len() <= MAX_TEXTS_BYTES
                    && !text.chars().all(char::is_whitespace)
                    && !text.chars().any(char::is_control);
                if usable && seen.insert(text.clone()) {
                    bytes += text.len();
                    texts.push(text);
                    citations.push(marker.citation);
                }
            }
        }
        // A build fails only beyond 2^31 states, which MAX_TEXTS_BYTES excludes.
        let automaton = if texts.is_empty() { None } else { build(&texts) };
        Self { texts, citations, automaton }
    }

    /// No markers: an answer without citations.
    pub fn none() -> Self {
        Self::default()
    }

    /// Every occurrence in order, not overlapping, the longest text at each place; also in code, but
    /// not inside a reference definition other than as its label.
    pub(crate) fn occurrences(&self, markdown: &str) -> Vec<Mention> {
        let Some(automaton) = &self.automaton else { return Vec::new() };
        let mut found: Vec<Mention> = automaton
            .find_iter(markdown)
            .filter(|found| {
                let text = &self.texts[found.pattern().as_usize()];
                stands_alone(text, &markdown[..found.start()], &markdown[found.end()..])
            })
            .map(|found| Mention {
                citation: self.citations[found.pattern().as_usize()],
                bytes: found.range(),
                definition: false,
            })
            .collect();
        if !found.is_empty() && markdown.contains("]:") {
            keep_labels(&mut found, markdown);
        }
        found
    }
}

/// Every place outside code that refers to a citation, in order. Code is what CommonMark calls so
/// (code spans, fenced and indented code blocks) when each marker is read as a word.
pub fn mentions(markdown: &str, markers: &Markers) -> Vec<Mention> {
    let mut found = markers.occurrences(markdown);
    if found.is_empty() || markdown.len() > MAX_MARKDOWN_BYTES || !holds_code(markdown) {
        return found;
    }
    let masked = mask(markdown, &found);
    let mut code: Vec<Range<usize>> = Vec::new();
    for (event, bytes) in Parser::new_ext(&masked, MARKDOWN).into_offset_iter() {
        if matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))) {
            code.push(bytes);
        }
    }
    found.retain(|mention| around(&code, &mention.bytes).is_none());
    found
}

/// The Markdown with each mention overwritten by as many letters, so that Markdown sees a word where
/// `[1]` would have been a link label, and every byte keeps its place.
pub(crate) fn mask<'s>(markdown: &'s str, mentions: &[Mention]) -> CowStr<'s> {
    if mentions.is_empty() {
        return CowStr::Borrowed(markdown);
    }
    let mut masked = String::with_capacity(markdown.len());
    let mut at = 0;
    for mention in mentions {
        masked.push_str(&markdown[at..mention.bytes.start]);
        masked.extend(std::iter::repeat_n('x', mention.bytes.len()));
        at = mention.bytes.end;
    }
    masked.push_str(&markdown[at..]);
    masked.into()
}

/// Of the mentions inside reference definitions keeps the labels (`[1]: https://…`) alone: an address
/// in a definition belongs to the links that use it.
fn keep_labels(found: &mut Vec<Mention>, markdown: &str) {
    let parser = Parser::new_ext(markdown, MARKDOWN);
    let definitions = parser.reference_definitions().iter();
    let mut spans: Vec<Range<usize>> = definitions.map(|(_, d)| d.span.clone()).collect();
    spans.sort_by_key(|span| span.start);
    found.retain_mut(|mention| {
        let within = around(&spans, &mention.bytes);
        mention.definition = within.is_some_and(|span| span.start == mention.bytes.start);
        within.is_none() || mention.definition
    });
}

fn build(texts: &[String]) -> Option<AhoCorasick> {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        // Quick to build: one answer is all that each automaton reads.
        .kind(Some(AhoCorasickKind::NoncontiguousNFA))
        .dense_depth(1)
        .prefilter(false)
        .build(texts)
        .ok()
}

/// Whether a text found between `before` and `after` is the whole of what stands there: `a1` is not
/// in `a12`, and a node reference does not end inside a longer path.
fn stands_alone(text: &str, before: &str, after: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let left = before.chars().next_back();
    let right = after.chars().next();
    if text.starts_with(word) && left.is_some_and(word) {
        return false;
    }
    if text.ends_with(word) && right.is_some_and(word) {
        return false;
    }
    if !text.split_once('@').is_some_and(|(_, version)| version.contains('#')) {
        return true;
    }
    let goes_on = match right {
        Some('-' | '/') => true,
        Some('.') => after.chars().nth(1).is_some_and(word),
        _ => false,
    };
    !goes_on && !left.is_some_and(|c| matches!(c, '-' | '/' | '.' | '@' | ':'))
}

/// Whether the Markdown may hold code at all; most answers do not.
fn holds_code(markdown: &str) -> bool {
    markdown.contains(['`', '\t']) || markdown.contains("~~~") || markdown.contains("    ")
}

/// The one of some ordered, separate spans that touches `bytes`.
fn around<'s>(spans: &'s [Range<usize>], bytes: &Range<usize>) -> Option<&'s Range<usize>> {
    let next = spans.partition_point(|span| span.end <= bytes.start);
    spans.get(next).filter(|span| span.start < bytes.end)
}
