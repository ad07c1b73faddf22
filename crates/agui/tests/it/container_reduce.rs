//! Headers, cookies and tokens do not survive reducing; everything that is kept reads as before.

use std::io::Cursor;

use agui::container::{self, Format, Keep, LeftOut, Recording, ReduceError};
use agui::frame::Body;

use crate::container_shapes::read;
use crate::recordings::folder;

fn reduce(bytes: &[u8]) -> (Format, Vec<u8>, LeftOut) {
    let (format, content) = container::recognise(Box::new(Cursor::new(bytes.to_vec()))).unwrap();
    assert_eq!(format.keep(), Keep::Reduced);
    let mut out = Vec::new();
    let left_out = format.reduce(content, &mut out).unwrap();
    (format, out, left_out)
}

/// What was kept reads the same and reduces to itself.
fn same(before: &[u8], after: &[u8]) {
    let (before, after_read) = (read(before), read(after));
    let bodies = |recording: &Recording| -> Vec<_> {
        let frames = recording.frames.iter().filter(|frame| !matches!(frame.body, Body::Note(_)));
        frames.map(|frame| (frame.connection, frame.arrival.clone(), frame.body.clone())).collect()
    };
    assert_eq!(bodies(&before), bodies(&after_read));
    assert_eq!(before.connections, after_read.connections);
    if after_read.format.keep() == Keep::Reduced {
        assert_eq!(reduce(after).1, after);
    }
}

fn has(bytes: &[u8], text: &str) -> bool {
    memchr::memmem::find(bytes, text.as_bytes()).is_some()
}

#[test]
fn a_browser_archive_loses_its_secrets_and_keeps_its_bodies() {
    let Some(folder) = folder() else { return };
    let bytes = std::fs::read(folder.join("moca/browser.har")).unwrap();
    let facts: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("moca/facts.json")).unwrap()).unwrap();
    let recordings = facts["recordings"].as_array().unwrap();
    let secrets =
        &recordings.iter().find(|entry| entry["file"] == "browser.har").unwrap()["secrets"];
    let (format, out, left_out) = reduce(&bytes);
    assert_eq!(format, Format::Har);
    for kind in ["headers", "cookies"] {
        for secret in secrets[kind].as_array().unwrap() {
            let secret = secret.as_str().unwrap();
            assert!(has(&bytes, secret) && !has(&out, secret), "{secret}");
        }
    }
    assert!(!has(&out, "headers") && !has(&out, "cookies"));
    same(&bytes, &out);
    assert!(
        left_out.entries >= 1 && left_out.headers > 20 && left_out.cookies >= 3,
        "{left_out:?}"
    );
    let body = r#""text":"data: {\"type\":\"RUN_STARTED\""#;
    assert!(has(&bytes, body) || has(&bytes, &body.replace("\":\"data", "\": \"data")));
    assert!(has(&out, body));
}

#[test]
fn an_archive_in_any_order_of_members_is_reduced() {
    let har = concat!(
        r#"{"log":{"comment":"SECRET","pages":[{"title":"SECRET"}],"entries":["#,
        r#"{"_eventSourceMessages":[{"type":"receive","time":2,"data":"{}","extra":{"a":"SECRET"}}],"#,
        r#""response":{"headers":[{"name":"Set-Cookie","value":"SECRET"},{"name":"X","value":"SECRET"}],"#,
        r#""cookies":[{"name":"a","value":"SECRET"}],"content":{"text":"data: {\u007d\n\n","mimeType":"text/event-stream"},"#,
        r#""redirectURL":"SECRET","status":200},"request":{"queryString":[{"name":"k","value":"SECRET"}],"#,
        r#""url":"https://SECRET@x.example/a?SECRET#SECRET","postData":{"params":[{"value":"SECRET"}],"text":"{\"messages\":[],\"threadId\":\"t\"}"}},"#,
        r#""startedDateTime":{"SECRET":1}},{"request":{"postData":{"text":"SECRET"}},"response":{"content":{"mimeType":"text/html","text":"SECRET"}}}]}}"#,
    );
    let (_, out, left_out) = reduce(har.as_bytes());
    assert!(!has(&out, "SECRET"), "{}", String::from_utf8_lossy(&out));
    assert!(has(&out, r#""text":"data: {\u007d\n\n""#));
    assert!(has(&out, r#""url":"https://x.example/a""#));
    assert_eq!(left_out, LeftOut { entries: 1, headers: 1, cookies: 1, queries: 1, others: 1 });
    assert!(serde_json::from_slice::<serde_json::Value>(&out).is_ok());
    same(har.as_bytes(), &out);
}

#[test]
fn a_session_loses_header_lists_only() {
    let session = concat!(
        "{\n \"version\": 0,\n \"session\": { \"exchanges\": [\n  {\"id\":\"x\",\"path\":\"/a?SECRET\",\"requestHeaders\":{\"Authorization\":\"SECRET\",\"Cookie\":\"SECRET\"},\"cookies\":[\"SECRET\"]}\n ],",
        "\n \"frames\": [ {\"exchangeId\":\"x\",\"classification\":\"data\",\"data\":\"{}\"} ] } }\n",
    );
    let (_, out, left_out) = reduce(session.as_bytes());
    assert!(!has(&out, "SECRET"));
    assert_eq!(left_out, LeftOut { entries: 0, headers: 1, cookies: 1, queries: 1, others: 0 });
    same(session.as_bytes(), &out);
    let clean = session
        .replace("?SECRET", "")
        .replace("requestHeaders", "status")
        .replace(",\"cookies\":[\"SECRET\"]", "");
    assert_eq!(reduce(clean.as_bytes()).1, clean.as_bytes());
    let Some(folder) = folder() else { return };
    let recorded = std::fs::read(folder.join("moca/agui-inspector-session.json")).unwrap();
    assert_eq!(reduce(&recorded), (Format::InspectorSession, recorded.clone(), LeftOut::default()));
}

#[test]
fn a_capture_loses_header_lines_only() {
    let body = "data: {\"type\":\"RUN_STARTED\",\"runId\":\"authorization: kept\"}\n\n: ping\n\n";
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
    let capture = format!("{head}Set-Cookie: SECRET\r\nX-Session-Id: SECRET\r\n\r\n{body}");
    let (_, out, left_out) = reduce(capture.as_bytes());
    assert_eq!(out, format!("{head}\r\n{body}").as_bytes());
    assert_eq!(left_out, LeftOut { headers: 1, cookies: 1, ..LeftOut::default() });
    same(capture.as_bytes(), &out);

    let verbose = format!(
        "* Server auth using Basic with user 'SECRET'\n> POST /a?SECRET HTTP/1.1\n> Authorization: SECRET\n> \n< HTTP/1.1 200 OK\n< server: s\n< set-cookie: SECRET\n< \n{body}* Connection SECRET left intact\n"
    );
    let (_, out, _) = reduce(verbose.as_bytes());
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text, format!("> \n< HTTP/1.1 200 OK\n< server: s\n< \n{body}"));

    let request = format!("POST /a?SECRET HTTP/1.1\r\nCookie: SECRET\r\n\r\n{head}\r\n{body}");
    assert_eq!(reduce(request.as_bytes()).1, format!("\r\n{head}\r\n{body}").as_bytes());
    let pasted = format!("Authorization: Bearer SECRET\n{body}");
    assert_eq!(reduce(pasted.as_bytes()).1, body.as_bytes());
    let late = format!("HTTP/1.1 200 OK\n\n{body}HTTP/1.1 200 OK\nset-cookie: SECRET\n\n{body}");
    assert!(!has(&reduce(late.as_bytes()).1, "SECRET"));
}

#[test]
fn a_capture_without_header_lines_is_kept_as_it_is() {
    for text in ["data: {\"type\":\"RUN_STARTED\"}\n\n", "[{\"type\":\"RUN_STARTED\"}]"] {
        let (format, content) = container::recognise(Box::new(Cursor::new(text))).unwrap();
        assert_eq!(format.keep(), Keep::AsIs);
        let mut out = Vec::new();
        assert_eq!(format.reduce(content, &mut out).unwrap(), LeftOut::default());
        assert_eq!(out, text.as_bytes());
    }
}

#[test]
fn a_writer_that_fails_is_named_as_such() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let har = r#"{"log":{"version":"1.2","entries":[]}}"#;
    match Format::Har.reduce(Box::new(Cursor::new(har)), &mut Full) {
        Err(ReduceError::Write(error)) => assert_eq!(error.kind(), std::io::ErrorKind::StorageFull),
        other => panic!("{other:?}"),
    }
}

/// An archive of one entry whose reply has these members.
fn har_with(content: &str) -> Vec<u8> {
    format!(
        r#"{{"log":{{"version":"1.2","entries":[{{"request":{{"method":"POST","url":"/a"}},"response":{{"status":200,"content":{{{content}}}}}}}]}}}}"#
    )
    .into_bytes()
}

#[test]
fn a_body_that_is_a_capture_loses_its_header_lines_wherever_it_stands() {
    use base64::Engine;
    let stream =
        "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"authorization: kept\"}\n\n";
    for line_end in ["\n", "\r\n", "\r"] {
        let capture = format!(
            "HTTP/1.1 200 OK\nserver: s\nSet-Cookie: SECRET\nX-Api-Key: SECRET\n\n{stream}Authorization: Bearer SECRET\n: ping\n\n"
        )
        .replace('\n', line_end);
        let clean = capture
            .split_inclusive(line_end)
            .filter(|line| !line.contains("SECRET"))
            .collect::<String>();
        let size = capture.len();
        let quoted = serde_json::to_string(&capture).unwrap();
        let base64 = base64::engine::general_purpose::STANDARD.encode(&capture);
        let mime = r#""mimeType":"text/event-stream""#;
        for content in [
            format!(r#""size":{size},{mime},"text":{quoted}"#),
            format!(r#""text":{quoted},{mime},"size":{size}"#),
            format!(r#""size":{size},{mime},"encoding":"base64","text":"{base64}""#),
            format!(r#"{mime},"text":"{base64}","size":{size},"encoding":"base64""#),
            format!(r#""text":"{base64}","encoding":"BASE64",{mime}"#),
        ] {
            let har = har_with(&content);
            let (_, out, left_out) = reduce(&har);
            let shown = String::from_utf8_lossy(&out);
            assert_eq!(
                left_out,
                LeftOut { headers: 2, cookies: 1, ..LeftOut::default() },
                "{shown}"
            );
            let whole: serde_json::Value = serde_json::from_slice(&out).unwrap();
            let kept = &whole["log"]["entries"][0]["response"]["content"];
            let text = kept["text"].as_str().unwrap();
            let text = match kept["encoding"].as_str() {
                Some(_) => String::from_utf8(
                    base64::engine::general_purpose::STANDARD.decode(text).unwrap(),
                )
                .unwrap(),
                None => text.to_owned(),
            };
            assert_eq!(text, clean, "{content}");
            if kept.get("size").is_some() {
                assert_eq!(kept["size"], clean.len(), "{content}");
            }
            assert!(read(&out).findings.is_empty(), "{:?}", read(&out).findings);
            same(&har, &out);
        }
        let session = format!(
            r#"{{"version":0,"session":{{"exchanges":[{{"id":"x","path":"/a","responseBody":{quoted}}}],"frames":[{{"exchangeId":"x","classification":"data","data":"{{}}"}}]}}}}"#
        );
        let (_, out, _) = reduce(session.as_bytes());
        assert!(
            !has(&out, "SECRET") && has(&out, "server: s"),
            "{}",
            String::from_utf8_lossy(&out)
        );
        same(session.as_bytes(), &out);
    }
}

#[test]
fn a_long_line_of_a_body_is_told_by_its_beginning() {
    let long = "x".repeat(200_000);
    let body = format!("data: {{\"a\":\"{long}\"}}\n\nset-cookie: {long}SECRET\ndata: {{}}\n\n");
    let quoted = serde_json::to_string(&body).unwrap();
    let har = har_with(&format!(r#""mimeType":"text/event-stream","text":{quoted}"#));
    let (_, out, left_out) = reduce(&har);
    assert_eq!(left_out.cookies, 1);
    assert!(has(&out, &long) && !has(&out, "SECRET"));
    same(&har, &out);
}
