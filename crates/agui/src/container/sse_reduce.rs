//! A capture without the header lines that can hold secrets.

use std::io::{self, Write};

use memchr::memchr2;

use super::window::Window;
use super::{Content, LeftOut, http};

/// Bytes of a line that decide whether it is kept.
pub(super) const DECIDING_BYTES: usize = 4096;

/// Tells the lines of a capture that may be kept from those that may not, one after the other.
#[derive(Debug, Default)]
pub(super) struct HeaderFilter {
    in_header: bool,
}

/// Writes the capture without cookies, tokens and every header that is not known to be harmless.
///
/// Lines that are kept are kept byte for byte with their line ends; nothing of the event stream is left out.
pub(super) fn reduce(content: Content, out: &mut dyn Write) -> io::Result<LeftOut> {
    let mut window = Window::new(content, 0);
    let mut left_out = LeftOut::default();
    let mut filter = HeaderFilter::default();
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

/// Whether a text has lines that [`reduce`] looks at.
pub(super) fn has_headers(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n' || byte == b'\r').any(|line| {
        http::status_line(line).is_some()
            || http::is_request_line(line)
            || curl_line(line).is_some()
            || is_secret_line(line)
    })
}

impl HeaderFilter {
    /// Whether the next line may be kept; its first [`DECIDING_BYTES`] are enough.
    pub(super) fn keep(&mut self, line: &[u8], left_out: &mut LeftOut) -> bool {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        if http::status_line(line).is_some() {
            self.in_header = true;
            return true;
        }
        if http::is_request_line(line) {
            self.in_header = true;
            left_out.queries += u64::from(line.contains(&b'?'));
            return !line.iter().any(|byte| matches!(byte, b'?' | b'#' | b'@'));
        }
        self.in_header &= !http::is_stream_line(line);
        if self.in_header {
            self.in_header = !line.is_empty();
            return line.is_empty() || keep_header(line, left_out);
        }
        match curl_line(line) {
            Some((b'*', _)) => {
                left_out.headers += 1;
                false
            }
            Some((_, rest)) => {
                rest.is_empty() || http::status_line(rest).is_some() || keep_header(rest, left_out)
            }
            None => !is_secret_line(line) || keep_header(line, left_out),
        }
    }
}

fn keep_header(line: &[u8], left_out: &mut LeftOut) -> bool {
    let name = http::header(line).map_or(&b""[..], |(name, _)| name);
    if http::is_harmless(name) {
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
    let rest = if rest.is_empty() { rest } else { rest.strip_prefix(b" ")? };
    matches!(mark, b'*' | b'<' | b'>').then_some((mark, rest))
}

/// A header line that stands outside of any header block.
fn is_secret_line(line: &[u8]) -> bool {
    http::header(line).is_some_and(|(name, _)| http::is_secret(name))
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
