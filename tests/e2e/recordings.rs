//! Recordings made for these flows: small, readable, each with one purpose.

use serde_json::{Value, json};

/// One run as JSONL: a question, an answer, and what `custom` says of it.
pub(crate) fn conversation(
    thread: &str,
    question: &str,
    answer: &str,
    custom: Option<Value>,
) -> String {
    let run = format!("run-{thread}");
    let message = format!("answer-{thread}");
    let mut events = vec![
        json!({ "type": "RUN_STARTED", "threadId": thread, "runId": run, "timestamp": 1_796_000_000_000_u64,
            "input": { "threadId": thread, "runId": run, "tools": [], "context": [],
                "messages": [{ "id": format!("question-{thread}"), "role": "user", "content": question }] } }),
        json!({ "type": "TEXT_MESSAGE_START", "messageId": message, "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": message, "delta": answer }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": message }),
    ];
    events.extend(custom);
    events.push(json!({ "type": "RUN_FINISHED", "threadId": thread, "runId": run }));
    events.iter().map(|event| format!("{event}\n")).collect()
}

/// A citation event of this version for the message of a thread.
pub(crate) fn citations(version: u32, message: &str, cited: &[(&str, Value)]) -> Value {
    let citations: Vec<Value> = cited
        .iter()
        .map(|(marker, record)| json!({ "marker": marker, "record": record }))
        .collect();
    json!({ "type": "CUSTOM", "name": "moca.citations", "value": {
        "version": version, "messageId": message, "computedAt": "2026-11-20T09:30:00+01:00", "citations": citations } })
}

/// A valid citation record; `title` and `text` are data that may say anything.
pub(crate) fn record(path: &str, title: &str, text: &str) -> Value {
    let package = "https://bikes.example/moca/rules";
    json!({
        "package": { "id": package, "version": "1.0.0",
            "digest": "sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0",
            "signed": true, "signers": ["Bikes publisher"] },
        "node": { "id": format!("{package}#{path}"), "path": path, "type": "Policy", "title": title,
            "ref": format!("{package}@1.0.0#{path}") },
        "text": text,
        "trust": { "status": "stable", "declaredVerified": [{ "by": "human:t.oja", "at": "2026-05-04" }],
            "attestedReviews": [], "stale": false, "staleAfter": "2027-02-14", "inForce": true,
            "superseded": false, "contested": false }
    })
}
