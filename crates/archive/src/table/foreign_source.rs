//! `foreign_source`: what other conventions name as sources; never checked, never merged with records.

use std::ops::Range;

use rusqlite::params;

use crate::value::stored;
use crate::{Batch, ConversationId, MessageId, Result, RunId, SourceId};

statements! {
    INSERT = "INSERT INTO foreign_source (source_id, conversation_id, run_id, message_id, stated_message_id, origin,
        title, url, host, event, content_start, content_end) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    CLEAR = "DELETE FROM foreign_source";
}

/// A source of another convention (facts/agui §8.2).
#[derive(Debug, Clone)]
pub struct NewForeignSource<'a> {
    /// Source of ours that it was found in.
    pub source: SourceId,
    /// Conversation and run.
    pub conversation: ConversationId,
    /// See `conversation`.
    pub run: Option<RunId>,
    /// The message it is tied to, when it says so.
    pub message: Option<MessageId>,
    /// The message id it names, where no such message is held.
    pub stated_message_id: Option<&'a str>,
    /// Where it was found: `state`, `custom:NAME`, `raw`, `raw-event:TYPE`, `tool-result`.
    pub origin: &'a str,
    /// Title as stated.
    pub title: Option<&'a str>,
    /// Address as stated; never loaded.
    pub url: Option<&'a str>,
    /// Host as it stands in the address.
    pub host: Option<&'a str>,
    /// Index of the event in the source.
    pub event: Option<u64>,
    /// Bytes of the content.
    pub at: Option<Range<u64>>,
}

impl Batch {
    /// Adds a foreign source.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_foreign_source(&mut self, new: &NewForeignSource<'_>) -> Result<()> {
        let row = params![
            new.source,
            new.conversation,
            new.run,
            new.message,
            new.stated_message_id,
            new.origin,
            new.title,
            new.url,
            new.host,
            new.event.map(stored),
            new.at.as_ref().map(|at| stored(at.start)),
            new.at.as_ref().map(|at| stored(at.end))
        ];
        self.execute(INSERT, row).map(drop)
    }
}
