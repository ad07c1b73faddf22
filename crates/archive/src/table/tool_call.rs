//! `tool_call`: calls under the assistant message that made them.

use rusqlite::params;

use crate::{Batch, ConversationId, MessageId, Result, RunId, SourceId, ToolCallId};

statements! {
    INSERT = "INSERT INTO tool_call (source_id, message_id, conversation_id, run_id, number, stated_id, name, arguments,
        segments, ended, pending, result_message_id, extra)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    UPDATE = "UPDATE tool_call SET name = ?2, arguments = ?3, segments = ?4, ended = ?5, pending = ?6,
        result_message_id = ?7, extra = ?8 WHERE id = ?1";
    OF_CONVERSATION = "SELECT t.id, t.message_id, t.number, t.stated_id, t.name, t.arguments, t.segments, t.ended,
        t.pending, t.result_message_id, t.extra FROM tool_call t WHERE t.conversation_id = ?1 ORDER BY t.id";
    OF_MESSAGE = "SELECT id, message_id, number, stated_id, name, arguments, segments, ended, pending,
        result_message_id, extra FROM tool_call WHERE message_id = ?1 ORDER BY number LIMIT ?2";
    CLEAR = "DELETE FROM tool_call";
}

/// A tool call to add, or what one is now (facts/agui §1.4, §3.3, §3.6).
#[derive(Debug, Clone)]
pub struct NewToolCall<'a> {
    /// Source it was first seen in.
    pub source: SourceId,
    /// Assistant message it stands under.
    pub message: MessageId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// Run it was first seen in.
    pub run: Option<RunId>,
    /// Place among the message's calls, from 0.
    pub number: u32,
    /// `toolCallId`.
    pub stated_id: &'a str,
    /// Name of the tool.
    pub name: &'a str,
    /// Arguments as received: a JSON text, or the start of one.
    pub arguments: &'a str,
    /// How many times it was started.
    pub segments: u32,
    /// Whether its arguments are complete.
    pub ended: bool,
    /// Whether it waits for the application.
    pub pending: bool,
    /// The tool message that answers it.
    pub result: Option<MessageId>,
    /// Whatever else is to be shown, as JSON.
    pub extra: Option<&'a str>,
}

/// A tool call as held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// Row id.
    pub id: ToolCallId,
    /// Assistant message it stands under.
    pub message: MessageId,
    /// Place among the message's calls.
    pub number: u32,
    /// `toolCallId`.
    pub stated_id: String,
    /// Name of the tool.
    pub name: String,
    /// Arguments as received.
    pub arguments: String,
    /// How many times it was started.
    pub segments: u32,
    /// Whether its arguments are complete.
    pub ended: bool,
    /// Whether it waits for the application.
    pub pending: bool,
    /// The tool message that answers it.
    pub result: Option<MessageId>,
    /// Whatever else, as JSON.
    pub extra: Option<String>,
}

impl ToolCall {
    pub(crate) fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            message: row.get(1)?,
            number: row.get(2)?,
            stated_id: row.get(3)?,
            name: row.get(4)?,
            arguments: row.get(5)?,
            segments: row.get(6)?,
            ended: row.get(7)?,
            pending: row.get(8)?,
            result: row.get(9)?,
            extra: row.get(10)?,
        })
    }
}

impl Batch {
    /// Adds a tool call.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_tool_call(&mut self, new: &NewToolCall<'_>) -> Result<ToolCallId> {
        let row = params![
            new.source,
            new.message,
            new.conversation,
            new.run,
            new.number,
            new.stated_id,
            new.name,
            new.arguments,
            new.segments,
            new.ended,
            new.pending,
            new.result,
            new.extra
        ];
        Ok(ToolCallId(self.insert(INSERT, row)?))
    }

    /// Brings a tool call up to date: name, arguments, segments, end, result.
    ///
    /// # Errors
    /// Storage.
    pub fn update_tool_call(&mut self, id: ToolCallId, now: &NewToolCall<'_>) -> Result<()> {
        let row = params![
            id,
            now.name,
            now.arguments,
            now.segments,
            now.ended,
            now.pending,
            now.result,
            now.extra
        ];
        self.execute(UPDATE, row).map(drop)
    }

    /// Every tool call of a conversation, to go on folding, handed out one by one.
    ///
    /// # Errors
    /// Storage, and whatever `each` says.
    pub fn tool_calls(
        &self,
        conversation: ConversationId,
        mut each: impl FnMut(ToolCall) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.statement(OF_CONVERSATION)?;
        let mut rows = statement.query([conversation])?;
        while let Some(row) = rows.next()? {
            each(ToolCall::from_row(row)?)?;
        }
        Ok(())
    }
}
