//! Messages of a conversation by their place, with tool calls, aliases and other texts.

use std::ops::Range;

use rusqlite::{Row, params};

use crate::page::bounded;
use crate::value::{range, stored, unsigned};
use crate::{
    ConversationId, Ending, Instant, MessageId, Reader, Result, RunId, Sha256, SourceId, ToolCallId,
};

/// Columns of a message. Texts are cut here and not by SQLite, whose `substr` ends at a NUL.
macro_rules! columns {
    ($rest:literal) => {
        concat!(
            "SELECT id, source_id, conversation_id, run_id, number, position, stated_id, id_derived, role, class, name, origin,
        text, text_sha256, text_size, cut, ending, answers_call, activity_type, content, extra,
        encrypted, subagent_run_id, first_event, content_start, content_end, timestamp, stated_at FROM message ",
            $rest
        )
    };
}

statements! {
    FROM_PLACE = columns!("WHERE conversation_id = ?1 ORDER BY position, id LIMIT ?2 OFFSET ?3");
    AFTER = columns!("WHERE conversation_id = ?1 AND (position, id) > (?3, ?4) ORDER BY position, id LIMIT ?2");
    BEFORE = columns!(
        "WHERE conversation_id = ?1 AND (position, id) < (?3, ?4) ORDER BY position DESC, id DESC LIMIT ?2"
    );
    BY_ID = columns!("WHERE id = ?1");
    PLACE = "SELECT count(*) FROM message WHERE conversation_id = ?1 AND (position, id) < (?2, ?3)";
    TEXT = "SELECT text FROM message WHERE id = ?1";
    CALLS = "SELECT id, number, stated_id, id_derived, name, result_message_id, run_id, extra,
        (SELECT group_concat(arguments, '') FROM
            (SELECT arguments FROM tool_call_segment WHERE tool_call_id = t.id AND same_as IS NULL ORDER BY number)),
        (SELECT count(*) FROM tool_call_segment WHERE tool_call_id = t.id),
        NOT EXISTS (SELECT 1 FROM tool_call_segment WHERE tool_call_id = t.id AND ending = 'open')
        FROM tool_call t WHERE message_id = ?1 ORDER BY number LIMIT ?2";
    ALIASES = "SELECT alias, reason FROM message_alias WHERE message_id = ?1 ORDER BY id LIMIT ?2";
    EDITS = "SELECT origin, text, run_id FROM message_edit WHERE message_id = ?1 ORDER BY id LIMIT ?2";
}

/// A message as held; fields as in [`crate::NewMessage`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // Said once, at NewMessage.
pub struct Message {
    pub id: MessageId,
    pub source: SourceId,
    pub conversation: ConversationId,
    pub run: Option<RunId>,
    pub number: u64,
    pub position: i64,
    pub stated_id: Option<String>,
    pub id_derived: bool,
    pub role: String,
    pub class: String,
    pub name: Option<String>,
    pub origin: String,
    /// The first characters of the text, as many as were asked for.
    pub text: String,
    /// SHA-256 and size in bytes of the whole text.
    pub text_sha256: Sha256,
    /// See `text_sha256`.
    pub text_size: u64,
    pub cut: bool,
    pub ending: Ending,
    pub answers_call: Option<String>,
    pub activity_type: Option<String>,
    pub content: Option<String>,
    pub extra: Option<String>,
    pub encrypted: bool,
    pub subagent_run_id: Option<String>,
    pub first_event: Option<u64>,
    pub at: Option<Range<u64>>,
    pub timestamp: Option<String>,
    pub stated_at: Option<Instant>,
}

/// Which part of a conversation to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// From the n-th message on, counted from 0.
    Place(u64),
    /// What follows this message.
    After(MessageId),
    /// What precedes it, nearest last.
    Before(MessageId),
    /// This message with as many before as after it.
    Around(MessageId),
}

/// A tool call as held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// Row id.
    pub id: ToolCallId,
    /// Number within the conversation.
    pub number: u64,
    /// `toolCallId`.
    pub stated_id: String,
    /// True when `stated_id` is ours.
    pub id_derived: bool,
    /// Name of the tool.
    pub name: String,
    /// The tool message that answers it.
    pub result: Option<MessageId>,
    /// Run it was first seen in.
    pub run: Option<RunId>,
    /// Whatever else, as JSON.
    pub extra: Option<String>,
    /// Arguments of its segments without repetitions.
    pub arguments: String,
    /// How often it was started.
    pub segments: u32,
    /// Whether the arguments are complete.
    pub ended: bool,
}

/// Another id of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    /// The other id.
    pub alias: String,
    /// How it was matched.
    pub reason: String,
}

/// Another text of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Where it stood.
    pub origin: String,
    /// The text.
    pub text: String,
    /// Run whose list it is.
    pub run: Option<RunId>,
}

impl Message {
    fn from_row(row: &Row<'_>, characters: u32) -> rusqlite::Result<Self> {
        let at: (Option<i64>, Option<i64>) = (row.get(24)?, row.get(25)?);
        Ok(Self {
            id: row.get(0)?,
            source: row.get(1)?,
            conversation: row.get(2)?,
            run: row.get(3)?,
            number: unsigned(row.get(4)?),
            position: row.get(5)?,
            stated_id: row.get(6)?,
            id_derived: row.get(7)?,
            role: row.get(8)?,
            class: row.get(9)?,
            name: row.get(10)?,
            origin: row.get(11)?,
            text: piece(row.get_ref(12)?.as_str()?, 0, characters).to_owned(),
            text_sha256: row.get(13)?,
            text_size: unsigned(row.get(14)?),
            cut: row.get(15)?,
            ending: row.get(16)?,
            answers_call: row.get(17)?,
            activity_type: row.get(18)?,
            content: row.get(19)?,
            extra: row.get(20)?,
            encrypted: row.get(21)?,
            subagent_run_id: row.get(22)?,
            first_event: row.get::<_, Option<i64>>(23)?.map(unsigned),
            at: at.0.zip(at.1).map(|(start, end)| range(start, end)),
            timestamp: row.get(26)?,
            stated_at: row.get(27)?,
        })
    }
}

impl Reader {
    /// Messages of a conversation in order, at most `limit`, with the first `characters` of their texts.
    ///
    /// # Errors
    /// Storage; damaged. A message that is not of this conversation gives no rows.
    pub fn messages(
        &self,
        conversation: ConversationId,
        window: Window,
        limit: u32,
        characters: u32,
    ) -> Result<Vec<Message>> {
        let limit = bounded(limit);
        match window {
            Window::Place(place) => {
                let values = params![conversation, limit, stored(place)];
                self.rows(FROM_PLACE, values, |row| Message::from_row(row, characters))
            }
            Window::After(id) => self.beside(AFTER, conversation, id, limit, characters),
            Window::Before(id) => {
                let mut rows = self.beside(BEFORE, conversation, id, limit, characters)?;
                rows.reverse();
                Ok(rows)
            }
            Window::Around(id) => {
                let after = limit / 2;
                let before = (limit - after).saturating_sub(1);
                let mut rows = self.beside(BEFORE, conversation, id, before, characters)?;
                rows.reverse();
                rows.extend(
                    self.message(id, characters)?.filter(|row| row.conversation == conversation),
                );
                rows.extend(self.beside(AFTER, conversation, id, after, characters)?);
                Ok(rows)
            }
        }
    }

    /// One message with the first `characters` of its text.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn message(&self, id: MessageId, characters: u32) -> Result<Option<Message>> {
        self.row(BY_ID, [id], |row| Message::from_row(row, characters))
    }

    /// Place of a message in its conversation, from 0.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn message_place(&self, id: MessageId) -> Result<Option<u64>> {
        let Some(message) = self.message(id, 0)? else { return Ok(None) };
        let key = params![message.conversation, message.position, id];
        Ok(self.row(PLACE, key, |row| row.get(0))?.map(unsigned))
    }

    /// The whole text of a message.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn message_text(&self, id: MessageId) -> Result<Option<String>> {
        self.row(TEXT, [id], |row| row.get(0))
    }

    /// `count` characters of a message's text from the `first` on, counted from 0.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn message_text_piece(
        &self,
        id: MessageId,
        first: u32,
        count: u32,
    ) -> Result<Option<String>> {
        self.row(TEXT, [id], |row| Ok(piece(row.get_ref(0)?.as_str()?, first, count).to_owned()))
    }

    /// Tool calls of a message, at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn tool_calls(&self, message: MessageId, limit: u32) -> Result<Vec<ToolCall>> {
        self.rows(CALLS, params![message, bounded(limit)], |row| {
            Ok(ToolCall {
                id: row.get(0)?,
                number: unsigned(row.get(1)?),
                stated_id: row.get(2)?,
                id_derived: row.get(3)?,
                name: row.get(4)?,
                result: row.get(5)?,
                run: row.get(6)?,
                extra: row.get(7)?,
                arguments: row.get::<_, Option<String>>(8)?.unwrap_or_default(),
                segments: row.get(9)?,
                ended: row.get(10)?,
            })
        })
    }

    /// Other ids of a message, at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn aliases(&self, message: MessageId, limit: u32) -> Result<Vec<Alias>> {
        self.rows(ALIASES, params![message, bounded(limit)], |row| {
            Ok(Alias { alias: row.get(0)?, reason: row.get(1)? })
        })
    }

    /// Other texts of a message, at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn edits(&self, message: MessageId, limit: u32) -> Result<Vec<Edit>> {
        self.rows(EDITS, params![message, bounded(limit)], |row| {
            Ok(Edit { origin: row.get(0)?, text: row.get(1)?, run: row.get(2)? })
        })
    }

    fn beside(
        &self,
        sql: &str,
        conversation: ConversationId,
        id: MessageId,
        limit: u32,
        characters: u32,
    ) -> Result<Vec<Message>> {
        let Some(message) = self.message(id, 0)? else { return Ok(Vec::new()) };
        let key = params![conversation, limit, message.position, id];
        self.rows(sql, key, |row| Message::from_row(row, characters))
    }
}

/// `count` characters from the `first` on.
fn piece(text: &str, first: u32, count: u32) -> &str {
    let place = |text: &str, characters: u32| {
        text.char_indices().nth(characters as usize).map_or(text.len(), |(at, _)| at)
    };
    let rest = &text[place(text, first)..];
    &rest[..place(rest, count)]
}
