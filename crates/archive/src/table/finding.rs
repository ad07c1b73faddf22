//! `finding`: what is wrong, where.

use std::ops::Range;

use rusqlite::params;

use crate::value::stored;
use crate::{
    Batch, CitationEventId, ConversationId, FindingId, MessageId, Result, RunId, Severity, SourceId,
};

statements! {
    INSERT = "INSERT INTO finding (source_id, conversation_id, run_id, message_id, citation_event_id, code, severity,
        message, event, content_start, content_end, excerpt, times)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    SET_TIMES = "UPDATE finding SET times = ?2 WHERE id = ?1";
    CLEAR = "DELETE FROM finding";
}

/// Longest excerpt kept beside a finding, in bytes; the raw event is read from the source by its byte range.
pub const MAX_EXCERPT_BYTES: usize = 400;

/// A finding to add.
#[derive(Debug, Clone)]
pub struct NewFinding<'a> {
    /// Source it is about.
    pub source: SourceId,
    /// What in it, as far as known.
    pub conversation: Option<ConversationId>,
    /// See `conversation`.
    pub run: Option<RunId>,
    /// See `conversation`.
    pub message: Option<MessageId>,
    /// See `conversation`.
    pub citation_event: Option<CitationEventId>,
    /// Code of the table in `docs/findings.md`.
    pub code: &'a str,
    /// How bad.
    pub severity: Severity,
    /// One sentence about this occurrence.
    pub text: &'a str,
    /// Index of the event in the source.
    pub event: Option<u64>,
    /// Bytes of the content.
    pub at: Option<Range<u64>>,
    /// The start of the raw event; cut at [`MAX_EXCERPT_BYTES`].
    pub excerpt: Option<&'a str>,
    /// How often it occurred, when later occurrences are only counted.
    pub times: u64,
}

impl Batch {
    /// Adds a finding.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_finding(&mut self, new: &NewFinding<'_>) -> Result<FindingId> {
        let excerpt = new.excerpt.map(|text| &text[..text.floor_char_boundary(MAX_EXCERPT_BYTES)]);
        let row = params![
            new.source,
            new.conversation,
            new.run,
            new.message,
            new.citation_event,
            new.code,
            new.severity,
            new.text,
            new.event.map(stored),
            new.at.as_ref().map(|at| stored(at.start)),
            new.at.as_ref().map(|at| stored(at.end)),
            excerpt,
            stored(new.times.max(1))
        ];
        let id = FindingId(self.insert(INSERT, row)?);
        *self.totals.findings.entry((new.code.to_owned(), new.severity)).or_default() += 1;
        if let Some(conversation) = new.conversation {
            self.counts(conversation).findings += 1;
        }
        Ok(id)
    }

    /// Sets how often a finding occurred.
    ///
    /// # Errors
    /// Storage.
    pub fn set_finding_times(&mut self, id: FindingId, times: u64) -> Result<()> {
        self.execute(SET_TIMES, params![id, stored(times.max(1))]).map(drop)
    }
}
