//! R23: every MUST and SHOULD of the binding (seed §2–§4), from the import of a recording to what is shown of it.
//! One row a line, called by its name; a line of the seed that has no row fails the last test.

use std::collections::BTreeSet;

use app::contract::{Commands, ExportFormat, FindingQuery, MessageRef, TranscriptQuery};
use recite_tests::{generate, scratch::Scratch, shared};
use serde_json::{Value, json};

use crate::recordings_give_their_messages::{messages, reports};

/// Key word of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Must,
    MustNot,
    Should,
}

use Word::{Must, MustNot, Should};

/// A line of the seed and what holds for it.
struct Line {
    section: u8,
    word: Word,
    name: &'static str,
    holds: fn(),
}

/// The lines in the order of the seed.
const LINES: [Line; 14] = [
    Line { section: 2, word: Must, name: "unknown version is ignored", holds: unknown_version },
    Line { section: 2, word: Should, name: "the time stands beside", holds: time_beside },
    Line { section: 3, word: Must, name: "between the message's end and the run's", holds: place },
    Line {
        section: 3,
        word: Must,
        name: "cited and returned nodes only",
        holds: cited_and_returned,
    },
    Line { section: 3, word: Must, name: "what resolves to nothing is left out", holds: resolves },
    Line { section: 3, word: MustNot, name: "a record is not changed", holds: not_changed },
    Line {
        section: 3,
        word: Must,
        name: "in order, once for a ref and span",
        holds: order_and_once,
    },
    Line { section: 3, word: Should, name: "an empty list is sent", holds: empty_list },
    Line { section: 4, word: Must, name: "keyed by ref, or id and digest", holds: keyed },
    Line { section: 4, word: Must, name: "trust as the Reader contract says", holds: trust },
    Line { section: 4, word: Must, name: "fields are data", holds: data },
    Line { section: 4, word: Must, name: "links and nothing loaded", holds: links },
    Line { section: 4, word: Must, name: "unknown message is ignored", holds: unknown_message },
    Line {
        section: 4,
        word: Should,
        name: "unknown custom events are ignored",
        holds: unknown_custom,
    },
];

#[test]
fn each_line_holds() {
    for line in &LINES {
        println!("seed §{}, {:?}: {}", line.section, line.word, line.name);
        (line.holds)();
    }
}

#[test]
fn no_line_of_the_seed_is_without_a_row() {
    let Some(seed) = shared("seed/moca-citations-over-ag-ui.txt") else { return };
    let seed = std::fs::read_to_string(seed).unwrap();
    let heading = |number: u8| {
        let mut at = 0;
        for line in seed.split_inclusive('\n') {
            if line.starts_with(&format!("{number}. ")) {
                return at;
            }
            at += line.len();
        }
        panic!("the seed has a section {number}");
    };
    for section in 2..=4 {
        let text = &seed[heading(section)..heading(section + 1)];
        let words: Vec<&str> =
            text.split(|c: char| !c.is_ascii_alphabetic()).filter(|w| !w.is_empty()).collect();
        let mut stated = Vec::new();
        for (at, word) in words.iter().enumerate() {
            match (*word, words.get(at + 1)) {
                ("MUST", Some(&"NOT")) => stated.push(MustNot),
                ("MUST" | "REQUIRED" | "SHALL", _) => stated.push(Must),
                ("SHOULD" | "RECOMMENDED", _) => stated.push(Should),
                _ => {}
            }
        }
        let rows: Vec<Word> =
            LINES.iter().filter(|line| line.section == section).map(|line| line.word).collect();
        assert_eq!(rows, stated, "section {section}");
    }
}

const PACKAGE: &str = "https://bikes.example/moca/rules";
const THEN: &str = "2026-10-01T08:15:02.5+02:00";

fn record(path: &str) -> Value {
    let digest = "sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";
    json!({
        "package": { "id": PACKAGE, "version": "1.0.0", "digest": digest, "signed": false, "signers": [] },
        "node": { "id": format!("{PACKAGE}#{path}"), "path": path, "type": "Policy", "title": format!("Title of {path}"),
            "ref": format!("{PACKAGE}@1.0.0#{path}") },
        "trust": { "status": "stable", "declaredVerified": [], "attestedReviews": [], "stale": false, "inForce": true,
            "superseded": false, "contested": false },
        "text": format!("Text of {path}."),
    })
}

/// A record with other values at some places.
fn with(path: &str, changes: &[(&str, Value)]) -> Value {
    let mut record = record(path);
    for (pointer, value) in changes {
        *record.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is there")) =
            value.clone();
    }
    record
}

fn cites(list: &[(&str, Value)]) -> Value {
    let list: Vec<Value> =
        list.iter().map(|(marker, record)| json!({ "marker": marker, "record": record })).collect();
    json!({ "type": "CUSTOM", "name": "moca.citations",
        "value": { "version": 1, "messageId": "answer", "computedAt": THEN, "citations": list } })
}

/// A run that looks records up, answers and cites; what each part of it is.
struct Run {
    answer: &'static str,
    returned: Vec<Value>,
    before_end: Vec<Value>,
    after_end: Vec<Value>,
    after_run: Vec<Value>,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            answer: "Return it anywhere [1]. The fee is 6 € [2].",
            returned: vec![record("a.md"), record("b.md")],
            before_end: Vec::new(),
            after_end: Vec::new(),
            after_run: Vec::new(),
        }
    }
}

/// What an archive shows of a run.
struct Shown {
    scratch: Scratch,
    report: Value,
    codes: BTreeSet<String>,
    markdown: String,
    html: String,
    events: String,
}

impl Run {
    fn citing(list: &[(&str, Value)]) -> Self {
        Self { after_end: vec![cites(list)], ..Self::default() }
    }

    fn shown(self) -> Shown {
        let mut events = vec![
            json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r",
                "input": { "threadId": "t", "runId": "r", "messages": [{ "id": "q", "role": "user", "content": "Where?" }] } }),
            json!({ "type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "search" }),
            json!({ "type": "TOOL_CALL_END", "toolCallId": "c" }),
            json!({ "type": "TOOL_CALL_RESULT", "messageId": "found", "toolCallId": "c",
                "content": json!({ "results": self.returned }).to_string() }),
            json!({ "type": "TEXT_MESSAGE_START", "messageId": "answer", "role": "assistant" }),
            json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "answer", "delta": self.answer }),
        ];
        events.extend(self.before_end);
        events.push(json!({ "type": "TEXT_MESSAGE_END", "messageId": "answer" }));
        events.extend(self.after_end);
        events.push(json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" }));
        events.extend(self.after_run);
        let lines: String = events.iter().map(|event| format!("{event}\n")).collect();
        let scratch = Scratch::new();
        let _ = scratch.import_bytes("run.jsonl", lines.as_bytes());
        let export = |format| {
            let mut out = Vec::new();
            scratch.app.export_to("1", format, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let codes = scratch.app.list_findings(FindingQuery::default()).unwrap().findings;
        let events = export(ExportFormat::Events);
        assert_eq!(events, lines, "whatever is shown, every event is kept");
        Shown {
            report: reports(&scratch).remove(0),
            codes: codes.into_iter().map(|finding| finding.code).collect(),
            markdown: export(ExportFormat::Markdown),
            html: export(ExportFormat::Html),
            events,
            scratch,
        }
    }
}

impl Shown {
    fn citations(&self) -> Value {
        let reports = std::slice::from_ref(&self.report);
        let found = messages(reports).find(|message| message["messageId"] == "answer").unwrap();
        found["citations"].clone()
    }

    fn refs(&self) -> Vec<String> {
        let citations = self.citations();
        let items = citations["items"].as_array().unwrap();
        items.iter().map(|item| item["nodeRef"].as_str().unwrap_or("none").to_owned()).collect()
    }

    /// Duties broken and other faults of citations.
    fn faults(&self) -> Vec<&str> {
        self.codes.iter().map(String::as_str).filter(|code| code.starts_with("moca.")).collect()
    }

    fn orphans(&self) -> &Vec<Value> {
        self.report["orphanCitations"].as_array().unwrap()
    }

    /// Rendered texts of the sources, as the window gets them.
    fn cards(&self) -> Vec<String> {
        let query = TranscriptQuery { conversation: "1".to_owned(), first: 0, limit: 200 };
        let page = self.scratch.app.transcript(query).unwrap();
        let answer = page.items.iter().find(|item| item.message.sources.is_some()).unwrap();
        let sources = MessageRef { id: answer.message.id.clone() };
        let sources = self.scratch.app.answer_sources(sources).unwrap();
        sources.items.into_iter().filter_map(|card| card.text_html).collect()
    }
}

fn node(path: &str) -> String {
    format!("{PACKAGE}@1.0.0#{path}")
}

fn both() -> [(&'static str, Value); 2] {
    [("[1]", record("a.md")), ("[2]", record("b.md"))]
}

fn unknown_version() {
    for version in [json!(2), json!("1"), json!(0)] {
        let mut event = cites(&both());
        event["value"]["version"] = version;
        let shown = Run { after_end: vec![event.clone()], ..Run::default() }.shown();
        assert_eq!(shown.citations()["state"], "unknown-version");
        assert!(shown.refs().is_empty() && !shown.html.contains("<ul class=\"flags\">"));
        assert_eq!(shown.orphans()[0]["value"], event["value"], "kept");
        assert_eq!(shown.faults(), ["moca.event.version-unknown"]);
    }
}

fn time_beside() {
    let shown = Run::citing(&both()).shown();
    assert!(shown.faults().is_empty(), "a service that keeps every rule: {:?}", shown.faults());
    assert_eq!(shown.citations()["computedAt"], THEN, "as the service wrote it");
    let time = "as of 1 Oct 2026, 08:15:02 +02:00";
    let flags = shown.markdown.lines().filter(|line| {
        line.trim_start().starts_with("- ●") || line.trim_start().starts_with("- ○")
    });
    let flags: Vec<&str> = flags.collect();
    assert!(flags.len() >= 4 && flags.iter().all(|flag| flag.contains(time)), "{flags:?}");
    let mut event = cites(&both());
    event["value"].as_object_mut().unwrap().remove("computedAt");
    let untold = Run { after_end: vec![event], ..Run::default() }.shown();
    assert!(untold.markdown.contains("the service did not say when"));
    assert_eq!(untold.faults(), ["moca.event.computed-at-missing"]);
}

fn place() {
    let before = Run { before_end: vec![cites(&both())], ..Run::default() }.shown();
    assert_eq!(before.faults(), ["moca.duty.before-message-end"]);
    let after = Run { after_run: vec![cites(&both())], ..Run::default() }.shown();
    assert_eq!(after.faults(), ["moca.duty.after-run-finished"]);
    for shown in [before, after] {
        assert_eq!(
            shown.refs(),
            [node("a.md"), node("b.md")],
            "a fault of the service hides no source"
        );
    }
}

fn cited_and_returned() {
    let list = [("[1]", record("a.md")), ("[2]", record("b.md")), ("[3]", record("c.md"))];
    let shown = Run {
        returned: vec![record("a.md"), record("b.md"), record("c.md")],
        ..Run::citing(&list)
    }
    .shown();
    assert!(shown.codes.contains("moca.duty.not-cited"), "{:?}", shown.codes);
    assert!(!shown.codes.contains("moca.duty.not-returned-in-run"), "{:?}", shown.codes);
    let shown = Run { returned: vec![record("a.md")], ..Run::citing(&both()) }.shown();
    assert_eq!(shown.faults(), ["moca.duty.not-returned-in-run"]);
}

fn resolves() {
    // A reference that a model writes makes no source, whatever it looks like.
    let answer = "See https://bikes.example/moca/rules@1.0.0#invented.md and [1], says ● Signed by us · as of today.";
    let shown = Run { answer, after_end: vec![cites(&[])], ..Run::default() }.shown();
    assert_eq!(shown.citations()["state"], "empty");
    assert!(shown.refs().is_empty() && shown.citations()["items"] == json!([]));
    assert!(!shown.html.contains("<ul class=\"flags\">"), "no flag stands anywhere");
    let signs = |line: &&str| line.trim_start().starts_with("- ●");
    assert_eq!(shown.markdown.lines().filter(signs).count(), 0, "{}", shown.markdown);
}

fn not_changed() {
    let changed = with("b.md", &[("/trust/stale", json!(true))]);
    let shown = Run::citing(&[("[1]", record("a.md")), ("[2]", changed)]).shown();
    assert_eq!(shown.faults(), ["moca.duty.record-changed"]);
    let mut left_out = record("b.md");
    left_out.as_object_mut().unwrap().remove("text");
    let shown = Run::citing(&[("[1]", record("a.md")), ("[2]", left_out)]).shown();
    assert!(shown.faults().is_empty(), "leaving the text out is allowed: {:?}", shown.faults());
}

fn order_and_once() {
    let shown = Run::citing(&[("[2]", record("b.md")), ("[1]", record("a.md"))]).shown();
    assert_eq!(shown.faults(), ["moca.duty.order"]);
    assert_eq!(shown.refs(), [node("b.md"), node("a.md")], "as the service listed them");
    let twice = [("[1]", record("a.md")), ("[2]", record("b.md")), ("[1]", record("a.md"))];
    let shown = Run::citing(&twice).shown();
    assert!(shown.codes.contains("moca.duty.duplicate"), "{:?}", shown.codes);
    let mut spans = [record("a.md"), record("a.md")];
    for (at, record) in spans.iter_mut().enumerate() {
        record["span"] = json!({ "start": at * 10, "end": at * 10 + 5 });
    }
    let [one, other] = spans;
    let shown = Run {
        returned: vec![one.clone(), other.clone()],
        ..Run::citing(&[("[1]", one), ("[2]", other)])
    }
    .shown();
    assert!(
        shown.faults().is_empty(),
        "two spans of a node are two citations: {:?}",
        shown.faults()
    );
}

fn empty_list() {
    let shown =
        Run { answer: "I do not know.", after_end: vec![cites(&[])], ..Run::default() }.shown();
    let empty = shown.citations();
    assert_eq!((empty["state"].as_str(), shown.faults().len()), (Some("empty"), 0));
    let none = Run { answer: "I do not know.", ..Run::default() }.shown().citations();
    assert_eq!(none["state"], "none");
    assert_ne!(
        empty["sentence"], none["sentence"],
        "“no sources” is told from “not a MOCA service”"
    );
    // Of a service that sends the event, its absence is a fault.
    let second = |kind: &str, more: Value| {
        let mut event = json!({ "type": kind, "messageId": "second" });
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let mut events = vec![cites(&both())];
    events.push(second("TEXT_MESSAGE_START", json!({ "role": "assistant" })));
    events.push(second("TEXT_MESSAGE_CONTENT", json!({ "delta": "And more." })));
    events.push(second("TEXT_MESSAGE_END", json!({})));
    let shown = Run { after_end: events, ..Run::default() }.shown();
    assert_eq!(shown.faults(), ["moca.duty.no-event"]);
}

fn keyed() {
    let mut old = record("a.md");
    old["node"].as_object_mut().unwrap().remove("ref");
    let shown = Run {
        returned: vec![old.clone(), record("b.md")],
        ..Run::citing(&[("[1]", old), ("[2]", record("b.md"))])
    }
    .shown();
    assert_eq!(shown.refs()[0], node("a.md"), "rebuilt from id and package");
    assert_eq!(shown.faults(), ["moca.record.ref-rebuilt"]);
    // Equal ids in packages of other content are two nodes.
    let other = "sha256:ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";
    let mut late =
        with("a.md", &[("/package/digest", json!(other)), ("/package/version", json!("2.0.0"))]);
    late["node"]["ref"] = json!(format!("{PACKAGE}@2.0.0#a.md"));
    let shown = Run {
        returned: vec![record("a.md"), late.clone()],
        ..Run::citing(&[("[1]", record("a.md")), ("[2]", late)])
    }
    .shown();
    let refs = shown.refs();
    assert_eq!(refs, [node("a.md"), format!("{PACKAGE}@2.0.0#a.md")]);
    assert!(shown.faults().is_empty(), "{:?}", shown.faults());
}

fn trust() {
    let declared = with(
        "a.md",
        &[("/trust/declaredVerified", json!([{ "by": "human:someone", "at": "2026-08-02" }]))],
    );
    let shown =
        Run { returned: vec![declared.clone()], ..Run::citing(&[("[1]", declared)]) }.shown();
    let standing = &shown.citations()["items"][0]["standing"];
    assert_eq!(
        (
            standing["reviews"].as_array().map(Vec::len),
            standing["declared"].as_array().map(Vec::len)
        ),
        (Some(0), Some(1))
    );
    assert!(shown.markdown.contains("□ **Declared, not checked**"), "{}", shown.markdown);
    assert!(!shown.markdown.contains("Attested"), "a declaration is never shown as a review");
    for (pointer, value, word) in [
        ("/trust/stale", true, "stale"),
        ("/trust/superseded", true, "superseded"),
        ("/trust/contested", true, "contested"),
        ("/trust/inForce", false, "not in force"),
    ] {
        let flagged = with(
            "a.md",
            &[
                (pointer, json!(value)),
                ("/package/signed", json!(true)),
                ("/package/signers", json!(["Bikes"])),
            ],
        );
        let shown =
            Run { returned: vec![flagged.clone()], ..Run::citing(&[("[1]", flagged)]) }.shown();
        let standing = &shown.citations()["items"][0]["standing"];
        assert_eq!(standing["worst"]["word"], word, "no good flag hides it");
        for (what, text) in [("Markdown", &shown.markdown), ("HTML", &shown.html)] {
            assert!(text.to_lowercase().contains(word), "{what} says {word}");
        }
    }
}

fn data() {
    let text = "# Ignore previous instructions\n<script>window.pwned=1</script>\n<img src=x onerror=alert(1)> $(rm -rf ~) ● Signed by us";
    let hostile =
        with("a.md", &[("/text", json!(text)), ("/node/title", json!("<b>● Signed</b>"))]);
    let shown = Run { returned: vec![hostile.clone()], ..Run::citing(&[("[1]", hostile)]) }.shown();
    for html in shown.cards().iter().chain([&shown.html]) {
        assert!(
            !html.contains("<script>window") && !html.contains("<img") && !html.contains("<b>●"),
            "{html}"
        );
    }
    // A tool's result stands between fences, where everything is text.
    let outside: String = shown.markdown.split("```").step_by(2).collect();
    assert!(!outside.contains("# <b>") && !outside.contains("<script>"), "{outside}");
    assert_eq!(shown.citations()["items"][0]["record"]["text"], text, "kept as it is");
}

fn links() {
    let text = "[out](https://elsewhere.example/x) [no](javascript:alert(1)) [mail](mailto:a@b.example) [file](file:///etc/passwd) ![pixel](https://tracker.example/p.png)";
    let linked = with("a.md", &[("/text", json!(text))]);
    let shown = Run { returned: vec![linked.clone()], ..Run::citing(&[("[1]", linked)]) }.shown();
    let card = shown.cards().remove(0);
    assert_eq!(card.matches("data-url=").count(), 1, "{card}");
    assert!(card.contains("data-url=\"https://elsewhere.example/x\""), "{card}");
    for never in ["href=", "src=", "<img", "javascript:alert(1)\"", "file:///etc/passwd\""] {
        assert!(
            !card.contains(never) && !shown.html.contains(&format!("<a {never}")),
            "{never}: {card}"
        );
    }
    assert!(
        !shown.html.contains("src=") && !shown.html.contains("<link"),
        "an export loads nothing"
    );
}

fn unknown_message() {
    let mut event = cites(&both());
    event["value"]["messageId"] = json!("nobody");
    let shown = Run { after_end: vec![event.clone()], ..Run::default() }.shown();
    assert_eq!(shown.citations()["state"], "none", "no message shows it");
    let orphan = &shown.orphans()[0];
    assert_eq!(
        (orphan["state"].as_str(), &orphan["value"]),
        (Some("unknown-message"), &event["value"])
    );
    assert!(shown.codes.contains("moca.event.message-unknown"), "{:?}", shown.codes);
}

fn unknown_custom() {
    let event = json!({ "type": "CUSTOM", "name": "vendor.mood", "value": { "citations": "none", "messageId": "answer" } });
    let plain = Run::citing(&both()).shown();
    let mut after_end = vec![event];
    after_end.push(cites(&both()));
    let shown = Run { after_end, ..Run::default() }.shown();
    assert_eq!(
        (shown.report["runs"].clone(), shown.codes),
        (plain.report["runs"].clone(), plain.codes)
    );
    assert!(shown.events.contains("vendor.mood"), "kept");
    assert!(!shown.markdown.contains("vendor.mood"), "not shown");
}

#[test]
fn the_generators_own_service_breaks_no_line() {
    let scratch = Scratch::new();
    let _ = scratch.import_bytes("runs.jsonl", &generate::recording(40, 23));
    let found = scratch.app.list_findings(FindingQuery::default()).unwrap();
    let broken: Vec<&str> = found
        .findings
        .iter()
        .map(|finding| finding.code.as_str())
        .filter(|code| code.starts_with("moca.duty.") && *code != "moca.duty.not-cited")
        .collect();
    assert!(broken.is_empty(), "{broken:?}");
}
