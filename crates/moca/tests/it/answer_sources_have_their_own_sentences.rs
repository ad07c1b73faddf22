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

#[test]
fn a_conversation_of_several_kinds_is_told_with_every_number() {
    use moca::sources::Coverage;
    let of = |coverage: Coverage| coverage.sentence();
    let all = Coverage { answers: 3, listed: 3, ..Coverage::default() };
    assert_eq!(of(all), None);
    let mixed = Coverage { answers: 6, listed: 2, empty: 1, unknown_version: 1, ..all };
    assert_eq!(
        of(mixed).unwrap(),
        "2 of 6 answers have sources · 1 with an empty list · 2 without a citation event · 1 with an event of an unknown version"
    );
    let none = Coverage { answers: 4, listed: 0, empty: 1, ..all };
    assert_eq!(
        of(none).unwrap(),
        "None of 4 answers has sources · 1 with an empty list · 3 without a citation event"
    );
    let empty = Coverage { answers: 2, listed: 0, empty: 2, without_message: 1, ..all };
    assert_eq!(
        of(empty).unwrap(),
        "No sources: the service sent an empty list for each of 2 answers · 1 citation event names no message here"
    );
    let silent = Coverage { answers: 1, ..Coverage::default() };
    assert_eq!(of(silent).unwrap(), "Sources unknown: no citation event names the answer");
}
