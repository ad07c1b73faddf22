//! What stands beside the events of a recording and can hold a secret does not survive reducing.

use std::io::Cursor;

use agui::container::{self, Keep, LeftOut};

use crate::container_shapes::read;
use crate::recordings::events;

const STREAM: &str = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n: ping\nid: 1\ndata: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";

/// What is kept of a recording, which keeps its events.
fn kept(text: &str) -> String {
    let (format, content) = container::recognise(Box::new(Cursor::new(text.to_owned()))).unwrap();
    assert_eq!(format.keep(), Keep::Reduced, "{text}");
    let mut out = Vec::new();
    let left_out = format.reduce(content, &mut out).unwrap();
    assert_ne!(left_out, LeftOut::default(), "{text}");
    assert_eq!(events(&read(text).frames), events(&read(&out).frames), "{text}");
    String::from_utf8(out).unwrap()
}

#[test]
fn nothing_beside_the_event_stream_of_a_capture_keeps_a_secret() {
    let reply = "HTTP/1.1 200 OK\ncontent-type: text/event-stream\n";
    for head in [
        "$ curl -N -H 'Authorization: Bearer SECRET' 'https://x/agent?key=SECRET'\n".to_owned(),
        format!("[10:00] Authorization: Bearer SECRET\n{reply}\n"),
        ":method: POST\n:path: /agent?token=SECRET\nauthorization: SECRET\n\n".to_owned(),
        "<HTTP/1.1 200 OK\n<set-cookie: SECRET\n>Authorization: SECRET\n".to_owned(),
        "  HTTP/1.1 200 OK\n  Set-Cookie: SECRET\n  X-Foo: SECRET\n\n".to_owned(),
        format!(
            "POST /a?k=SECRET HTTP/1.1\nX-Thing: SECRET\n\n{{\"threadId\":\"t\",\"apiKey\":\"SECRET\"}}\n\n{reply}\n"
        ),
        format!("POST /a HTTP/1.1\nhost: x\n\ntoken=SECRET\n{reply}\n"),
        format!("HTTP/1.1 200 OK\nserver: https://u:SECRET@h/\n{reply}\n"),
        format!("{reply}set-cookie: SECRET\n\n: authorization: SECRET\n"),
        "POST /agent/SECRET HTTP/1.1\n\n".to_owned(),
    ] {
        let out = kept(&format!("{head}{STREAM}"));
        assert!(!out.contains("SECRET"), "{out}");
        assert!(out.ends_with(STREAM), "{out}");
    }
}

#[test]
fn a_stream_without_a_head_stays_as_it_is() {
    for text in [
        STREAM.to_owned(),
        format!("{STREAM}foo: bar\n\n: keep-alive 10:00\n\nevent\n{STREAM}"),
        format!("{STREAM}data: authorization: said\n\n"),
    ] {
        let (format, _) = container::recognise(Box::new(Cursor::new(text.clone()))).unwrap();
        assert_eq!(format.keep(), Keep::AsIs, "{text}");
    }
}

#[test]
fn chunks_are_never_taken_for_header_lines() {
    let event = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"";
    let rest = "* a token: x\",\"runId\":\"r\"}\n\n";
    let text = format!(
        "HTTP/1.1 200 OK\r\nset-cookie: SECRET\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{event}\r\n{:x}\r\n{rest}\r\n0\r\n\r\n",
        event.len(),
        rest.len()
    );
    let out = kept(&text);
    assert!(!out.contains("SECRET") && out.contains(rest), "{out}");
}

#[test]
fn requests_and_messages_of_an_archive_keep_no_secret() {
    let har = |url: &str, request: &str, messages: &str| {
        format!(
            r#"{{"log":{{"entries":[{{"request":{{"method":"POST","url":{},"headers":[{{"name":"x","value":"SECRET"}}],"postData":{{"text":{}}}}},"response":{{"status":200,"content":{{"mimeType":"text/event-stream","text":{}}}}}{messages}}}]}}}}"#,
            serde_json::to_string(url).unwrap(),
            serde_json::to_string(request).unwrap(),
            serde_json::to_string(STREAM).unwrap()
        )
    };
    let input = r#"{"threadId":"t","runId":"r","messages":[]}"#;
    let single = format!(
        r#"{{"method":"agent/run","headers":{{"Authorization":"SECRET"}},"body":{input}}}"#
    );
    for text in [
        har("https:/u:SECRET@h/agent", input, ""),
        har(r"https:\\u:SECRET@h\agent", input, ""),
        har("https://h/agent", "grant=1&client_secret=SECRET", ""),
        har(
            "https://h/agent",
            &format!("POST /a HTTP/1.1\r\nAuthorization: SECRET\r\n\r\n{input}"),
            "",
        ),
        har("https://h/agent", &single, ""),
        har(
            "https://h/agent",
            input,
            r#","_eventSourceMessages":[{"time":1,"data":"Authorization: Bearer SECRET"}]"#,
        ),
    ] {
        let out = kept(&text);
        assert!(!out.contains("SECRET"), "{out}");
    }
    let text = har("https://h/agent", &single, "");
    assert_eq!(
        read(&text).frames[0].body,
        read(kept(&text)).frames[0].body,
        "the run's input stays"
    );
}

#[test]
fn no_part_of_a_session_keeps_a_secret() {
    let started = r#""data":"{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}""#;
    let session = |exchange: &str, frame: &str, rest: &str| {
        format!(
            r#"{{"version":0,"session":{{"exchanges":[{{"id":"x"{exchange}}}],"frames":[{{"exchangeId":"x","classification":"data",{started}{frame}}}]{rest}}}}}"#
        )
    };
    for text in [
        session(
            "",
            "",
            r#","target":{"url":"https://u:SECRET@h","headers":{"Authorization":"SECRET"}}"#,
        ),
        session("", r#","headers":{"Authorization":"SECRET"}"#, ""),
        session(
            "",
            "",
            r#","runs":[{"id":"1","input":{"headers":{"Authorization":"SECRET"},"messages":[]}}]"#,
        ),
        session("", r#","envelope":"HTTP/1.1 200 OK\r\nSet-Cookie: SECRET\r\nX-A: SECRET""#, ""),
        session(r#","transportError":"GET https://u:SECRET@h/?token=SECRET failed""#, "", ""),
        session(r#","requestBody":"client_secret=SECRET""#, "", ""),
        session(r#","requestBodyJson":{"headers":{"Authorization":"SECRET"}}"#, "", ""),
    ] {
        let out = kept(&text);
        assert!(!out.contains("SECRET"), "{out}");
        assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok(), "{out}");
    }
}
