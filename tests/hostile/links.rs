//! R32: whatever a text holds, only http and https addresses are offered, with their host in ASCII, before anything opens.

use app::contract::{Commands, ErrorKind, LinkText};
use recite_tests::scratch::Scratch;
use serde_json::Value;

#[test]
fn what_is_no_address_of_the_web_is_refused() {
    let scratch = Scratch::new();
    let long = format!("https://e.example/{}", "a".repeat(10_240));
    for (url, host) in [
        ("https://desk.example/a?b#c", Some("desk.example")),
        ("http://desk.example:8080/", Some("desk.example:8080")),
        ("https://xn--bcher-kva.example/", Some("xn--bcher-kva.example")),
        ("https://b\u{fc}cher.example/", Some("xn--bcher-kva.example")),
        ("file:///etc/passwd", None),
        ("smb://e.example/share", None),
        ("tel:+1900123", None),
        ("mailto:a@e.example", None),
        ("javascript:alert(1)", None),
        ("java\nscript:alert(1)", None),
        ("vbscript:x", None),
        ("data:text/html,<script>1</script>", None),
        ("https://bank.example@evil.example/", None),
        ("https://user:word@evil.example/", None),
        ("https://e.example/\u{202e}gpj.exe", None),
        ("https://e.example/a\nb", None),
        ("//e.example/x", None),
        ("https://", None),
        (long.as_str(), None),
    ] {
        let told = scratch.app.inspect_link(LinkText { url: url.to_owned() });
        match (told, host) {
            (Ok(preview), Some(host)) => assert_eq!(preview.host, host, "{url:.80}"),
            (Err(refused), None) => {
                assert_eq!(refused.kind, ErrorKind::BadInput, "{url:.80}");
                assert!(refused.message.len() > 10, "{url:.80}: {}", refused.message);
            }
            (told, _) => panic!("{url:.80}: {told:?}"),
        }
    }
    let mixed = scratch
        .app
        .inspect_link(LinkText { url: "https://p\u{430}ypal.example/".to_owned() })
        .unwrap();
    assert!(mixed.host.starts_with("xn--") && mixed.warning.is_some(), "{mixed:?}");
}

#[test]
fn no_string_of_the_corpus_opens_anything_else() {
    let file = std::fs::read(recite_tests::fixture("hostile-strings.json")).unwrap();
    let file: Value = serde_json::from_slice(&file).unwrap();
    let scratch = Scratch::new();
    let (mut offered, mut all) = (0, 0);
    for text in
        file["strings"].as_array().unwrap().iter().filter_map(|entry| entry["text"].as_str())
    {
        for url in [text.to_owned(), format!("https://{text}"), format!("https://e.example/{text}")]
        {
            all += 1;
            let Ok(preview) = scratch.app.inspect_link(LinkText { url: url.clone() }) else {
                continue;
            };
            offered += 1;
            let web = ["http://", "https://"].iter().any(|scheme| preview.url.starts_with(scheme));
            assert!(web && preview.url.is_ascii() && preview.host.is_ascii(), "{url}: {preview:?}");
            let authority = preview.url.split('/').nth(2).unwrap();
            assert!(authority == preview.host && !authority.contains('@'), "{url}: {preview:?}");
            assert!(!preview.url.contains(char::is_whitespace), "{url}: {preview:?}");
        }
    }
    assert!(all > 1_500 && offered > 100, "{offered} of {all}");
}
