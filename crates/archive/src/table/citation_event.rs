//! `citation_event`: each `moca.citations` event as received, and what became of it (seed §2–§4).

use std::ops::Range;

use rusqlite::params;

use crate::value::stored;
use crate::{
    Batch, CitationEventId, CitationState, ConversationId, Instant, MessageId, Result, RunId,
    Sha256, SourceId,
};

statements! {
    INSERT = "INSERT INTO citation_event (source_id, run_id, conversation_id, message_id, stated_message_id, found_by,
        state, version, computed, computed_at, received_at, canonical_sha256, reasons, shown, citations, event,
        content_start, content_end)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)";
    SET_SHOWN = "UPDATE citation_event SET shown = ?2 WHERE id = ?1";
    OF_MESSAGE = "SELECT id, source_id, message_id, state, canonical_sha256, event, content_start,
        content_end FROM citation_event WHERE message_id = ?1 ORDER BY id DESC LIMIT ?2";
    CLEAR = "DELETE FROM citation_event";
}

/// Most earlier events looked at for one message; a service sends one.
pub const MAX_EVENTS_OF_MESSAGE: u32 = 1000;

/// A citation event to add.
#[derive(Debug, Clone)]
pub struct NewCitationEvent<'a> {
    /// Source, run and conversation it came in.
    pub source: SourceId,
    /// See `source`.
    pub run: RunId,
    /// See `source`.
    pub conversation: ConversationId,
    /// The message it is for, when the conversation has it.
    pub message: Option<MessageId>,
    /// `value.messageId` as stated.
    pub stated_message_id: Option<&'a str>,
    /// How the message was found: `id`, or the reason of the alias (`tool-call-id`, `equal-text`).
    pub found_by: Option<&'a str>,
    /// What it is.
    pub state: CitationState,
    /// `value.version` as its JSON text.
    pub version: Option<&'a str>,
    /// `value.computedAt` as text, and as an instant where it could be read.
    pub computed: Option<&'a str>,
    /// See `computed`.
    pub computed_at: Option<Instant>,
    /// When it arrived, as far as the recording says.
    pub received_at: Option<Instant>,
    /// SHA-256 of the canonical JSON of its value: equal for a repetition.
    pub canonical_sha256: Option<Sha256>,
    /// Why it is invalid, as a JSON list.
    pub reasons: Option<&'a str>,
    /// Whether it is the one shown for its message: the last of several.
    pub shown: bool,
    /// How many citations of it follow ([`Batch::insert_citation`]).
    pub citations: u32,
    /// Index of the event in the source.
    pub event: u64,
    /// Bytes of the content.
    pub at: Range<u64>,
}

/// An earlier event that names the same message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierEvent {
    /// Row id.
    pub id: CitationEventId,
    /// Source it came in.
    pub source: SourceId,
    /// The message, when found.
    pub message: Option<MessageId>,
    /// What it is.
    pub state: CitationState,
    /// SHA-256 of the canonical JSON of its value.
    pub canonical_sha256: Option<Sha256>,
    /// Index of the event in its source.
    pub event: u64,
    /// Bytes of its source's content.
    pub at: Range<u64>,
}

impl Batch {
    /// Adds a citation event.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_citation_event(&mut self, new: &NewCitationEvent<'_>) -> Result<CitationEventId> {
        let row = params![
            new.source,
            new.run,
            new.conversation,
            new.message,
            new.stated_message_id,
            new.found_by,
            new.state,
            new.version,
            new.computed,
            new.computed_at,
            new.received_at,
            new.canonical_sha256,
            new.reasons,
            new.shown,
            new.citations,
            stored(new.event),
            stored(new.at.start),
            stored(new.at.end)
        ];
        let id = CitationEventId(self.insert(INSERT, row)?);
        self.counts(new.conversation).citation_events += 1;
        Ok(id)
    }

    /// Says whether this is the event shown for its message.
    ///
    /// # Errors
    /// Storage.
    pub fn set_shown(&mut self, id: CitationEventId, shown: bool) -> Result<()> {
        self.execute(SET_SHOWN, params![id, shown]).map(drop)
    }

    /// Events of a message, newest first, bounded by [`MAX_EVENTS_OF_MESSAGE`].
    ///
    /// # Errors
    /// Storage.
    pub fn citation_events_of_message(&self, message: MessageId) -> Result<Vec<EarlierEvent>> {
        let mut statement = self.statement(OF_MESSAGE)?;
        let rows = statement.query_map(params![message, MAX_EVENTS_OF_MESSAGE], |row| {
            Ok(EarlierEvent {
                id: row.get(0)?,
                source: row.get(1)?,
                message: row.get(2)?,
                state: row.get(3)?,
                canonical_sha256: row.get(4)?,
                event: crate::value::unsigned(row.get(5)?),
                at: crate::value::range(row.get(6)?, row.get(7)?),
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
