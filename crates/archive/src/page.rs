//! Pages: bounded, by key and not by number, so that rows added meanwhile neither repeat nor hide others.

use std::fmt;

use crate::{Error, Result};

/// Most rows of one page.
pub const MAX_PAGE_ROWS: u32 = 200;

/// Rows with the place at which the next page begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// Hand this back for the next page; none at the end.
    pub next: Option<Cursor>,
}

/// Where a page ended. Opaque outside; made by the query that reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor(String);

impl Cursor {
    /// A cursor as it came back from a host; checked when it is used.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub(crate) fn of(query: &str, key: [i64; 2]) -> Self {
        Self(format!("{query}.{}.{}", key[0], key[1]))
    }

    /// The key after which to go on, when the cursor is one of this query.
    pub(crate) fn key(&self, query: &str) -> Result<[i64; 2]> {
        let mut parts = self.0.split('.');
        let of_query = parts.next() == Some(query);
        let key =
            [parts.next(), parts.next()].map(|part| part.and_then(|digits| digits.parse().ok()));
        match (of_query, key, parts.next()) {
            (true, [Some(first), Some(second)], None) => Ok([first, second]),
            _ => Err(Error::BadInput("the cursor is not one of this list".to_owned())),
        }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<T> Page<T> {
    /// Cuts rows of which one more than `limit` was asked for.
    pub(crate) fn cut(mut rows: Vec<T>, limit: u32, cursor: impl Fn(&T) -> Cursor) -> Self {
        let limit = limit as usize;
        let next =
            (rows.len() > limit).then(|| rows.get(limit.wrapping_sub(1)).map(cursor)).flatten();
        rows.truncate(limit);
        Self { rows, next }
    }
}

/// Rows asked for, from 1 to [`MAX_PAGE_ROWS`].
pub(crate) fn bounded(limit: u32) -> u32 {
    limit.clamp(1, MAX_PAGE_ROWS)
}
