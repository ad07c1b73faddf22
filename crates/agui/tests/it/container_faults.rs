//! Bad input ends in a typed result, and costs nothing around it.

use std::io::Cursor;

use agui::carrier::CarrierError;
use agui::container::{self, OpenError, ReadError};
use agui::frame::{Body, Malformed};
use agui::limits::{MAX_DEPTH, MAX_FRAME_BYTES};

use crate::container_shapes::{gzip, read};
use crate::recordings::events;

const GOOD: &[u8] = br#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;

/// What stands between two good lines.
fn between(line: &[u8]) -> Body {
    let recording = read([GOOD, line, GOOD].join(&b'\n'));
    assert_eq!(recording.format.name(), "jsonl");
    let [first, middle, last] = <[_; 3]>::try_from(recording.frames).unwrap();
    assert_eq!(first.body, Body::Event(GOOD.to_vec()));
    assert_eq!(last.body, Body::Event(GOOD.to_vec()));
    middle.body
}

fn why(body: Body) -> Malformed {
    match body {
        Body::Malformed { why, .. } => why,
        other => panic!("{other:?}"),
    }
}

fn refusal(bytes: &[u8]) -> String {
    match container::frames(bytes) {
        Err(error) => error.to_string(),
        Ok(recording) => panic!("{recording:?}"),
    }
}

#[test]
fn a_line_that_is_no_event_costs_only_itself() {
    assert!(matches!(why(between(b"not json")), Malformed::NotJson(_)));
    assert!(matches!(why(between(b"{\"type\":\"CUSTOM\",}")), Malformed::NotJson(_)));
    assert!(matches!(why(between(b"{\"type\":")), Malformed::NotJson(_)));
    assert!(matches!(why(between(b"\0\0")), Malformed::NotJson(_)));
    assert_eq!(why(between(b"12")), Malformed::NotAnObject);
    assert_eq!(why(between(b"null")), Malformed::NotAnObject);
    let deep = |levels: usize| {
        [&b"{\"type\":\"CUSTOM\",\"value\":"[..], &vec![b'['; levels], &vec![b']'; levels], b"}"]
            .concat()
    };
    assert_eq!(why(between(&deep(10_000))), Malformed::TooDeep);
    assert_eq!(between(&deep(MAX_DEPTH - 1)), Body::Event(deep(MAX_DEPTH - 1)));
}

#[test]
fn oddities_that_can_be_read_are_events_with_their_bytes() {
    for line in [
        &b"{\"type\":\"CUSTOM\",\"name\":\"\xff\xfe\",\"value\":1}"[..],
        b"{\"type\":\"CUSTOM\",\"name\":\"\\ud800\",\"value\":1}",
        b"{\"type\":\"CUSTOM\",\"name\":\"a\",\"name\":\"b\"}",
        b"{\"type\":\"CUSTOM\",\"timestamp\":1.5,\"value\":[1e999,-0,9223372036854775808]}",
        b"{\"anything\":1}",
    ] {
        assert_eq!(between(line), Body::Event(line.to_vec()));
    }
}

#[test]
fn numbers_that_json_does_not_have_are_found() {
    let line = br#"{"type":"CUSTOM","value":[NaN,-Infinity,"NaN"]}"#;
    let recording = read([GOOD, line].join(&b'\n'));
    assert_eq!(recording.frames[1].body, Body::Event(line.to_vec()));
    assert_eq!(recording.findings.len(), 1);
    assert_eq!(recording.findings[0].code.id, "agui.json.not-a-number");
    assert_eq!(recording.findings[0].at, Some(recording.frames[1].at.clone()));
    assert_eq!(&*agui::json::without_nan(line), br#"{"type":"CUSTOM","value":[null,null,"NaN"]}"#);
}

#[test]
fn a_line_of_50_megabytes_is_an_event_and_a_longer_one_than_the_limit_is_named() {
    let long = |bytes: usize| {
        [&b"{\"type\":\"CUSTOM\",\"value\":\""[..], &vec![b'x'; bytes], b"\"}"].concat()
    };
    let line = long(50 << 20);
    assert_eq!(between(&line), Body::Event(line));
    assert_eq!(why(between(&long(MAX_FRAME_BYTES))), Malformed::TooLong);
    let array = [b"[", GOOD, b",", &long(MAX_FRAME_BYTES)[..], b",", GOOD, b"]"].concat();
    let recording = read(array);
    assert_eq!(events(&recording.frames), [GOOD, GOOD]);
    let sse =
        [b"data: ", GOOD, b"\n\ndata: ", &long(MAX_FRAME_BYTES)[..], b"\n\ndata: ", GOOD].concat();
    let recording = read(sse);
    assert_eq!(events(&recording.frames), [GOOD, GOOD]);
    assert_eq!(why(recording.frames[1].body.clone()), Malformed::TooLong);
}

#[test]
fn a_source_that_is_cut_off_keeps_what_it_has() {
    let array = [b"[", GOOD, b",", GOOD, b"]"].concat();
    for end in 1 + GOOD.len()..array.len() {
        let recording = read(&array[..end]);
        let found = events(&recording.frames).len();
        assert_eq!(found, if end > array.len() - 2 { 2 } else { 1 }, "{end}");
        let inside = end > 2 + GOOD.len() && end < array.len() - 1;
        assert_eq!(recording.frames.len(), found + usize::from(inside), "{end}");
        if inside {
            assert_eq!(why(recording.frames[found].body.clone()), Malformed::Truncated, "{end}");
        }
        assert_eq!(recording.findings[0].code.id, "agui.container.broken", "{end}");
    }
    let lines = [GOOD, GOOD].join(&b'\n');
    let recording = read(&lines[..lines.len() - 1]);
    assert_eq!(why(recording.frames[1].body.clone()), Malformed::Truncated);
}

#[test]
fn an_array_goes_on_behind_what_is_no_event() {
    let array = [b"[", GOOD, b", nonsense }, 3, {\"a\" 1}, ", GOOD, b"]"].concat();
    let recording = read(array);
    assert_eq!(events(&recording.frames), [GOOD, GOOD]);
    assert_eq!(recording.frames.len(), 6);
}

#[test]
fn ten_million_empty_lines_are_no_frames() {
    let text = [GOOD, &vec![b'\n'; 10_000_000], GOOD].concat();
    let recording = read(text);
    assert_eq!(recording.frames.len(), 2);
    assert_eq!(recording.frames[1].at.start, 10_000_000 + GOOD.len() as u64);
}

#[test]
fn what_is_no_recording_is_refused_with_what_it_is() {
    for (bytes, found) in [
        (&b""[..], "an empty file"),
        (b" \n\t\n", "nothing but white space"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
        (b"PK\x03\x04\x14\0", "a ZIP archive"),
        (b"SQLite format 3\0\x10\0", "an SQLite database"),
        (b"%PDF-1.7", "a PDF document"),
        (b"[]", "an empty JSON list"),
        (b"[1,2]", "a JSON list that begins with 1"),
        (b"{\"a\":1,\"b\\u0000\":2}", "a JSON object with the members a, b·"),
        (b"hello \x1b[31mworld\n", "bytes that begin 68 65 6c 6c 6f 20 1b 5b"),
        (b"a \xe2\x80\xae b", "text that begins “a · b”"),
        (b"data: {\"id\":\"chatcmpl-1\"}\n\n", "text that begins “data:"),
        (b"{\0\"\0t\0y\0p\0e\0\"\0:\0", "bytes that begin 7b 00 22 00"),
        (b"id,name\n1,x\n", "text that begins “id,name"),
    ] {
        let message = refusal(bytes);
        assert!(message.contains(found), "{message}");
        assert!(message.len() < 700 && !message.contains('\u{1b}'), "{message}");
    }
}

#[test]
fn a_damaged_gzip_is_named() {
    let whole = gzip(&[GOOD; 2000].join(&b'\n'));
    let read = |bytes: &[u8]| match container::frames(bytes) {
        Err(OpenError::Read(ReadError::Carrier(error))) => error,
        other => panic!("{other:?}"),
    };
    for end in [2, 9, 30, whole.len() - 8, whole.len() - 1] {
        assert_eq!(read(&whole[..end]), CarrierError::TruncatedGzip, "{end}");
    }
    assert!(matches!(read(&[&whole[..], b"tail"].concat()), CarrierError::DamagedGzip(_)));
    let mut flipped = whole.clone();
    let end = flipped.len() - 6;
    flipped[end] ^= 0x40;
    assert!(matches!(read(&flipped), CarrierError::DamagedGzip(_)));
    assert!(matches!(read(&gzip(&whole)), CarrierError::OtherKind { .. }));
    let bomb = gzip(&[GOOD, b"\n", &vec![b' '; 80 << 20]].concat());
    assert!(bomb.len() < 300_000, "{}", bomb.len());
    assert_eq!(read(&bomb), CarrierError::Bomb);
}

#[test]
fn an_error_of_the_source_is_handed_on() {
    struct Failing(usize);
    impl std::io::Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.min(buffer.len());
            if count == 0 {
                return Err(std::io::Error::from(std::io::ErrorKind::PermissionDenied));
            }
            buffer[..count].fill(b' ');
            self.0 -= count;
            Ok(count)
        }
    }
    let text = Cursor::new([GOOD, b"\n"].concat());
    let (_, mut frames) =
        container::open(Box::new(std::io::Read::chain(text, Failing(200_000)))).unwrap();
    assert!(frames.next_frame().unwrap().is_some());
    match frames.next_frame() {
        Err(ReadError::Io(error)) => assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_event_over_several_data_lines_tells_an_event_stream() {
    for line_end in ["\n", "\r\n"] {
        let text = "data: {\ndata:   \"type\": \"RUN_STARTED\",\ndata:   \"threadId\": \"t\",\ndata:   \"runId\": \"r\"\ndata: }\n\n"
            .replace('\n', line_end);
        let recording = read(text);
        assert_eq!(recording.format.name(), "sse");
        let [event] = <[_; 1]>::try_from(events(&recording.frames)).unwrap();
        assert!(serde_json::from_slice::<serde_json::Value>(event).is_ok());
    }
    refusal(b"data: {\ndata:   \"type\": \"message_stop\"\ndata: }\n\n");
}

#[test]
fn a_raw_control_character_in_a_string_is_read_with_its_finding() {
    let line = b"{\"type\":\"CUSTOM\",\"name\":\"a\tb\",\"value\":\"\x01\"}";
    assert_eq!(between(line), Body::Event(line.to_vec()));
    let event = agui::event::Event::parse(line.to_vec());
    let codes: Vec<_> = event.notes().iter().map(|note| note.code().id).collect();
    assert!(codes.contains(&"agui.event.not-strict-json"), "{codes:?}");
}

#[test]
fn a_byte_order_mark_between_two_recordings_costs_no_line() {
    let one = [b"\xef\xbb\xbf", GOOD, b"\n"].concat();
    let recording = read([one.as_slice(), one.as_slice()].concat());
    assert_eq!(recording.frames.len(), 2);
    assert_eq!(events(&recording.frames), [GOOD, GOOD]);
}

#[test]
fn an_archive_that_breaks_off_is_told_also_once_it_is_reduced() {
    let har =
        br#"{"log":{"version":"1.2","entries":[{"request":{"method":"POST","url":"/a"},"respon"#;
    let recording = read(har);
    let (format, content) = container::recognise(Box::new(Cursor::new(har.to_vec()))).unwrap();
    let mut reduced = Vec::new();
    format.reduce(content, &mut reduced).unwrap();
    for recording in [recording, read(reduced)] {
        let codes: Vec<_> = recording.findings.iter().map(|finding| finding.code.id).collect();
        assert_eq!(codes, ["agui.container.broken"]);
    }
}
