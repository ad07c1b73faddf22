//! Plain text for places that take no HTML: fields, lists, titles.

use pulldown_cmark::{Event, Parser, TagEnd};

use crate::mention::MARKDOWN;
use crate::visible::{Piece, Pieces};

/// Characters of a title, with its ellipsis.
pub const TITLE_CHARS: usize = 120;
/// Bytes of the text that a title is made from.
const MAX_TITLE_SOURCE: usize = 4096;

/// A text of many lines with its hidden characters as marks: `⟨U+202E⟩`. Line feeds and tabs stay.
pub fn plain(text: &str) -> String {
    // Most fields are plain ASCII and stay as they are.
    if text.bytes().all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\t')) {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    for piece in Pieces::new(text) {
        match piece {
            Piece::Text(text) => plain.push_str(text),
            Piece::Mark(mark) => {
                plain.push('⟨');
                plain.push_str(&mark.label);
                plain.push('⟩');
            }
            Piece::Break => {}
        }
    }
    plain
}

/// The same on one line: white space becomes single spaces, none at the ends.
pub fn plain_line(text: &str) -> String {
    let plain = plain(text);
    let mut line = String::with_capacity(plain.len());
    for word in plain.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// A text inside a sentence of the app: on one line, in quotation marks that it cannot close.
pub fn quoted(text: &str) -> String {
    format!("“{}”", plain_line(text).replace(QUOTES, "\""))
}

/// What is drawn like the quotation marks of [`quoted`].
const QUOTES: [char; 11] = ['“', '”', '„', '‟', '″', '‶', '〝', '〞', '〟', '＂', 'ˮ'];

/// A title from a text in Markdown, such as a user's first message: the words of its first block on one
/// line, at most [`TITLE_CHARS`] characters, cut after a word where that is possible. Empty when
/// the text has no words.
pub fn title(text: &str) -> String {
    let start = head(text, MAX_TITLE_SOURCE);
    let mut words = String::new();
    for event in Parser::new_ext(start, MARKDOWN) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                words.push_str(&text);
            }
            Event::SoftBreak | Event::HardBreak => words.push(' '),
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::CodeBlock
                | TagEnd::HtmlBlock
                | TagEnd::TableHead
                | TagEnd::TableRow,
            ) if !words.trim().is_empty() => break,
            Event::End(TagEnd::TableCell) => words.push(' '),
            _ => {}
        }
    }
    shorten(&plain_line(&words), TITLE_CHARS)
}

/// At most `chars` characters, the last an ellipsis when something was cut.
pub(crate) fn shorten(line: &str, chars: usize) -> String {
    if line.chars().nth(chars).is_none() {
        return line.to_owned();
    }
    let end = line.char_indices().nth(chars.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    let cut = &line[..end];
    // A word in the last third is given up whole; a longer one is cut inside.
    let end = cut.rfind(' ').filter(|&space| space >= cut.len() * 2 / 3).unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end())
}

/// At most `bytes` of the front, whole characters.
fn head(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
