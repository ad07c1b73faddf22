//! R43: every export, and every page of the command line and of the contract, that shows a flag shows when it was true.
//! Over all states of the sample archive; the window's own components have the same test in `ui/tests`.

use std::path::PathBuf;

use app::contract::{
    Commands, ConversationQuery, ConversationRef, ExportFormat, MessageRef, TranscriptQuery,
};
use recite_tests::{process::Recite, scratch::Scratch};
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_recite_under_test");

/// Signs that stand before a flag in every export as text.
const SIGNS: [&str; 6] = ["● ", "○ ", "? ", "▲ ", "✕ ", "□ "];

/// Whether a line says at which time what it says was true, or that nobody stated it.
fn has_time(line: &str) -> bool {
    line.contains("as of ")
        || line.contains("(computed ")
        || line.contains("the service did not say when · ")
        // A strip over several times; each stands beside its source.
        || line.contains("at different times, each beside its source")
}

/// Whether a line counts the states of sources, as strips do.
fn is_strip(line: &str) -> bool {
    let counted = |words: &str| {
        line.match_indices(words)
            .any(|(at, _)| line[..at].ends_with(|before: char| before.is_ascii_digit()))
    };
    counted(" source: ") || counted(" sources: ")
}

fn sample() -> (Scratch, Recite) {
    let folder = recite_tests::fixture("sample/recordings");
    let files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    let scratch = Scratch::new();
    let _ = scratch.import_all(&files.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    let recite = Recite::new(PROGRAM, &scratch.archive());
    (scratch, recite)
}

fn ids(scratch: &Scratch) -> Vec<String> {
    let page = scratch.app.list_conversations(ConversationQuery::default()).unwrap();
    assert!(page.next.is_none(), "the sample has fewer conversations than a page");
    page.conversations.into_iter().map(|row| row.id).collect()
}

/// Asserts it of every flag in a text for people; gives how many there were. Quoted text of the recording is none.
fn flags_in_text(what: &str, text: &str) -> usize {
    let mut flags = 0;
    // Reasons why a record is invalid follow the flag that says so, and are no flags.
    let mut reasons = false;
    for line in text.lines().filter(|line| !line.trim_start().starts_with('>')) {
        let item = line.trim_start().trim_start_matches("- ");
        let flag = SIGNS.iter().any(|sign| item.starts_with(sign));
        if flag && (!reasons || has_time(line)) || is_strip(line) {
            assert!(has_time(line), "{what}: {line}");
            flags += 1;
        }
        reasons = flag && (reasons || line.contains("nvalid record"));
    }
    flags
}

#[test]
fn of_the_exports_and_the_command_line() {
    let (scratch, recite) = sample();
    let (mut markdown, mut shown, mut html) = (0, 0, 0);
    for id in ids(&scratch) {
        let export = |format| {
            let mut out = Vec::new();
            scratch.app.export_to(&id, format, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        markdown += flags_in_text(&format!("Markdown of {id}"), &export(ExportFormat::Markdown));
        let text = recite.text(&["show".as_ref(), id.as_ref()]);
        shown += flags_in_text(&format!("recite show {id}"), &text);
        html += flags_in_html(&format!("HTML of {id}"), &export(ExportFormat::Html));
    }
    assert!(markdown > 100, "only {markdown} flags in Markdown");
    assert_eq!(markdown, shown, "what a terminal shows");
    assert_eq!(markdown, html, "what a browser shows");
    let list = recite.text(&["list".as_ref()]);
    assert!(flags_in_text("recite list", &list) >= 10, "{list}");
}

#[test]
fn of_an_inspected_package() {
    let (_, recite) = sample();
    let package = recite_tests::fixture("sample/packages/handbook-3.2.0");
    let root = recite_tests::fixture("sample/trust-root.json");
    let text = recite.text(&[
        "inspect".as_ref(),
        package.as_ref(),
        "--trust-root".as_ref(),
        root.as_ref(),
    ]);
    assert!(flags_in_text("recite inspect", &text) > 10, "{text}");
}

/// The same for HTML: flags are the items of `flags` lists, strips stand in `asof`.
fn flags_in_html(what: &str, html: &str) -> usize {
    let mut flags = 0;
    for list in html.split("<ul class=\"flags\">").skip(1) {
        let list = list.split("</ul>").next().unwrap();
        let mut invalid = false;
        for item in list.split("<li ").skip(1) {
            if invalid && !has_time(item) {
                continue;
            }
            assert!(has_time(item), "{what}: {item}");
            flags += 1;
            invalid = item.contains("nvalid record");
        }
    }
    for strip in html.split("<p class=\"asof\">").skip(1) {
        let strip = strip.split("</p>").next().unwrap();
        if is_strip(strip) {
            assert!(has_time(strip), "{what}: {strip}");
            flags += 1;
        }
    }
    flags
}

#[test]
fn of_every_answer_of_the_contract() {
    let (scratch, recite) = sample();
    let mut flags = 0;
    let list = scratch.app.list_conversations(ConversationQuery::default()).unwrap();
    flags += flags_in_json("list", &serde_json::to_value(&list).unwrap());
    for id in ids(&scratch) {
        let what = format!("conversation {id}");
        let head = scratch.app.conversation(ConversationRef { id: id.clone() }).unwrap();
        flags += flags_in_json(&what, &serde_json::to_value(&head).unwrap());
        let query = TranscriptQuery { conversation: id.clone(), first: 0, limit: 200 };
        let page = scratch.app.transcript(query).unwrap();
        flags += flags_in_json(&what, &serde_json::to_value(&page).unwrap());
        for item in page.items.iter().filter(|item| item.message.sources.is_some()) {
            let answer = MessageRef { id: item.message.id.clone() };
            let sources = scratch.app.answer_sources(answer).unwrap();
            flags += flags_in_json(&what, &serde_json::to_value(&sources).unwrap());
        }
        let shown = recite.run(&["show".as_ref(), id.as_ref()]).json;
        flags += flags_in_json(&what, &shown);
    }
    assert!(flags > 300, "only {flags} flags");
}

/// In JSON a flag is an object with a tone: its `line` says the time. A strip is a text that counts sources; its time
/// stands in it or in the `basis` or `computedAt` beside it.
fn flags_in_json(what: &str, value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.iter().map(|element| flags_in_json(what, element)).sum(),
        Value::Object(members) => {
            let mut flags = 0;
            let text = |name: &str| members.get(name).and_then(Value::as_str);
            if let (Some(_), Some(line)) = (text("tone"), text("line")) {
                assert!(has_time(line), "{what}: {line}");
                flags += 1;
            }
            for name in ["label", "sentence"] {
                if let Some(strip) = text(name).filter(|strip| is_strip(strip)) {
                    let beside = ["basis", "heldSince"].iter().any(|name| text(name).is_some());
                    assert!(has_time(strip) || beside, "{what}: {value}");
                    flags += 1;
                }
            }
            // A record is as the service sent it; what is said of it stands beside it.
            let inner = members.iter().filter(|(name, _)| *name != "record");
            flags + inner.map(|(_, member)| flags_in_json(what, member)).sum::<usize>()
        }
        _ => 0,
    }
}
