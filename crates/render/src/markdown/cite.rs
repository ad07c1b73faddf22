//! Source text with its cite buttons and bare addresses.

use std::ops::Range;

use super::{Medium, Writer};
use crate::answer::Place;
use crate::link::link;
use crate::text::{plain_line, shorten};
use crate::visible::visible_html;

/// Characters of the source on each side of a mention in [`Place::excerpt`].
const EXCERPT_CHARS: usize = 60;
/// Characters of the mention itself in [`Place::excerpt`].
const EXCERPT_TEXT_CHARS: usize = 80;

impl Writer<'_> {
    /// A piece of the source that is drawn as it stands, with a button at each mention outside code.
    pub(super) fn source_text(&mut self, bytes: Range<usize>) {
        let mut at = bytes.start;
        let mut next = self.next_mention(at);
        while let Some(mention) = self.mentions.get(next) {
            let place = mention.bytes.clone();
            if place.start < at || place.end > bytes.end {
                break;
            }
            self.plain_source(at..place.start);
            if self.code || self.drawn[next] {
                self.words(None, &self.source[place.clone()]);
                self.drawn[next] = true;
            } else {
                self.cite(next);
            }
            at = place.end;
            next += 1;
        }
        self.plain_source(at..bytes.end);
    }

    /// Buttons for the mentions in `bytes` that have none yet: those in a link's address, label or title.
    pub(super) fn remaining_cites(&mut self, bytes: &Range<usize>) {
        let mut next = self.next_mention(bytes.start);
        while self.mentions.get(next).is_some_and(|mention| mention.bytes.end <= bytes.end) {
            if !self.drawn[next] {
                self.words(None, " ");
                self.cite(next);
            }
            next += 1;
        }
    }

    /// The button of a mention. Only this function makes one.
    fn cite(&mut self, mention: usize) {
        let found = &self.mentions[mention];
        if found.definition && !self.draft.at_paragraph_start() {
            self.draft.tag("<br>");
        }
        self.drawn[mention] = true;
        let text = &self.source[found.bytes.clone()];
        let place = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        let citation = found.citation;
        self.draft.insert(cite_element(self.medium, citation, place, text));
        let excerpt = excerpt(self.source, &found.bytes);
        let (text, bytes) = (plain_line(text), found.bytes.clone());
        self.places.push(Place { citation, place, text, bytes, excerpt });
    }

    /// Source without mentions; addresses that stand in it become links.
    fn plain_source(&mut self, bytes: Range<usize>) {
        let mut at = bytes.start;
        if !self.code && self.images == 0 && self.link.is_none() {
            while let Some(address) = next_address(&self.source[at..bytes.end]) {
                let (start, end) = (at + address.start, at + address.end);
                // Cut by Markdown or by a mention: the rest of it is elsewhere, so it is no address.
                let whole = end < bytes.end || !goes_on(&self.masked[end..]);
                let offered = if whole { link(&self.source[start..end]).ok() } else { None };
                match offered {
                    Some(link) => {
                        self.run(at..start);
                        self.anchor(&link, &self.source[start..end]);
                    }
                    None => self.run(at..end),
                }
                at = end;
            }
        }
        self.run(at..bytes.end);
    }

    fn run(&mut self, bytes: Range<usize>) {
        if bytes.is_empty() {
            return;
        }
        // A joiner or combining mark belongs to the letter before it, but never to a button.
        let after_mention = self.mentions[..self.next_mention(bytes.start)]
            .last()
            .is_some_and(|mention| mention.bytes.end == bytes.start);
        let before = self.source[..bytes.start].chars().next_back();
        let before = before.filter(|&c| c != '\n' && !after_mention);
        self.words(before, &self.source[bytes]);
    }
}

fn cite_element(medium: Medium, citation: u32, place: u32, text: &str) -> String {
    let text = visible_html(text);
    match medium {
        Medium::App => format!(
            "<button type=\"button\" class=\"cite\" data-citation=\"{citation}\" \
             data-place=\"{place}\">{text}</button>"
        ),
        Medium::Document => format!("<a class=\"cite\" href=\"#source-{citation}\">{text}</a>"),
    }
}

/// The next `http://…` or `https://…` in a text, without the punctuation that ends a sentence.
fn next_address(text: &str) -> Option<Range<usize>> {
    let mut from = 0;
    loop {
        let start = from + text[from..].find("http")?;
        let rest = &text[start..];
        let scheme = ["https://", "http://"].into_iter().find(|s| rest.starts_with(s));
        let inside_a_word = text[..start].chars().next_back().is_some_and(char::is_alphanumeric);
        if let Some(scheme) = scheme.filter(|_| !inside_a_word) {
            let end = rest.find(ends_address).unwrap_or(rest.len());
            let end = trim_sentence(&rest[..end]).len();
            if end > scheme.len() {
                return Some(start..start + end);
            }
        }
        from = start + "http".len();
    }
}

fn ends_address(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '<' | '>' | '"' | '`' | '|' | '“' | '”' | '«' | '»')
}

/// Whether an address that ends where a piece of text ends continues in what Markdown makes next.
fn goes_on(after: &str) -> bool {
    after.chars().next().is_some_and(|c| !ends_address(c))
}

fn trim_sentence(address: &str) -> &str {
    let mut address = address;
    loop {
        let shorter =
            address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', ']', '}']);
        let open = shorter.matches('(').count();
        let unopened = shorter.ends_with(')') && shorter.matches(')').count() > open;
        let shorter = if unopened { &shorter[..shorter.len() - 1] } else { shorter };
        if shorter.len() == address.len() {
            return address;
        }
        address = shorter;
    }
}

/// The words around a mention in its line, without emphasis signs.
fn excerpt(source: &str, bytes: &Range<usize>) -> String {
    let (before, after) = (&source[..bytes.start], &source[bytes.end..]);
    let start = before
        .char_indices()
        .rev()
        .take(EXCERPT_CHARS)
        .take_while(|&(_, c)| c != '\n')
        .last()
        .map_or(bytes.start, |(at, _)| at);
    let end = after
        .char_indices()
        .take(EXCERPT_CHARS)
        .take_while(|&(_, c)| c != '\n')
        .last()
        .map_or(0, |(at, c)| at + c.len_utf8());
    let cut = |c: Option<char>| if c.is_some_and(|c| c != '\n') { "…" } else { "" };
    let without_signs = |line: &mut String, text: &str| {
        line.extend(text.split(['*', '`']));
    };
    let mut line = String::with_capacity(4 * EXCERPT_CHARS);
    line.push_str(cut(before[..start].chars().next_back()));
    without_signs(&mut line, &before[start..]);
    line.push_str(&shorten(&plain_line(&source[bytes.clone()]), EXCERPT_TEXT_CHARS));
    without_signs(&mut line, &after[..end]);
    line.push_str(cut(after[end..].chars().next()));
    plain_line(&line)
}
