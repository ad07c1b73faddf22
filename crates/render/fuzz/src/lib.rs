//! What must hold for any bytes. One function a fuzz target; the tests of the crate run the same
//! functions over the committed corpus.

use render::{Marker, Markers, answer, answer_document, link, mentions, plain_line, record_text};
use render::{csv_cell, html_escape, markdown_escape, name, terminal_line, title, visible_html};

/// An answer in Markdown, with markers.
pub fn answer_html(data: &[u8]) {
    let Ok(markdown) = std::str::from_utf8(data) else { return };
    let markers = Markers::new([
        Marker { citation: 0, texts: vec!["[1]".into(), "https://kb.example/k@1.0.0#a.md".into()] },
        Marker { citation: 1, texts: vec!["[2]".into(), "*a*".into()] },
    ]);
    let rendered = answer(markdown, &markers);
    assert_safe(&rendered.html);
    assert_safe(&answer_document(markdown, &markers).html);
    assert_safe(&record_text(markdown));
    let buttons = rendered.html.matches("data-place=").count();
    assert_eq!(buttons, rendered.places.len());
    let mut end = 0;
    for (number, place) in rendered.places.iter().enumerate() {
        assert_eq!(usize::try_from(place.place), Ok(number));
        assert!(place.bytes.start >= end && markdown.get(place.bytes.clone()).is_some());
        end = place.bytes.end;
    }
    for mention in mentions(markdown, &markers) {
        assert!(mention.citation < 2 && markdown.get(mention.bytes).is_some());
    }
}

/// Any text of a record on its way to a screen, a terminal, a table or a file.
pub fn text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in [plain_line(&text), title(&text), terminal_line(&text), name(&text).shown] {
        assert!(!line.chars().any(|c| c.is_control()), "{line:?}");
    }
    for html in [visible_html(&text), html_escape(&text)] {
        assert_safe(&html);
    }
    if let Ok(link) = link(&text) {
        let _ = format!("{link:?}");
    }
    let _ = (csv_cell(&text), markdown_escape(&text));
}

/// Text is escaped and only our own elements open: nothing that loads, runs or submits.
fn assert_safe(html: &str) {
    let lower = html.to_ascii_lowercase();
    for tag in [
        "script", "img", "iframe", "svg", "math", "style", "link", "base", "form", "object", "meta",
    ] {
        assert!(!lower.contains(&format!("<{tag}")), "{tag} in {html}");
    }
    for (at, _) in html.match_indices("href=\"") {
        let target = &html[at + 6..];
        assert!(
            ["http://", "https://", "#"].iter().any(|start| target.starts_with(start)),
            "{html}"
        );
    }
}
