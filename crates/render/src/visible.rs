//! One text cut into what is drawn, what is hidden, and where it may break.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;

use crate::hidden::{belongs, hidden, right_to_left, tag_as_ascii};

/// Combining marks drawn on one base character; pointed Hebrew and Vietnamese need at most five.
pub const MAX_COMBINING: usize = 6;
/// Characters of a word after which a place to break is offered.
pub const MAX_WORD_CHARS: usize = 64;
/// Hidden characters in a row that are shown one by one; more become one mark with their number.
const MAX_SINGLE_MARKS: usize = 4;
/// Characters of a message in tag characters that its mark spells out.
const MAX_TAG_CHARS: usize = 200;
/// The base that a combining mark gets when it has none, so that it cannot sit on what the app drew before.
const DOTTED_CIRCLE: &str = "\u{25CC}";

/// A part of a text, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Drawn as it is; not escaped.
    Text(&'a str),
    /// Something that would not be seen.
    Mark(Mark),
    /// A long word may break here.
    Break,
}

/// What stands for characters that would not be seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Why it is here.
    pub kind: MarkKind,
    /// What is drawn: `U+202E`, `U+200B ×12`, `+40 combining marks`.
    pub label: String,
    /// What it is: the character's name; for tag characters, what they spell.
    pub name: Cow<'static, str>,
}

/// The two kinds of marks that a text can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// A control, a bidi control, a zero-width or tag character, a noncharacter.
    Hidden,
    /// Combining marks beyond [`MAX_COMBINING`] on one base.
    Stack,
}

/// Cuts a text into pieces: hidden characters become marks with their names (quality R33), combining
/// stacks are capped, long words get places to break. Hebrew, Arabic, Indic and emoji texts that
/// use joiners and direction marks as their writing needs come through unchanged.
pub fn visible(text: &str) -> Vec<Piece<'_>> {
    Pieces::new(text).collect()
}

/// The pieces of [`visible`] as HTML: escaped text, `<span class="mark" …>` and `<wbr>`.
pub fn visible_html(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + text.len() / 8);
    for piece in Pieces::new(text) {
        match piece {
            Piece::Text(text) => escape_into(&mut html, text),
            Piece::Mark(mark) => html.push_str(&mark.html()),
            Piece::Break => html.push_str("<wbr>"),
        }
    }
    html
}

/// Appends `text` with the five characters escaped that HTML gives a meaning.
pub(crate) fn escape_into(html: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        html.push_str(&rest[..at]);
        html.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => "&#39;",
        });
        rest = &rest[at + 1..];
    }
    html.push_str(rest);
}

impl Mark {
    /// The mark as its element.
    pub(crate) fn html(&self) -> String {
        let kind = match self.kind {
            MarkKind::Hidden => "hidden",
            MarkKind::Stack => "stack",
        };
        let mut html = format!("<span class=\"mark\" data-mark=\"{kind}\" title=\"");
        escape_into(&mut html, &self.name);
        html.push_str("\">");
        escape_into(&mut html, &self.label);
        html.push_str("</span>");
        html
    }
}

/// Iterator behind [`visible`]; reads each character once or twice.
pub(crate) struct Pieces<'a> {
    text: &'a str,
    at: usize,
    before: Option<char>,
    stacked: usize,
    word: usize,
    right_to_left: Option<bool>,
}

enum Step {
    Drawn,
    Hidden,
    CarriageReturn,
    Stacked,
    NoBase,
    LongWord,
}

impl<'a> Pieces<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self::after(None, text)
    }

    /// The pieces of a text that goes on after a drawn character.
    pub(crate) fn after(before: Option<char>, text: &'a str) -> Self {
        Self { text, at: 0, before, stacked: 0, word: 0, right_to_left: None }
    }

    fn step(&mut self, c: char, after: Option<char>) -> Step {
        if matches!(c, ' '..='~' | '\n' | '\t') {
            return self.word_step(c);
        }
        if c == '\r' {
            return Step::CarriageReturn;
        }
        if hidden(c).is_some() {
            let text = self.text;
            let rtl = *self.right_to_left.get_or_insert_with(|| text.chars().any(right_to_left));
            return if belongs(c, self.before, after, rtl) { Step::Drawn } else { Step::Hidden };
        }
        if c >= '\u{300}' && is_combining_mark(c) {
            return match self.before {
                None | Some('\n' | '\t') => Step::NoBase,
                _ if self.stacked >= MAX_COMBINING => Step::Stacked,
                _ => Step::Drawn,
            };
        }
        self.word_step(c)
    }

    fn word_step(&self, c: char) -> Step {
        // After a joiner the next character belongs to the same shape.
        let joined = self.before == Some('\u{200D}');
        if self.word >= MAX_WORD_CHARS && !c.is_whitespace() && !joined {
            Step::LongWord
        } else {
            Step::Drawn
        }
    }

    fn drawn(&mut self, c: char) {
        let combining = c >= '\u{300}' && is_combining_mark(c);
        self.stacked = if combining { self.stacked + 1 } else { 0 };
        // East Asian text breaks anywhere by itself.
        let breaks = c.is_whitespace() || matches!(c, '\u{2E80}'..='\u{D7AF}' | '\u{20000}'..);
        self.word = if breaks { 0 } else { self.word + usize::from(!combining) };
        self.before = Some(c);
    }

    /// One or more hidden characters at the front, as one piece.
    fn hidden_piece(&mut self) -> Piece<'a> {
        let rest = &self.text[self.at..];
        let mut run = rest.chars().take_while(|&c| hidden(c).is_some() && c != '\r').peekable();
        let Some(&first) = run.peek() else { return Piece::Text("") };
        let run: Vec<char> = run.collect();
        let tags = run.iter().take_while(|&&c| matches!(c, '\u{E0000}'..='\u{E007F}')).count();
        let take = match (tags, run.len()) {
            (2.., _) => tags,
            (_, len) if len > MAX_SINGLE_MARKS => len,
            _ => 1,
        };
        let taken = &run[..take];
        self.at += taken.iter().map(|c| c.len_utf8()).sum::<usize>();
        self.before = None;
        self.stacked = 0;
        let name = hidden(first).unwrap_or("HIDDEN CHARACTER");
        let point = first as u32;
        let (label, name) = if take == 1 {
            (format!("U+{point:04X}"), name.into())
        } else if tags > 1 {
            let spelt: String =
                taken.iter().filter_map(|&c| tag_as_ascii(c)).take(MAX_TAG_CHARS).collect();
            (format!("U+{point:04X} ×{take}"), format!("TAG CHARACTERS spelling “{spelt}”").into())
        } else if taken.iter().all(|&c| c == first) {
            (format!("U+{point:04X} ×{take}"), name.into())
        } else {
            (format!("{take} hidden characters"), format!("{name} and others").into())
        };
        Piece::Mark(Mark { kind: MarkKind::Hidden, label, name })
    }

    fn stacked_piece(&mut self) -> Piece<'a> {
        let rest = &self.text[self.at..];
        let cut = rest.chars().take_while(|&c| is_combining_mark(c) && hidden(c).is_none());
        let (mut number, mut bytes) = (0usize, 0usize);
        for c in cut {
            number += 1;
            bytes += c.len_utf8();
        }
        self.at += bytes;
        let label = format!("+{number} combining marks");
        Piece::Mark(Mark { kind: MarkKind::Stack, label, name: "COMBINING MARKS NOT DRAWN".into() })
    }

    /// The piece for a character at the front that is not drawn as it is.
    fn front(&mut self, step: &Step) -> Option<Piece<'a>> {
        match step {
            Step::Drawn => None,
            Step::Hidden => Some(self.hidden_piece()),
            Step::CarriageReturn => {
                self.at += 1;
                self.drawn('\n');
                // Of CR LF only the line feed is kept; a lone CR ends a line as well.
                let lone = !self.text[self.at..].starts_with('\n');
                Some(Piece::Text(if lone { "\n" } else { "" }))
            }
            Step::Stacked => Some(self.stacked_piece()),
            Step::NoBase => {
                self.drawn('\u{25CC}');
                Some(Piece::Text(DOTTED_CIRCLE))
            }
            Step::LongWord => {
                self.word = 0;
                Some(Piece::Break)
            }
        }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            let rest = &self.text[self.at..];
            let mut characters = rest.char_indices().peekable();
            let mut end = rest.len();
            let mut front = None;
            while let Some((at, c)) = characters.next() {
                let step = self.step(c, characters.peek().map(|&(_, c)| c));
                if matches!(step, Step::Drawn) {
                    self.drawn(c);
                } else {
                    end = at;
                    front = (at == 0).then_some(step);
                    break;
                }
            }
            match front {
                Some(step) => match self.front(&step) {
                    Some(Piece::Text("")) | None => {}
                    piece => return piece,
                },
                None if rest.is_empty() => return None,
                None => {
                    self.at += end;
                    return Some(Piece::Text(&rest[..end]));
                }
            }
        }
    }
}
