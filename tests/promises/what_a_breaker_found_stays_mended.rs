//! Faults that were found by trying to break the product, each as small as it can be.

use app::contract::{Commands, ErrorKind, ExportFormat, ExportRequest, FindingQuery, ImportStatus};
use recite_tests::scratch::Scratch;
use serde_json::{Value, json};

use crate::recordings_give_their_messages::{messages, reports};

fn run(thread: &str, run: &str, events: &[Value]) -> String {
    let mut all = vec![json!({ "type": "RUN_STARTED", "threadId": thread, "runId": run })];
    all.extend_from_slice(events);
    all.push(json!({ "type": "RUN_FINISHED", "threadId": thread, "runId": run }));
    all.iter().map(|event| format!("{event}\n")).collect()
}

fn answer(id: &str, text: &str) -> [Value; 3] {
    [
        json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": text }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": id }),
    ]
}

fn citations(id: &str, computed_at: &str, records: &[Value]) -> Value {
    let citations: Vec<Value> = records.iter().map(|record| json!({ "record": record })).collect();
    json!({ "type": "CUSTOM", "name": "moca.citations",
        "value": { "version": 1, "messageId": id, "computedAt": computed_at, "citations": citations } })
}

fn record(path: &str, superseded: bool) -> Value {
    let package = "https://bikes.example/moca/rules";
    json!({
        "package": { "id": package, "version": "1.0.0",
            "digest": "sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0",
            "signed": true, "signers": ["Bikes publisher"] },
        "node": { "id": format!("{package}#{path}"), "path": path, "type": "Policy", "ref": format!("{package}@1.0.0#{path}") },
        "trust": { "status": "stable", "declaredVerified": [], "attestedReviews": [], "stale": false, "inForce": true,
            "superseded": superseded, "contested": false }
    })
}

const THEN: &str = "2026-10-01T08:15:02Z";

#[test]
fn the_same_run_with_other_bytes_is_kept_beside_the_first() {
    let scratch = Scratch::new();
    let first = scratch.import_bytes("first.jsonl", run("t", "r", &answer("m1", "A")).as_bytes());
    let second = scratch.import_bytes("second.jsonl", run("t", "r", &answer("m1", "B")).as_bytes());
    assert_eq!(second.status, ImportStatus::Added, "{:?}", second.error);
    assert_ne!(first.conversation_ids, second.conversation_ids);
    let reports = reports(&scratch);
    let texts: Vec<&str> =
        messages(&reports).map(|message| message["text"].as_str().unwrap()).collect();
    assert_eq!(texts.len(), 2);
    assert!(texts.contains(&"A") && texts.contains(&"B"), "{texts:?}");
    let found = scratch.app.list_findings(FindingQuery::default()).unwrap();
    assert!(found.findings.iter().any(|finding| finding.code == "recite.run.other-bytes"));
}

#[test]
fn an_event_for_an_unknown_message_never_reaches_the_answer_of_a_later_run() {
    let scratch = Scratch::new();
    let early = run("t", "r1", &[citations("m1", THEN, &[record("a.md", false)])]);
    let late = run("t", "r2", &answer("m1", "Totally different"));
    let _ = scratch.import_bytes("runs.jsonl", format!("{early}{late}").as_bytes());
    let reports = reports(&scratch);
    let answer = messages(&reports).find(|message| message["messageId"] == "m1").unwrap();
    assert_eq!(answer["citations"]["state"], "none");
    assert_eq!(reports[0]["orphanCitations"][0]["state"], "unknown-message");
}

#[test]
fn the_last_of_many_events_is_the_one_shown() {
    let scratch = Scratch::new();
    let mut events = answer("m1", "Words").to_vec();
    events.extend((0..250).map(|second| {
        citations(
            "m1",
            &format!("2026-10-01T08:{:02}:{:02}Z", second / 60, second % 60),
            &[record("a.md", false)],
        )
    }));
    events.push(citations("m1", "2026-10-01T09:00:00Z", &[record("a.md", true)]));
    let _ = scratch.import_bytes("runs.jsonl", run("t", "r", &events).as_bytes());
    let reports = reports(&scratch);
    let item = &messages(&reports).next().unwrap()["citations"]["items"][0];
    assert_eq!(item["standing"]["worst"]["word"], "superseded");
}

#[test]
fn a_bad_source_behind_two_hundred_good_ones_is_counted() {
    let scratch = Scratch::new();
    let mut records: Vec<Value> =
        (0..200).map(|number| record(&format!("{number}.md"), false)).collect();
    records.push(record("last.md", true));
    let mut events = answer("m1", "Words").to_vec();
    events.push(citations("m1", THEN, &records));
    let _ = scratch.import_bytes("runs.jsonl", run("t", "r", &events).as_bytes());
    let reports = reports(&scratch);
    let sentence =
        messages(&reports).next().unwrap()["citations"]["sentence"].as_str().unwrap().to_owned();
    assert!(sentence.starts_with("201 sources: 1 superseded"), "{sentence}");
}

#[test]
fn a_computed_at_after_the_import_is_never_good_however_late_one_looks() {
    let scratch = Scratch::new();
    let mut events = answer("m1", "Words").to_vec();
    // The tests' present is June 2027; what was imported then could not have been computed in July.
    events.push(citations("m1", "2027-07-01T00:00:00Z", &[record("a.md", false)]));
    let _ = scratch.import_bytes("runs.jsonl", run("t", "r", &events).as_bytes());
    let later = app::App::open(
        &scratch.archive(),
        app::Host {
            program: "test",
            clock: Box::new(|| recite_tests::scratch::NOW + time::Duration::days(365)),
            on_job: Box::new(|_| ()),
            sample: false,
            create: false,
            batch_bytes: app::BATCH_BYTES,
        },
    );
    let report = serde_json::to_value(later.report("1").unwrap()).unwrap();
    let item = &report["runs"][0]["messages"][0]["citations"]["items"][0];
    assert_eq!(item["standing"]["worst"]["tone"], "unknown", "{item}");
}

#[test]
fn an_export_never_replaces_the_archive() {
    let scratch = Scratch::new();
    let _ = scratch.import_bytes("runs.jsonl", run("t", "r", &answer("m1", "Words")).as_bytes());
    let path = scratch.archive().to_string_lossy().into_owned();
    let request =
        ExportRequest { conversation: "1".to_owned(), format: ExportFormat::Events, path };
    let refused = scratch.app.export(request).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::BadInput);
    assert!(scratch.app.verify_now().unwrap().sound);
}

#[test]
fn messages_without_a_run_are_not_blamed_for_it() {
    let list =
        r#"[{"id":"u","role":"user","content":"Q"},{"id":"a","role":"assistant","content":"A"}]"#;
    for text in [
        list.to_owned(),
        format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":{list}}}"#),
        format!(r#"{{"threadId":"t","runId":"r","messages":{list}}}"#),
    ] {
        let scratch = Scratch::new();
        let _ = scratch.import_bytes("messages.json", text.as_bytes());
        let found = scratch.app.list_findings(FindingQuery::default()).unwrap();
        let codes: Vec<&str> = found.findings.iter().map(|finding| finding.code.as_str()).collect();
        assert!(codes.is_empty(), "{text}: {codes:?}");
        let reports = reports(&scratch);
        let note = reports[0]["notes"][0].as_str().unwrap_or_default();
        assert!(note.contains("whether the answers had citations is unknown"), "{note}");
        assert_eq!(messages(&reports).count(), 2, "{text}");
    }
}

#[test]
fn a_capture_inside_an_http_archive_leaves_no_secret_in_the_archive() {
    let events = run("t", "r", &answer("m1", "Words"));
    let stream: String = events.lines().map(|line| format!("data: {line}\n\n")).collect();
    let capture = format!(
        "HTTP/1.1 200 OK\r\nSet-Cookie: sid=TOPSECRET\r\n\r\n{stream}Authorization: Bearer TOPSECRET\n"
    );
    let har = json!({ "log": { "version": "1.2", "entries": [{
        "request": { "method": "POST", "url": "https://desk.example/agent" },
        "response": { "status": 200, "content": { "text": capture, "mimeType": "text/event-stream" } },
    }] } });
    let scratch = Scratch::new();
    let told = scratch.import_bytes("browser.har", har.to_string().as_bytes());
    assert_eq!((told.events, told.messages), (5, 1), "{told:?}");
    assert_eq!(told.left_out.as_deref(), Some("1 header, 1 cookie"));
    let archive = archive::Archive::open(&scratch.archive(), archive::Mode::ReadOnly).unwrap();
    let reader = archive.reader().unwrap();
    let sha256 = archive::Sha256::of(har.to_string().as_bytes());
    let source = reader.find_source(sha256).unwrap().unwrap();
    let mut kept = String::new();
    std::io::Read::read_to_string(
        &mut reader.read_content(source.id, archive::Stream::Content, 0..source.content_size),
        &mut kept,
    )
    .unwrap();
    assert!(kept.contains("Words") && !kept.contains("TOPSECRET"), "{kept}");
}
