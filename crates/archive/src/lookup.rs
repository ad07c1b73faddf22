//! Small look-ups that the importer and the lists share.

use rusqlite::{OptionalExtension, params};

use crate::value::stored;
use crate::{Batch, Connection, ConversationId, Reader, Result, Run, SourceId};

statements! {
    TITLE = "SELECT title, title_from FROM conversation WHERE id = ?1";
    HAS_MESSAGE = "SELECT EXISTS (SELECT 1 FROM message WHERE conversation_id = ?1 AND stated_id = ?2)";
    THREAD_IN_RUNS = "SELECT conversation_id FROM run WHERE thread_id IS ?2 AND source_id = ?1 ORDER BY id DESC LIMIT 1";
    THREAD_IN_OCCURRENCES = "SELECT r.conversation_id FROM run_occurrence o JOIN run r ON r.id = o.run_id
        WHERE o.source_id = ?1 AND r.thread_id IS ?2 ORDER BY o.id DESC LIMIT 1";
    OF_SOURCE = "SELECT id FROM conversation WHERE source_id = ?1
        UNION SELECT conversation_id FROM run WHERE source_id = ?1
        UNION SELECT r.conversation_id FROM run_occurrence o JOIN run r ON r.id = o.run_id WHERE o.source_id = ?1
        ORDER BY 1 LIMIT ?2";
    CONNECTIONS = "SELECT id FROM connection WHERE source_id = ?1 ORDER BY number LIMIT ?2";
}

impl Batch {
    /// Title of a conversation, and what it was taken from.
    ///
    /// # Errors
    /// Storage; not found.
    pub fn title(&self, id: ConversationId) -> Result<(String, String)> {
        Ok(self.statement(TITLE)?.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    /// Whether a conversation holds a message with this stated id.
    ///
    /// # Errors
    /// Storage.
    pub fn has_message(&self, conversation: ConversationId, stated_id: &str) -> Result<bool> {
        Ok(self.statement(HAS_MESSAGE)?.query_row(params![conversation, stated_id], |row| row.get(0))?)
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
        for statement in [THREAD_IN_RUNS, THREAD_IN_OCCURRENCES] {
            let found = self
                .statement(statement)?
                .query_row(params![source, thread_id], |row| row.get(0))
                .optional()?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

impl Reader {
    /// Runs of a conversation from a number on, in order; at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn runs_from(&self, conversation: ConversationId, first: u64, limit: u32) -> Result<Vec<Run>> {
        let after = stored(first).saturating_sub(1);
        self.rows(crate::read::runs::PAGE, params![conversation, after, limit], Run::from_row)
    }

    /// Conversations that a source has a part in; at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn conversations_of_source(&self, source: SourceId, limit: u32) -> Result<Vec<ConversationId>> {
        self.rows(OF_SOURCE, params![source, limit], |row| row.get(0))
    }

    /// Connections of a source in order; at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn connections_of_source(&self, source: SourceId, limit: u32) -> Result<Vec<Connection>> {
        let ids = self.rows(CONNECTIONS, params![source, limit], |row| row.get(0))?;
        let connections = ids.into_iter().map(|id| self.connection(id));
        connections.filter_map(Result::transpose).collect()
    }
}
