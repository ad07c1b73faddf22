//! Evidence: normalised source texts and selectors (`facts/moca-reader §6`).
//!
//! A source is normalised once, by the rules of its kind, into a [`SourceText`]; every selector
//! that points into it is then looked for in that text.

mod html;
mod selector;
mod text;
mod webvtt;

pub use text::{SourceKind, SourceText};
pub use webvtt::Cue;
