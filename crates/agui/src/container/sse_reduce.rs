//! A capture without the lines beside its event stream that can hold secrets.

use std::io::{self, Write};

use memchr::memchr2;

use super::window::Window;
use super::{Content, LeftOut, http};

/// Bytes of a line that decide whether it is kept.
pub(super) const DECIDING_BYTES: usize = 4096;

/// Tells the lines of a text that may be kept from those that may not, one after the other.
#[derive(Debug, Default)]
pub(super) struct HeaderFilter {
    rule: Rule,
    in_header: bool,
}

/// What a text is, which says what of it may be kept.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// A capture or a body: the first line that is not empty tells.
    #[default]
    ByFirstLine,
    /// A capture: of what is no event stream only status lines and harmless headers are kept.
    Capture,
    /// A body: all is kept but lines that look as if they held a secret.
    Body,
    /// A capture with chunk sizes, whose lines may begin in the middle of an event.
    Chunked,
}

/// Writes the capture without cookies, tokens, commands, request bodies and every header that is not known to be
/// harmless.
///
/// Lines that are kept are kept byte for byte with their line ends; nothing of the event stream is left out.
pub(super) fn reduce(content: Content, rule: Rule, out: &mut dyn Write) -> io::Result<LeftOut> {
    let mut window = Window::new(content, 0);
    let mut left_out = LeftOut::default();
    let mut filter = HeaderFilter { rule, in_header: false };
    loop {
        let line = window.at_least(DECIDING_BYTES)?;
        if line.is_empty() {
            return Ok(left_out);
        }
        let end = memchr2(b'\n', b'\r', line).unwrap_or(line.len());
        let keep = filter.keep(&line[..end], &mut left_out);
        pass_line(&mut window, keep.then_some(&mut *out))?;
    }
}

/// Whether a text has lines for which [`reduce`] is there.
pub(super) fn has_headers(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n' || byte == b'\r').any(is_suspicious)
}

impl HeaderFilter {
    /// Whether the next line may be kept; its first [`DECIDING_BYTES`] are enough.
    pub(super) fn keep(&mut self, line: &[u8], left_out: &mut LeftOut) -> bool {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        if self.rule == Rule::ByFirstLine && !line.is_empty() {
            self.rule = if is_suspicious(line) { Rule::Capture } else { Rule::Body };
        }
        if http::status_line(line).is_some() {
            self.in_header = true;
            return keep_status(line, left_out);
        }
        if self.rule != Rule::Chunked {
            if http::is_request_line(line) {
                self.in_header = true;
                return leave_request(line, left_out);
            }
            if is_pseudo_header(line) {
                left_out.headers += 1;
                return false;
            }
        }
        self.in_header &= !http::is_stream_line(line);
        if self.in_header {
            self.in_header = !line.is_empty();
            return line.is_empty() || keep_header(line, left_out);
        }
        match self.rule {
            Rule::Chunked => !is_secret_line(line) || keep_header(line, left_out),
            Rule::Body | Rule::ByFirstLine => !is_suspicious(line) || keep_other(line, left_out),
            Rule::Capture => {
                line.is_empty()
                    || is_field(line)
                    || is_plain_comment(line)
                    || keep_other(line, left_out)
            }
        }
    }
}

/// A line of a capture that is no part of the event stream, perhaps marked as `curl -v` marks it.
fn keep_other(line: &[u8], left_out: &mut LeftOut) -> bool {
    match curl_line(line) {
        Some((b'*', _)) => {
            left_out.headers += 1;
            false
        }
        Some((_, b"")) => true,
        Some((_, rest)) if http::status_line(rest).is_some() => keep_status(rest, left_out),
        Some((_, rest)) if http::is_request_line(rest) => leave_request(rest, left_out),
        Some((_, rest)) => keep_header(rest, left_out),
        None => keep_header(line, left_out),
    }
}

fn keep_status(line: &[u8], left_out: &mut LeftOut) -> bool {
    let plain = http::is_plain_value(line.strip_prefix(b"HTTP/").unwrap_or(line));
    left_out.others += u64::from(!plain);
    plain
}

fn leave_request(line: &[u8], left_out: &mut LeftOut) -> bool {
    if line.contains(&b'?') {
        left_out.queries += 1;
    } else {
        left_out.others += 1;
    }
    false
}

fn keep_header(line: &[u8], left_out: &mut LeftOut) -> bool {
    let Some((name, value)) = http::header(line) else {
        left_out.others += 1;
        return false;
    };
    if http::is_harmless(name, value) {
        return true;
    }
    if http::is_cookie(name) {
        left_out.cookies += 1;
    } else {
        left_out.headers += 1;
    }
    false
}

/// Mark and text of a line that `curl -v` writes beside the body.
fn curl_line(line: &[u8]) -> Option<(u8, &[u8])> {
    let (&mark, rest) = line.split_first()?;
    match mark {
        b'<' | b'>' => Some((mark, rest.strip_prefix(b" ").unwrap_or(rest))),
        b'*' => rest.strip_prefix(b" ").map(|rest| (mark, rest)),
        _ => None,
    }
}

/// A header line that stands outside of any header block.
fn is_secret_line(line: &[u8]) -> bool {
    http::header(line).is_some_and(|(name, _)| http::is_secret(name))
}

/// A line of an event stream that is part of an event.
fn is_field(line: &[u8]) -> bool {
    let field = memchr::memchr(b':', line).map_or(line, |colon| &line[..colon]);
    matches!(field, b"data" | b"event" | b"id" | b"retry")
}

/// A comment that does not look like a header.
fn is_plain_comment(line: &[u8]) -> bool {
    line.strip_prefix(b":")
        .is_some_and(|text| http::header(text).is_none() && !http::names_a_secret(text))
}

/// A header of HTTP/2 such as `:path: /agent`.
fn is_pseudo_header(line: &[u8]) -> bool {
    const NAMES: [&[u8]; 6] = [b"method", b"path", b"authority", b"scheme", b"status", b"protocol"];
    line.strip_prefix(b":")
        .and_then(http::header)
        .is_some_and(|(name, _)| NAMES.contains(&name) && !line[1..].starts_with(b" "))
}

/// Whether a line looks like the head of a capture, or as if it held a secret; never a line of an event, nor JSON.
fn is_suspicious(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if is_field(line) {
        return false;
    }
    if let Some(comment) = line.strip_prefix(b":") {
        return is_pseudo_header(line) || is_secret_line(comment);
    }
    let text = line.trim_ascii();
    if matches!(text, [] | [b'{' | b'}' | b']' | b'"', ..] | [b'[', b'{' | b'[' | b'"', ..]) {
        return false;
    }
    let bare = curl_line(text).map_or(text, |(_, rest)| rest);
    let command = text.strip_prefix(b"$ ").unwrap_or(text);
    http::status_line(bare).is_some()
        || http::is_request_line(bare)
        || matches!(text, [b'<' | b'>' | b'*', b' ', ..])
        || is_secret_line(bare)
        || command.starts_with(b"curl ")
        || http::names_a_secret(text)
}

/// Goes over one line with its line end, writing it to `out`.
fn pass_line(window: &mut Window, mut out: Option<&mut dyn Write>) -> io::Result<()> {
    let mut write = |bytes: &[u8]| out.as_mut().map_or(Ok(()), |out| out.write_all(bytes));
    loop {
        let bytes = window.available()?;
        if bytes.is_empty() {
            return Ok(());
        }
        let Some(end) = memchr2(b'\n', b'\r', bytes) else {
            write(bytes)?;
            let length = bytes.len();
            window.consume(length);
            continue;
        };
        write(&bytes[..end])?;
        window.consume(end);
        let line_end = window.at_least(2)?;
        let length = if line_end.starts_with(b"\r\n") { 2 } else { 1 };
        write(&line_end[..length])?;
        window.consume(length);
        return Ok(());
    }
}
