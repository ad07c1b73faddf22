//! What lists say of many answers at once is as true as what each answer says of itself.

use std::time::Instant;

use app::contract::{
    CitingQuery, Commands, ConversationQuery, ConversationRow, MessageRef, TranscriptQuery,
};
use recite_tests::scratch::Scratch;
use serde_json::{Value, json};

const THEN: &str = "2026-10-01T08:15:02Z";

/// A run of answers, each with what is said of its sources.
fn run(thread: &str, timestamp: Option<u64>, answers: &[(&str, Option<Value>)]) -> String {
    let run = format!("run-{thread}");
    let mut events = vec![json!({ "type": "RUN_STARTED", "threadId": thread, "runId": run })];
    if let Some(timestamp) = timestamp {
        events[0]["timestamp"] = json!(timestamp);
    }
    for (number, (text, said)) in answers.iter().enumerate() {
        let id = format!("{thread}-{number}");
        events.push(json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant" }));
        events.push(json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": text }));
        events.push(json!({ "type": "TEXT_MESSAGE_END", "messageId": id }));
        if let Some(citations) = said {
            events
                .push(json!({ "type": "CUSTOM", "name": "moca.citations", "value": { "version": 1,
                "messageId": id, "computedAt": THEN, "citations": citations } }));
        }
    }
    events.push(json!({ "type": "RUN_FINISHED", "threadId": thread, "runId": run }));
    events.iter().map(|event| format!("{event}\n")).collect()
}

/// A citation of a node, in force, stale or not.
fn cited(path: &str, stale: bool, text: Option<&str>) -> Value {
    let package = "https://bikes.example/moca/rules";
    let mut record = json!({
        "package": { "id": package, "version": "1.0.0",
            "digest": "sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0",
            "signed": true, "signers": ["Bikes publisher"] },
        "node": { "id": format!("{package}#{path}"), "path": path, "type": "Policy", "title": path,
            "ref": format!("{package}@1.0.0#{path}") },
        "trust": { "status": "stable", "declaredVerified": [], "attestedReviews": [], "stale": stale, "inForce": true,
            "superseded": false, "contested": false }
    });
    if let Some(text) = text {
        record["text"] = json!(text);
    }
    json!({ "marker": format!("[{path}]"), "record": record })
}

fn listed(scratch: &Scratch) -> Vec<ConversationRow> {
    scratch.app.list_conversations(ConversationQuery::default()).unwrap().conversations
}

/// Row ids of the answers of a conversation.
fn answers(scratch: &Scratch, conversation: &str) -> Vec<String> {
    let query = TranscriptQuery { conversation: conversation.to_owned(), first: 0, limit: 100 };
    let page = scratch.app.transcript(query).unwrap();
    page.items.into_iter().map(|item| item.message.id).collect()
}

#[test]
fn a_conversation_of_several_kinds_is_told_with_both_numbers() {
    let scratch = Scratch::new();
    let both = [
        ("Yes [a].", Some(json!([cited("a", false, None)]))),
        ("No.", Some(json!([]))),
        ("Perhaps.", None),
    ];
    let _ = scratch.import_bytes("mixed.jsonl", run("mixed", None, &both).as_bytes());
    let none = [("No.", Some(json!([]))), ("Perhaps.", None)];
    let _ = scratch.import_bytes("none.jsonl", run("none", None, &none).as_bytes());
    let rows = listed(&scratch);
    let coverage = |thread: &str| {
        let row = rows.iter().find(|row| row.thread_id.as_deref() == Some(thread)).unwrap();
        row.strip.coverage.clone().unwrap()
    };
    assert_eq!(
        coverage("mixed"),
        "1 of 3 answers has sources · 1 with an empty list · 1 without a citation event"
    );
    assert_eq!(
        coverage("none"),
        "None of 2 answers has sources · 1 with an empty list · 1 without a citation event"
    );
}

#[test]
fn a_source_that_is_listed_again_counts_once_and_at_its_worst() {
    let scratch = Scratch::new();
    let twice = json!([cited("a", false, None), cited("b", false, None), cited("a", true, None)]);
    let _ =
        scratch.import_bytes("twice.jsonl", run("t", None, &[("Yes.", Some(twice))]).as_bytes());
    let row = listed(&scratch).remove(0);
    assert!(
        row.strip.label.starts_with("2 sources: 1 stale · 1 in force, not stale · as of"),
        "{}",
        row.strip.label
    );
    let answer = answers(&scratch, &row.id).remove(0);
    let sources = scratch.app.answer_sources(MessageRef { id: answer }).unwrap();
    let repeats: Vec<Option<u32>> = sources.items.iter().map(|card| card.repeats).collect();
    assert_eq!(repeats, [None, None, Some(0)]);
}

#[test]
fn the_other_answers_that_cite_a_source_are_listed_each_at_its_citation() {
    let scratch = Scratch::new();
    for thread in ["one", "two"] {
        let sources = json!([cited("b", false, None), cited("a", thread == "two", None)]);
        let told = [("Nothing.", None), ("It is so [b], and so [a].", Some(sources))];
        let _ =
            scratch.import_bytes(&format!("{thread}.jsonl"), run(thread, None, &told).as_bytes());
    }
    let rows = listed(&scratch);
    let one = rows.iter().find(|row| row.thread_id.as_deref() == Some("one")).unwrap();
    let here = answers(&scratch, &one.id).remove(1);
    let sources = scratch.app.answer_sources(MessageRef { id: here.clone() }).unwrap();
    let card = &sources.items[1];
    assert_eq!(card.other_answers, 1);
    let query =
        CitingQuery { record: card.record.clone(), except: Some(here), ..CitingQuery::default() };
    let page = scratch.app.citing_answers(query.clone()).unwrap();
    let [other] = page.answers.as_slice() else { panic!("{page:?}") };
    assert_ne!(other.conversation, one.id);
    assert_eq!((other.place, other.citation), (1, 1), "at the citation, not at the first one");
    assert_eq!(other.worst.word, "stale", "as it stands there");
    assert!(other.worst.line.contains("as of 1 Oct 2026, 08:15:02 UTC"), "{}", other.worst.line);
    assert!(other.excerpt.contains("and so"), "{}", other.excerpt);
    let all = CitingQuery { except: None, limit: Some(1), ..query };
    let first = scratch.app.citing_answers(all.clone()).unwrap();
    let rest =
        scratch.app.citing_answers(CitingQuery { cursor: first.next.clone(), ..all }).unwrap();
    assert_eq!((first.answers.len(), rest.answers.len(), rest.next), (1, 1, None));
    assert_ne!(first.answers[0].message, rest.answers[0].message);
}

#[test]
fn conversations_without_a_stated_time_come_last_on_every_page() {
    let scratch = Scratch::new();
    for number in 0..3_u64 {
        let dated =
            run(&format!("dated-{number}"), Some(1_790_000_000_000 + number), &[("Yes.", None)]);
        let _ = scratch.import_bytes(&format!("dated-{number}.jsonl"), dated.as_bytes());
        let undated = run(&format!("undated-{number}"), None, &[("Yes.", None)]);
        let _ = scratch.import_bytes(&format!("undated-{number}.jsonl"), undated.as_bytes());
    }
    for limit in 1..=7 {
        let (mut rows, mut cursor) = (Vec::new(), None);
        loop {
            let query =
                ConversationQuery { cursor, limit: Some(limit), ..ConversationQuery::default() };
            let page = scratch.app.list_conversations(query).unwrap();
            rows.extend(page.conversations);
            match page.next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        let threads: Vec<&str> = rows.iter().filter_map(|row| row.thread_id.as_deref()).collect();
        assert_eq!(threads[..3], ["dated-2", "dated-1", "dated-0"], "pages of {limit}");
        assert_eq!(threads[3..], ["undated-2", "undated-1", "undated-0"], "pages of {limit}");
        assert!(rows.iter().all(|row| row.times_are_import == row.title_is_undated()), "{rows:?}");
    }
    let since = ConversationQuery {
        since: Some("2020-01-01T00:00:00Z".to_owned()),
        ..ConversationQuery::default()
    };
    let dated = scratch.app.list_conversations(since).unwrap().conversations;
    assert_eq!(dated.len(), 3, "a time of import is in no range of times");
}

/// What the name of its thread says.
trait Named {
    fn title_is_undated(&self) -> bool;
}

impl Named for ConversationRow {
    fn title_is_undated(&self) -> bool {
        self.thread_id.as_deref().is_some_and(|thread| thread.starts_with("undated"))
    }
}

#[test]
fn damage_is_told_by_the_recordings_and_conversations_that_it_touches() {
    let scratch = Scratch::new();
    for thread in ["sound", "hit"] {
        let text = run(thread, None, &[("Yes [a].", Some(json!([cited("a", false, None)])))]);
        let _ = scratch.import_bytes(&format!("{thread}.jsonl"), text.as_bytes());
    }
    let sqlite = std::process::Command::new("sqlite3")
        .arg(scratch.archive())
        .arg("UPDATE segment SET zstd = zeroblob(length(zstd)) WHERE source_id = (SELECT id FROM source WHERE name = 'hit.jsonl')")
        .status();
    if !sqlite.is_ok_and(|status| status.success()) {
        println!("not run: there is no sqlite3 to damage an archive with");
        return;
    }
    let report = scratch.app.verify_now().unwrap();
    assert!(!report.sound);
    let [recording] = report.touched.as_slice() else { panic!("{report:?}") };
    assert_eq!((recording.name.as_str(), report.untold), ("hit.jsonl", 0));
    let hit =
        listed(&scratch).into_iter().find(|row| row.thread_id.as_deref() == Some("hit")).unwrap();
    let ids: Vec<&str> = recording.conversations.iter().map(|each| each.id.as_str()).collect();
    assert_eq!(ids, [hit.id.as_str()]);
}

/// Conversations, each with one source of its own, and the size of each source's words.
const LARGE: usize = 24;
const WORDS: usize = 1 << 20;

#[test]
fn a_list_reads_each_record_once_however_large_it_is() {
    let scratch = Scratch::new();
    for number in 0..LARGE {
        let words = format!("{number} ").repeat(WORDS / 3);
        let sources = json!([cited(&number.to_string(), true, Some(&words))]);
        let text = run(&format!("t{number}"), None, &[("Yes.", Some(sources))]);
        let _ = scratch.import_bytes(&format!("{number}.jsonl"), text.as_bytes());
    }
    let list = || {
        let start = Instant::now();
        let rows = listed(&scratch);
        (start.elapsed(), rows)
    };
    let (first, rows) = list();
    let (again, same) = list();
    println!("{LARGE} records of {WORDS} bytes: {first:?} the first time, {again:?} again");
    assert_eq!(rows, same, "what was read before is judged alike");
    assert!(again * 4 < first, "records were read again: {again:?} after {first:?}");
    for row in &rows {
        let words: Vec<&str> = row.strip.parts.iter().map(|part| part.word).collect();
        assert_eq!(words, ["stale"]);
    }
}
