//! Citation events, citations, records and foreign sources.

use std::ops::Range;

use rusqlite::{Row, params};

use crate::page::bounded;
use crate::value::{range, unsigned};
use crate::{
    CitationEventId, CitationId, CitationState, ConversationId, Cursor, Instant, MessageId, Page,
    Reader, RecordId, Result, RunId, Sha256, SourceId,
};

/// Columns of a citation event with when its source came.
macro_rules! event_columns {
    ($rest:literal) => {
        concat!(
            "SELECT e.id, e.source_id, e.run_id, e.conversation_id, e.message_id, e.stated_message_id, e.found_by, e.state,
        e.version, e.computed, e.computed_at, e.received_at, e.reasons, e.shown, e.citations, e.event, e.content_start,
        e.content_end, s.received_at, s.imported_at FROM citation_event e JOIN source s ON s.id = e.source_id ",
            $rest
        )
    };
}

/// Columns of a record, from `record r`.
macro_rules! record_columns {
    () => {
        "r.id, r.sha256, r.canonical_sha256, r.json, r.valid, r.reasons, r.newer, r.ref_rebuilt, r.title, r.node_id,
        n.ref, n.path, n.type, p.stated_id, p.version, p.digest"
    };
}

statements! {
    OF_MESSAGE = event_columns!("WHERE e.message_id = ?1 AND e.id > ?2 ORDER BY e.id LIMIT ?3");
    UNPLACED = event_columns!("WHERE e.conversation_id = ?1 AND e.shown = 0 AND e.id > ?2 ORDER BY e.id LIMIT ?3");
    COUNT_UNPLACED = "SELECT count(*) FROM citation_event WHERE conversation_id = ?1 AND shown = 0";
    EVENT_BY_ID = event_columns!("WHERE e.id = ?1");
    CITATIONS = concat!("SELECT c.id, c.number, c.marker, c.reason, ", record_columns!(), "
        FROM citation c LEFT JOIN record r ON r.id = c.record_id LEFT JOIN node n ON n.id = r.node_id
        LEFT JOIN package p ON p.id = r.package_id
        WHERE c.citation_event_id = ?1 AND c.number > ?2 ORDER BY c.number LIMIT ?3");
    RECORD = concat!("SELECT ", record_columns!(), " FROM record r LEFT JOIN node n ON n.id = r.node_id
        LEFT JOIN package p ON p.id = r.package_id WHERE r.id = ?1");
    RECORD_BY_SHA256 = concat!("SELECT ", record_columns!(), " FROM record r LEFT JOIN node n ON n.id = r.node_id
        LEFT JOIN package p ON p.id = r.package_id WHERE r.sha256 = ?1");
    /// Each record once, with the last event that shows it in the conversation.
    OF_CONVERSATION = "SELECT c.record_id, max(e.id), count(*), r.sha256 FROM citation_event e
        JOIN citation c ON c.citation_event_id = e.id JOIN record r ON r.id = c.record_id
        WHERE e.conversation_id = ?1 AND e.shown = 1 AND c.record_id IS NOT NULL
        GROUP BY c.record_id ORDER BY c.record_id LIMIT ?2";
    /// Of each answer that an event names: the state of the event that is shown, else of the last one.
    ANSWER_STATES = "SELECT state, count(*) FROM (
        SELECT e.state AS state, max(e.shown * 4611686018427387904 + e.id) FROM citation_event e
        JOIN message m ON m.id = e.message_id WHERE e.conversation_id = ?1 AND m.role = 'assistant'
        AND m.class = 'text' AND m.text_size > 0 GROUP BY e.message_id) GROUP BY state";
    COUNT_WITHOUT_MESSAGE = "SELECT count(*) FROM citation_event WHERE conversation_id = ?1 AND message_id IS NULL";
    /// Each answer once, at its first citation of the node; newest first.
    CITING = "SELECT e.message_id, e.id, min(c.number), c.record_id FROM record r
        JOIN citation c ON c.record_id = r.id JOIN citation_event e ON e.id = c.citation_event_id
        WHERE r.node_id = ?1 AND e.shown = 1 AND e.message_id < ?2 AND e.message_id <> ?3
        GROUP BY e.message_id ORDER BY e.message_id DESC LIMIT ?4";
    ANSWERS_OF_NODE = "SELECT count(DISTINCT e.message_id) FROM record r JOIN citation c ON c.record_id = r.id
        JOIN citation_event e ON e.id = c.citation_event_id
        WHERE r.node_id = ?1 AND e.shown = 1 AND e.message_id IS NOT NULL";
    FOREIGN_OF_MESSAGE = "SELECT run_id, message_id, stated_message_id, origin, title, url, host, event, source_id,
        content_start, content_end FROM foreign_source WHERE message_id = ?1 ORDER BY id LIMIT ?2";
    FOREIGN_OF_CONVERSATION = "SELECT run_id, message_id, stated_message_id, origin, title, url, host, event, source_id,
        content_start, content_end FROM foreign_source
        WHERE conversation_id = ?1 AND message_id IS NULL ORDER BY id LIMIT ?2";
}

const CITING_LIST: &str = "citing-answers";
const EVENTS_LIST: &str = "citation-events";
const CITATIONS_LIST: &str = "citations";

/// A citation event as held; fields as in [`crate::NewCitationEvent`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // Said once, at NewCitationEvent.
pub struct CitationEvent {
    pub id: CitationEventId,
    pub source: SourceId,
    pub run: RunId,
    pub conversation: ConversationId,
    pub message: Option<MessageId>,
    pub stated_message_id: Option<String>,
    pub found_by: Option<String>,
    pub state: CitationState,
    pub version: Option<String>,
    pub computed: Option<String>,
    pub computed_at: Option<Instant>,
    /// When it arrived; else when its source was received, as far as known.
    pub received_at: Option<Instant>,
    pub reasons: Option<String>,
    pub shown: bool,
    /// How many citations it holds.
    pub citations: u64,
    pub event: u64,
    pub at: Range<u64>,
    /// When its source was imported.
    pub imported_at: Instant,
}

/// One citation with its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// Row id.
    pub id: CitationId,
    /// Place in the event's list, from 0.
    pub number: u32,
    /// `marker` as stated.
    pub marker: Option<String>,
    /// Why it is not shown with its message.
    pub reason: Option<String>,
    /// Its record.
    pub record: Option<Record>,
}

/// A record as held. What it says is read from its bytes by `moca`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Row id.
    pub id: RecordId,
    /// SHA-256 of its exact bytes, and of its canonical JSON.
    pub sha256: Sha256,
    /// See `sha256`.
    pub canonical_sha256: Option<Sha256>,
    /// The exact bytes.
    pub json: Vec<u8>,
    /// Whether it keeps the rules.
    pub valid: bool,
    /// Why not, as a JSON list.
    pub reasons: Option<String>,
    /// Members newer than this app knows, as a JSON list.
    pub newer: Option<String>,
    /// Whether `node_ref` was rebuilt.
    pub ref_rebuilt: bool,
    /// Title of the node.
    pub title: Option<String>,
    /// Row of the node, to count what else cites it.
    pub node: Option<i64>,
    /// `node.ref`, `node.path`, `node.type`.
    pub node_ref: Option<String>,
    /// See `node_ref`.
    pub node_path: Option<String>,
    /// See `node_ref`.
    pub node_type: Option<String>,
    /// `package.id`, `package.version`, `package.digest`.
    pub package_id: Option<String>,
    /// See `package_id`.
    pub package_version: Option<String>,
    /// See `package_id`.
    pub package_digest: Option<String>,
}

/// A record that a conversation cites, and the last event there that shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cited {
    /// The record.
    pub record: RecordId,
    /// The last event that shows it.
    pub event: CitationEventId,
    /// How often the conversation's shown events cite it.
    pub times: u32,
    /// SHA-256 of the record's bytes.
    pub sha256: Sha256,
}

/// An answer that cites a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CitingAnswer {
    /// The answer.
    pub message: MessageId,
    /// The event that is shown there.
    pub event: CitationEventId,
    /// Place of its first citation of the node in that event, from 0.
    pub number: u32,
    /// The record cited there.
    pub record: RecordId,
}

/// A source of another convention, as held; fields as in [`crate::NewForeignSource`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // Said once, at NewForeignSource.
pub struct ForeignSource {
    pub run: Option<RunId>,
    pub message: Option<MessageId>,
    pub stated_message_id: Option<String>,
    pub origin: String,
    pub title: Option<String>,
    pub url: Option<String>,
    pub host: Option<String>,
    pub event: Option<u64>,
    pub source: SourceId,
    pub at: Option<Range<u64>>,
}

impl CitationEvent {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            source: row.get(1)?,
            run: row.get(2)?,
            conversation: row.get(3)?,
            message: row.get(4)?,
            stated_message_id: row.get(5)?,
            found_by: row.get(6)?,
            state: row.get(7)?,
            version: row.get(8)?,
            computed: row.get(9)?,
            computed_at: row.get(10)?,
            received_at: row.get::<_, Option<Instant>>(11)?.or(row.get(18)?),
            reasons: row.get(12)?,
            shown: row.get(13)?,
            citations: unsigned(row.get(14)?),
            event: unsigned(row.get(15)?),
            at: range(row.get(16)?, row.get(17)?),
            imported_at: row.get(19)?,
        })
    }
}

impl Record {
    /// Reads a record from the columns that begin at `first`; `None` when there is none (outer join).
    fn from_columns(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<Self>> {
        let Some(id) = row.get(first)? else { return Ok(None) };
        Ok(Some(Self {
            id,
            sha256: row.get(first + 1)?,
            canonical_sha256: row.get(first + 2)?,
            json: row.get(first + 3)?,
            valid: row.get(first + 4)?,
            reasons: row.get(first + 5)?,
            newer: row.get(first + 6)?,
            ref_rebuilt: row.get(first + 7)?,
            title: row.get(first + 8)?,
            node: row.get(first + 9)?,
            node_ref: row.get(first + 10)?,
            node_path: row.get(first + 11)?,
            node_type: row.get(first + 12)?,
            package_id: row.get(first + 13)?,
            package_version: row.get(first + 14)?,
            package_digest: row.get(first + 15)?,
        }))
    }
}

impl ForeignSource {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let at: (Option<i64>, Option<i64>) = (row.get(9)?, row.get(10)?);
        Ok(Self {
            run: row.get(0)?,
            message: row.get(1)?,
            stated_message_id: row.get(2)?,
            origin: row.get(3)?,
            title: row.get(4)?,
            url: row.get(5)?,
            host: row.get(6)?,
            event: row.get::<_, Option<i64>>(7)?.map(unsigned),
            source: row.get(8)?,
            at: at.0.zip(at.1).map(|(start, end)| range(start, end)),
        })
    }
}

impl Reader {
    /// Citation events of a message, oldest first: the one marked `shown` and those that it replaced.
    ///
    /// # Errors
    /// Bad input, when the cursor is of another list; storage; damaged.
    pub fn citation_events_of_message(
        &self,
        message: MessageId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<CitationEvent>> {
        self.citation_events(OF_MESSAGE, message.0, after, limit)
    }

    /// Citation events of a conversation that no message shows: without a message, of another version, invalid,
    /// or replaced by a later one.
    ///
    /// # Errors
    /// Bad input, when the cursor is of another list; storage; damaged.
    pub fn unplaced_citation_events(
        &self,
        conversation: ConversationId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<CitationEvent>> {
        self.citation_events(UNPLACED, conversation.0, after, limit)
    }

    /// How many citation events of a conversation no message shows.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn count_unplaced_citation_events(&self, conversation: ConversationId) -> Result<u64> {
        Ok(unsigned(self.row(COUNT_UNPLACED, [conversation], |row| row.get(0))?.unwrap_or(0)))
    }

    /// One citation event.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn citation_event(&self, id: CitationEventId) -> Result<Option<CitationEvent>> {
        self.row(EVENT_BY_ID, [id], CitationEvent::from_row)
    }

    /// Citations of an event in their order, with their records.
    ///
    /// # Errors
    /// Bad input, when the cursor is of another list; storage; damaged.
    pub fn citations(
        &self,
        event: CitationEventId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Citation>> {
        let limit = bounded(limit);
        let [after, _] =
            after.map(|cursor| cursor.key(CITATIONS_LIST)).transpose()?.unwrap_or([-1, 0]);
        let rows = self.rows(CITATIONS, params![event, after, limit + 1], |row| {
            Ok(Citation {
                id: row.get(0)?,
                number: row.get(1)?,
                marker: row.get(2)?,
                reason: row.get(3)?,
                record: Record::from_columns(row, 4)?,
            })
        })?;
        Ok(Page::cut(rows, limit, |row| Cursor::of(CITATIONS_LIST, [i64::from(row.number), 0])))
    }

    /// One record.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn record(&self, id: RecordId) -> Result<Option<Record>> {
        Ok(self.row(RECORD, [id], |row| Record::from_columns(row, 0))?.flatten())
    }

    /// The record with these exact bytes.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn record_by_sha256(&self, sha256: Sha256) -> Result<Option<Record>> {
        Ok(self.row(RECORD_BY_SHA256, [sha256], |row| Record::from_columns(row, 0))?.flatten())
    }

    /// Records that a conversation's shown events cite, each once; at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn cited_records(&self, conversation: ConversationId, limit: u32) -> Result<Vec<Cited>> {
        self.rows(OF_CONVERSATION, params![conversation, bounded(limit)], |row| {
            Ok(Cited {
                record: row.get(0)?,
                event: row.get(1)?,
                times: row.get(2)?,
                sha256: row.get(3)?,
            })
        })
    }

    /// How many answers of a conversation have an event of each state: the one that is shown, else the last one.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn answers_by_citation_state(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<(CitationState, u64)>> {
        self.rows(ANSWER_STATES, [conversation], |row| Ok((row.get(0)?, unsigned(row.get(1)?))))
    }

    /// How many citation events of a conversation name no message of it.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn count_citation_events_without_message(
        &self,
        conversation: ConversationId,
    ) -> Result<u64> {
        Ok(unsigned(
            self.row(COUNT_WITHOUT_MESSAGE, [conversation], |row| row.get(0))?.unwrap_or(0),
        ))
    }

    /// The answers of the archive that cite a node, newest first, one of them left out.
    ///
    /// # Errors
    /// Bad input, when the cursor is of another list; storage; damaged.
    pub fn citing_answers(
        &self,
        node: i64,
        except: Option<MessageId>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<CitingAnswer>> {
        let limit = bounded(limit);
        let [before, _] =
            after.map(|cursor| cursor.key(CITING_LIST)).transpose()?.unwrap_or([i64::MAX, 0]);
        // No row has this id.
        let except = except.unwrap_or(MessageId(i64::MIN));
        let rows = self.rows(CITING, params![node, before, except, limit + 1], |row| {
            Ok(CitingAnswer {
                message: row.get(0)?,
                event: row.get(1)?,
                number: row.get(2)?,
                record: row.get(3)?,
            })
        })?;
        Ok(Page::cut(rows, limit, |row| Cursor::of(CITING_LIST, [row.message.0, 0])))
    }

    /// How many answers of the archive cite a node ([`Record::node`]).
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn answers_of_node(&self, node: i64) -> Result<u64> {
        Ok(unsigned(self.row(ANSWERS_OF_NODE, [node], |row| row.get(0))?.unwrap_or(0)))
    }

    /// Sources of other conventions tied to a message; at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn foreign_sources_of_message(
        &self,
        message: MessageId,
        limit: u32,
    ) -> Result<Vec<ForeignSource>> {
        self.rows(FOREIGN_OF_MESSAGE, params![message, bounded(limit)], ForeignSource::from_row)
    }

    /// Sources of other conventions that a conversation ties to no message; at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn foreign_sources_of_conversation(
        &self,
        conversation: ConversationId,
        limit: u32,
    ) -> Result<Vec<ForeignSource>> {
        self.rows(
            FOREIGN_OF_CONVERSATION,
            params![conversation, bounded(limit)],
            ForeignSource::from_row,
        )
    }

    fn citation_events(
        &self,
        sql: &str,
        key: i64,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<CitationEvent>> {
        let limit = bounded(limit);
        let [after, _] = after.map(|cursor| cursor.key(EVENTS_LIST)).transpose()?.unwrap_or([0, 0]);
        let rows = self.rows(sql, params![key, after, limit + 1], CitationEvent::from_row)?;
        Ok(Page::cut(rows, limit, |row| Cursor::of(EVENTS_LIST, [row.id.0, 0])))
    }
}
