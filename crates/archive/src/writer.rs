//! The one writer of an archive.

use rusqlite::{Connection, OptionalExtension, params};

use crate::lock::Lock;
use crate::table::{note, setting, source};
use crate::{
    Batch, Error, Feeds, Instant, Intake, NewSource, NoteId, NoteKind, Rebuild, Result, Sha256,
    Source, SourceId, SourceState, Subject, TakenOut,
};

/// The connection that writes. Other processes are told who holds it until it is dropped.
pub struct Writer {
    batch: Batch,
    _lock: Lock,
}

impl Writer {
    pub(crate) fn new(conn: Connection, lock: Lock) -> Self {
        Self { batch: Batch::new(conn), _lock: lock }
    }

    /// The source whose bytes as given have this hash: whole, or partial and to be resumed.
    ///
    /// # Errors
    /// Storage.
    pub fn find_source(&self, sha256: Sha256) -> Result<Option<Source>> {
        Ok(self.batch.statement(source::FIND)?.query_row([sha256], Source::from_row).optional()?)
    }

    /// Sources of which only some batches are held, oldest first; at most 200.
    ///
    /// # Errors
    /// Storage.
    pub fn partial_sources(&self) -> Result<Vec<Source>> {
        let mut statement = self.batch.statement(source::PARTIAL)?;
        let rows = statement.query_map([], Source::from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Begins to take a source in.
    ///
    /// # Errors
    /// Bad input, when bytes with this hash are held already; storage; disk full.
    pub fn begin_source(&mut self, new: &NewSource<'_>) -> Result<(Intake<'_>, Feeds)> {
        Intake::begin(&mut self.batch, new)
    }

    /// Goes on with a partial source. The caller feeds the content from byte `content_from` (at most
    /// [`Source::content_size`]) and the carrier from byte `carrier_from`; what is held already is skipped.
    ///
    /// # Errors
    /// Not found; bad input, when it is complete; damaged, when the bytes held have another hash; storage.
    pub fn resume_source(
        &mut self,
        id: SourceId,
        content_from: u64,
        carrier_from: u64,
    ) -> Result<(Intake<'_>, Feeds)> {
        let held = self.batch.source(id)?.ok_or_else(|| Error::NotFound(format!("source {id}")))?;
        if held.state == SourceState::Complete {
            return Err(Error::BadInput(format!("source {id} is complete")));
        }
        Intake::resume(&mut self.batch, &held, content_from, carrier_from)
    }

    /// Takes a partial source out again. Complete sources stay: an archive only adds.
    ///
    /// # Errors
    /// Not found; bad input, when it is complete; storage; disk full.
    pub fn take_out(&mut self, id: SourceId) -> Result<TakenOut<'_>> {
        TakenOut::begin(&mut self.batch, id)
    }

    /// Empties every derived table and lets the caller derive all sources again, in one transaction.
    ///
    /// # Errors
    /// Storage; disk full.
    pub fn begin_rebuild(&mut self) -> Result<Rebuild<'_>> {
        Rebuild::begin(&mut self.batch)
    }

    /// Lets the caller derive some sources again ([`Rebuild::forget`]), in one transaction.
    ///
    /// # Errors
    /// Storage; disk full.
    pub fn begin_again(&mut self) -> Result<Rebuild<'_>> {
        Rebuild::begin_partly(&mut self.batch)
    }

    /// A setting's value.
    ///
    /// # Errors
    /// Storage.
    pub fn setting(&self, key: &str) -> Result<Option<String>> {
        self.batch.setting(key)
    }

    /// Keeps a setting; `None` removes it.
    ///
    /// # Errors
    /// Storage; disk full.
    pub fn set_setting(&mut self, key: &str, value: Option<&str>) -> Result<()> {
        match value {
            Some(value) => self.batch.execute(setting::SET, [key, value]),
            None => self.batch.execute(setting::REMOVE, [key]),
        }
        .map(drop)
    }

    /// Adds a note of the user. `key` names the subject by nature (see [`Subject`]).
    ///
    /// # Errors
    /// Storage; disk full.
    pub fn add_note(
        &mut self,
        subject: Subject,
        key: &str,
        kind: NoteKind,
        text: &str,
        now: Instant,
    ) -> Result<NoteId> {
        Ok(NoteId(self.batch.insert(note::INSERT, params![subject, key, kind, text, now])?))
    }
}
