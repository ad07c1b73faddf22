//! One open transaction of the writer, into which derived rows go.

use std::collections::BTreeSet;

use rusqlite::{CachedStatement, Connection, Params};

use crate::Result;
use crate::table::conversation::CountsByConversation;
use crate::table::total::Totals;

/// Where derived rows are written: reached through [`crate::Intake`] and [`crate::Rebuild`], which open,
/// commit and roll back. Methods stand with the table they write.
///
/// Full text is written at the end of the batch, so that a text that grows is indexed once.
pub struct Batch {
    pub(crate) conn: Connection,
    pub(crate) unindexed_messages: BTreeSet<i64>,
    pub(crate) unindexed_records: Vec<i64>,
    pub(crate) counts: CountsByConversation,
    pub(crate) totals: Totals,
}

/// Messages noted for the end of a batch before they are indexed after all: bounds memory in a rebuild of any size.
const MAX_UNINDEXED: usize = 20_000;

impl Batch {
    pub(crate) fn new(conn: Connection) -> Self {
        Self {
            conn,
            unindexed_messages: BTreeSet::new(),
            unindexed_records: Vec::new(),
            counts: CountsByConversation::new(),
            totals: Totals::default(),
        }
    }

    pub(crate) fn begin(&mut self) -> Result<()> {
        Ok(self.conn.execute_batch("BEGIN IMMEDIATE")?)
    }

    /// Indexes what is new and commits; with `synchronous = FULL` the batch is on disk when this returns.
    pub(crate) fn commit(&mut self) -> Result<()> {
        self.index_new_texts()?;
        self.write_counts()?;
        Ok(self.conn.execute_batch("COMMIT")?)
    }

    /// Writes what is kept for the end of the batch when it has become much.
    pub(crate) fn relieve(&mut self) -> Result<()> {
        if self.unindexed_messages.len() < MAX_UNINDEXED {
            return Ok(());
        }
        self.index_new_texts()?;
        self.write_counts()
    }

    /// Forgets the batch. SQLite may have rolled back on its own already (disk full).
    pub(crate) fn roll_back(&mut self) {
        self.unindexed_messages.clear();
        self.unindexed_records.clear();
        self.counts.clear();
        self.totals = Totals::default();
        if !self.conn.is_autocommit() && self.conn.execute_batch("ROLLBACK").is_err() {
            debug_assert!(
                self.conn.is_autocommit(),
                "a rollback that fails has been done by SQLite"
            );
        }
    }

    pub(crate) fn statement(&self, sql: &str) -> Result<CachedStatement<'_>> {
        Ok(self.conn.prepare_cached(sql)?)
    }

    pub(crate) fn execute(&self, sql: &str, params: impl Params) -> Result<usize> {
        Ok(self.statement(sql)?.execute(params)?)
    }

    /// Runs an INSERT and gives the row's id.
    pub(crate) fn insert(&self, sql: &str, params: impl Params) -> Result<i64> {
        Ok(self.statement(sql)?.insert(params)?)
    }
}
