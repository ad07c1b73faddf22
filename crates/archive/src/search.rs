//! Full text: written at the end of each batch, rebuildable, with a known completeness.
//!
//! Complete means: every message with a text, apart from tool results and activities, and every record is indexed.

use rusqlite::params;

use crate::{Batch, MessageId, Result};

statements! {
    INDEX_MESSAGE = "INSERT INTO message_fts (rowid, text)
        SELECT id, text FROM message WHERE id = ?1 AND text <> '' AND class NOT IN ('tool', 'activity')";
    /// External content: the index is told the text that it holds.
    FORGET_MESSAGE = "INSERT INTO message_fts (message_fts, rowid, text)
        SELECT 'delete', id, ?2 FROM message WHERE id = ?1 AND ?2 <> '' AND class NOT IN ('tool', 'activity')";
    INDEX_RECORD = "INSERT INTO record_fts (rowid, title, description, text)
        SELECT id, title, description, text FROM record WHERE id = ?1";
    CLEAR_MESSAGES = "INSERT INTO message_fts (message_fts) VALUES ('delete-all')";
    CLEAR_RECORDS = "INSERT INTO record_fts (record_fts) VALUES ('delete-all')";
}

impl Batch {
    pub(crate) fn index_new_texts(&mut self) -> Result<()> {
        for id in std::mem::take(&mut self.unindexed_messages) {
            self.execute(INDEX_MESSAGE, [id])?;
        }
        for id in std::mem::take(&mut self.unindexed_records) {
            self.execute(INDEX_RECORD, [id])?;
        }
        Ok(())
    }

    /// Takes a text out of the index before it grows; the batch's end indexes it anew.
    pub(crate) fn forget_message_text(&mut self, id: MessageId, text: &str) -> Result<()> {
        self.execute(FORGET_MESSAGE, params![id, text])?;
        self.unindexed_messages.insert(id.0);
        Ok(())
    }
}
