//! The text of a source as selectors see it (`facts/moca-reader §6.2`).
//!
//! The rules are written down as ECMAScript patterns over whole texts. They are hand-written scans
//! here, since several of those patterns take quadratic time on a hostile file of 8 MiB; every scan
//! below looks at each byte a bounded number of times.

use std::borrow::Cow;
use std::sync::OnceLock;

use memchr::memchr;

use super::webvtt::{self, Cue};
use super::{html, selector};
use crate::schema::is_js_space;
use crate::value::Value;

/// What a source file is, told by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// `.txt`, `.text`: taken as it is.
    Text,
    /// `.md`, `.markdown`: link targets and markup removed.
    Markdown,
    /// `.html`, `.htm`: tags removed, character references decoded.
    Html,
    /// `.vtt`: the text of the cues, with their times.
    WebVtt,
}

impl SourceKind {
    /// The kind of the file at `path`; `None` for one whose text is not checked.
    pub fn of_path(path: &str) -> Option<Self> {
        let (_, suffix) = path.rsplit_once('.')?;
        match suffix.to_ascii_lowercase().as_str() {
            "txt" | "text" => Some(Self::Text),
            "md" | "markdown" => Some(Self::Markdown),
            "html" | "htm" => Some(Self::Html),
            "vtt" => Some(Self::WebVtt),
            _ => None,
        }
    }
}

/// A source, normalised once for all selectors that ask about it.
#[derive(Debug)]
pub struct SourceText<'a> {
    text: Cow<'a, str>,
    cues: Option<Vec<Cue>>,
    code_points: OnceLock<usize>,
}

impl<'a> SourceText<'a> {
    /// Normalises the bytes of a source. Bytes that are not UTF-8 become U+FFFD.
    pub fn new(kind: SourceKind, bytes: &'a [u8]) -> Self {
        let raw = crate::node::decode(bytes);
        let (text, cues) = match kind {
            SourceKind::Text => (raw, None),
            SourceKind::Markdown => (Cow::Owned(markdown(&raw)), None),
            SourceKind::Html => (Cow::Owned(html::text(&raw)), None),
            SourceKind::WebVtt => {
                let cues = webvtt::cues(&raw);
                (Cow::Owned(webvtt::text(&cues)), Some(cues))
            }
        };
        Self { text, cues, code_points: OnceLock::new() }
    }

    /// Whether what `selector` names is in this source (`facts/moca-reader §6.3`).
    ///
    /// `None`: this kind of selector cannot be checked against this kind of source. A selector
    /// that breaks its own shape matches nothing. `Some(true)` says only that the passage is there.
    pub fn matches(&self, selector: &Value) -> Option<bool> {
        selector::matches(selector, self)
    }

    /// The normalised text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The cues of a WebVTT source; `None` for every other kind.
    pub fn cues(&self) -> Option<&[Cue]> {
        self.cues.as_deref()
    }

    /// Length in Unicode code points, the unit of a `TextPositionSelector`.
    pub fn code_points(&self) -> usize {
        *self.code_points.get_or_init(|| self.text.chars().count())
    }
}

/// Markdown to text: links and images become their text, heading and list marks at the start of a
/// line go, then every `*`, `_` and backtick.
fn markdown(source: &str) -> String {
    let without_links = link_texts(source);
    let mut out = String::with_capacity(without_links.len());
    for (n, line) in without_links.split('\n').enumerate() {
        if n > 0 {
            out.push('\n');
        }
        let line = without_list_mark(without_heading_mark(line));
        out.extend(line.split(['*', '_', '`']));
    }
    out
}

/// Replaces `[text](target)` and `![text](target)` by `text`.
fn link_texts(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut closing = NextByte::new(bytes, b']');
    let mut ending = NextByte::new(bytes, b')');
    let mut out = String::with_capacity(source.len());
    let mut copied = 0;
    let mut from = 0;
    while let Some(open) = memchr(b'[', &bytes[from..]).map(|i| from + i) {
        from = open + 1;
        let Some(close) = closing.at_or_after(open + 1) else { break };
        if bytes.get(close + 1) != Some(&b'(') {
            continue;
        }
        let Some(end) = ending.at_or_after(close + 2) else { break };
        let image = open > copied && bytes[open - 1] == b'!';
        out.push_str(&source[copied..open - usize::from(image)]);
        out.push_str(&source[open + 1..close]);
        copied = end + 1;
        from = copied;
    }
    out.push_str(&source[copied..]);
    out
}

fn without_heading_mark(line: &str) -> &str {
    let marks = line.trim_start_matches(is_js_space);
    let rest = marks.trim_start_matches('#');
    let count = marks.len() - rest.len();
    if (1..=6).contains(&count) { after_space(rest).unwrap_or(line) } else { line }
}

fn without_list_mark(line: &str) -> &str {
    let mark = line.trim_start_matches(is_js_space);
    let rest = match mark.strip_prefix(['-', '*', '+']) {
        Some(rest) => Some(rest),
        None => {
            let rest = mark.trim_start_matches(|c: char| c.is_ascii_digit());
            if rest.len() < mark.len() { rest.strip_prefix(['.', ')']) } else { None }
        }
    };
    rest.and_then(after_space).unwrap_or(line)
}

/// What follows at least one white space at the start of `text`.
fn after_space(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(is_js_space);
    (rest.len() < text.len()).then_some(rest)
}

/// Finds the first of a byte at or after positions that only grow, in linear time overall.
pub(super) struct NextByte<'a> {
    bytes: &'a [u8],
    byte: u8,
    found: Option<usize>,
    exhausted: bool,
}

impl<'a> NextByte<'a> {
    pub(super) fn new(bytes: &'a [u8], byte: u8) -> Self {
        Self { bytes, byte, found: None, exhausted: false }
    }

    pub(super) fn at_or_after(&mut self, from: usize) -> Option<usize> {
        if self.exhausted || self.found.is_some_and(|at| at >= from) {
            return self.found;
        }
        let rest = self.bytes.get(from..).unwrap_or_default();
        self.found = memchr(self.byte, rest).map(|i| from + i);
        self.exhausted = self.found.is_none();
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::{SourceKind, SourceText};

    fn markdown(source: &str) -> String {
        SourceText::new(SourceKind::Markdown, source.as_bytes()).as_str().to_owned()
    }

    #[test]
    fn kind_is_told_by_the_end_of_the_name_whatever_its_case() {
        assert_eq!(SourceKind::of_path("sources/a.TXT"), Some(SourceKind::Text));
        assert_eq!(SourceKind::of_path("sources/a.markdown"), Some(SourceKind::Markdown));
        assert_eq!(SourceKind::of_path("media/a.b.HTM"), Some(SourceKind::Html));
        assert_eq!(SourceKind::of_path("media/talk.vtt"), Some(SourceKind::WebVtt));
        assert_eq!(SourceKind::of_path("media/scan.pdf"), None);
        assert_eq!(SourceKind::of_path("sources/LICENSE"), None);
    }

    #[test]
    fn markdown_keeps_what_a_person_reads() {
        let source = "## Refunds\n\nCustomers may request a **full refund** within [30 days](https://example.com/terms#refunds) of delivery.\n\n- Café orders are excluded.\n";
        let text = markdown(source);
        assert_eq!(
            text,
            "Refunds\n\nCustomers may request a full refund within 30 days of delivery.\n\nCafé orders are excluded.\n"
        );
        let text = SourceText::new(SourceKind::Markdown, source.as_bytes()).code_points();
        assert_eq!(text, 100);
    }

    #[test]
    fn markdown_removes_marks_only_where_the_rules_say() {
        assert_eq!(markdown("####### seven"), "####### seven");
        assert_eq!(markdown("#tag"), "#tag");
        assert_eq!(markdown("# - both"), "both");
        assert_eq!(markdown("- # not twice"), "# not twice");
        assert_eq!(markdown("12) twelve\n3.five"), "twelve\n3.five");
        assert_eq!(markdown("> quoted\r\n# head\r\n"), "> quoted\r\nhead\r\n");
        assert_eq!(markdown("\u{feff}# head"), "head");
        assert_eq!(markdown("\u{85}# head"), "\u{85}# head");
    }

    #[test]
    fn markdown_links_end_at_the_first_bracket_and_parenthesis() {
        assert_eq!(markdown("![alt](a.png)!"), "alt!");
        assert_eq!(markdown("[a[b](c)d](e)"), "a[bd](e)");
        assert_eq!(markdown("[a](b)![c](d)"), "ac");
        assert_eq!(markdown("[a](b(c)d)"), "ad)");
        assert_eq!(markdown("[a] (b) [c](d"), "[a] (b) [c](d");
        assert_eq!(markdown("[a\nb](c)"), "a\nb");
        assert_eq!(markdown("[](x)"), "");
    }

    #[test]
    fn text_is_taken_as_it_is_and_bad_bytes_are_replaced() {
        let text = SourceText::new(SourceKind::Text, b"\xef\xbb\xbfa\xff*b*\r\n");
        assert_eq!(text.as_str(), "\u{feff}a\u{fffd}*b*\r\n");
        assert_eq!(text.code_points(), 8);
    }

    #[test]
    fn hostile_sources_take_linear_time() {
        let many = 50_000;
        for source in ["[".repeat(many), "[](".repeat(many), "![a]".repeat(many)] {
            assert_eq!(markdown(&source).len(), source.len());
        }
        for source in ["<script>".repeat(many), "<".repeat(many), "&#".repeat(many)] {
            SourceText::new(SourceKind::Html, source.as_bytes());
        }
        let cues = "\n\n1 --> 2\n<".repeat(many);
        assert!(SourceText::new(SourceKind::WebVtt, cues.as_bytes()).cues().is_some());
    }
}
