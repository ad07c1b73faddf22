//! Each container is told by its content and gives its events as they stand in it.

use agui::carrier::{self, TextEncoding};
use agui::container::{self, Format, MessagesShape, OpenError, Recording};
use agui::finding::Finding;
use agui::frame::{Arrival, Body, Malformed};

use crate::recordings::events;

const STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
const FINISHED: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
const ODD: &str =
    r#"{ "zeta" : 1.0e3 , "type":"CUSTOM", "name":"\u0041\ud800", "name":"b", "value":null }"#;

pub(crate) fn read(text: impl AsRef<[u8]>) -> Recording {
    container::frames(text.as_ref()).unwrap_or_else(|error| panic!("{error}"))
}

fn texts(recording: &Recording) -> Vec<&str> {
    events(&recording.frames).into_iter().map(|text| std::str::from_utf8(text).unwrap()).collect()
}

fn refused(text: impl AsRef<[u8]>) -> String {
    match container::frames(text.as_ref()) {
        Err(error @ OpenError::NotRecognised(_)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.code.id).collect()
}

fn encode(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            _ => quoted.push(char),
        }
    }
    quoted + "\""
}

#[test]
fn events_keep_their_bytes_in_every_container() {
    let list = [STARTED, ODD, FINISHED];
    let sse: String = list.iter().map(|event| format!("data: {event}\n\n")).collect();
    let har = format!(
        r#"{{"log":{{"entries":[{{"request":{{"method":"POST","url":"/a"}},"response":{{"content":{{"mimeType":"text/event-stream","text":{}}}}}}}]}}}}"#,
        encode(&sse)
    );
    let frames: Vec<_> = list
        .iter()
        .enumerate()
        .map(|(index, event)| {
            format!(
                r#"{{"exchangeId":"x","index":{index},"classification":"data","data":{},"offsetMs":1.5}}"#,
                encode(event)
            )
        })
        .collect();
    for (name, text) in [
        ("json-array", format!("[{}]", list.join(","))),
        ("json-array", format!(" [\n{}\n]\n", list.join(" ,\n "))),
        ("json-array", format!("[{}]\n[{},{}]", list[0], list[1], list[2])),
        ("jsonl", list.join("\n")),
        ("jsonl", list.join("\r\n") + "\r\n\r\n"),
        ("jsonl", list.map(|event| format!(r#"{{"t":0.31,"event":{event}}}"#)).join("\n")),
        ("jsonl", list.map(|event| format!(r#"{{"id":1,"payload":{event}}}"#)).join("\n")),
        ("json-array", format!("[{}]", list.map(|e| format!(r#"{{"data":{e}}}"#)).join(","))),
        ("sse", sse.clone()),
        ("sse", format!("\u{feff}{sse}")),
        ("sse", sse.replace('\n', "\r\n")),
        ("sse", sse.replace('\n', "\r")),
        ("sse", format!(": ping\n\nid: 1\nevent: message\nretry: 9\n{sse}data: [DONE]\n\n")),
        ("sse", format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n{sse}")),
        ("sse", format!("data: [{}]\n\n", list.join(","))),
        ("sse", format!("data: {}", list.join("\ndata: "))),
        ("events-object", format!(r#"{{"a":{{"b":[1]}},"events":[{}],"z":1}}"#, list.join(","))),
        ("ambient-code", format!(r#"{{"sessionId":"s","aguiEvents":[{}]}}"#, list.join(","))),
        ("named-lists", format!(r#"{{"one":[{}],"two":[{},{}]}}"#, list[0], list[1], list[2])),
        ("aimock", format!(r#"{{"fixtures":[{{"match":{{}},"events":[{}]}}]}}"#, list.join(","))),
        (
            "aimock",
            format!(
                r#"{{"agui":{{"fixtures":[{{"match":{{}},"events":[{}]}}]}}}}"#,
                list.join(",")
            ),
        ),
        ("case-lines", format!(r#"{{"name":"n","stream":[{}]}}"#, list.join(","))),
        (
            "agui-jsonl",
            "{\"kind\":\"header\",\"schemaVersion\":1}\n".to_owned()
                + &list
                    .map(|e| {
                        format!(r#"{{"kind":"event","connId":"c","seq":1,"tMs":4,"event":{e}}}"#)
                    })
                    .join("\n"),
        ),
        ("har", har),
        (
            "agui-inspector",
            format!(
                r#"{{"version":0,"session":{{"exchanges":[{{"id":"x"}}],"frames":[{}]}}}}"#,
                frames.join(",")
            ),
        ),
    ] {
        let recording = read(&text);
        assert_eq!(recording.format.name(), name, "{text}");
        assert_eq!(texts(&recording), list, "{text}");
        assert!(recording.findings.iter().all(|f| f.code.id.starts_with("agui.har")), "{text}");
        for frame in &recording.frames {
            assert!((frame.connection as usize) < recording.connections.len(), "{text}");
        }
    }
}

#[test]
fn a_beginning_that_does_not_decide_is_looked_at_further() {
    let long = "x".repeat(300_000);
    for (name, text) in [
        ("ambient-code", format!(r#"{{"legacyMessages":["{long}"],"aguiEvents":[{STARTED}]}}"#)),
        ("jsonl", format!(r#"{{"input":"{long}","type":"RUN_STARTED"}}"#)),
        ("json-array", format!(r#"[{{"input":"{long}","type":"RUN_STARTED"}}]"#)),
        (
            "sse",
            format!("{}data: {STARTED}\n\n", format!("unknown: {}\n", "y".repeat(90)).repeat(900)),
        ),
    ] {
        let recording = read(&text);
        assert_eq!(recording.format.name(), name);
        assert_eq!(events(&recording.frames).len(), 1, "{name}");
    }
    let early = format!(r#"{{"type":"RUN_STARTED","input":"{long}"}}"#);
    assert_eq!(
        container::detect(&early.as_bytes()[..100], false),
        Ok(Format::Jsonl { wrapper: None })
    );
}

#[test]
fn pretty_printed_objects_one_after_the_other_are_read() {
    let pretty = "{\n  \"type\": \"RUN_STARTED\"\n}\n{\n  \"type\": \"RUN_FINISHED\"\n}\n";
    let recording = read(pretty);
    assert_eq!(recording.format.name(), "json-sequence");
    assert_eq!(
        texts(&recording),
        ["{\n  \"type\": \"RUN_STARTED\"\n}", "{\n  \"type\": \"RUN_FINISHED\"\n}"]
    );
}

#[test]
fn chunk_sizes_are_taken_off_also_inside_of_a_line() {
    let body = format!("data: {STARTED}\n\ndata: {FINISHED}\n\n");
    for size in [1, 7, 30, 1000] {
        let chunks: String = body
            .as_bytes()
            .chunks(size)
            .map(|chunk| {
                format!("{:x}\r\n{}\r\n", chunk.len(), std::str::from_utf8(chunk).unwrap())
            })
            .collect();
        for head in ["", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nServer: s\r\n\r\n"] {
            let recording = read(format!("{head}{chunks}0\r\n\r\n"));
            assert!(matches!(recording.format, Format::Sse { chunked: true, .. }), "{size}");
            assert_eq!(texts(&recording), [STARTED, FINISHED], "{size}");
        }
    }
}

#[test]
fn replies_one_after_the_other_are_connections_of_their_own() {
    let reply = format!("HTTP/1.1 201 Created\r\nServer: s\r\n\r\ndata: {STARTED}\n\n");
    let recording = read(format!("HTTP/1.1 302 Found\r\n\r\n{reply}{reply}"));
    assert_eq!(recording.connections.len(), 2);
    assert_eq!(recording.connections[1].status, Some(201));
    assert_eq!(recording.connections[1].service.as_deref(), Some("s"));
}

#[test]
fn a_type_that_only_the_event_line_names_is_handed_on_beside_the_text() {
    let recording =
        read("event: RUN_STARTED\ndata: {\"threadId\":\"t\"}\n\nevent: message\ndata: {}\n\n");
    assert_eq!(recording.frames[0].event_name.as_deref(), Some("RUN_STARTED"));
    assert_eq!(recording.frames[0].body, Body::Event(b"{\"threadId\":\"t\"}".to_vec()));
    assert_eq!(recording.frames[1].event_name, None);
}

#[test]
fn comments_unknown_lines_and_the_end_mark_are_kept_as_what_they_are() {
    let recording =
        read(format!("## title\n: ping\ndata: {STARTED}\n: inside\n\ndata: [DONE]\n\nid: 7\n\n"));
    let bodies: Vec<_> = recording.frames.iter().map(|frame| frame.body.clone()).collect();
    assert_eq!(
        bodies,
        [
            Body::Note(b"## title".to_vec()),
            Body::KeepAlive(b"ping".to_vec()),
            Body::KeepAlive(b"inside".to_vec()),
            Body::Event(STARTED.as_bytes().to_vec()),
            Body::Done,
            Body::Note(b"id: 7\n".to_vec()),
        ]
    );
    assert_eq!(recording.frames[2].at, recording.frames[3].at);
}

#[test]
fn wrappers_give_the_time_they_state_and_raw_events_are_no_wrappers() {
    let recording = read(r#"{"t":0.31,"event":{"type":"RUN_STARTED"}}"#);
    assert_eq!(recording.frames[0].arrival, Some(Arrival::Text("0.31".to_owned())));
    let raw = r#"{"type":"RAW","event":{"type":"RUN_STARTED"}}"#;
    assert_eq!(texts(&read(raw)), [raw]);
    let copilot = r#"{"id":"1","type":"RUN_STARTED","payload":{"type":"RUN_STARTED","runId":"r"}}"#;
    assert_eq!(texts(&read(copilot)), [r#"{"type":"RUN_STARTED","runId":"r"}"#]);
}

#[test]
fn messages_only_shapes_are_marked() {
    let list = r#"[{"id":"u","role":"user","content":"Hello"}]"#;
    for (text, shape) in [
        (list.to_owned(), MessagesShape::List),
        (format!(r#"{{"threadId":"t","runId":"r","messages":{list}}}"#), MessagesShape::Input),
        (format!(r#"{{"thread_id":"t","run_id":"r","messages":{list}}}"#), MessagesShape::Input),
        (format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":{list}}}"#), MessagesShape::Snapshot),
        (format!(r#"{{"state":{{}},"messages":{list}}}"#), MessagesShape::Object),
    ] {
        let recording = read(&text);
        assert_eq!(recording.format, Format::Messages(shape), "{text}");
        assert!(recording.connections[0].citations_unknown);
        let body = match shape {
            MessagesShape::List | MessagesShape::Object => Body::Messages(list.as_bytes().to_vec()),
            MessagesShape::Input => Body::Request(text.into_bytes()),
            MessagesShape::Snapshot => Body::Event(text.into_bytes()),
        };
        assert_eq!(recording.frames.len(), 1);
        assert_eq!(recording.frames[0].body, body);
    }
}

#[test]
fn a_fixture_states_its_question_and_may_have_a_text_only() {
    let recording = read(
        r#"{"fixtures":[{"match":{"message":"Hi\n?"},"text":"Hello \"you\""},{"events":[]}]}"#,
    );
    assert_eq!(recording.connections[0].question.as_deref(), Some("Hi\n?"));
    assert!(recording.connections[0].citations_unknown);
    let list = br#"[{"role":"assistant","content":"Hello \"you\""}]"#;
    assert_eq!(recording.frames[0].body, Body::Messages(list.to_vec()));
}

#[test]
fn redacted_groups_and_offsets_of_devtools_are_kept() {
    let recording = read(concat!(
        r#"{"kind":"header","schemaVersion":1,"transport":"sse","redacted":["text"],"framework":"react"}"#,
        "\n",
        r#"{"kind":"request","connId":"a","tMs":0,"method":"POST","url":"/a?token=1","input":{"messages":[]}}"#,
        "\n",
        r#"{"kind":"event","connId":"b","tMs":12,"event":{"type":"RUN_STARTED"}}"#,
        "\n",
        r#"{"kind":"keepalive","connId":"a","comment":"ping"}"#,
        "\n",
        r#"{"kind":"novelty","connId":"a"}"#,
        "\n",
        r#"{"kind":"event","connId":"a","event":{"type""#,
    ));
    assert_eq!(recording.connections.len(), 2);
    assert_eq!(recording.connections[1].redacted, ["text"]);
    assert_eq!(recording.connections[0].url.as_deref(), Some("/a"));
    assert_eq!(recording.frames[1].body, Body::Request(br#"{"messages":[]}"#.to_vec()));
    assert_eq!(recording.frames[2].connection, 1);
    assert_eq!(recording.frames[2].arrival, Some(Arrival::OffsetMillis(12.0)));
    assert_eq!(recording.frames[3].body, Body::KeepAlive(b"ping".to_vec()));
    assert_eq!(codes(&recording.findings), ["agui.container.unknown-record"]);
    assert!(matches!(recording.frames[5].body, Body::Malformed { why: Malformed::Truncated, .. }));
}

#[test]
fn archives_give_requests_times_and_say_what_is_missing() {
    let input = r#"{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[]}"#;
    let entry = |content: &str, rest: &str| {
        format!(
            r#"{{{rest}"startedDateTime":"2026-09-01T10:00:00Z","request":{{"method":"POST","url":"https://u:p@x.example/agent?key=1","postData":{{"text":"{input}"}}}},"response":{{"status":200,"content":{content}}}}}"#
        )
    };
    let stream = format!(
        r#""mimeType":"text/event-stream","text":{}"#,
        encode(&format!("data: {STARTED}\n\n"))
    );
    let timed = format!(
        r#""_eventSourceMessages":[{{"type":"receive","time":1.5,"eventName":"message","data":{}}}],"#,
        encode(STARTED)
    );
    let har = format!(
        r#"{{"log":{{"version":"1.2","entries":[{},{},{},{},{{"request":{{"url":"/x.png"}},"response":{{"content":{{"mimeType":"image/png","text":"AAAA","encoding":"base64"}}}}}}]}}}}"#,
        entry(&format!("{{{stream}}}"), &timed),
        entry(r#"{"mimeType":"text/event-stream"}"#, &timed),
        entry(r#"{"mimeType":"text/event-stream"}"#, ""),
        entry(&format!("{{{stream},\"size\":5000}}"), ""),
    );
    let recording = read(&har);
    assert_eq!(recording.connections.len(), 4);
    assert_eq!(recording.connections[0].url.as_deref(), Some("https://x.example/agent"));
    assert_eq!(recording.connections[0].started_at.as_deref(), Some("2026-09-01T10:00:00Z"));
    assert_eq!(texts(&recording), [STARTED; 3]);
    let requests = recording.frames.iter().filter(|frame| matches!(frame.body, Body::Request(_)));
    assert_eq!(requests.count(), 4);
    for connection in [0, 1] {
        let event = recording
            .frames
            .iter()
            .find(|frame| frame.connection == connection && matches!(frame.body, Body::Event(_)));
        assert_eq!(event.unwrap().arrival, Some(Arrival::UnixMillis(1500)));
    }
    assert_eq!(codes(&recording.findings), ["agui.har.body-missing", "agui.har.body-cut"]);
}

#[test]
fn bodies_in_base64_are_read() {
    let events = "ZGF0YTogeyJ0eXBlIjoiUlVOX1NUQVJURUQifQoK";
    let binary = "AAAADVoLEgRuYW1lGgMaAWI=";
    for (mime, text, expected) in [
        ("text/event-stream; charset=utf-8", events, r#"{"type":"RUN_STARTED"}"#),
        (
            "application/vnd.ag-ui.event+proto",
            binary,
            r#"{"type":"CUSTOM","name":"name","value":"b"}"#,
        ),
    ] {
        let har = format!(
            r#"{{"log":{{"entries":[{{"response":{{"content":{{"mimeType":"{mime}","encoding":"base64","text":"{text}"}}}}}}]}}}}"#
        );
        assert_eq!(texts(&read(har)), [expected], "{mime}");
    }
    let session = format!(
        r#"{{"version":0,"session":{{"frames":[{{"exchangeId":"x","bytes":"{binary}"}},{{"exchangeId":"x","index":1,"classification":"control","envelope":": ping\n\n"}},{{"exchangeId":"x","index":0,"classification":"partial","data":"{{\"ty"}}]}}}}"#
    );
    let recording = read(session);
    assert_eq!(texts(&recording), [r#"{"type":"CUSTOM","name":"name","value":"b"}"#]);
    assert_eq!(recording.frames[1].body, Body::KeepAlive(b"ping".to_vec()));
    assert!(matches!(recording.frames[2].body, Body::Malformed { why: Malformed::Truncated, .. }));
    assert_eq!(codes(&recording.findings), ["agui.container.out-of-order"]);
}

#[test]
fn protobuf_keeps_frames_that_it_cannot_read() {
    let started = [0, 0, 0, 5, 0x62, 3, 0x12, 1, b't'];
    let unknown = [0, 0, 0, 3, 0xfa, 0x02, 0];
    let bytes = [&started[..], &unknown, &started, &[0, 0, 0, 9, 0x62]].concat();
    let recording = read(&bytes);
    assert_eq!(recording.format, Format::Protobuf);
    assert_eq!(texts(&recording), [r#"{"type":"RUN_STARTED","threadId":"t","runId":""}"#; 2]);
    assert_eq!(recording.frames[1].at, 9..16);
    let malformed = |bytes: &[u8], why| Body::Malformed { bytes: bytes.to_vec(), why };
    let why = Malformed::NotProtobuf("an event of kind 47 that is not known".to_owned());
    assert_eq!(recording.frames[1].body, malformed(&unknown[4..], why));
    assert_eq!(recording.frames[3].body, malformed(&[0x62], Malformed::Truncated));
}

#[test]
fn a_session_of_another_version_is_refused_politely() {
    let message = refused(r#"{"version":3,"session":{"exchanges":[],"frames":[]}}"#);
    assert!(message.contains("agui-inspector session of version 3"), "{message}");
}

#[test]
fn carriers_are_taken_off() {
    let text = format!("{STARTED}\n{FINISHED} é😀\n");
    let units: Vec<u16> = format!("\u{feff}{text}").encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for (bytes, encoding) in [(little, TextEncoding::Utf16Le), (big, TextEncoding::Utf16Be)] {
        let opened = carrier::open(std::io::Cursor::new(bytes.clone())).unwrap();
        assert_eq!(opened.carrier.text, encoding);
        let mut content = String::new();
        let mut reader = opened.content;
        std::io::Read::read_to_string(&mut reader, &mut content).unwrap();
        assert_eq!(content, text);
        assert_eq!(events(&read(&bytes).frames).len(), 1);
        let twice = [gzip(&bytes[..9]), gzip(&bytes[9..]), vec![0; 40]].concat();
        let opened = carrier::open(std::io::Cursor::new(twice)).unwrap();
        assert!(opened.carrier.gzip && opened.carrier.text == encoding);
    }
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut encoder, bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_body_of_an_archive_is_read_in_any_order_of_its_members() {
    use base64::Engine;
    let stream = format!("data: {}\n\n", r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#);
    let plain = serde_json::to_string(&stream).unwrap();
    let encode = |bytes: &str| base64::engine::general_purpose::STANDARD.encode(bytes);
    let base64 = format!("\"{}\"", encode(&stream));
    let unpadded = base64.replace('=', "");
    let wrapped = format!(
        "\"{}\"",
        encode(&stream)
            .as_bytes()
            .chunks(20)
            .map(String::from_utf8_lossy)
            .collect::<Vec<_>>()
            .join("\\r\\n")
    );
    // Long enough that a reader that does not wait would take the base64 for a stream.
    let long = format!("\"{}\"", encode(&stream.repeat(3_000)));
    let (text, encoding, mime) =
        ("text", r#""encoding":"base64""#, r#""mimeType":"text/event-stream""#);
    for (value, encoding, events) in [
        (&base64, encoding, 1),
        (&unpadded, encoding, 1),
        (&wrapped, encoding, 1),
        (&long, encoding, 3_000),
        (&plain, r#""encoding":"""#, 1),
        (&plain, r#""encoding":"utf-8""#, 1),
        (&plain, encoding, 1),
    ] {
        let text = format!(r#""{text}":{value}"#);
        let parts = [text.as_str(), encoding, mime];
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let content = order.map(|at| parts[at]).join(",");
            let har = format!(
                r#"{{"log":{{"entries":[{{"request":{{"url":"/a"}},"response":{{"content":{{{content}}}}}}}]}}}}"#
            );
            let read = read(har.as_bytes());
            let found =
                read.frames.iter().filter(|frame| matches!(frame.body, Body::Event(_))).count();
            assert_eq!(found, events, "{order:?} {}", &har[..har.len().min(300)]);
            assert!(read.findings.is_empty(), "{:?}", read.findings);
        }
    }
}
