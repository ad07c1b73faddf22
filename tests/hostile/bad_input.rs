//! What is no recording, or a broken one: each ends in a clear sentence or a named finding, loses nothing else, and
//! leaves the archive sound.

use std::{fs, io::Write};

use flate2::{Compression, write::GzEncoder};
use insta::assert_snapshot;
use recite_tests::generate;

use crate::trial::{Trial, around};

/// A text in an answer, as a line with this JSON string as its piece.
fn piece(delta: &str) -> Vec<u8> {
    format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"answer","delta":{delta}}}"#)
        .into_bytes()
}

/// A line that carries this JSON as a state.
fn state(snapshot: &str) -> Vec<u8> {
    format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":{snapshot}}}"#).into_bytes()
}

#[test]
fn an_empty_file() {
    assert_snapshot!(Trial::of_bytes("empty.jsonl", b""));
}

#[test]
fn a_file_of_nothing_but_empty_lines() {
    assert_snapshot!(Trial::of_bytes("lines.jsonl", &b"\n".repeat(10_000)));
}

#[test]
fn a_picture() {
    let mut picture =
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0\x1f\xf3\xffa".to_vec();
    picture.extend((0..4096_u32).flat_map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()));
    assert_snapshot!(Trial::of_bytes("picture.jsonl", &picture));
}

#[test]
fn a_text_that_is_no_recording() {
    assert_snapshot!(Trial::of_bytes(
        "notes.jsonl",
        b"Dear all,\nplease find the recording attached.\n"
    ));
}

#[test]
fn json_that_is_no_recording() {
    assert_snapshot!(Trial::of_bytes(
        "package.json",
        br#"{"name":"desk","version":"1.0.0","dependencies":{}}"#
    ));
}

#[test]
fn json_that_holds_nothing() {
    let told = ["{}", " [ ] ", "{", "[", "null", "{\"events\":[]}", "[{}]", "\"text\""]
        .map(|text| format!("{text}  {}", Trial::of_bytes("empty.json", text.as_bytes())));
    assert_snapshot!(told.join("\n"));
}

#[test]
fn a_truncated_gzip() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&generate::recording(20, 5)).unwrap();
    let whole = gzip.finish().unwrap();
    assert_snapshot!(Trial::of_bytes("cut.jsonl.gz", &whole[..whole.len() / 2]));
}

#[test]
fn a_gzip_of_nothing() {
    let empty = GzEncoder::new(Vec::new(), Compression::default()).finish().unwrap();
    assert_snapshot!(Trial::of_bytes("nothing.gz", &empty));
}

#[test]
fn invalid_utf8_in_a_line() {
    assert_snapshot!(Trial::of_line(
        &[
            br#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"answer","delta":"#.as_slice(),
            b"\"\xff\xfe broken \xc3\"}"
        ]
        .concat()
    ));
}

#[test]
fn a_file_that_is_nowhere_utf8() {
    let bytes: Vec<u8> = (0..9_000_u32).map(|at| 0x80 | u8::try_from(at % 61).unwrap()).collect();
    assert_snapshot!(Trial::of_bytes("latin.jsonl", &bytes));
}

#[test]
fn utf8_with_a_byte_order_mark() {
    let line = br#"{"type":"STEP_STARTED","stepName":"one"}"#;
    let lines = around(line);
    let events = || lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let stream: Vec<u8> = events().flat_map(|line| [b"data: ", line, b"\n\n"].concat()).collect();
    let list = [b"[".as_slice(), &events().collect::<Vec<_>>().join(&b','), b"]"].concat();
    for (name, bytes) in
        [("lines.jsonl", lines.clone()), ("stream.sse", stream), ("list.json", list)]
    {
        let marked = [b"\xef\xbb\xbf".as_slice(), &bytes].concat();
        assert_eq!(Trial::of_bytes(name, &marked), Trial::of_bytes(name, &bytes), "{name}");
    }
}

#[test]
fn utf16_with_a_byte_order_mark() {
    let text = String::from_utf8(around(
        b"{\"type\":\"STEP_STARTED\",\"stepName\":\"Gr\xc3\xb6\xc3\x9fe\"}",
    ))
    .unwrap();
    let told = [u16::to_le_bytes, u16::to_be_bytes].map(|order| {
        let bytes: Vec<u8> =
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(order).collect();
        Trial::of_bytes("utf16.jsonl", &bytes)
    });
    assert_eq!(told[0], told[1], "either order of bytes");
    assert_snapshot!(told[0]);
}

#[test]
fn utf16_that_breaks_off_in_a_character() {
    let text = String::from_utf8(around(b"")).unwrap();
    let mut bytes: Vec<u8> =
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    bytes.extend([0x3d, 0xd8, 0x7b]);
    assert_snapshot!(Trial::of_bytes("utf16.jsonl", &bytes));
}

#[test]
fn nan_and_infinity_in_json() {
    assert_snapshot!(Trial::of_line(&state(r#"{"score":NaN,"best":Infinity,"worst":-Infinity}"#)));
}

#[test]
fn depth_of_ten_thousand() {
    assert_snapshot!(Trial::of_line(&state(&("[".repeat(10_000) + &"]".repeat(10_000)))));
}

#[test]
fn duplicate_keys() {
    assert_snapshot!(Trial::of_line(
        br#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"answer","delta":"one, ","delta":"two, "}"#
    ));
}

#[test]
fn lone_surrogates() {
    assert_snapshot!(Trial::of_line(&piece(r#""\ud83d \ude00\ud800, ""#)));
}

#[test]
fn lone_surrogates_wherever_a_text_stands() {
    let record = generate::record(7);
    let citation = format!(
        r#"{{"type":"CUSTOM","name":"moca.citations","value":{{"version":1,"messageId":"answer","computedAt":"2026-03-02T08:00:00Z","citations":[{{"marker":"\ud800","record":{}}}]}}}}"#,
        record.to_string().replacen(r#""title":""#, r#""title":"\udc00"#, 1)
    );
    let lines = [
        r#"{"type":"STATE_SNAPSHOT","snapshot":{"text":"\ud800"}}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":"Why \ud800?"}]}"#,
        r#"{"type":"TOOL_CALL_RESULT","messageId":"result","toolCallId":"call","content":"\ud800"}"#,
        r#"{"type":"CUSTOM","name":"\ud800","value":null}"#,
        r#"{"type":"CUSTOM","name":"x","\ud800":"member"}"#,
        &citation,
    ];
    assert_snapshot!(Trial::of_line(lines.join("\n").as_bytes()));
}

#[test]
fn nul_in_a_text_and_in_a_line() {
    assert_snapshot!(Trial::of_line(&[piece(r#""a\u0000b, ""#), b"\n\0\0\0".to_vec()].concat()));
}

#[test]
fn a_timestamp_with_a_fraction() {
    assert_snapshot!(Trial::of_line(
        br#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"answer","delta":"then, ","timestamp":1.5}"#
    ));
}

#[test]
fn numbers_at_the_edges() {
    assert_snapshot!(Trial::of_line(
        &[
            state(r#"{"large":1e999,"whole":9223372036854775808,"zero":-0,"small":-1e999}"#),
            br#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"answer","delta":"x, ","timestamp":9223372036854775808}"#.to_vec(),
            br#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"answer","delta":"y, ","timestamp":1e999}"#.to_vec(),
            br#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"answer","delta":"z, ","timestamp":-0}"#.to_vec(),
        ]
        .join(&b'\n')
    ));
}

#[test]
fn a_line_that_breaks_off() {
    assert_snapshot!(Trial::of_line(
        br#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"answer","del"#
    ));
}

#[test]
fn a_run_that_is_finished_with_open_messages() {
    assert_snapshot!(Trial::of_bytes(
        "open.jsonl",
        br#"{"type":"RUN_STARTED","threadId":"thread","runId":"run"}
{"type":"TEXT_MESSAGE_START","messageId":"answer","role":"assistant"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"answer","delta":"Not ended"}
{"type":"TOOL_CALL_START","toolCallId":"call","toolCallName":"search"}
{"type":"TOOL_CALL_ARGS","toolCallId":"call","delta":"{\"query\":"}
{"type":"RUN_FINISHED","threadId":"thread","runId":"run"}
"#
    ));
}

#[test]
fn a_recording_that_breaks_off_in_a_run() {
    let whole = generate::recording(1, 9);
    assert_snapshot!(Trial::of_bytes("broken-off.jsonl", &whole[..whole.len() / 2]));
}

#[test]
fn a_source_that_is_already_held() {
    let trial = Trial::new();
    let twice = trial.scratch.path("twice.jsonl");
    fs::copy(trial.scratch.path("first-good.jsonl"), &twice).unwrap();
    let told = trial.of(&twice);
    assert_snapshot!(told.lines().next().unwrap());
}
