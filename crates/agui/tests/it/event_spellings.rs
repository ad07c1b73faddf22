//! Events are read in every spelling of facts/agui §1.15 and §1.16, and their bytes stay as they are.

use agui::event::{Event, EventType, Got, JsonType, Note, key};

fn parse(text: &str) -> Event {
    Event::parse(text.as_bytes().to_vec())
}

fn delta(event: &Event) -> (Option<EventType>, Option<String>, Option<String>) {
    let text = |key| event.text(key).ok().map(|t| t.into_owned());
    (event.known(), text(&key::MESSAGE_ID), text(&key::DELTA))
}

#[test]
fn one_event_in_every_spelling_is_the_same_event() {
    let spellings = [
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x"}"#,
        r#"{"delta":"x","messageId":"m","type":"TEXT_MESSAGE_CONTENT"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","message_id":"m","delta":"x"}"#,
        r#"{"type":"TextMessageContent","messageId":"m","delta":"x"}"#,
        r#"{"type":"text_message_content","messageId":"m","delta":"x"}"#,
        r#"{"type":"text.message.content","messageId":"m","delta":"x"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","data":{"messageId":"m","delta":"x"}}"#,
        r#"{"t":0.31,"event":{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x"}}"#,
        r#"{"id":"9","type":"event","payload":{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x"}}"#,
        r#"{"textMessageContent":{"messageId":"m","delta":"x"}}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":null,"message_id":"m","delta":"x"}"#,
        r#"{"\u0074ype":"TEXT_MESSAGE_CONTENT","messageId":"\u006d","delta":"x"}"#,
        r#" {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x"} "#,
    ];
    for text in spellings {
        let event = parse(text);
        let expected =
            (Some(EventType::TextMessageContent), Some("m".to_owned()), Some("x".to_owned()));
        assert_eq!(delta(&event), expected, "{text}");
        assert_eq!(event.bytes(), text.as_bytes());
    }
    let named =
        Event::named(br#"{"messageId":"m","delta":"x"}"#.to_vec(), Some("TEXT_MESSAGE_CONTENT"));
    assert_eq!(named.known(), Some(EventType::TextMessageContent));
    assert_eq!(named.notes(), [Note::TypeFromName]);
    let stated = Event::named(br#"{"type":"RAW","event":1}"#.to_vec(), Some("CUSTOM"));
    assert_eq!(stated.known(), Some(EventType::Raw), "what the data says counts");
}

#[test]
fn other_spellings_are_noted() {
    let cases = [
        (r#"{"type":"CUSTOM","name":"n","value":null}"#, vec![]),
        (
            r#"{"type":"RunFinished","threadId":"t","runId":"r"}"#,
            vec![Note::TypeSpelling("RunFinished".into())],
        ),
        (r#"{"type":"TEXT_MESSAGE_END","message_id":"m"}"#, vec![Note::SnakeCase]),
        (
            r#"{"type":"STATE_SNAPSHOT","state":{}}"#,
            vec![Note::Alias { key: "snapshot", used: "state" }],
        ),
        (r#"{"type":"STATE_DELTA","patch":[]}"#, vec![Note::Alias { key: "delta", used: "patch" }]),
        (
            r#"{"type":"RUN_ERROR","error":"e"}"#,
            vec![Note::Alias { key: "message", used: "error" }],
        ),
        (
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","result":"r"}"#,
            vec![Note::Alias { key: "content", used: "result" }],
        ),
        (
            r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m","encryptedContent":"v"}"#,
            vec![Note::Alias { key: "encryptedValue", used: "encryptedContent" }],
        ),
        (r#"{"type":"USAGE_METADATA","x":1}"#, vec![Note::UnknownType("USAGE_METADATA".into())]),
        (r#"{"x":1}"#, vec![Note::NoType]),
        (r#"{"type":"THINKING_START"}"#, vec![Note::Retired]),
        (r#"{"type":"TEXT_MESSAGE_END","messageId":null}"#, vec![Note::Missing("messageId")]),
        (
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":42}"#,
            vec![Note::WrongType("delta", JsonType::Number)],
        ),
        (r#"{"type":"RAW","event":{"type":"TEXT_MESSAGE_END","messageId":"m"}}"#, vec![]),
        (r#"{"type":"RAW","event":1,"timestamp":1.5}"#, vec![Note::Timestamp]),
        (r#"{"type":"RAW","event":1,"timestamp":"2026-08-01T10:00:00Z"}"#, vec![Note::Timestamp]),
        (r#"{"type":"RAW","event":1,"event":2}"#, vec![Note::DuplicateKey("event".into())]),
        (r#"{"type":"RAW","event":NaN}"#, vec![Note::NotStrictJson]),
    ];
    for (text, notes) in cases {
        let event = parse(text);
        assert_eq!(event.notes(), notes, "{text}");
        assert_eq!(event.bytes(), text.as_bytes());
        for note in event.notes() {
            assert!(note.sentence(event.kind().name()).ends_with('.'));
        }
    }
}

#[test]
fn timestamps_keep_their_text() {
    let texts = ["1788250000000", "1.5", "1e3", "\"2026-08-01T10:00:00Z\"", "-0"];
    for text in texts {
        let event = parse(&format!(r#"{{"type":"RAW","event":1,"timestamp":{text}}}"#));
        assert_eq!(event.timestamp(), Some(text));
    }
    assert_eq!(parse(r#"{"type":"RAW","event":1,"timestamp":null}"#).timestamp(), None);
}

#[test]
fn a_member_is_missing_null_wrong_or_there() {
    let event = parse(r#"{"type":"X","a":null,"messageId":5,"delta":"d","role":null}"#);
    assert_eq!(event.text(&key::NAME), Got::Missing);
    assert_eq!(event.text(&key::ROLE), Got::Null);
    assert_eq!(event.text(&key::MESSAGE_ID), Got::Wrong(JsonType::Number));
    assert_eq!(event.text(&key::DELTA).ok().as_deref(), Some("d"));
}

#[test]
fn what_cannot_be_read_is_kept_and_said() {
    for bytes in [&b""[..], b"[1]", b"{\"type\":", b"\x89PNG", b"null"] {
        let event = Event::parse(bytes.to_vec());
        assert_eq!(event.bytes(), bytes);
        assert!(event.known().is_none());
        assert!(event.notes().contains(&Note::Unreadable));
    }
    let event = Event::parse(b"{\"type\":\"RAW\",\"event\":\"\xff\"}".to_vec());
    assert_eq!(event.bytes(), b"{\"type\":\"RAW\",\"event\":\"\xff\"}");
    assert_eq!((event.known(), event.notes()), (Some(EventType::Raw), &[Note::InvalidUtf8][..]));
}

#[test]
fn lone_surrogates_and_depth_do_not_stop_the_reading() {
    let event = parse(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud800b"}"#);
    assert_eq!(event.text(&key::DELTA).ok().as_deref(), Some("a\u{fffd}b"));
    let deep = format!(r#"{{"type":"RAW","event":{}{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
    assert_eq!(parse(&deep).known(), Some(EventType::Raw));
}
