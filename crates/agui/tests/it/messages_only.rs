//! A file of messages only tells no run: that it has no start, no end and no events is no fault (facts/agui §4.7).

use agui::container::{self, Format};
use agui::runs::{Splitter, Step};

/// Codes of the findings when the file is read as what it is.
fn findings(text: &str) -> (Format, Vec<&'static str>) {
    let recording = container::frames(text.as_bytes()).unwrap();
    assert!(recording.connections[0].citations_unknown, "{text}");
    let mut splitter = Splitter::new().messages_only();
    let mut steps = Vec::new();
    for frame in recording.frames {
        splitter.push(frame, &mut steps);
    }
    splitter.finish(&mut steps);
    let codes = steps.iter().filter_map(|step| match step {
        Step::Finding(found) => Some(found.finding.code.id),
        _ => None,
    });
    (recording.format, codes.collect())
}

#[test]
fn no_shape_of_messages_is_blamed_for_the_run_that_nobody_recorded() {
    let list =
        r#"[{"id":"u","role":"user","content":"Q"},{"id":"a","role":"assistant","content":"A"}]"#;
    for text in [
        list.to_owned(),
        format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":{list}}}"#),
        format!(r#"{{"threadId":"t","runId":"r","messages":{list}}}"#),
        format!(r#"{{"messages":{list}}}"#),
    ] {
        let (format, codes) = findings(&text);
        assert!(matches!(format, Format::Messages(_)), "{format:?}");
        assert!(codes.is_empty(), "{text}: {codes:?}");
    }
}

#[test]
fn what_is_wrong_with_the_messages_is_still_told() {
    let (_, codes) = findings(
        r#"{"type":"MESSAGES_SNAPSHOT","type":"MESSAGES_SNAPSHOT","messages":[{"id":"a","role":"assistant","content":"A"}]}"#,
    );
    assert_eq!(codes, ["agui.event.duplicate-key"]);
}
