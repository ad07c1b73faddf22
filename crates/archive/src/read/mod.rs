//! What a [`Reader`] gives: pages and single rows.

pub(crate) mod citations;
pub(crate) mod conversations;
pub(crate) mod filter;
pub(crate) mod findings;
pub(crate) mod messages;
pub(crate) mod overview;
pub(crate) mod runs;

use rusqlite::{Params, Row};

use crate::{Reader, Result};

impl Reader {
    /// All rows of a statement that bounds itself.
    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let mut statement = self.conn.prepare_cached(sql)?;
        let rows = statement.query_map(params, read)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The first row of a statement, if any.
    pub(crate) fn row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        use rusqlite::OptionalExtension;
        Ok(self.conn.prepare_cached(sql)?.query_row(params, read).optional()?)
    }
}
