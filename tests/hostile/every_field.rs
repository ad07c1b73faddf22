//! R30, R34, R35: every string of the hostile corpus in every field that a recording can fill, through every export and every
//! page of the contract: nothing but listed elements, no trust mark but those that typed values put there, no control
//! character for a terminal.

use app::{
    contract::{Commands, ConversationQuery, ExportFormat, MessageRef, TranscriptQuery},
    report::{Report, flags, markdown},
};
use html5ever::{ParseOpts, parse_document, tendril::TendrilSink};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use recite_tests::scratch::Scratch;
use serde_json::{Value, json};

/// Strings that take part at least (quality §3).
const SMALLEST_CORPUS: usize = 300;

/// Longer strings are put through every function by `render`'s own tests; in forty fields they would only take time.
const LONGEST: usize = 4_000;

/// Elements that an export or a rendered text may have.
const LISTED: [&str; 39] = [
    "details",
    "summary",
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "header",
    "section",
    "article",
    "div",
    "span",
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "b",
    "code",
    "pre",
    "ul",
    "ol",
    "li",
    "br",
    "wbr",
    "blockquote",
    "em",
    "strong",
    "del",
    "hr",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
];

/// Attributes that they may have; links of the window have more.
const ATTRIBUTES: [&str; 9] =
    ["class", "title", "data-mark", "align", "start", "lang", "charset", "name", "content"];
const OF_LINKS: [&str; 5] = ["class", "role", "tabindex", "data-url", "data-host"];
const OF_BUTTONS: [&str; 4] = ["type", "class", "data-citation", "data-place"];

/// Signs of the flags in texts.
const SIGNS: [&str; 6] = ["●", "○", "?", "▲", "✕", "□"];

fn corpus() -> Vec<String> {
    let file = std::fs::read(recite_tests::fixture("hostile-strings.json")).unwrap();
    let file: Value = serde_json::from_slice(&file).unwrap();
    let text = |entry: &Value| match entry["text"].as_str() {
        Some(text) => text.to_owned(),
        None => {
            let times = usize::try_from(entry["times"].as_u64().unwrap()).unwrap();
            entry["repeat"].as_str().unwrap().repeat(times)
        }
    };
    let strings = file["strings"].as_array().unwrap().iter().map(text);
    let strings: Vec<String> = strings.filter(|text| text.len() <= LONGEST).collect();
    assert!(strings.len() >= SMALLEST_CORPUS, "{} strings", strings.len());
    strings
}

/// A valid record whose every free text is `text`.
fn record(text: &str) -> Value {
    let package = "https://bikes.example/moca/rules";
    json!({
        "package": { "id": package, "version": "1.0.0", "signed": true, "signers": [text],
            "digest": "sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0" },
        "node": { "id": format!("{package}#a.md"), "path": "a.md", "type": text, "title": text, "description": text,
            "ref": format!("{package}@1.0.0#a.md"), "tags": [text] },
        "trust": { "status": "stable", "declaredVerified": [{ "by": text, "at": "2026-08-02" }], "stale": false,
            "attestedReviews": [{ "reviewer": text, "reviewedAt": "2026-02-01T10:00:00Z", "outcome": text, "signer": text,
                "scope": text }],
            "inForce": true, "superseded": true, "supersededBy": [text], "contested": false },
        "evidence": [], "text": text,
    })
}

/// A record that every rule forbids, in the same fields.
fn broken(text: &str) -> Value {
    json!({
        "package": { "id": text, "version": text, "digest": text, "signed": text, "signers": text },
        "node": { "id": text, "path": text, "type": text, "ref": text, "title": text, "locale": text },
        "trust": { "status": text, "attested": text, "declaredVerified": text, "attestedReviews": [text] }, text: text,
    })
}

/// A conversation with `text` in every field; the first of `number` so that each is one of its own.
fn conversation(number: usize, text: &str) -> String {
    let thread = format!("{number} {text}");
    let cites = |message: &str, computed: &str| {
        json!({ "type": "CUSTOM", "name": "moca.citations", "value": { "version": 1, "messageId": message, "computedAt": computed,
            "citations": [{ "marker": "[1]", "record": record(text) }, { "marker": text, "record": broken(text) }] } })
    };
    let message = |id: &str, role: &str| {
        [
            json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": role, "name": text }),
            json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": format!("{text}\n\n[1] {text}") }),
            json!({ "type": "TEXT_MESSAGE_END", "messageId": id }),
        ]
    };
    let mut events = vec![
        json!({ "type": "RUN_STARTED", "threadId": thread, "runId": text, "parentRunId": text, "protocolVersion": text,
            "input": { "threadId": thread, "runId": text, "messages": [{ "id": text, "role": "user", "name": text, "content": text }] } }),
        json!({ "type": text, "anything": text }),
        json!({ "type": "STEP_STARTED", "stepName": text }),
        json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "thought", "delta": text }),
        json!({ "type": "TOOL_CALL_START", "toolCallId": text, "toolCallName": text }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": text, "delta": text }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": text }),
        json!({ "type": "TOOL_CALL_RESULT", "messageId": "result", "toolCallId": text, "content": text }),
        json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": "activity", "activityType": text, "content": { "x": text } }),
        json!({ "type": "STATE_SNAPSHOT", "snapshot": { "citations": { "answer": [{ "title": text, "url": text },
            { "title": text, "url": format!("https://{text}/{text}") }] } } }),
        json!({ "type": "CUSTOM", "name": text, "value": text }),
    ];
    events.extend(message("answer", "assistant"));
    events.push(cites("answer", "2026-10-01T08:15:02Z"));
    events.extend(message("second", "assistant"));
    events.push(cites("second", text));
    events.push(cites(text, text));
    events.extend(message("other", text));
    events.push(json!({ "type": "RUN_ERROR", "message": text, "code": text }));
    events.iter().map(|event| format!("{event}\n")).collect()
}

fn filled() -> (Scratch, Vec<String>) {
    let scratch = Scratch::new();
    let recording: String =
        corpus().iter().enumerate().map(|(number, text)| conversation(number, text)).collect();
    let told = scratch.import_bytes("hostile.jsonl", recording.as_bytes());
    assert!(told.conversations as usize >= SMALLEST_CORPUS, "{told:?}");
    let (mut ids, mut cursor) = (Vec::new(), None);
    loop {
        let query = ConversationQuery { cursor, ..ConversationQuery::default() };
        let page = scratch.app.list_conversations(query).unwrap();
        ids.extend(page.conversations.into_iter().map(|row| row.id));
        match page.next {
            Some(next) => cursor = Some(next),
            None => return (scratch, ids),
        }
    }
}

/// An element with its parent's classes.
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    above: Vec<String>,
}

impl Element {
    fn class(&self) -> &str {
        self.attributes.iter().find(|(name, _)| name == "class").map_or("", |(_, value)| value)
    }
}

/// All elements as a browser sees them.
fn elements(html: &str) -> Vec<Element> {
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
    let mut found = Vec::new();
    let mut waiting: Vec<(Handle, Vec<String>)> = vec![(dom.document.clone(), Vec::new())];
    while let Some((node, above)) = waiting.pop() {
        let mut classes = above.clone();
        match &node.data {
            NodeData::Element { name, attrs, .. } => {
                let attributes: Vec<(String, String)> = attrs
                    .borrow()
                    .iter()
                    .map(|a| (a.name.local.to_string(), a.value.to_string()))
                    .collect();
                let element = Element { name: name.local.to_string(), attributes, above };
                classes.push(element.class().to_owned());
                found.push(element);
            }
            NodeData::Comment { contents } => panic!("a comment: {contents}"),
            NodeData::ProcessingInstruction { .. } => panic!("a processing instruction"),
            NodeData::Document | NodeData::Doctype { .. } | NodeData::Text { .. } => {}
        }
        waiting.extend(node.children.borrow().iter().map(|child| (child.clone(), classes.clone())));
    }
    found
}

fn assert_listed(what: &str, elements: &[Element]) {
    for element in elements {
        let attributes: &[&str] = match element.name.as_str() {
            "a" => &OF_LINKS,
            "button" => &OF_BUTTONS,
            "meta" => &["charset", "http-equiv", "name", "content"],
            name => {
                assert!(LISTED.contains(&name), "{what}: <{name}>");
                &ATTRIBUTES
            }
        };
        for (name, value) in &element.attributes {
            assert!(
                attributes.contains(&name.as_str()) || is_anchor(element, name, value),
                "{what}: <{} {name}={value:?}>",
                element.name
            );
        }
    }
}

/// What leads from a marker of an exported file to its source, and the fold around a source's text.
fn is_anchor(element: &Element, name: &str, value: &str) -> bool {
    let numbered =
        |value: &str| value.strip_prefix("source-").is_some_and(|n| n.parse::<u32>().is_ok());
    match (element.name.as_str(), name) {
        ("div", "id") => element.class() == "source" && numbered(value),
        ("a", "href") => element.class() == "cite" && value.strip_prefix('#').is_some_and(numbered),
        ("details", "open") => true,
        _ => false,
    }
}

/// Flags that typed values put into a report, and sources that have them.
fn expected(report: &Report) -> (usize, usize) {
    let items = report
        .runs
        .iter()
        .flat_map(|run| &run.messages)
        .filter_map(|message| message.citations.as_ref())
        .flat_map(|citations| &citations.items);
    items.fold((0, 0), |(all, sources), item| (all + flags(&item.standing).len(), sources + 1))
}

/// Characters that a terminal obeys or that turn a line round; the marks that Hebrew and Arabic need are neither.
fn obeyed(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}'
            | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

#[test]
fn no_text_makes_more_than_text_anywhere() {
    let (scratch, ids) = filled();
    in_exports(&scratch, &ids);
    in_the_window(&scratch, &ids);
    on_a_terminal(&scratch);
}

fn in_exports(scratch: &Scratch, ids: &[String]) {
    let (mut all_flags, mut all_sources) = (0, 0);
    for id in ids {
        let report = scratch.app.report(id).unwrap();
        let (flags, sources) = expected(&report);
        (all_flags, all_sources) = (all_flags + flags, all_sources + sources);
        let mut html = Vec::new();
        scratch.app.export_to(id, ExportFormat::Html, &mut html).unwrap();
        let html = String::from_utf8(html).unwrap();
        let found = elements(&html);
        assert_listed(&format!("HTML of {id}"), &found);
        let count = |wanted: &dyn Fn(&Element) -> bool| found.iter().filter(|e| wanted(e)).count();
        assert_eq!(count(&|e| e.name == "style"), 1, "{id}");
        assert_eq!(count(&|e| e.name == "meta"), 3, "{id}");
        assert_eq!(count(&|e| e.class() == "flags"), sources, "{id}: lists of flags");
        assert_eq!(count(&|e| e.class() == "sign"), flags, "{id}: signs of flags");
        let anchors = count(&|e| e.attributes.iter().any(|(name, _)| name == "id"));
        assert_eq!(anchors, sources, "{id}: anchors of sources");
        let in_flags = |e: &Element| e.name == "li" && e.above.last().is_some_and(|c| c == "flags");
        assert_eq!(count(&in_flags), flags, "{id}: flags");
        let marked = |e: &Element| {
            let own = [
                "flags", "sign", "source", "sources", "asof", "good", "bad", "caution", "declared",
            ];
            own.contains(&e.class())
                && e.above.iter().any(|class| class == "text" || class == "quote")
        };
        assert_eq!(count(&marked), 0, "{id}: a mark of the report's own inside a text");

        let text = markdown(&report);
        let flag = |line: &&str| {
            line.strip_prefix("   - ")
                .is_some_and(|rest| SIGNS.iter().any(|sign| rest.starts_with(sign)))
        };
        assert_eq!(text.lines().filter(flag).count(), flags, "{id}: flags in Markdown\n{text}");
        let answers =
            report.runs.iter().flat_map(|run| &run.messages).filter(|m| m.citations.is_some());
        let told = text.lines().filter(|line| line.starts_with("Sources: ")).count();
        assert_eq!(told, answers.count(), "{id}: answers in Markdown\n{text}");
        let shown = render::terminal(&text);
        assert!(
            !shown.contains(obeyed),
            "{id}: a terminal obeys {:?}",
            shown.chars().find(|c| obeyed(*c))
        );
    }
    assert!(
        all_flags > 8 * ids.len() && all_sources >= 4 * ids.len(),
        "{all_flags} flags of {all_sources} sources"
    );
}

fn in_the_window(scratch: &Scratch, ids: &[String]) {
    let mut texts = 0;
    for id in ids {
        let query = TranscriptQuery { conversation: id.clone(), first: 0, limit: 200 };
        let page = scratch.app.transcript(query).unwrap();
        for item in &page.items {
            let what = format!("message {} of {id}", item.message.id);
            let found = elements(&item.message.html);
            assert_listed(&what, &found);
            let buttons = found.iter().filter(|element| element.name == "button").count();
            texts += 1;
            if item.message.sources.is_none() {
                assert_eq!(buttons, 0, "{what}: a button without sources");
                continue;
            }
            let answer = MessageRef { id: item.message.id.clone() };
            let sources = scratch.app.answer_sources(answer).unwrap();
            let places: usize = sources.items.iter().map(|card| card.places.len()).sum();
            assert_eq!(buttons, places, "{what}: buttons that no marker put there");
            for html in sources.items.iter().filter_map(|card| card.text_html.as_deref()) {
                let found = elements(html);
                assert_listed(&what, &found);
                assert!(!found.iter().any(|element| element.name == "button"), "{what}");
                texts += 1;
            }
        }
    }
    assert!(texts > 8 * ids.len(), "only {texts} texts");
}

fn on_a_terminal(scratch: &Scratch) {
    let recite = recite_tests::process::Recite::new(
        env!("CARGO_BIN_EXE_recite_under_test"),
        &scratch.archive(),
    );
    for arguments in [["list", "--limit", "200"], ["findings", "--limit", "200"]] {
        let arguments = arguments.map(std::ffi::OsStr::new);
        let text = recite.text(&arguments);
        assert!(text.lines().count() > 200, "{text}");
        assert!(!text.contains(obeyed), "{arguments:?}: {:?}", text.chars().find(|c| obeyed(*c)));
    }
}
