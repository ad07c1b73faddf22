//! `citation`: event × order → marker, record.

use rusqlite::params;

use crate::{Batch, CitationEventId, CitationId, ConversationId, RecordId, Result};

statements! {
    INSERT = "INSERT INTO citation (citation_event_id, number, conversation_id, record_id, marker, reason)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    CLEAR = "DELETE FROM citation";
}

/// One entry of `value.citations`.
#[derive(Debug, Clone)]
pub struct NewCitation<'a> {
    /// Its event.
    pub event: CitationEventId,
    /// The event's conversation.
    pub conversation: ConversationId,
    /// Place in the list, from 0.
    pub number: u32,
    /// The record, when the entry has one.
    pub record: Option<RecordId>,
    /// `marker` as stated.
    pub marker: Option<&'a str>,
    /// Why the entry is not shown with its message, as a sentence.
    pub reason: Option<&'a str>,
}

impl Batch {
    /// Adds a citation to its event.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_citation(&mut self, new: &NewCitation<'_>) -> Result<CitationId> {
        let row =
            params![new.event, new.number, new.conversation, new.record, new.marker, new.reason];
        let id = CitationId(self.insert(INSERT, row)?);
        self.counts(new.conversation).citations += 1;
        Ok(id)
    }
}
