//! Text never leaves its box (R33): bidi controls, stacks of combining marks, a million letters without a space, titles of the
//! other direction beside badges. What a text draws is found by taking its colour away and comparing the pixels.

use serde_json::json;

use crate::{
    recordings::{citations, conversation, record},
    window::Window,
};

/// Boxes that hold words of others, in groups: no two of a group touch, so that what one draws into another is seen too.
const GROUPS: &[&[&str]] = &[
    &[
        "[role=option] .title",
        "h1",
        "article[data-role=user] .user",
        "article[data-role=assistant] .assistant > :first-child",
        "[data-source] .type",
        "[data-source] .quote",
    ],
    &[
        "[role=option] .service",
        ".facts",
        "[data-source] h3",
        "[data-source] .place",
        "article[data-role=assistant] button.cite",
    ],
    &[
        "[data-source] header .marker",
        "[data-source] .where",
        "[data-source] .flag b",
        "[data-source] .declared small",
    ],
];

/// Pixels by which the edge of a letter may be blurred beyond its box.
const BLUR: f64 = 1.0;

/// How much the edge of a letter may differ, of 255, when a window draws it again.
const DRAWN_AGAIN: u8 = 64;

/// Pictures until the window must be at rest.
const MOST_PICTURES: usize = 20;

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
        for group in GROUPS {
            looked_at += stay_in_their_boxes(&window, name, group).await;
        }
        // The answer itself, which a long question pushes out of sight.
        window.scroll_to("article[data-role='assistant']").await;
        looked_at += stay_in_their_boxes(&window, name, GROUPS[0]).await;
        window.picture(&format!("box-{name}")).await;
    }
    assert!(looked_at >= 100, "only {looked_at} boxes were in sight");
    window.close().await;
}

/// Whether two pixels differ by more than letters do that are drawn again: ink against its ground differs by most of the scale.
fn apart(one: &[u8; 4], other: &[u8; 4]) -> bool {
    one.iter().zip(other).any(|(one, other)| one.abs_diff(*other) > DRAWN_AGAIN)
}

/// The window once two pictures of it are alike: a page that was just drawn may be drawn again.
async fn settled(window: &Window) -> (usize, Vec<[u8; 4]>) {
    let mut last = window.pixels().await;
    for _ in 0..MOST_PICTURES {
        let next = window.pixels().await;
        if next == last {
            return next;
        }
        last = next;
    }
    panic!("the window never comes to rest");
}

/// Compares the window with and without the words of all such boxes in sight; gives their number.
async fn stay_in_their_boxes(window: &Window, name: &str, group: &[&str]) -> usize {
    let script = "document.activeElement?.blur();\
        const boxes = [...document.querySelectorAll(arguments[0])].filter(each => {\
            const r = each.getBoundingClientRect();\
            return r.width > 0 && r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth });\
        for (const box of boxes) box.dataset.looked = '';\
        return boxes.map(box => { const r = box.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom] })";
    let found = window.page.execute(script, vec![json!(group.join(", "))]).await;
    let boxes: Vec<[f64; 4]> =
        serde_json::from_value(found.expect("the script runs")).expect("four edges of each box");
    let (width, with) = settled(window).await;
    window
        .script(
            "const sheet = new CSSStyleSheet();\
             sheet.replaceSync('[data-looked], [data-looked] * { color: transparent !important; -webkit-text-fill-color: transparent !important; text-decoration-color: transparent !important }');\
             window.sheetsBefore = document.adoptedStyleSheets; document.adoptedStyleSheets = [...window.sheetsBefore, sheet]",
        )
        .await;
    let (_, without) = settled(window).await;
    window
        .script(
            "document.adoptedStyleSheets = window.sheetsBefore;\
             for (const each of document.querySelectorAll('[data-looked]')) delete each.dataset.looked",
        )
        .await;
    let changed = with.iter().zip(&without).enumerate().filter(|(_, (a, b))| apart(a, b));
    for (i, (a, b)) in changed {
        let (column, line) = (i % width, i / width);
        #[allow(clippy::cast_precision_loss, reason = "a window has some thousand pixels a side")]
        let (x, y) = (column as f64, line as f64);
        let inside = boxes.iter().any(|[left, top, right, bottom]| {
            x >= left - BLUR && x <= right + BLUR && y >= top - BLUR && y <= bottom + BLUR
        });
        if !inside {
            window.picture("failure").await;
            panic!(
                "{name}: one of {group:?} draws at {column}, {line} ({a:?} for {b:?}), beyond its box: {boxes:?}"
            );
        }
    }
    boxes.len()
}
