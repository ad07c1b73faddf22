//! Every string of the hostile corpus through every function (quality R30–R35).

use std::path::Path;
use std::time::{Duration, Instant};

use render::{Markers, answer, answer_document, record_text, visible_html};
use serde_json::Value;

use crate::dom::{assert_nothing_unseen, assert_only_listed, elements};
use crate::two_markers;

/// Far above the time that any of the strings takes, far below a hang.
const LIMIT: Duration = Duration::from_secs(20);
const SMALLEST_CORPUS: usize = 300;

/// `(category, text)` of all strings in `tests/fixtures/hostile-strings.json`.
pub(crate) fn corpus() -> Vec<(String, String)> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/hostile-strings.json");
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let strings = file["strings"].as_array().unwrap();
    assert!(strings.len() >= SMALLEST_CORPUS);
    let text = |entry: &Value| match entry["text"].as_str() {
        Some(text) => text.to_owned(),
        None => {
            let times = usize::try_from(entry["times"].as_u64().unwrap()).unwrap();
            entry["repeat"].as_str().unwrap().repeat(times)
        }
    };
    strings.iter().map(|s| (s["category"].as_str().unwrap().to_owned(), text(s))).collect()
}

#[test]
fn only_listed_elements_come_of_any_string() {
    for (category, text) in corpus() {
        let started = Instant::now();
        assert!(assert_only_listed(&record_text(&text)).is_empty(), "{category}: {text:.200}");
        assert!(assert_only_listed(&visible_html(&text)).is_empty(), "{category}: {text:.200}");
        let answer = answer(&text, &two_markers());
        let places: Vec<_> = answer.places.iter().map(|p| (p.citation, p.place)).collect();
        assert_eq!(assert_only_listed(&answer.html), places, "{category}: {text:.200}");
        assert!(started.elapsed() < LIMIT, "{category}: {text:.200}");
    }
}

#[test]
fn no_cite_button_comes_without_a_marker() {
    for (category, text) in corpus() {
        let answer = answer(&text, &Markers::none());
        assert!(answer.places.is_empty());
        assert!(assert_only_listed(&answer.html).is_empty(), "{category}: {text:.200}");
    }
}

#[test]
fn raw_html_is_shown_and_not_dropped() {
    let shown = ["script", "handler", "svg", "mathml", "base-meta", "form", "frame", "css"];
    for (category, text) in corpus() {
        if shown.contains(&category.as_str()) && text.contains("window.__canary=1") {
            let rendered = elements(&record_text(&text));
            assert!(rendered[0].text.contains("window.__canary=1"), "{text}");
        }
    }
}

#[test]
fn documents_hold_no_script_no_address_attribute_but_their_own_anchors() {
    for (category, text) in corpus() {
        let html = answer_document(&text, &two_markers()).html;
        for element in &elements(&html)[1..] {
            assert!(!matches!(element.name.as_str(), "script" | "img" | "button" | "style"));
            for (name, value) in &element.attributes {
                assert_nothing_unseen(value);
                match name.as_str() {
                    "href" => {
                        assert!(
                            value == "#source-0" || value == "#source-1",
                            "{category}: {value}"
                        );
                    }
                    "class" | "title" | "data-mark" | "align" | "start" => {}
                    other => panic!("{category}: attribute {other}"),
                }
            }
        }
    }
}
