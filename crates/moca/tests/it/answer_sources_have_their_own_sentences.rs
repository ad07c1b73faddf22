//! No sources, no event, unknown version, unknown message, unusable, messages only: states that never look alike.

use std::collections::HashSet;

use moca::event;
use moca::sources::AnswerSources;
use serde_json::json;

use crate::shared::record;

fn all() -> Vec<AnswerSources> {
    vec![
        AnswerSources::Listed { count: 1 },
        AnswerSources::Listed { count: 3 },
        AnswerSources::EmptyList,
        AnswerSources::NoEvent,
        AnswerSources::UnknownVersion { version: "2".to_owned() },
        AnswerSources::UnknownMessage { message_id: "msg-7 \u{202e}x".to_owned() },
        AnswerSources::Invalid,
        AnswerSources::MessagesOnly,
    ]
}

#[test]
fn every_state_has_its_own_sentence() {
    let all = all();
    let sentences: HashSet<_> = all.iter().map(AnswerSources::sentence).collect();
    assert_eq!(sentences.len(), all.len());
    let lines: Vec<_> = all
        .iter()
        .map(|s| format!("{} | {} | {} | {}", s.state_id(), s.word(), s.sentence(), json!(s)))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn an_event_says_which_state_it_is() {
    let of =
        |value: serde_json::Value| AnswerSources::of_event(&event::parse(&value.to_string()).event);
    let event = |citations: serde_json::Value| json!({"version": 1, "messageId": "m", "citations": citations});
    assert_eq!(of(event(json!([]))), AnswerSources::EmptyList);
    assert_eq!(of(event(json!([{"record": record()}]))), AnswerSources::Listed { count: 1 });
    assert_eq!(of(event(json!([{"record": {}}]))), AnswerSources::Invalid);
    assert_eq!(of(event(json!(null))), AnswerSources::Invalid);
    assert_eq!(
        of(json!({"version": 2})),
        AnswerSources::UnknownVersion { version: "2".to_owned() }
    );
}
