//! `tool_call` and `tool_call_segment`: calls under the assistant message that made them, and each start of a call.

use rusqlite::{OptionalExtension, params};

use crate::value::stored;
use crate::{Batch, ConversationId, Ending, MessageId, Result, RunId, SourceId, ToolCallId};

statements! {
    INSERT = "INSERT INTO tool_call (source_id, conversation_id, message_id, run_id, number, stated_id, id_derived, name,
        result_message_id, first_event, extra) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    UPDATE = "UPDATE tool_call SET name = ?2, message_id = ?3, result_message_id = ?4, extra = coalesce(?5, extra)
        WHERE id = ?1";
    OF_NUMBER = "SELECT id FROM tool_call WHERE conversation_id = ?1 AND number = ?2";
    SET_SEGMENT = "INSERT INTO tool_call_segment (tool_call_id, number, source_id, run_id, first_event, arguments,
        ending, same_as) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (tool_call_id, number) DO UPDATE SET arguments = excluded.arguments, ending = excluded.ending,
        same_as = excluded.same_as";
    CLEAR = "DELETE FROM tool_call";
    CLEAR_SEGMENTS = "DELETE FROM tool_call_segment";
}

/// A tool call to add, or what one is now (facts/agui §1.4, §3.3, §3.6).
#[derive(Debug, Clone)]
pub struct NewToolCall<'a> {
    /// Source it was first seen in.
    pub source: SourceId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// Assistant message it stands under.
    pub message: MessageId,
    /// Run it was first seen in.
    pub run: Option<RunId>,
    /// Its number within the conversation: the fold's `CallKey`.
    pub number: u64,
    /// `toolCallId`, or the one we derived.
    pub stated_id: &'a str,
    /// True when `stated_id` is ours.
    pub id_derived: bool,
    /// Name of the tool.
    pub name: &'a str,
    /// The tool message that answers it.
    pub result: Option<MessageId>,
    /// Index of its first event.
    pub first_event: Option<u64>,
    /// Whatever else is to be shown, as JSON; `None` in an update leaves what is held.
    pub extra: Option<&'a str>,
}

/// One start of a tool call.
#[derive(Debug, Clone)]
pub struct NewSegment<'a> {
    /// The call.
    pub call: ToolCallId,
    /// Number within the call, from 0.
    pub number: u32,
    /// Source and run it came in.
    pub source: SourceId,
    /// See `source`.
    pub run: Option<RunId>,
    /// Index of its first event.
    pub first_event: Option<u64>,
    /// Arguments as received, whole: a JSON text, or the start of one.
    pub arguments: &'a str,
    /// How the arguments ended.
    pub ending: Ending,
    /// The earlier segment with the same arguments: this one is not shown again.
    pub same_as: Option<u32>,
}

impl Batch {
    /// Adds a tool call; its segments follow.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_tool_call(&mut self, new: &NewToolCall<'_>) -> Result<ToolCallId> {
        let row = params![
            new.source,
            new.conversation,
            new.message,
            new.run,
            stored(new.number),
            new.stated_id,
            new.id_derived,
            new.name,
            new.result,
            new.first_event.map(stored),
            new.extra
        ];
        Ok(ToolCallId(self.insert(INSERT, row)?))
    }

    /// Brings a tool call up to date: name, message, result.
    ///
    /// # Errors
    /// Storage.
    pub fn update_tool_call(&mut self, id: ToolCallId, now: &NewToolCall<'_>) -> Result<()> {
        self.execute(UPDATE, params![id, now.name, now.message, now.result, now.extra]).map(drop)
    }

    /// The tool call with this number in its conversation.
    ///
    /// # Errors
    /// Storage.
    pub fn tool_call_of_number(
        &self,
        conversation: ConversationId,
        number: u64,
    ) -> Result<Option<ToolCallId>> {
        let key = params![conversation, stored(number)];
        Ok(self.statement(OF_NUMBER)?.query_row(key, |row| row.get(0)).optional()?)
    }

    /// Adds a segment of a call, or brings it up to date.
    ///
    /// # Errors
    /// Storage.
    pub fn set_segment(&mut self, new: &NewSegment<'_>) -> Result<()> {
        let row = params![
            new.call,
            new.number,
            new.source,
            new.run,
            new.first_event.map(stored),
            new.arguments,
            new.ending,
            new.same_as
        ];
        self.execute(SET_SEGMENT, row).map(drop)
    }
}
