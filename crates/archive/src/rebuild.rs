//! Derives every row again from the stored bytes.

use std::ops::{Deref, DerefMut};

use crate::table::{
    citation, citation_event, connection, conversation, finding, foreign_source, message, record,
    run, service, source, tool_call, total,
};
use crate::{Batch, Result, search};

/// Every derived table, in the order in which rows may go.
pub(crate) const CLEAR_ALL: &[&str] = &[
    search::CLEAR_MESSAGES,
    search::CLEAR_RECORDS,
    foreign_source::CLEAR,
    finding::CLEAR,
    total::CLEAR,
    total::CLEAR_FINDINGS,
    citation::CLEAR,
    citation_event::CLEAR,
    record::CLEAR_RELATIONS,
    record::CLEAR_REVIEWS,
    record::CLEAR_SIGNERS,
    record::CLEAR,
    record::CLEAR_NODES,
    record::CLEAR_PACKAGES,
    tool_call::CLEAR_SEGMENTS,
    tool_call::CLEAR,
    message::CLEAR_EDITS,
    message::CLEAR_ALIASES,
    message::CLEAR,
    run::CLEAR_OCCURRENCES,
    run::CLEAR,
    conversation::CLEAR_STATE,
    conversation::CLEAR,
    connection::CLEAR,
    service::CLEAR,
    source::RESET_DERIVED,
];

/// A rebuild under way: all derived tables are empty, sources, segments, notes and settings are untouched.
/// Rows go in through the methods of [`Batch`]. One transaction: dropped without [`Rebuild::finish`], or killed,
/// the archive is as before.
pub struct Rebuild<'w> {
    batch: &'w mut Batch,
}

impl<'w> Rebuild<'w> {
    pub(crate) fn begin(batch: &'w mut Batch) -> Result<Self> {
        let rebuild = Self::begin_partly(batch)?;
        for statement in CLEAR_ALL {
            rebuild.execute(statement, [])?;
        }
        Ok(rebuild)
    }

    pub(crate) fn of(batch: &'w mut Batch) -> Self {
        Self { batch }
    }

    /// Makes the new rows the archive's.
    ///
    /// # Errors
    /// Storage; disk full: then the archive is as before.
    pub fn finish(self) -> Result<()> {
        self.batch.commit()
    }
}

impl Drop for Rebuild<'_> {
    fn drop(&mut self) {
        self.batch.roll_back();
    }
}

impl Deref for Rebuild<'_> {
    type Target = Batch;

    fn deref(&self) -> &Batch {
        self.batch
    }
}

impl DerefMut for Rebuild<'_> {
    fn deref_mut(&mut self) -> &mut Batch {
        self.batch
    }
}
