//! Text never leaves its box (R33): bidi controls, stacks of combining marks, a million letters without a space, titles of the
//! other direction beside badges. What a text draws is found by taking its colour away and comparing the pixels.

use serde_json::{Value, json};

use crate::{
    recordings::{citations, conversation, record},
    window::Window,
};

/// Boxes that hold words of others.
const BOXES: &[&str] = &[
    "[role=option] .title",
    "[role=option] .service",
    "h1",
    ".facts",
    "article[data-role=user] .user",
    "article[data-role=assistant] .assistant > :first-child",
    "article[data-role=assistant] button.cite",
    "[data-source='0'] header .marker",
    "[data-source='0'] h3",
    "[data-source='0'] .type",
    "[data-source='0'] .where",
    "[data-source='0'] .quote",
    "[data-source='0'] .place",
    "[data-source='0'] .flag b",
    "[data-source='0'] .declared small",
];

/// Pixels by which the edge of a letter may be blurred beyond its box.
const BLUR: f64 = 1.0;

/// Each with what it tries.
fn attacks() -> Vec<(&'static str, String)> {
    let stack: String = "S\u{30a}"
        .chars()
        .chain((0..200).map(|i| char::from_u32(0x300 + i % 0x6f).unwrap()))
        .collect();
    vec![
        (
            "bidi",
            "Bike \u{202e}evil\u{2066} \u{2067}ruled\u{202d} right \u{200f}end \u{2069}".repeat(6),
        ),
        ("stack", format!("{stack} and {stack} {}", stack.repeat(8))),
        ("long", "W".repeat(1_000_000)),
        ("rtl", "אופניים חשמליים בנמל הישן — دراجة كهربائية ✔ Signed · Attested by ".repeat(5)),
        ("wide", "﷽𒐫⸻꧅".repeat(40)),
    ]
}

#[tokio::test]
async fn text_never_leaves_its_box() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (name, text) in attacks() {
        let short: String = text.chars().take(4000).collect();
        let marker: String = text.chars().take(60).collect();
        let mut cited = record("returns.md", &short, &text);
        cited["node"]["type"] = json!(short);
        cited["package"]["signers"] = json!([short]);
        cited["trust"]["declaredVerified"] = json!([{ "by": short, "at": "2026-05-04" }]);
        let event = citations(1, &format!("answer-{name}"), &[(&marker, cited)]);
        let answer = format!("{marker} {text}");
        let file = folder.path().join(format!("{name}.jsonl"));
        let question = format!("{name}: {text}");
        std::fs::write(&file, conversation(name, &question, &answer, Some(event))).unwrap();
        files.push(file.to_string_lossy().into_owned());
    }
    let arguments: Vec<&str> = files.iter().map(String::as_str).collect();
    let window = Window::open(&arguments).await;
    // Scroll bars that fade and lines that move change pixels as well.
    window
        .script(
            "const sheet = new CSSStyleSheet();\
             sheet.replaceSync('* { scrollbar-width: none !important; transition: none !important; animation: none !important }');\
             document.adoptedStyleSheets = [sheet]",
        )
        .await;
    let mut looked_at = 0;
    for (name, _) in attacks() {
        window.open_conversation(&format!("{name}:")).await;
        window.find("[data-source='0'] .standing").await;
        for css in BOXES {
            looked_at += usize::from(stays_in_its_box(&window, name, css).await);
        }
        window.picture(&format!("box-{name}")).await;
        // The answer itself, which a long question pushes out of sight.
        window.scroll_to("article[data-role='assistant']").await;
        for css in BOXES.iter().filter(|css| css.starts_with("article[data-role=assistant]")) {
            looked_at += usize::from(stays_in_its_box(&window, name, css).await);
        }
    }
    assert!(looked_at >= 50, "only {looked_at} boxes were in sight");
    window.close().await;
}

/// Compares the window with and without the words of the first such box in sight; false when none is.
async fn stays_in_its_box(window: &Window, name: &str, css: &str) -> bool {
    let script = "const box = [...document.querySelectorAll(arguments[0])].find(each => {\
            const r = each.getBoundingClientRect();\
            return r.width > 0 && r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth });\
        if (!box) return null;\
        document.activeElement?.blur();\
        box.dataset.looked = '';\
        const r = box.getBoundingClientRect();\
        return [r.left, r.top, r.right, r.bottom, innerWidth]";
    let found = window.page.execute(script, vec![json!(css)]).await.expect("the script runs");
    let Some(edges) = found.as_array() else { return false };
    let edge = |i: usize| edges.get(i).and_then(Value::as_f64).expect("a number");
    let (width, with) = window.pixels().await;
    window
        .script(
            "const sheet = new CSSStyleSheet();\
             sheet.replaceSync('[data-looked], [data-looked] * { color: transparent !important; -webkit-text-fill-color: transparent !important; text-decoration-color: transparent !important }');\
             window.sheetsBefore = document.adoptedStyleSheets; document.adoptedStyleSheets = [...window.sheetsBefore, sheet]",
        )
        .await;
    let (_, without) = window.pixels().await;
    window
        .script(
            "document.adoptedStyleSheets = window.sheetsBefore;\
             for (const each of document.querySelectorAll('[data-looked]')) delete each.dataset.looked",
        )
        .await;
    #[allow(clippy::cast_precision_loss, reason = "a window has some thousand pixels a side")]
    let scale = width as f64 / edge(4);
    let inside = |x: f64, y: f64| {
        x >= edge(0) - BLUR && x <= edge(2) + BLUR && y >= edge(1) - BLUR && y <= edge(3) + BLUR
    };
    let outside =
        with.iter().zip(&without).enumerate().filter(|(_, (a, b))| a != b).find(|(i, _)| {
            #[allow(
                clippy::cast_precision_loss,
                reason = "a window has some thousand pixels a side"
            )]
            let (x, y) = ((i % width) as f64 / scale, (i / width) as f64 / scale);
            !inside(x, y)
        });
    if let Some((i, _)) = outside {
        window.picture("failure").await;
        panic!("{name}: {css} draws at {}, {} beyond its box {edges:?}", i % width, i / width);
    }
    true
}
