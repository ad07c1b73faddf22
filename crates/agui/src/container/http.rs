//! The little of HTTP that captures hold: status lines, header names, URLs.

/// Headers that say nothing of a person and open nothing; only these are kept.
const HARMLESS_HEADERS: [&[u8]; 12] = [
    b"cache-control",
    b"connection",
    b"content-encoding",
    b"content-length",
    b"content-type",
    b"date",
    b"keep-alive",
    b"server",
    b"transfer-encoding",
    b"vary",
    b"x-accel-buffering",
    b"x-content-type-options",
];

/// Parts of header names that stand for a secret.
const SECRET_WORDS: [&[u8]; 7] =
    [b"authorization", b"cookie", b"token", b"api-key", b"apikey", b"secret", b"session"];

/// Longest value of a header that is kept.
const MAX_HARMLESS_VALUE: usize = 200;

/// Whether a header may be kept: by its name, and because its value says nothing else.
pub(super) fn is_harmless(name: &[u8], value: &[u8]) -> bool {
    let time = name.eq_ignore_ascii_case(b"date") && value.iter().all(is_of_a_time);
    HARMLESS_HEADERS.iter().any(|harmless| name.eq_ignore_ascii_case(harmless))
        && (time || is_plain_value(value))
}

fn is_of_a_time(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b',' | b':' | b'+' | b'-' | b'.')
}

/// Whether a value is too plain to be a URL, an address or a secret that is named.
pub(super) fn is_plain_value(value: &[u8]) -> bool {
    value.len() <= MAX_HARMLESS_VALUE
        && !value.iter().any(|byte| matches!(byte, b'@' | b':' | b'?' | b'\\' | 0..=0x1f))
        && !names_a_secret(value)
}

/// Whether a text has the name of a secret with a value behind it, wherever it stands: `token=…`, `Cookie: …`.
pub(super) fn names_a_secret(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    let assigned = |end: usize| {
        let rest = lower[end..].iter().find(|byte| {
            !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b' ' | b'"' | b'\''))
        });
        matches!(rest, Some(b':' | b'='))
    };
    SECRET_WORDS
        .iter()
        .any(|word| memchr::memmem::find_iter(&lower, word).any(|at| assigned(at + word.len())))
        || ["password", "passwd", "key="].iter().any(|word| {
            let length = word.trim_end_matches('=').len();
            memchr::memmem::find_iter(&lower, word).any(|at| assigned(at + length))
        })
        || memchr::memmem::find(&lower, b"bearer ").is_some()
        || memchr::memmem::find(&lower, b"://").is_some_and(|at| {
            bare_url(&lower[at + 1..]).0.len() < lower[at + 1..].len()
                && lower[at..].contains(&b'@')
        })
}

/// Whether a header by this name carries cookies.
pub(super) fn is_cookie(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"cookie") || name.eq_ignore_ascii_case(b"set-cookie")
}

/// Whether a header by this name carries a secret, wherever it stands.
pub(super) fn is_secret(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_WORDS.iter().any(|word| memchr::memmem::find(&name, word).is_some())
}

/// Name and value of a header line; the value without the white space around it.
pub(super) fn header(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', line)?;
    let name = line[..colon].trim_ascii();
    let token = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (!name.is_empty() && name.iter().all(token)).then(|| (name, line[colon + 1..].trim_ascii()))
}

/// The status of a line such as `HTTP/1.1 200 OK`.
pub(super) fn status_line(line: &[u8]) -> Option<Option<u16>> {
    let rest = line.strip_prefix(b"HTTP/")?;
    rest.first().filter(|byte| byte.is_ascii_digit())?;
    let status = rest.split(|&byte| byte == b' ').nth(1);
    Some(status.and_then(|status| std::str::from_utf8(status).ok()?.parse().ok()))
}

/// Whether a line is a request line such as `POST /agent HTTP/1.1`; its beginning is enough.
pub(super) fn is_request_line(line: &[u8]) -> bool {
    const METHODS: [&[u8]; 7] =
        [b"GET ", b"POST ", b"PUT ", b"PATCH ", b"DELETE ", b"HEAD ", b"OPTIONS "];
    METHODS.iter().any(|method| {
        line.strip_prefix(*method)
            .is_some_and(|url| url.starts_with(b"/") || url.starts_with(b"http"))
    })
}

/// Whether a line belongs to an event stream, so that no header block goes on with it.
pub(super) fn is_stream_line(line: &[u8]) -> bool {
    [&b"data:"[..], b"event:", b"id:", b"retry:", b":"].iter().any(|field| line.starts_with(field))
}

/// A URL without user name, password, query and fragment, and whether anything was left out.
pub(super) fn bare_url(url: &[u8]) -> (Vec<u8>, bool) {
    let end = url.iter().position(|byte| matches!(byte, b'?' | b'#')).unwrap_or(url.len());
    let mut bare = url[..end].to_vec();
    // Browsers take one slash, and backslashes, for the two that are due.
    let slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let scheme = memchr::memchr(b':', &bare)
        .filter(|&colon| !bare[..colon].iter().any(slash))
        .map_or(0, |colon| colon + 1);
    let slashes = bare[scheme..].iter().take_while(|byte| slash(byte)).count();
    if scheme > 0 || slashes > 1 {
        let authority = scheme + slashes;
        let path = bare[authority..].iter().position(slash);
        let host = &bare[authority..path.map_or(bare.len(), |path| authority + path)];
        if let Some(user) = memchr::memrchr(b'@', host) {
            bare.drain(authority..=authority + user);
        }
    }
    let less = bare.len() < url.len();
    (bare, less)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_lose_what_can_be_secret() {
        for (url, bare) in [
            ("https://u:p@x.example/agent?token=1#f", "https://x.example/agent"),
            ("https://x.example?key=a@b", "https://x.example"),
            ("/agent?x", "/agent"),
            ("https:/u:p@x/a", "https:/x/a"),
            (r"https:\\u:p@x\a", r"https:\\x\a"),
            ("//u:p@x/a", "//x/a"),
            ("/a:b@c", "/a:b@c"),
            ("localhost:80/a", "localhost:80/a"),
            ("https://x.example/a@b", "https://x.example/a@b"),
            ("", ""),
        ] {
            assert_eq!(bare_url(url.as_bytes()), (bare.as_bytes().to_vec(), bare != url), "{url}");
        }
    }

    #[test]
    fn lines_are_told_apart() {
        assert_eq!(status_line(b"HTTP/1.1 200 OK"), Some(Some(200)));
        assert_eq!(status_line(b"HTTP/2 503"), Some(Some(503)));
        assert_eq!(status_line(b"HTTPS"), None);
        assert!(is_request_line(b"POST /agent?x=1 HTTP/1.1"));
        assert!(!is_request_line(b"data: POST /agent HTTP/1.1"));
        assert_eq!(header(b"Set-Cookie: a=b; c"), Some((&b"Set-Cookie"[..], &b"a=b; c"[..])));
        assert_eq!(header(b"{\"a\": 1}"), None);
        assert!(
            is_secret(b"X-Api-Key") && is_secret(b"Proxy-Authorization") && !is_secret(b"date")
        );
    }
}
