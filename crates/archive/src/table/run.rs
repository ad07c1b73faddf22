//! `run` and `run_occurrence`: runs as folded, and where else the same run is held.

use std::ops::Range;

use rusqlite::{OptionalExtension, params};

use crate::value::stored;
use crate::{Batch, ConnectionId, ConversationId, Instant, Result, RunId, Sha256, SourceId};

statements! {
    INSERT = "INSERT INTO run (source_id, connection_id, conversation_id, number, thread_id, stated_id,
        stated_parent_id, parent_id, parent_means, protocol_version, variant_id, ending, ending_detail, started,
        question, compacted, hash, first_event, events, content_start, content_end, started_at, ended_at, time_from,
        usage, extra)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
        ?23, ?24, ?25, ?26)";
    UPDATE = "UPDATE run SET stated_parent_id = ?2, parent_id = ?3, parent_means = ?4, protocol_version = ?5,
        variant_id = ?6, ending = ?7, ending_detail = ?8, question = ?9, compacted = ?10, hash = ?11, events = ?12,
        content_end = ?13, started_at = ?14, ended_at = ?15, time_from = ?16, usage = ?17, extra = ?18 WHERE id = ?1";
    OF_NUMBER = "SELECT id FROM run WHERE conversation_id = ?1 AND number = ?2";
    OF_STATED_IDS = "SELECT id, conversation_id, source_id, hash FROM run
        WHERE thread_id IS ?1 AND stated_id IS ?2 ORDER BY id LIMIT ?3";
    OF_THREAD_AND_STATED_ID = "SELECT id FROM run WHERE thread_id IS ?1 AND stated_id = ?2 AND conversation_id = ?3
        ORDER BY id DESC LIMIT 1";
    THREAD_IN_OTHERS = "SELECT EXISTS (SELECT 1 FROM run WHERE thread_id = ?1 AND source_id <> ?2)";
    THREAD_IN_SOURCE = "SELECT conversation_id FROM run WHERE source_id = ?1 AND thread_id IS ?2
        ORDER BY id DESC LIMIT 1";
    /// From the thread to its runs to their occurrences: a source may repeat very many runs, a thread has few.
    THREAD_IN_OCCURRENCES = "SELECT r.conversation_id FROM run r CROSS JOIN run_occurrence o ON o.run_id = r.id
        WHERE r.thread_id IS ?2 AND o.source_id = ?1 ORDER BY o.id DESC LIMIT 1";
    INSERT_OCCURRENCE = "INSERT INTO run_occurrence (run_id, source_id, connection_id, first_event, events,
        content_start, content_end) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    CLEAR = "DELETE FROM run";
    CLEAR_OCCURRENCES = "DELETE FROM run_occurrence";
}

/// Most runs looked at for one pair of stated ids; constant ids such as `run_1` repeat.
pub const MAX_RUNS_OF_STATED_IDS: u32 = 1000;

/// A run to add, or what a run is now (facts/agui §3.6).
#[derive(Debug, Clone)]
pub struct NewRun<'a> {
    /// Source and connection it came in on.
    pub source: SourceId,
    /// See `source`.
    pub connection: ConnectionId,
    /// Conversation it belongs to.
    pub conversation: ConversationId,
    /// Its number within the conversation: the fold's `RunKey`.
    pub number: u64,
    /// `threadId`, `runId`, `parentRunId` as stated.
    pub thread_id: Option<&'a str>,
    /// See `thread_id`.
    pub stated_id: Option<&'a str>,
    /// See `thread_id`.
    pub stated_parent_id: Option<&'a str>,
    /// The parent's row, when held.
    pub parent: Option<RunId>,
    /// What the parent is to it: `called-by`, `continues`, `not-held`.
    pub parent_means: Option<&'a str>,
    /// Protocol version as stated.
    pub protocol_version: Option<&'a str>,
    /// An earlier run with the same stated ids and other events.
    pub variant_of: Option<RunId>,
    /// `finished`, `interrupted`, `cancelled`, `error`, `aborted`, `incomplete` or another outcome's name.
    pub ending: &'a str,
    /// Message and code of an error.
    pub ending_detail: Option<&'a str>,
    /// False for events that came without a RUN_STARTED.
    pub started: bool,
    /// Whether the user's words that it answers are held: `recorded`, `resumes`, `not-recorded`.
    pub question: &'a str,
    /// Whether its producer compacted it (facts/agui §3.5).
    pub compacted: bool,
    /// SHA-256 over its events' texts, joined by LF.
    pub hash: Sha256,
    /// Index of its first event in the source, and how many there are.
    pub first_event: u64,
    /// See `first_event`.
    pub events: u64,
    /// Bytes of the content from its first to its last frame; frames of other connections may lie between.
    pub at: Range<u64>,
    /// When it began and ended, as far as stated or seen.
    pub started_at: Option<Instant>,
    /// See `started_at`.
    pub ended_at: Option<Instant>,
    /// What those times are: `timestamp`, `arrival`, `connection`.
    pub time_from: Option<&'a str>,
    /// Token usage as JSON.
    pub usage: Option<&'a str>,
    /// Whatever else is to be shown (interrupts, result, names of events, sub-agents), as JSON.
    pub extra: Option<&'a str>,
}

/// A run found by its stated ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunMatch {
    /// Row id.
    pub id: RunId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// Source it first came from.
    pub source: SourceId,
    /// Its hash: equal hash = the same run.
    pub hash: Sha256,
}

/// Another place at which a held run was met again.
#[derive(Debug, Clone)]
pub struct NewOccurrence {
    /// The held run.
    pub run: RunId,
    /// Source and connection of the repetition.
    pub source: SourceId,
    /// See `source`.
    pub connection: ConnectionId,
    /// Index of its first event there, and how many.
    pub first_event: u64,
    /// See `first_event`.
    pub events: u64,
    /// Bytes of that source's content.
    pub at: Range<u64>,
}

impl Batch {
    /// Adds a run.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_run(&mut self, new: &NewRun<'_>) -> Result<RunId> {
        self.relieve()?;
        let row = params![
            new.source,
            new.connection,
            new.conversation,
            stored(new.number),
            new.thread_id,
            new.stated_id,
            new.stated_parent_id,
            new.parent,
            new.parent_means,
            new.protocol_version,
            new.variant_of,
            new.ending,
            new.ending_detail,
            new.started,
            new.question,
            new.compacted,
            new.hash,
            stored(new.first_event),
            stored(new.events),
            stored(new.at.start),
            stored(new.at.end),
            new.started_at,
            new.ended_at,
            new.time_from,
            new.usage,
            new.extra
        ];
        let id = RunId(self.insert(INSERT, row)?);
        self.counts(new.conversation).runs += 1;
        self.count_times(new);
        Ok(id)
    }

    /// Brings a run of this source up to date: ending, hash, events, times and what follows from them.
    ///
    /// # Errors
    /// Storage.
    pub fn update_run(&mut self, id: RunId, now: &NewRun<'_>) -> Result<()> {
        let row = params![
            id,
            now.stated_parent_id,
            now.parent,
            now.parent_means,
            now.protocol_version,
            now.variant_of,
            now.ending,
            now.ending_detail,
            now.question,
            now.compacted,
            now.hash,
            stored(now.events),
            stored(now.at.end),
            now.started_at,
            now.ended_at,
            now.time_from,
            now.usage,
            now.extra
        ];
        self.execute(UPDATE, row)?;
        self.count_times(now);
        Ok(())
    }

    /// The run with this number in its conversation.
    ///
    /// # Errors
    /// Storage.
    pub fn run_of_number(
        &self,
        conversation: ConversationId,
        number: u64,
    ) -> Result<Option<RunId>> {
        let key = params![conversation, stored(number)];
        Ok(self.statement(OF_NUMBER)?.query_row(key, |row| row.get(0)).optional()?)
    }

    /// Runs held under these stated ids, oldest first, bounded by [`MAX_RUNS_OF_STATED_IDS`].
    ///
    /// # Errors
    /// Storage.
    pub fn runs_of_stated_ids(
        &self,
        thread_id: Option<&str>,
        stated_id: Option<&str>,
    ) -> Result<Vec<RunMatch>> {
        let mut statement = self.statement(OF_STATED_IDS)?;
        let rows =
            statement.query_map(params![thread_id, stated_id, MAX_RUNS_OF_STATED_IDS], |row| {
                Ok(RunMatch {
                    id: row.get(0)?,
                    conversation: row.get(1)?,
                    source: row.get(2)?,
                    hash: row.get(3)?,
                })
            })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The latest run of a conversation with these stated ids.
    ///
    /// # Errors
    /// Storage.
    pub fn run_of_stated_id(
        &self,
        conversation: ConversationId,
        thread_id: Option<&str>,
        stated_id: &str,
    ) -> Result<Option<RunId>> {
        let key = params![thread_id, stated_id, conversation];
        let mut statement = self.statement(OF_THREAD_AND_STATED_ID)?;
        Ok(statement.query_row(key, |row| row.get(0)).optional()?)
    }

    /// Whether another source has runs under this thread id.
    ///
    /// # Errors
    /// Storage.
    pub fn is_thread_of_others(&self, thread_id: &str, source: SourceId) -> Result<bool> {
        Ok(self
            .statement(THREAD_IN_OTHERS)?
            .query_row(params![thread_id, source], |row| row.get(0))?)
    }

    /// The conversation that last got a run of this source under this thread id, so that a partial source can go on.
    ///
    /// # Errors
    /// Storage.
    pub fn conversation_of_thread_in(
        &self,
        source: SourceId,
        thread_id: Option<&str>,
    ) -> Result<Option<ConversationId>> {
        for sql in [THREAD_IN_SOURCE, THREAD_IN_OCCURRENCES] {
            let key = params![source, thread_id];
            let found = self.statement(sql)?.query_row(key, |row| row.get(0)).optional()?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Notes that a held run was met again.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_occurrence(&mut self, new: &NewOccurrence) -> Result<()> {
        let row = params![
            new.run,
            new.source,
            new.connection,
            stored(new.first_event),
            stored(new.events),
            stored(new.at.start),
            stored(new.at.end)
        ];
        self.execute(INSERT_OCCURRENCE, row).map(drop)
    }

    fn count_times(&mut self, run: &NewRun<'_>) {
        let (first, last) = (run.started_at.or(run.ended_at), run.ended_at.or(run.started_at));
        let counts = self.counts(run.conversation);
        counts.first_at = [counts.first_at, first].into_iter().flatten().min();
        counts.last_at = counts.last_at.max(last);
    }
}
