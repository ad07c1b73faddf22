//! Runs of a conversation, and the connections they came on.

use std::ops::Range;

use rusqlite::{Row, params};

use crate::page::bounded;
use crate::value::{range, stored, unsigned};
use crate::{
    ConnectionId, ConversationId, Cursor, Instant, Page, Reader, Result, RunId, Service, Sha256,
    SourceId,
};

statements! {
    PAGE = "SELECT id, source_id, connection_id, conversation_id, number, thread_id, stated_id, stated_parent_id,
        parent_id, parent_means, protocol_version, variant_id, ending, ending_detail, started, question, compacted,
        hash, first_event, events, content_start, content_end, started_at, ended_at, time_from, usage, extra
        FROM run WHERE conversation_id = ?1 AND number > ?2 ORDER BY number LIMIT ?3";
    BY_ID = "SELECT id, source_id, connection_id, conversation_id, number, thread_id, stated_id, stated_parent_id,
        parent_id, parent_means, protocol_version, variant_id, ending, ending_detail, started, question, compacted,
        hash, first_event, events, content_start, content_end, started_at, ended_at, time_from, usage, extra
        FROM run WHERE id = ?1";
    OCCURRENCES = "SELECT source_id, connection_id, first_event, events, content_start, content_end
        FROM run_occurrence WHERE run_id = ?1 ORDER BY id LIMIT ?2";
    CONNECTION = "SELECT c.id, c.source_id, c.number, c.name, c.url, c.method, c.status, c.transport, c.started,
        c.redacted, c.citations_unknown, s.id, s.key, s.name
        FROM connection c LEFT JOIN service s ON s.id = c.service_id WHERE c.id = ?1";
    CONNECTIONS = "SELECT id FROM connection WHERE source_id = ?1 ORDER BY number LIMIT ?2";
    EVENTS = "SELECT coalesce(sum(events), 0) FROM run WHERE conversation_id = ?1";
}

const LIST: &str = "runs";

/// A run as held; fields as in [`crate::NewRun`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // Said once, at NewRun.
pub struct Run {
    pub id: RunId,
    pub source: SourceId,
    pub connection: ConnectionId,
    pub conversation: ConversationId,
    pub number: u64,
    pub thread_id: Option<String>,
    pub stated_id: Option<String>,
    pub stated_parent_id: Option<String>,
    pub parent: Option<RunId>,
    pub parent_means: Option<String>,
    pub protocol_version: Option<String>,
    pub variant_of: Option<RunId>,
    pub ending: String,
    pub ending_detail: Option<String>,
    pub started: bool,
    pub question: String,
    pub compacted: bool,
    pub hash: Sha256,
    pub first_event: u64,
    pub events: u64,
    pub at: Range<u64>,
    pub started_at: Option<Instant>,
    pub ended_at: Option<Instant>,
    pub time_from: Option<String>,
    pub usage: Option<String>,
    pub extra: Option<String>,
}

/// Another place at which a run is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// Source and connection.
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

/// A connection as held; fields as in [`crate::NewConnection`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // Said once, at NewConnection.
pub struct Connection {
    pub id: ConnectionId,
    pub source: SourceId,
    pub number: u32,
    pub service: Option<Service>,
    pub name: Option<String>,
    pub url: Option<String>,
    pub method: Option<String>,
    pub status: Option<u16>,
    pub transport: Option<String>,
    pub started: Option<String>,
    pub redacted: Option<String>,
    pub citations_unknown: bool,
}

impl Run {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            source: row.get(1)?,
            connection: row.get(2)?,
            conversation: row.get(3)?,
            number: unsigned(row.get(4)?),
            thread_id: row.get(5)?,
            stated_id: row.get(6)?,
            stated_parent_id: row.get(7)?,
            parent: row.get(8)?,
            parent_means: row.get(9)?,
            protocol_version: row.get(10)?,
            variant_of: row.get(11)?,
            ending: row.get(12)?,
            ending_detail: row.get(13)?,
            started: row.get(14)?,
            question: row.get(15)?,
            compacted: row.get(16)?,
            hash: row.get(17)?,
            first_event: unsigned(row.get(18)?),
            events: unsigned(row.get(19)?),
            at: range(row.get(20)?, row.get(21)?),
            started_at: row.get(22)?,
            ended_at: row.get(23)?,
            time_from: row.get(24)?,
            usage: row.get(25)?,
            extra: row.get(26)?,
        })
    }
}

impl Reader {
    /// Runs of a conversation in order.
    ///
    /// # Errors
    /// Bad input, when the cursor is of another list; storage; damaged.
    pub fn runs(
        &self,
        conversation: ConversationId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Run>> {
        let limit = bounded(limit);
        let [after, _] = after.map(|cursor| cursor.key(LIST)).transpose()?.unwrap_or([-1, 0]);
        let rows = self.rows(PAGE, params![conversation, after, limit + 1], Run::from_row)?;
        Ok(Page::cut(rows, limit, |run| Cursor::of(LIST, [stored(run.number), 0])))
    }

    /// Runs of a conversation from a number on, in order; at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn runs_from(
        &self,
        conversation: ConversationId,
        first: u64,
        limit: u32,
    ) -> Result<Vec<Run>> {
        let after = stored(first).saturating_sub(1);
        self.rows(PAGE, params![conversation, after, bounded(limit)], Run::from_row)
    }

    /// One run.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn run(&self, id: RunId) -> Result<Option<Run>> {
        self.row(BY_ID, [id], Run::from_row)
    }

    /// Events in all runs of a conversation.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn events_of_conversation(&self, conversation: ConversationId) -> Result<u64> {
        Ok(unsigned(self.row(EVENTS, [conversation], |row| row.get(0))?.unwrap_or(0)))
    }

    /// Where else a run is held; at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn occurrences(&self, run: RunId, limit: u32) -> Result<Vec<Occurrence>> {
        self.rows(OCCURRENCES, params![run, bounded(limit)], |row| {
            Ok(Occurrence {
                source: row.get(0)?,
                connection: row.get(1)?,
                first_event: unsigned(row.get(2)?),
                events: unsigned(row.get(3)?),
                at: range(row.get(4)?, row.get(5)?),
            })
        })
    }

    /// Connections of a source in order; at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn connections_of_source(&self, source: SourceId, limit: u32) -> Result<Vec<Connection>> {
        let ids = self.rows(CONNECTIONS, params![source, bounded(limit)], |row| row.get(0))?;
        ids.into_iter().filter_map(|id| self.connection(id).transpose()).collect()
    }

    /// One connection.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn connection(&self, id: ConnectionId) -> Result<Option<Connection>> {
        self.row(CONNECTION, [id], |row| {
            let service = match row.get(11)? {
                Some(id) => Some(Service { id, key: row.get(12)?, name: row.get(13)? }),
                None => None,
            };
            Ok(Connection {
                id: row.get(0)?,
                source: row.get(1)?,
                number: row.get(2)?,
                service,
                name: row.get(3)?,
                url: row.get(4)?,
                method: row.get(5)?,
                status: row.get(6)?,
                transport: row.get(7)?,
                started: row.get(8)?,
                redacted: row.get(9)?,
                citations_unknown: row.get(10)?,
            })
        })
    }
}
