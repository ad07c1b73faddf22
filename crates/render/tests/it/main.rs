//! The promises of the render crate, one module for each.
#![allow(clippy::unwrap_used, reason = "a test reports by panicking")]

mod answers;
mod dom;
mod exports;
mod forgery;
mod fuzz_corpus;
mod hostile;
mod links;
mod names;
mod seen;

use render::{Marker, Markers};

/// A citation with the marker `[1]` and a node reference, and one with `[2]`.
fn two_markers() -> Markers {
    Markers::new([
        Marker { citation: 0, texts: vec!["[1]".into(), "https://kb.example/k@1.0.0#a.md".into()] },
        Marker { citation: 1, texts: vec!["[2]".into()] },
    ])
}
