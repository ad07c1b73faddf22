//! Answers and record texts as HTML.

use std::ops::Range;

use serde::Serialize;

use crate::markdown::{Medium, write};
use crate::mention::Markers;

/// Bytes of Markdown that are read as Markdown; a longer text is shown as plain paragraphs, whole.
pub const MAX_MARKDOWN_BYTES: usize = 1 << 18;

/// An answer, ready to be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rendered {
    /// Safe HTML; the crate's first page lists the elements that belong to the app.
    pub html: String,
    /// The places that cite, in order: one for each cite button.
    pub places: Vec<Place>,
}

/// A place in the answer that refers to a citation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The citation, as given in [`crate::Marker`]; the button's `data-citation`.
    pub citation: u32,
    /// Number of the place in this answer, from 0; the button's `data-place`.
    pub place: u32,
    /// The marker or node reference that stands there, as plain text on one line.
    pub text: String,
    /// Where it stands, as bytes of the Markdown.
    pub bytes: Range<usize>,
    /// The words around it, as plain text on one line.
    pub excerpt: String,
}

/// An answer's Markdown as HTML in which each mention of a citation outside code is a button
/// `<button type="button" class="cite" data-citation="N" data-place="K">` (seed §3: "markers such as
/// `[1]`, or versioned node references"). A marker that Markdown would take for a link label
/// (`[1](url)`, `[[1]](url)`, `[1]: url`) stays a marker, and the link is drawn beside it.
/// No text can make such a button; seed §4: all of it is data.
pub fn answer(markdown: &str, markers: &Markers) -> Rendered {
    write(markdown, &markers.occurrences(markdown), Medium::App)
}

/// The same answer for a file that stands alone, without a script: a mention is
/// `<a class="cite" href="#source-N">`, a link is its words in `<span class="link">` with its ASCII
/// address behind them in `<span class="url">`, as text.
pub fn answer_document(markdown: &str, markers: &Markers) -> Rendered {
    write(markdown, &markers.occurrences(markdown), Medium::Document)
}

/// The Markdown of a record (or of a user's message) as HTML, without cite buttons.
pub fn record_text(markdown: &str) -> String {
    write(markdown, &[], Medium::App).html
}
