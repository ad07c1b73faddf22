//! What reducing a source has in common: where it writes, and what it counts.

use std::io::{self, Write};

use super::{LeftOut, ReadError, http};
use crate::json;

/// Why a source could not be reduced.
#[derive(Debug, thiserror::Error)]
pub enum ReduceError {
    /// The source could not be read.
    #[error(transparent)]
    Read(ReadError),
    /// The reduced source could not be written.
    #[error("the reduced source could not be written: {0}")]
    Write(io::Error),
}

/// A writer that remembers whether it was it that failed.
pub(super) struct Target<'a> {
    out: &'a mut dyn Write,
    failed: bool,
}

impl<'a> Target<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, failed: false }
    }

    /// Runs `reduce` on this target.
    pub(super) fn run(
        mut self,
        reduce: impl FnOnce(&mut Self) -> io::Result<LeftOut>,
    ) -> Result<LeftOut, ReduceError> {
        let result = reduce(&mut self);
        result.map_err(|error| {
            if self.failed { ReduceError::Write(error) } else { ReduceError::Read(error.into()) }
        })
    }
}

impl Write for Target<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.out.write(bytes);
        self.failed |= matches!(&result, Err(error) if error.kind() != io::ErrorKind::Interrupted);
        result
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl LeftOut {
    /// Counts what a part of the source lost.
    pub(super) fn add(&mut self, part: &Self) {
        self.entries += part.entries;
        self.headers += part.headers;
        self.cookies += part.cookies;
        self.queries += part.queries;
        self.others += part.others;
    }

    /// Counts the headers of a list (`[{"name":…}]`) or an object (`{"name":…}`).
    pub(super) fn count_headers(&mut self, list: &[u8]) {
        for (header, _) in json::elements(list) {
            let name = json::member(header, "name").and_then(json::string_value);
            self.count_header(&name.unwrap_or_default());
        }
        for header in json::members(list) {
            self.count_header(&header.key);
        }
    }

    /// Counts a member that holds headers, cookies or a secret itself.
    pub(super) fn count_member(&mut self, name: &[u8], value: &[u8]) {
        if http::is_cookie(name) || name.eq_ignore_ascii_case(b"cookies") {
            self.cookies += json::elements(value).count() as u64;
            self.cookies += json::members(value).count() as u64;
            self.cookies += u64::from(!matches!(value.first(), Some(b'{' | b'[')));
        } else if matches!(value.first(), Some(b'{' | b'[')) {
            self.count_headers(value);
        } else {
            self.headers += 1;
        }
    }

    /// Cookies are counted where they stand by themselves.
    fn count_header(&mut self, name: &[u8]) {
        self.headers += u64::from(!http::is_cookie(name));
    }
}

/// A URL token without what can be secret; the token itself when there is nothing of it.
pub(super) fn bare_url_token(token: &[u8], left_out: &mut LeftOut) -> Vec<u8> {
    let Some(url) = json::string_value(token) else { return b"null".to_vec() };
    let (bare, less) = http::bare_url(&url);
    if !less {
        return token.to_vec();
    }
    left_out.queries += 1;
    let mut quoted = Vec::new();
    json::push_quoted(&mut quoted, &String::from_utf8_lossy(&bare));
    quoted
}
