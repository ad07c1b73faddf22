//! A reading connection.

use rusqlite::{Connection, OptionalExtension};

use crate::table::{setting, source};
use crate::{Result, Sha256, Source, SourceId};

/// Reads an archive. Methods stand with the table they read. Send it to another thread if you like; for two
/// threads open two.
pub struct Reader {
    pub(crate) conn: Connection,
}

/// Stops what a [`Reader`] is doing, from another thread; it then gives [`crate::Error::Cancelled`].
pub struct Interrupter(rusqlite::InterruptHandle);

impl Interrupter {
    /// Stops the statement under way, if any.
    pub fn interrupt(&self) {
        self.0.interrupt();
    }
}

impl Reader {
    pub(crate) fn new(conn: Connection) -> Self {
        Self { conn }
    }

    /// A handle that stops this reader's work.
    #[must_use]
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.conn.get_interrupt_handle())
    }

    /// The source whose bytes as given have this hash.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn find_source(&self, sha256: Sha256) -> Result<Option<Source>> {
        Ok(self
            .conn
            .prepare_cached(source::FIND)?
            .query_row([sha256], Source::from_row)
            .optional()?)
    }

    /// One source.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn source(&self, id: SourceId) -> Result<Option<Source>> {
        Ok(self.conn.prepare_cached(source::BY_ID)?.query_row([id], Source::from_row).optional()?)
    }

    /// A setting's value.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn setting(&self, key: &str) -> Result<Option<String>> {
        Ok(self.conn.prepare_cached(setting::GET)?.query_row([key], |row| row.get(0)).optional()?)
    }
}
