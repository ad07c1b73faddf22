//! `conversation` and `thread_state`: a thread of one service as folded from all its runs.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension, params};

use crate::{Batch, ConversationId, Error, Instant, Result, ServiceId, SourceId};

statements! {
    INSERT = "INSERT INTO conversation (source_id, service_id, thread_id, title, title_from, newest_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    SET_TITLE = "UPDATE conversation SET title = ?2, title_from = ?3 WHERE id = ?1";
    TITLE = "SELECT title, title_from FROM conversation WHERE id = ?1";
    SET_SERVICE = "UPDATE conversation SET service_id = ?2 WHERE id = ?1";
    ADD_COUNTS = "UPDATE conversation SET runs = runs + ?2, messages = messages + ?3, answers = answers + ?4,
        citation_events = citation_events + ?5, citations = citations + ?6, findings = findings + ?7,
        first_at = min(coalesce(first_at, ?8), coalesce(?8, first_at)),
        last_at = max(coalesce(last_at, ?9), coalesce(?9, last_at)),
        newest_at = coalesce(max(coalesce(last_at, ?9), coalesce(?9, last_at)), newest_at)
        WHERE id = ?1";
    OF_THREAD = "SELECT id, service_id FROM conversation WHERE thread_id = ?1 ORDER BY id LIMIT ?2";
    STATE = "SELECT state, fold FROM thread_state WHERE conversation_id = ?1";
    SET_STATE = "INSERT INTO thread_state (conversation_id, state) VALUES (?1, ?2)
        ON CONFLICT (conversation_id) DO UPDATE SET state = excluded.state";
    SET_FOLD = "INSERT INTO thread_state (conversation_id, fold) VALUES (?1, ?2)
        ON CONFLICT (conversation_id) DO UPDATE SET fold = excluded.fold";
    CLEAR = "DELETE FROM conversation";
    CLEAR_STATE = "DELETE FROM thread_state";
}

/// Most conversations looked at for one thread id; constant ids such as `default` repeat.
pub const MAX_CONVERSATIONS_OF_THREAD: u32 = 200;

/// A conversation to add.
#[derive(Debug, Clone)]
pub struct NewConversation<'a> {
    /// Source it was first seen in.
    pub source: SourceId,
    /// Its service, when known.
    pub service: Option<ServiceId>,
    /// `threadId` as stated.
    pub thread_id: Option<&'a str>,
    /// Title, and what it was taken from (`user`, `service`, `none`).
    pub title: &'a str,
    /// See `title`.
    pub title_from: &'a str,
    /// Place in the list as long as no run states a time: when the source was imported.
    pub newest_at: Instant,
}

/// The last shared state of a thread, and what the fold needs to go on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThreadState {
    /// Last state as JSON text.
    pub state: Option<String>,
    /// The fold's memory (`agui::fold::Context` as JSON), opaque here.
    pub fold: Option<String>,
}

/// What a batch adds to a conversation's counters; kept by the batch, written at its end.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) runs: i64,
    pub(crate) messages: i64,
    pub(crate) answers: i64,
    pub(crate) citation_events: i64,
    pub(crate) citations: i64,
    pub(crate) findings: i64,
    pub(crate) first_at: Option<Instant>,
    pub(crate) last_at: Option<Instant>,
}

/// [`Counts`] of every conversation touched by a batch.
pub(crate) type CountsByConversation = BTreeMap<ConversationId, Counts>;

impl Batch {
    /// Adds a conversation.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_conversation(&mut self, new: &NewConversation<'_>) -> Result<ConversationId> {
        let row = params![
            new.source,
            new.service,
            new.thread_id,
            new.title,
            new.title_from,
            new.newest_at
        ];
        let id = ConversationId(self.insert(INSERT, row)?);
        self.totals.conversations += 1;
        Ok(id)
    }

    /// Conversations with this `threadId`, oldest first, with their services; bounded by
    /// [`MAX_CONVERSATIONS_OF_THREAD`].
    ///
    /// # Errors
    /// Storage.
    pub fn conversations_of_thread(
        &self,
        thread_id: &str,
    ) -> Result<Vec<(ConversationId, Option<ServiceId>)>> {
        let mut statement = self.statement(OF_THREAD)?;
        let rows = statement.query_map(params![thread_id, MAX_CONVERSATIONS_OF_THREAD], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Sets the title and what it was taken from.
    ///
    /// # Errors
    /// Storage.
    pub fn set_title(&mut self, id: ConversationId, title: &str, from: &str) -> Result<()> {
        self.execute(SET_TITLE, params![id, title, from]).map(drop)
    }

    /// Title, and what it was taken from.
    ///
    /// # Errors
    /// Storage; not found.
    pub fn title(&self, id: ConversationId) -> Result<(String, String)> {
        self.statement(TITLE)?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?
            .ok_or_else(|| Error::NotFound(format!("conversation {id}")))
    }

    /// Sets the service.
    ///
    /// # Errors
    /// Storage.
    pub fn set_service(&mut self, id: ConversationId, service: ServiceId) -> Result<()> {
        self.execute(SET_SERVICE, params![id, service]).map(drop)
    }

    /// The last state, to go on folding.
    ///
    /// # Errors
    /// Storage.
    pub fn thread_state(&self, id: ConversationId) -> Result<ThreadState> {
        let held = self
            .statement(STATE)?
            .query_row([id], |row| Ok(ThreadState { state: row.get(0)?, fold: row.get(1)? }))
            .optional()?;
        Ok(held.unwrap_or_default())
    }

    /// Keeps the last state.
    ///
    /// # Errors
    /// Storage.
    pub fn set_state(&mut self, id: ConversationId, state: &str) -> Result<()> {
        self.execute(SET_STATE, params![id, state]).map(drop)
    }

    /// Keeps the fold's memory.
    ///
    /// # Errors
    /// Storage.
    pub fn set_fold(&mut self, id: ConversationId, fold: &str) -> Result<()> {
        self.execute(SET_FOLD, params![id, fold]).map(drop)
    }

    pub(crate) fn counts(&mut self, id: ConversationId) -> &mut Counts {
        self.counts.entry(id).or_default()
    }

    /// Writes what the batch added to the counters of its conversations and of the archive.
    pub(crate) fn write_counts(&mut self) -> Result<()> {
        let all = std::mem::take(&mut self.counts);
        self.write_totals(all.values())?;
        for (id, counts) in all {
            let row = params![
                id,
                counts.runs,
                counts.messages,
                counts.answers,
                counts.citation_events,
                counts.citations,
                counts.findings,
                counts.first_at,
                counts.last_at
            ];
            self.execute(ADD_COUNTS, row)?;
        }
        Ok(())
    }
}
