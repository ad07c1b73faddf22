//! `source`: one file or capture as given.

use rusqlite::{OptionalExtension, Row, params};

use crate::value::{stored, unsigned};
use crate::{Batch, Carrier, Instant, Kept, Result, Sha256, SourceId, SourceState};

statements! {
    INSERT = "INSERT INTO source (sha256, size, name, format, carrier, kept, via, received_at, imported_at, left_out,
        state, content_sha256, content_size, carrier_size, derived_version)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'partial', ?11, 0, 0, ?12)";
    SET_PROGRESS = "UPDATE source SET content_sha256 = ?2, content_size = ?3, carrier_size = ?4, resume = ?5
        WHERE id = ?1";
    COMPLETE = "UPDATE source SET state = 'complete', content_sha256 = ?2, content_size = ?3, carrier_size = ?4,
        resume = NULL, left_out = coalesce(?5, left_out) WHERE id = ?1";
    SET_COUNTS = "UPDATE source SET derived_version = ?2, events = ?3,
        runs = (SELECT count(*) FROM run WHERE source_id = ?1 AND started = 1)
            + (SELECT count(*) FROM run_occurrence o JOIN run r ON r.id = o.run_id
               WHERE o.source_id = ?1 AND r.started = 1),
        conversations = (SELECT count(*) FROM (
            SELECT conversation_id FROM run WHERE source_id = ?1
            UNION SELECT conversation_id FROM message WHERE source_id = ?1
            UNION SELECT r.conversation_id FROM run_occurrence o JOIN run r ON r.id = o.run_id
                WHERE o.source_id = ?1)),
        messages = (SELECT count(*) FROM message WHERE source_id = ?1),
        citation_events = (SELECT count(*) FROM citation_event WHERE source_id = ?1),
        citations = (SELECT coalesce(sum(citations), 0) FROM citation_event WHERE source_id = ?1),
        findings = (SELECT count(*) FROM finding WHERE source_id = ?1)
        WHERE id = ?1";
    FIND = "SELECT id, sha256, size, name, format, carrier, kept, via, received_at, imported_at, left_out, state,
        content_sha256, content_size, carrier_size, resume, derived_version, events, runs, conversations, messages,
        citation_events, citations, findings FROM source WHERE sha256 = ?1";
    BY_ID = "SELECT id, sha256, size, name, format, carrier, kept, via, received_at, imported_at, left_out, state,
        content_sha256, content_size, carrier_size, resume, derived_version, events, runs, conversations, messages,
        citation_events, citations, findings FROM source WHERE id = ?1";
    PARTIAL = "SELECT id, sha256, size, name, format, carrier, kept, via, received_at, imported_at, left_out, state,
        content_sha256, content_size, carrier_size, resume, derived_version, events, runs, conversations, messages,
        citation_events, citations, findings FROM source WHERE state = 'partial' ORDER BY id LIMIT 200";
    PAGE_FROM = "SELECT id, sha256, size, name, format, carrier, kept, via, received_at, imported_at, left_out, state,
        content_sha256, content_size, carrier_size, resume, derived_version, events, runs, conversations, messages,
        citation_events, citations, findings FROM source WHERE id > ?1 ORDER BY id LIMIT ?2";
    /// Sources are counted in thousands at most; each is one file the user imported.
    RESET_DERIVED = "UPDATE source SET derived_version = 0, events = 0, runs = 0, conversations = 0, messages = 0,
        citation_events = 0, citations = 0, findings = 0";
    DELETE = "DELETE FROM source WHERE id = ?1";
}

/// A source to take in.
#[derive(Debug, Clone)]
pub struct NewSource<'a> {
    /// SHA-256 of the bytes as given: the importer hashes the file first, which also tells whether it is held.
    pub sha256: Sha256,
    /// Size of the bytes as given.
    pub size: u64,
    /// File name or a name for people; no folder.
    pub name: &'a str,
    /// Container format.
    pub format: &'a str,
    /// How it is wrapped.
    pub carrier: Carrier,
    /// Whole, or without what must not enter.
    pub kept: Kept,
    /// How it came: `file`, `folder`, `drop`, `paste`, `sample`, `recording`.
    pub via: &'a str,
    /// When the bytes were received by whoever recorded them, when known.
    pub received_at: Option<Instant>,
    /// Now.
    pub imported_at: Instant,
    /// What was left out, as JSON.
    pub left_out: Option<&'a str>,
    /// Version of the deriving code.
    pub derived_version: u32,
}

/// A source as held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Row id.
    pub id: SourceId,
    /// SHA-256 and size of the bytes as given.
    pub sha256: Sha256,
    /// See `sha256`.
    pub size: u64,
    /// Name.
    pub name: String,
    /// Container format.
    pub format: String,
    /// How it was wrapped.
    pub carrier: Carrier,
    /// Whole or reduced.
    pub kept: Kept,
    /// How it came.
    pub via: String,
    /// When received, when known.
    pub received_at: Option<Instant>,
    /// When imported.
    pub imported_at: Instant,
    /// What was left out, as JSON.
    pub left_out: Option<String>,
    /// Whole, or in part so far.
    pub state: SourceState,
    /// SHA-256 and size of the content held: of the whole, or of what is committed.
    pub content_sha256: Sha256,
    /// See `content_sha256`.
    pub content_size: u64,
    /// Bytes of the carrier stream held.
    pub carrier_size: u64,
    /// The importer's note to itself, for a partial source.
    pub resume: Option<String>,
    /// Version of the code that derived its rows; 0 = not derived.
    pub derived_version: u32,
    /// What was derived from it.
    pub counts: SourceCounts,
}

/// What was derived from one source. Runs and conversations count those in it, whether or not they were new;
/// the others what was first met in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SourceCounts {
    /// Events, as the importer counted them.
    pub events: u64,
    /// Runs in it that a RUN_STARTED begins.
    pub runs: u64,
    /// Conversations it has a part in.
    pub conversations: u64,
    /// Messages added.
    pub messages: u64,
    /// Citation events added.
    pub citation_events: u64,
    /// Citations added.
    pub citations: u64,
    /// Findings.
    pub findings: u64,
}

impl Source {
    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            sha256: row.get(1)?,
            size: unsigned(row.get(2)?),
            name: row.get(3)?,
            format: row.get(4)?,
            carrier: row.get(5)?,
            kept: row.get(6)?,
            via: row.get(7)?,
            received_at: row.get(8)?,
            imported_at: row.get(9)?,
            left_out: row.get(10)?,
            state: row.get(11)?,
            content_sha256: row.get(12)?,
            content_size: unsigned(row.get(13)?),
            carrier_size: unsigned(row.get(14)?),
            resume: row.get(15)?,
            derived_version: row.get(16)?,
            counts: SourceCounts {
                events: unsigned(row.get(17)?),
                runs: unsigned(row.get(18)?),
                conversations: unsigned(row.get(19)?),
                messages: unsigned(row.get(20)?),
                citation_events: unsigned(row.get(21)?),
                citations: unsigned(row.get(22)?),
                findings: unsigned(row.get(23)?),
            },
        })
    }
}

impl Batch {
    pub(crate) fn insert_source(&self, new: &NewSource<'_>) -> Result<SourceId> {
        let row = params![
            new.sha256,
            stored(new.size),
            new.name,
            new.format,
            new.carrier,
            new.kept,
            new.via,
            new.received_at,
            new.imported_at,
            new.left_out,
            Sha256::of(b""),
            new.derived_version
        ];
        Ok(SourceId(self.insert(INSERT, row)?))
    }

    pub(crate) fn source(&self, id: SourceId) -> Result<Option<Source>> {
        Ok(self.statement(BY_ID)?.query_row([id], Source::from_row).optional()?)
    }

    /// Writes what was derived from a source, counted from the rows; `events` is the importer's count.
    ///
    /// # Errors
    /// Storage.
    pub fn set_source_counts(
        &mut self,
        id: SourceId,
        derived_version: u32,
        events: u64,
    ) -> Result<()> {
        self.execute(SET_COUNTS, params![id, derived_version, stored(events)]).map(drop)
    }
}
