//! HTML in the making: fixed tags, escaped text, and the places of the app's own elements.

use crate::sanitise::sanitise;
use crate::visible::{Piece, Pieces, escape_into};

/// Around the number of an insert. Both are noncharacters: [`Pieces`] turns them into marks, so no
/// text that passes through [`Draft::text`] can hold one.
const OPEN: char = '\u{FDD0}';
const CLOSE: char = '\u{FDD1}';

/// Collects a document's HTML.
#[derive(Default)]
pub(crate) struct Draft {
    html: String,
    inserts: Vec<String>,
}

impl Draft {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { html: String::with_capacity(bytes), inserts: Vec::new() }
    }

    /// A tag of the sanitiser's list, as this crate spells it.
    pub(crate) fn tag(&mut self, tag: &str) {
        self.html.push_str(tag);
    }

    /// Text of the document. `before` is the character drawn before it, if it goes on a word.
    pub(crate) fn text(&mut self, before: Option<char>, text: &str) {
        for piece in Pieces::after(before, text) {
            match piece {
                Piece::Text(text) => escape_into(&mut self.html, text),
                Piece::Mark(mark) => self.insert(mark.html()),
                Piece::Break => self.html.push_str("<wbr>"),
            }
        }
    }

    /// An element of the app, put in after sanitising.
    pub(crate) fn insert(&mut self, element: String) {
        self.html.push(OPEN);
        self.html.push_str(&self.inserts.len().to_string());
        self.html.push(CLOSE);
        self.inserts.push(element);
    }

    /// Whether what follows begins a paragraph.
    pub(crate) fn at_paragraph_start(&self) -> bool {
        self.html.ends_with("<p>")
    }

    /// Sanitises, then puts the app's elements in.
    pub(crate) fn finish(self) -> String {
        let clean = sanitise(&self.html);
        if self.inserts.is_empty() {
            return clean;
        }
        let length = clean.len() + self.inserts.iter().map(String::len).sum::<usize>();
        let mut html = String::with_capacity(length);
        let mut rest = clean.as_str();
        while let Some((before, from)) = rest.split_once(OPEN) {
            html.push_str(before);
            let Some((number, after)) = from.split_once(CLOSE) else { break };
            let insert = number.parse().ok().and_then(|n: usize| self.inserts.get(n));
            html.push_str(insert.map_or("", String::as_str));
            rest = after;
        }
        html.push_str(rest);
        html
    }
}
