//! Only plain http and https addresses are offered, by their ASCII host (quality R32, seed §4).

use render::{MAX_URL_BYTES, Refused, link};

#[test]
fn http_and_https_are_offered() {
    for (url, host, opened) in [
        ("https://example.org", "example.org", "https://example.org/"),
        ("HTTP://EXAMPLE.org/A?b#c", "example.org", "http://example.org/A?b#c"),
        ("https://example.org:8443/", "example.org:8443", "https://example.org:8443/"),
        ("https://example.org:443/", "example.org", "https://example.org/"),
        (
            "https://bücher.example/ä",
            "xn--bcher-kva.example",
            "https://xn--bcher-kva.example/%C3%A4",
        ),
        ("http://2130706433/", "127.0.0.1", "http://127.0.0.1/"),
        ("http://[::1]/", "[::1]", "http://[::1]/"),
        ("https://e.example/a b", "e.example", "https://e.example/a%20b"),
    ] {
        let link = link(url).unwrap();
        assert_eq!((link.ascii_host.as_str(), link.ascii_url.as_str()), (host, opened));
        assert!(link.shown.contains(host));
    }
}

#[test]
fn everything_else_is_refused_with_its_reason() {
    let long = format!("https://e.example/{}", "a".repeat(MAX_URL_BYTES));
    let label = format!("https://{}.example/", "a".repeat(64));
    let host = format!("https://{}example/", "a.".repeat(130));
    for (url, refused) in [
        ("", Refused::Empty),
        ("   ", Refused::Empty),
        (long.as_str(), Refused::TooLong),
        ("javascript:alert(1)", Refused::Scheme),
        ("JaVaScRiPt:alert(1)", Refused::Scheme),
        ("vbscript:x", Refused::Scheme),
        ("data:text/html,x", Refused::Scheme),
        ("file:///etc/passwd", Refused::Scheme),
        ("smb://e.example/s", Refused::Scheme),
        ("tel:+1900", Refused::Scheme),
        ("mailto:a@e.example", Refused::Scheme),
        ("tauri://localhost/", Refused::Scheme),
        ("view-source:https://e.example/", Refused::Scheme),
        ("java\nscript:alert(1)", Refused::Hidden),
        ("https://e.example/\n", Refused::Hidden),
        ("https://e.example/\t", Refused::Hidden),
        ("https://e.example/\u{202e}gnp.exe", Refused::Hidden),
        ("https://e\u{200b}.example/", Refused::Hidden),
        ("https://exa\u{ad}mple.org/", Refused::Hidden),
        ("//e.example/", Refused::Relative),
        ("/etc/passwd", Refused::Relative),
        ("../x.md", Refused::Relative),
        ("#a", Refused::Relative),
        ("a/b:c", Refused::Relative),
        ("www.example.org", Refused::Relative),
        ("\\\\server\\share", Refused::Relative),
        ("https:e.example", Refused::Form),
        ("https:/e.example", Refused::Form),
        ("https:///e.example", Refused::Form),
        ("https:\\\\e.example", Refused::Form),
        ("https://good.example\\@e.example/", Refused::Form),
        ("https://", Refused::Form),
        ("https://?x", Refused::Form),
        ("&colon;//x:y", Refused::Relative),
        ("1http://e.example", Refused::Form),
        ("https://user@e.example/", Refused::UserInfo),
        ("https://good.example:pw@e.example/", Refused::UserInfo),
        ("https://@e.example/", Refused::UserInfo),
        ("https://good.example%40e.example/", Refused::Host),
        ("https://e.example:99999/", Refused::Host),
        ("https://xn--a/", Refused::Host),
        ("https://a..example/", Refused::Host),
        ("https://a b.example/", Refused::Host),
        (label.as_str(), Refused::Host),
        (host.as_str(), Refused::Host),
    ] {
        assert_eq!(link(url), Err(refused), "{url:.80}");
        assert!(!refused.code().is_empty() && !refused.to_string().is_empty());
    }
}

#[test]
fn hosts_in_other_scripts_are_shown_both_ways_and_mixed_ones_flagged() {
    let cyrillic = link("https://\u{430}pple.com/").unwrap();
    assert_eq!(cyrillic.ascii_host, "xn--pple-43d.com");
    assert_eq!(cyrillic.unicode_host.as_deref(), Some("\u{430}pple.com"));
    assert!(cyrillic.mixed_scripts);
    assert!(
        link("https://xn--80ak6aa92e.com/").unwrap().mixed_scripts,
        "all Cyrillic, looks Latin"
    );
    assert!(!link("https://bücher.example/").unwrap().mixed_scripts);
    assert!(!link("https://пример.example/").unwrap().mixed_scripts);
}

#[test]
fn long_addresses_are_shortened_after_their_host() {
    let link = link(&format!("https://e.example/{}end", "a/".repeat(500))).unwrap();
    assert!(link.shown.starts_with("https://e.example/a/") && link.shown.ends_with("end"));
    assert_eq!(link.shown.chars().count(), 120);
}

#[test]
fn whatever_is_offered_is_http_in_ascii_and_stays_so() {
    for (_, text) in crate::hostile::corpus() {
        for candidate in
            [text.clone(), format!("https://e.example/{text}"), format!("https://{text}")]
        {
            if let Ok(offered) = link(&candidate) {
                assert!(offered.ascii_url.is_ascii() && offered.ascii_host.is_ascii());
                assert!(!offered.ascii_url.contains(char::is_whitespace));
                assert!(offered.ascii_url.starts_with("http"));
                assert_eq!(link(&offered.ascii_url).unwrap().ascii_url, offered.ascii_url);
            }
        }
    }
}
