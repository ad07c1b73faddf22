//! The list of conversations, and single ones.

use rusqlite::Row;

use super::filter::{self, ConversationFilter, Dated, TEXT_WINDOW, match_expression};
use crate::page::bounded;
use crate::value::unsigned;
use crate::{
    ConversationId, Cursor, Instant, Page, Reader, Result, Service, ServiceId, Source, SourceId,
};

/// Columns of a conversation with its service.
pub(crate) const COLUMNS: &str = "SELECT c.id, c.source_id, c.thread_id, c.title, c.title_from, c.runs, c.messages,
    c.answers, c.citation_events, c.citations, c.findings, c.first_at, c.last_at, c.newest_at, s.id, s.key, s.name
    FROM conversation c LEFT JOIN service s ON s.id = c.service_id";

statements! {
    BY_ID = "SELECT c.id, c.source_id, c.thread_id, c.title, c.title_from, c.runs, c.messages,
        c.answers, c.citation_events, c.citations, c.findings, c.first_at, c.last_at, c.newest_at, s.id, s.key, s.name
        FROM conversation c LEFT JOIN service s ON s.id = c.service_id WHERE c.id = ?1";
    MATCHES = "SELECT count(*) FROM (SELECT 1 FROM message_fts WHERE message_fts MATCH ?1 LIMIT ?2)";
    OF_SOURCE = "SELECT id FROM conversation WHERE source_id = ?1
        UNION SELECT conversation_id FROM run WHERE source_id = ?1
        UNION SELECT r.conversation_id FROM run_occurrence o JOIN run r ON r.id = o.run_id WHERE o.source_id = ?1
        ORDER BY 1 LIMIT ?2";
    SOURCES = "SELECT id, sha256, size, name, format, carrier, kept, via, received_at, imported_at, left_out, state,
        content_sha256, content_size, carrier_size, resume, derived_version, events, runs, conversations, messages,
        citation_events, citations, findings FROM source WHERE id IN (
            SELECT source_id FROM conversation WHERE id = ?1
            UNION SELECT source_id FROM run WHERE conversation_id = ?1
            UNION SELECT o.source_id FROM run r JOIN run_occurrence o ON o.run_id = r.id WHERE r.conversation_id = ?1)
        ORDER BY id LIMIT ?2";
}

/// Conversations of which a recording states a time, newest first, and after them those of which none does, by their import.
const LIST: &str = "conversations";
const UNDATED_LIST: &str = "conversations-undated";

/// A conversation as listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Row id.
    pub id: ConversationId,
    /// Source it was first seen in.
    pub source: SourceId,
    /// Its service, when known.
    pub service: Option<Service>,
    /// `threadId` as stated.
    pub thread_id: Option<String>,
    /// Title, and what it was taken from.
    pub title: String,
    /// See `title`.
    pub title_from: String,
    /// How much it holds.
    pub runs: u64,
    /// See `runs`.
    pub messages: u64,
    /// Assistant messages with words in them.
    pub answers: u64,
    /// See `runs`.
    pub citation_events: u64,
    /// See `runs`.
    pub citations: u64,
    /// See `runs`.
    pub findings: u64,
    /// First and last stated time; none when no run states one.
    pub first_at: Option<Instant>,
    /// See `first_at`.
    pub last_at: Option<Instant>,
    /// Place in the list: `last_at`, or when it was imported.
    pub newest_at: Instant,
}

/// A page of conversations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationPage {
    /// The conversations, newest first.
    pub page: Page<Conversation>,
    /// True when the text occurs more often than [`TEXT_WINDOW`] and only its newest places were looked at.
    pub window_cut: bool,
}

impl Conversation {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let service: Option<ServiceId> = row.get(14)?;
        Ok(Self {
            id: row.get(0)?,
            source: row.get(1)?,
            thread_id: row.get(2)?,
            title: row.get(3)?,
            title_from: row.get(4)?,
            runs: unsigned(row.get(5)?),
            messages: unsigned(row.get(6)?),
            answers: unsigned(row.get(7)?),
            citation_events: unsigned(row.get(8)?),
            citations: unsigned(row.get(9)?),
            findings: unsigned(row.get(10)?),
            first_at: row.get(11)?,
            last_at: row.get(12)?,
            newest_at: row.get(13)?,
            service: match service {
                Some(id) => Some(Service { id, key: row.get(15)?, name: row.get(16)? }),
                None => None,
            },
        })
    }
}

impl Reader {
    /// Conversations, newest first; those of which no time is stated come last, the one imported last first. A time of
    /// import is no time of the conversation, so they are in no range of times either.
    ///
    /// # Errors
    /// Bad input, when the cursor is of another list; storage; damaged; cancelled.
    pub fn conversations(
        &self,
        filter: &ConversationFilter,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<ConversationPage> {
        let limit = bounded(limit);
        let (undated, after) = match after.map(|cursor| cursor.key(UNDATED_LIST)) {
            Some(Ok(key)) => (Some(key), None),
            _ => (None, after),
        };
        let first = [filter.until.map_or(i64::MAX, |until| until.0), i64::MAX];
        // Nothing at the instant itself: it is the first one that is out.
        let first = if filter.until.is_some() { [first[0], i64::MIN] } else { first };
        let before = after.map(|cursor| cursor.key(LIST)).transpose()?.unwrap_or(first);
        let wanted = limit + 1;
        let mut rows = match undated {
            None => self.listed(filter, Dated::Yes, before, wanted)?,
            Some(_) => Vec::new(),
        };
        let held = u32::try_from(rows.len()).unwrap_or(wanted);
        if held < wanted && filter.since.is_none() && filter.until.is_none() {
            let before = undated.unwrap_or([i64::MAX; 2]);
            rows.extend(self.listed(filter, Dated::No, before, wanted - held)?);
        }
        let page = Page::cut(rows, limit, |row| {
            let list = if row.last_at.is_some() { LIST } else { UNDATED_LIST };
            Cursor::of(list, [row.newest_at.0, row.id.0])
        });
        Ok(ConversationPage { page, window_cut: self.window_cut(filter)? })
    }

    fn listed(
        &self,
        filter: &ConversationFilter,
        dated: Dated,
        before: [i64; 2],
        rows: u32,
    ) -> Result<Vec<Conversation>> {
        let query = filter::query(COLUMNS, filter, dated, before, rows);
        let values: Vec<_> =
            query.values.iter().map(|(name, value)| (*name, value.as_sql())).collect();
        self.rows(&query.sql, values.as_slice(), Conversation::from_row)
    }

    /// One conversation.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn conversation(&self, id: ConversationId) -> Result<Option<Conversation>> {
        self.row(BY_ID, [id], Conversation::from_row)
    }

    /// The sources a conversation came from, in order of import; at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn sources_of_conversation(&self, id: ConversationId, limit: u32) -> Result<Vec<Source>> {
        self.rows(SOURCES, rusqlite::params![id, bounded(limit)], Source::from_row)
    }

    /// Conversations that a source has a part in; at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn conversations_of_source(
        &self,
        source: SourceId,
        limit: u32,
    ) -> Result<Vec<ConversationId>> {
        self.rows(OF_SOURCE, rusqlite::params![source, bounded(limit)], |row| row.get(0))
    }

    fn window_cut(&self, filter: &ConversationFilter) -> Result<bool> {
        let Some(text) = filter.text.as_deref().and_then(match_expression) else {
            return Ok(false);
        };
        let matches: Option<u32> =
            self.row(MATCHES, rusqlite::params![text, TEXT_WINDOW + 1], |row| row.get(0))?;
        Ok(matches.is_some_and(|matches| matches > TEXT_WINDOW))
    }
}
