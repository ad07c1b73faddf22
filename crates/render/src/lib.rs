//! Untrusted text to safe HTML and plain text: answers, record texts, names, links, exports.
//!
//! Every string of a conversation or a citation record is data (seed §4, `facts/moca-reader` §10).
//! Markdown becomes HTML in three steps, each of which would be enough against scripts:
//!
//! 1. [`answer`] and [`record_text`] write only fixed tags and escaped text; raw HTML in the
//!    Markdown is shown as the text it is.
//! 2. `ammonia` passes an explicit small list of tags, `align` and `start`, and no other attribute.
//! 3. The elements that belong to the app are put in after that, at marks made of two code points
//!    (U+FDD0, U+FDD1) which step 1 never writes for text. So text cannot forge one:
//!
//! | Element | Meaning |
//! |---|---|
//! | `<button type="button" class="cite" data-citation="N" data-place="K">` | a place that cites |
//! | `<a class="link" role="link" tabindex="0" data-url="…" data-host="…">` | a link; no `href`, so that nothing opens without the host's confirmation |
//! | `<span class="mark" data-mark="hidden">` | a hidden character, by its code point |
//! | `<span class="mark" data-mark="stack">` | combining marks that were cut |
//! | `<span class="mark" data-mark="image">` | an image, which is never loaded |
//! | `<span class="mark" data-mark="link">` | a link that is not offered, with its address as text |
//! | `<span class="mark" data-mark="host">` | a link that goes to another host than its text says |
//!
//! No clock, no network, no environment; nothing here panics on any input.

mod answer;
mod contained;
mod draft;
mod export;
mod hidden;
mod link;
mod markdown;
mod mention;
mod name;
mod sanitise;
mod text;
mod visible;

pub use answer::{MAX_MARKDOWN_BYTES, Place, Rendered, answer, answer_document, record_text};
pub use contained::markdown_contained;
pub use export::{csv_cell, html_escape, markdown_escape, terminal, terminal_line};
pub use link::{Link, MAX_URL_BYTES, Refused, link};
pub use mention::{MAX_TEXT_BYTES, MAX_TEXTS_BYTES, Marker, Markers, Mention, mentions};
pub use name::{Name, NameNote, name};
pub use text::{TITLE_CHARS, plain, plain_line, title};
pub use visible::{MAX_COMBINING, MAX_WORD_CHARS, Mark, MarkKind, Piece, visible, visible_html};
