//! `message` and `message_alias`: messages in shown order, and the other ids that services gave them.

use std::ops::Range;

use rusqlite::{OptionalExtension, params};

use crate::value::{stored, unsigned};
use crate::{
    Batch, ConversationId, Ending, Error, Instant, MessageId, Result, RunId, Sha256, SourceId,
};

statements! {
    INSERT = "INSERT INTO message (source_id, conversation_id, run_id, position, stated_id, id_derived, role, class,
        name, origin, text, text_sha256, text_size, cut, ending, answers_call, activity_type, content, extra,
        encrypted, subagent_run_id, first_event, content_start, content_end, timestamp, stated_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
        ?23, ?24, ?25, ?26)";
    TEXT_TO_GROW = "SELECT conversation_id, class, text FROM message WHERE id = ?1";
    GROW = "UPDATE message SET text = ?2, text_sha256 = ?3, text_size = ?4, cut = ?5, ending = ?6,
        content_end = coalesce(?7, content_end) WHERE id = ?1";
    REPLACE_CONTENT = "UPDATE message SET content = ?2, activity_type = coalesce(?3, activity_type) WHERE id = ?1";
    SET_POSITION = "UPDATE message SET position = ?2 WHERE id = ?1";
    SET_NAME = "UPDATE message SET name = ?2, role = ?3 WHERE id = ?1";
    SET_EXTRA = "UPDATE message SET extra = ?2, encrypted = ?3 WHERE id = ?1";
    INSERT_ALIAS = "INSERT INTO message_alias (source_id, message_id, conversation_id, run_id, alias, reason, event)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    STUBS = "SELECT id, run_id, position, stated_id, role, class, ending, text_sha256, text_size, answers_call
        FROM message WHERE conversation_id = ?1 ORDER BY position, id";
    ALIASES = "SELECT message_id, alias, reason FROM message_alias WHERE conversation_id = ?1 ORDER BY id";
    CLEAR = "DELETE FROM message";
    CLEAR_ALIASES = "DELETE FROM message_alias";
}

/// A message to add.
#[derive(Debug, Clone)]
pub struct NewMessage<'a> {
    /// Source it was first seen in.
    pub source: SourceId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// Run it was first seen in.
    pub run: Option<RunId>,
    /// Order key within the conversation.
    pub position: i64,
    /// `messageId` as stated, or the one we derived.
    pub stated_id: Option<&'a str>,
    /// True when `stated_id` is ours.
    pub id_derived: bool,
    /// Role as stated.
    pub role: &'a str,
    /// Role class that keeps equal ids apart: `user`, `assistant`, `tool`, `reasoning`, `activity`, `system`.
    pub class: &'a str,
    /// `name`.
    pub name: Option<&'a str>,
    /// `stream`, `input`, `snapshot`, `list`.
    pub origin: &'a str,
    /// Text; what an encrypted value holds never goes in here.
    pub text: &'a str,
    /// True when the text was cut at the fold's limit.
    pub cut: bool,
    /// How the text ended.
    pub ending: Ending,
    /// For a tool message: the `toolCallId` it answers.
    pub answers_call: Option<&'a str>,
    /// For an activity message.
    pub activity_type: Option<&'a str>,
    /// Structured content (activity, content parts) as JSON.
    pub content: Option<&'a str>,
    /// Whatever else is to be shown, as JSON.
    pub extra: Option<&'a str>,
    /// Whether an encrypted value is held in the source.
    pub encrypted: bool,
    /// Sub-agent that produced it.
    pub subagent_run_id: Option<&'a str>,
    /// Index of its first event, where it came from an event.
    pub first_event: Option<u64>,
    /// Bytes of the content from its first frame to its last.
    pub at: Option<Range<u64>>,
    /// Timestamp as its text, and as an instant where its unit is plausible.
    pub timestamp: Option<&'a str>,
    /// See `timestamp`.
    pub stated_at: Option<Instant>,
}

/// What more came to a held message.
#[derive(Debug, Clone)]
pub struct MessageGrowth<'a> {
    /// Text to append; may be empty.
    pub append: &'a str,
    /// As in [`NewMessage`].
    pub cut: bool,
    /// As in [`NewMessage`].
    pub ending: Ending,
    /// New end of its bytes in the content, when in the same source.
    pub content_end: Option<u64>,
}

/// What the fold needs of a held message to go on (facts/agui §3.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageStub {
    /// Row id.
    pub id: MessageId,
    /// Run it was first seen in.
    pub run: Option<RunId>,
    /// Order key.
    pub position: i64,
    /// `messageId`.
    pub stated_id: Option<String>,
    /// Role.
    pub role: String,
    /// Role class.
    pub class: String,
    /// How it ended.
    pub ending: Ending,
    /// SHA-256 of the text as UTF-8, and its length in bytes.
    pub text_sha256: Sha256,
    /// See `text_sha256`.
    pub text_size: u64,
    /// `toolCallId` it answers.
    pub answers_call: Option<String>,
}

/// Another id of a message (facts/agui §3.4).
#[derive(Debug, Clone)]
pub struct NewAlias<'a> {
    /// Source whose snapshot renamed it.
    pub source: SourceId,
    /// The message.
    pub message: MessageId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// Run in which it was renamed.
    pub run: Option<RunId>,
    /// The other id.
    pub alias: &'a str,
    /// How it was matched: `id`, `tool-call`, `text`.
    pub reason: &'a str,
    /// Index of the event that renamed it.
    pub event: Option<u64>,
}

/// An alias as held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    /// The message.
    pub message: MessageId,
    /// The other id.
    pub alias: String,
    /// How it was matched.
    pub reason: String,
}

impl Batch {
    /// Adds a message.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_message(&mut self, new: &NewMessage<'_>) -> Result<MessageId> {
        let row = params![
            new.source,
            new.conversation,
            new.run,
            new.position,
            new.stated_id,
            new.id_derived,
            new.role,
            new.class,
            new.name,
            new.origin,
            new.text,
            Sha256::of(new.text.as_bytes()),
            stored(new.text.len() as u64),
            new.cut,
            new.ending,
            new.answers_call,
            new.activity_type,
            new.content,
            new.extra,
            new.encrypted,
            new.subagent_run_id,
            new.first_event.map(stored),
            new.at.as_ref().map(|at| stored(at.start)),
            new.at.as_ref().map(|at| stored(at.end)),
            new.timestamp,
            new.stated_at
        ];
        let id = self.insert(INSERT, row)?;
        self.unindexed_messages.insert(id);
        let counts = self.counts(new.conversation);
        counts.messages += 1;
        counts.answers += i64::from(is_answer(new.class, new.text));
        Ok(MessageId(id))
    }

    /// Appends text to a message and says how it ended.
    ///
    /// # Errors
    /// Storage; not found.
    pub fn grow_message(&mut self, id: MessageId, growth: &MessageGrowth<'_>) -> Result<()> {
        let (conversation, class, mut text): (ConversationId, String, String) = self
            .statement(TEXT_TO_GROW)?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()?
            .ok_or_else(|| Error::NotFound(format!("message {id}")))?;
        if !growth.append.is_empty() && !self.unindexed_messages.contains(&id.0) {
            self.forget_message_text(id, &text)?;
        }
        let was_answer = is_answer(&class, &text);
        text.push_str(growth.append);
        let row = params![
            id,
            text,
            Sha256::of(text.as_bytes()),
            stored(text.len() as u64),
            growth.cut,
            growth.ending,
            growth.content_end.map(stored)
        ];
        self.execute(GROW, row)?;
        self.counts(conversation).answers += i64::from(!was_answer && is_answer(&class, &text));
        Ok(())
    }

    /// Replaces the structured content (activity), and its type when given.
    ///
    /// # Errors
    /// Storage.
    pub fn replace_content(
        &mut self,
        id: MessageId,
        content: Option<&str>,
        activity_type: Option<&str>,
    ) -> Result<()> {
        self.execute(REPLACE_CONTENT, params![id, content, activity_type]).map(drop)
    }

    /// Moves a message to another place of its conversation.
    ///
    /// # Errors
    /// Storage.
    pub fn set_position(&mut self, id: MessageId, position: i64) -> Result<()> {
        self.execute(SET_POSITION, params![id, position]).map(drop)
    }

    /// Sets name and role, when a later event states them.
    ///
    /// # Errors
    /// Storage.
    pub fn set_name_and_role(
        &mut self,
        id: MessageId,
        name: Option<&str>,
        role: &str,
    ) -> Result<()> {
        self.execute(SET_NAME, params![id, name, role]).map(drop)
    }

    /// Sets the JSON of whatever else is to be shown, and whether an encrypted value is held.
    ///
    /// # Errors
    /// Storage.
    pub fn set_extra(&mut self, id: MessageId, extra: Option<&str>, encrypted: bool) -> Result<()> {
        self.execute(SET_EXTRA, params![id, extra, encrypted]).map(drop)
    }

    /// Adds another id of a message.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_alias(&mut self, new: &NewAlias<'_>) -> Result<()> {
        let row = params![
            new.source,
            new.message,
            new.conversation,
            new.run,
            new.alias,
            new.reason,
            new.event.map(stored)
        ];
        self.execute(INSERT_ALIAS, row).map(drop)
    }

    /// Stubs of every message of a conversation in order, handed out one by one.
    ///
    /// # Errors
    /// Storage, and whatever `each` says.
    pub fn message_stubs(
        &self,
        conversation: ConversationId,
        mut each: impl FnMut(MessageStub) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.statement(STUBS)?;
        let mut rows = statement.query([conversation])?;
        while let Some(row) = rows.next()? {
            each(MessageStub {
                id: row.get(0)?,
                run: row.get(1)?,
                position: row.get(2)?,
                stated_id: row.get(3)?,
                role: row.get(4)?,
                class: row.get(5)?,
                ending: row.get(6)?,
                text_sha256: row.get(7)?,
                text_size: unsigned(row.get(8)?),
                answers_call: row.get(9)?,
            })?;
        }
        Ok(())
    }

    /// Aliases of a conversation in the order found.
    ///
    /// # Errors
    /// Storage.
    pub fn aliases(&self, conversation: ConversationId) -> Result<Vec<Alias>> {
        let mut statement = self.statement(ALIASES)?;
        let rows = statement.query_map([conversation], |row| {
            Ok(Alias { message: row.get(0)?, alias: row.get(1)?, reason: row.get(2)? })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// An assistant's message with words in it; one that only calls tools is none.
fn is_answer(class: &str, text: &str) -> bool {
    class == "assistant" && !text.trim().is_empty()
}
