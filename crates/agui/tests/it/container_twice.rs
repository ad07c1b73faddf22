//! What holds an event and is there twice is read by nobody in the same way: it is kept and never read.

use agui::frame::{Body, Malformed};

use crate::container_shapes::read;
use crate::recordings::events;

const FIRST: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
const ONE: &str = r#"{"type":"CUSTOM","name":"moca.citations","value":{"version":1,"a":1}}"#;
const TWO: &str = r#"{"type":"CUSTOM","name":"moca.citations","value":{"version":1,"a":2}}"#;

/// Reads what must give the first event, and the outer object as a frame that is never read.
fn never_read(name: &str, text: &str, outer: &str) {
    let recording = read(text);
    assert_eq!(events(&recording.frames), [FIRST.as_bytes()], "{name}: {text}");
    let kept = recording.frames.iter().find_map(|frame| match &frame.body {
        Body::Malformed { bytes, why: Malformed::Ambiguous(_) } => Some(bytes.as_slice()),
        _ => None,
    });
    assert_eq!(kept, Some(outer.as_bytes()), "{name}: {text}");
}

#[test]
fn a_wrapper_with_two_events_is_kept_whole_and_never_read() {
    for wrapper in ["event", "payload", "data"] {
        let first = format!(r#"{{"t":1,"{wrapper}":{FIRST}}}"#);
        for (one, two) in [(ONE, TWO), ("null", TWO), (ONE, "null")] {
            let outer = format!(r#"{{"t":1,"{wrapper}":{one},"{wrapper}":{two}}}"#);
            never_read("lines", &format!("{first}\n{outer}\n"), &outer);
            never_read("list", &format!("[{first},{outer}]"), &outer);
            never_read("object", &format!(r#"{{"events":[{first},{outer}]}}"#), &outer);
        }
    }
}

#[test]
fn a_name_in_another_spelling_is_the_same_name() {
    let outer = format!(r#"{{"event":{ONE},"\u0065vent":{TWO}}}"#);
    never_read("lines", &format!("{{\"event\":{FIRST}}}\n{outer}\n"), &outer);
}

#[test]
fn a_record_with_two_events_is_kept_whole_and_never_read() {
    let header = r#"{"kind":"header","schemaVersion":1}"#;
    let first = format!(r#"{{"kind":"event","connId":"c","event":{FIRST}}}"#);
    for outer in [
        format!(r#"{{"kind":"event","connId":"c","event":{ONE},"event":{TWO}}}"#),
        format!(r#"{{"kind":"note","kind":"event","connId":"c","event":{TWO}}}"#),
        format!(r#"{{"kind":"event","connId":"c","connId":"d","event":{TWO}}}"#),
    ] {
        never_read("record", &format!("{header}\n{first}\n{outer}\n"), &outer);
    }
}

#[test]
fn a_session_frame_with_two_texts_is_kept_whole_and_never_read() {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let frame = |rest: &str| {
        format!(r#"{{"exchangeId":"x","classification":"data","data":{}{rest}}}"#, quoted(FIRST))
    };
    for rest in [format!(r#","data":{}"#, quoted(TWO)), r#","exchangeId":"y""#.to_owned()] {
        let (first, outer) = (frame(""), frame(&rest));
        let session = format!(
            r#"{{"version":0,"session":{{"exchanges":[{{"id":"x"}}],"frames":[{first},{outer}]}}}}"#
        );
        never_read("session", &session, &outer);
    }
}

#[test]
fn an_archive_with_two_texts_of_a_reply_reads_neither_unseen() {
    let quoted = |text: &str| serde_json::to_string(&format!("data: {text}\n\n")).unwrap();
    let (one, two) = (quoted(ONE), quoted(TWO));
    let har = format!(
        r#"{{"log":{{"entries":[{{"response":{{"content":{{"text":{one},"text":{two},"mimeType":"text/event-stream"}}}}}}]}}}}"#
    );
    let recording = read(har);
    assert!(events(&recording.frames).is_empty());
    assert_eq!(recording.frames.len(), 2, "both are kept");
    let message = format!(
        r#"{{"data":{},"data":{}}}"#,
        serde_json::to_string(ONE).unwrap(),
        serde_json::to_string(TWO).unwrap()
    );
    let har = format!(
        r#"{{"log":{{"entries":[{{"response":{{"content":{{"mimeType":"text/event-stream"}}}},"_eventSourceMessages":[{{"data":{}}},{message}]}}]}}}}"#,
        serde_json::to_string(FIRST).unwrap()
    );
    never_read("messages", &har, &message);
}

#[test]
fn a_lone_wrapper_with_two_events_among_plain_events_is_no_event_of_theirs() {
    for wrapper in ["event", "payload", "data"] {
        let outer = format!(r#"{{"{wrapper}":{ONE},"{wrapper}":{TWO}}}"#);
        let event = agui::event::Event::parse(outer.clone().into_bytes());
        assert_eq!(event.known(), None, "{outer}");
        let codes: Vec<_> = event.notes().iter().map(|note| note.code().id).collect();
        assert!(codes.contains(&"agui.event.duplicate-key"), "{codes:?}");
    }
}
