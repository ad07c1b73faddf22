//! Full text: written at the end of each batch, rebuildable, with a known completeness.
//!
//! Complete means: every message with a text, apart from tool results and activities, and every record is indexed.

use rusqlite::types::ToSqlOutput::Borrowed;
use rusqlite::{OptionalExtension, params};

use crate::{Batch, MessageId, Result};

statements! {
    MESSAGE = "SELECT text FROM message WHERE id = ?1 AND text <> '' AND class NOT IN ('tool', 'activity')";
    /// With values of its own: an INSERT from a SELECT opens a savepoint, at which the index writes out all it has
    /// gathered, a segment for every message.
    INDEX_MESSAGE = "INSERT INTO message_fts (rowid, text) VALUES (?1, ?2)";
    /// External content: the index is told the text that it holds.
    FORGET_MESSAGE = "INSERT INTO message_fts (message_fts, rowid, text) VALUES ('delete', ?1, ?2)";
    RECORD = "SELECT title, description, text FROM record WHERE id = ?1";
    INDEX_RECORD = "INSERT INTO record_fts (rowid, title, description, text) VALUES (?1, ?2, ?3, ?4)";
    CLEAR_MESSAGES = "INSERT INTO message_fts (message_fts) VALUES ('delete-all')";
    CLEAR_RECORDS = "INSERT INTO record_fts (record_fts) VALUES ('delete-all')";
}

impl Batch {
    pub(crate) fn index_new_texts(&mut self) -> Result<()> {
        for id in std::mem::take(&mut self.unindexed_messages) {
            let mut index = self.statement(INDEX_MESSAGE)?;
            self.statement(MESSAGE)?
                .query_row([id], |row| index.execute(params![id, Borrowed(row.get_ref(0)?)]))
                .optional()?;
        }
        for id in std::mem::take(&mut self.unindexed_records) {
            let mut index = self.statement(INDEX_RECORD)?;
            self.statement(RECORD)?
                .query_row([id], |row| {
                    let texts = [row.get_ref(0)?, row.get_ref(1)?, row.get_ref(2)?].map(Borrowed);
                    index.execute(params![id, texts[0], texts[1], texts[2]])
                })
                .optional()?;
        }
        Ok(())
    }

    /// Takes a text out of the index before it grows; the batch's end indexes it anew.
    pub(crate) fn forget_message_text(&mut self, id: MessageId, text: &str) -> Result<()> {
        let indexed: Option<()> =
            self.statement(MESSAGE)?.query_row([id], |_| Ok(())).optional()?;
        if indexed.is_some() {
            self.execute(FORGET_MESSAGE, params![id, text])?;
        }
        self.unindexed_messages.insert(id.0);
        Ok(())
    }
}
