//! `message`, `message_alias`, `message_edit`: messages in shown order, the other ids that services gave them, and other
//! texts.

use std::ops::Range;

use rusqlite::{OptionalExtension, params};

use crate::value::stored;
use crate::{
    Batch, ConversationId, Ending, Error, Instant, MessageId, Result, RunId, Sha256, SourceId,
};

statements! {
    INSERT = "INSERT INTO message (source_id, conversation_id, run_id, number, position, stated_id, id_derived, role,
        class, name, origin, text, text_sha256, text_size, cut, ending, answers_call, activity_type, content, extra,
        encrypted, subagent_run_id, first_event, content_start, content_end, timestamp, stated_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
        ?23, ?24, ?25, ?26, ?27)";
    OF_NUMBER = "SELECT id FROM message WHERE conversation_id = ?1 AND number = ?2";
    HAS_STATED_ID = "SELECT EXISTS (SELECT 1 FROM message WHERE conversation_id = ?1 AND stated_id = ?2)";
    TEXT = "SELECT conversation_id, role, text FROM message WHERE id = ?1";
    HOME = "SELECT source_id, run_id FROM message WHERE id = ?1";
    GROW = "UPDATE message SET text = ?2, text_sha256 = ?3, text_size = ?4 WHERE id = ?1";
    UPDATE = "UPDATE message SET role = ?2, name = ?3, cut = ?4, ending = ?5, answers_call = ?6, content = ?7,
        extra = ?8, content_end = coalesce(?9, content_end) WHERE id = ?1";
    SET_ENCRYPTED = "UPDATE message SET encrypted = 1 WHERE id = ?1";
    REPLACE_CONTENT = "UPDATE message SET content = ?2, activity_type = coalesce(?3, activity_type) WHERE id = ?1";
    SET_POSITION = "UPDATE message SET position = ?2 WHERE id = ?1";
    INSERT_ALIAS = "INSERT INTO message_alias (source_id, message_id, conversation_id, run_id, alias, reason, event)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    INSERT_EDIT = "INSERT INTO message_edit (source_id, message_id, run_id, origin, text, event)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    CLEAR = "DELETE FROM message";
    CLEAR_ALIASES = "DELETE FROM message_alias";
    CLEAR_EDITS = "DELETE FROM message_edit";
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
    /// Its number within the conversation: the fold's `MessageKey`.
    pub number: u64,
    /// Order key within the conversation.
    pub position: i64,
    /// `messageId` as stated, or the one we derived.
    pub stated_id: Option<&'a str>,
    /// True when `stated_id` is ours.
    pub id_derived: bool,
    /// Role as stated.
    pub role: &'a str,
    /// Role class that keeps equal ids apart: `text` (assistant and the like), `user`, `tool`,
    /// `reasoning`, `activity`.
    pub class: &'a str,
    /// `name`.
    pub name: Option<&'a str>,
    /// `stream`, `input`, `request`, `snapshot`, `list`.
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

/// What a held message is now.
#[derive(Debug, Clone)]
pub struct MessageUpdate<'a> {
    /// Where `append` begins in the whole text, in bytes: the length of the text held.
    pub text_at: u64,
    /// Text to append; may be empty.
    pub append: &'a str,
    /// The rest as in [`NewMessage`].
    pub role: &'a str,
    /// See `role`.
    pub name: Option<&'a str>,
    /// See `role`.
    pub cut: bool,
    /// See `role`.
    pub ending: Ending,
    /// See `role`.
    pub answers_call: Option<&'a str>,
    /// See `role`.
    pub content: Option<&'a str>,
    /// See `role`.
    pub extra: Option<&'a str>,
    /// New end of its bytes in the content, when in the same source.
    pub content_end: Option<u64>,
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
    /// How it was matched: `tool-call-id`, `equal-text`.
    pub reason: &'a str,
    /// Index of the event that renamed it.
    pub event: Option<u64>,
}

/// Another text that a list gives for a message whose text is held.
#[derive(Debug, Clone)]
pub struct NewEdit<'a> {
    /// Source whose list it is.
    pub source: SourceId,
    /// The message.
    pub message: MessageId,
    /// Run whose list it is.
    pub run: Option<RunId>,
    /// Where the list stood: `input`, `request`, `snapshot`, `list`.
    pub origin: &'a str,
    /// The other text.
    pub text: &'a str,
    /// Index of the event.
    pub event: Option<u64>,
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
            stored(new.number),
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
        counts.answers += i64::from(is_answer(new.role, new.text));
        Ok(MessageId(id))
    }

    /// The message with this number in its conversation.
    ///
    /// # Errors
    /// Storage.
    pub fn message_of_number(
        &self,
        conversation: ConversationId,
        number: u64,
    ) -> Result<Option<MessageId>> {
        let key = params![conversation, stored(number)];
        Ok(self.statement(OF_NUMBER)?.query_row(key, |row| row.get(0)).optional()?)
    }

    /// Whether a conversation holds a message with this stated id.
    ///
    /// # Errors
    /// Storage.
    pub fn has_message(&self, conversation: ConversationId, stated_id: &str) -> Result<bool> {
        Ok(self
            .statement(HAS_STATED_ID)?
            .query_row(params![conversation, stated_id], |row| row.get(0))?)
    }

    /// The text of a message as held so far.
    ///
    /// # Errors
    /// Storage; not found.
    pub fn message_text(&self, id: MessageId) -> Result<String> {
        self.conversation_role_text(id).map(|(_, _, text)| text)
    }

    /// Source and run that a message came in.
    ///
    /// # Errors
    /// Storage; not found.
    pub fn message_home(&self, id: MessageId) -> Result<(SourceId, Option<RunId>)> {
        self.statement(HOME)?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?
            .ok_or_else(|| Error::NotFound(format!("message {id}")))
    }

    /// Brings a message up to date and appends to its text.
    ///
    /// # Errors
    /// Storage; not found; bad input, when the text held does not end where `append` begins.
    pub fn update_message(&mut self, id: MessageId, now: &MessageUpdate<'_>) -> Result<()> {
        if !now.append.is_empty() {
            self.grow_text(id, now)?;
        }
        let row = params![
            id,
            now.role,
            now.name,
            now.cut,
            now.ending,
            now.answers_call,
            now.content,
            now.extra,
            now.content_end.map(stored)
        ];
        self.execute(UPDATE, row).map(drop)
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

    /// Notes that an encrypted value of it is held in its source; never as text.
    ///
    /// # Errors
    /// Storage.
    pub fn set_encrypted(&mut self, id: MessageId) -> Result<()> {
        self.execute(SET_ENCRYPTED, [id]).map(drop)
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

    /// Adds another text of a message.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_edit(&mut self, new: &NewEdit<'_>) -> Result<()> {
        let row =
            params![new.source, new.message, new.run, new.origin, new.text, new.event.map(stored)];
        self.execute(INSERT_EDIT, row).map(drop)
    }

    fn grow_text(&mut self, id: MessageId, now: &MessageUpdate<'_>) -> Result<()> {
        let (conversation, role, mut text) = self.conversation_role_text(id)?;
        if text.len() as u64 != now.text_at {
            let (held, at) = (text.len(), now.text_at);
            return Err(Error::BadInput(format!(
                "the text of message {id} has {held} bytes, not {at}"
            )));
        }
        if !self.unindexed_messages.contains(&id.0) {
            self.forget_message_text(id, &text)?;
        }
        let was_answer = is_answer(&role, &text);
        text.push_str(now.append);
        let row = params![id, text, Sha256::of(text.as_bytes()), stored(text.len() as u64)];
        self.execute(GROW, row)?;
        self.counts(conversation).answers += i64::from(!was_answer && is_answer(now.role, &text));
        Ok(())
    }

    fn conversation_role_text(&self, id: MessageId) -> Result<(ConversationId, String, String)> {
        self.statement(TEXT)?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()?
            .ok_or_else(|| Error::NotFound(format!("message {id}")))
    }
}

/// An assistant's message with words in it; one that only calls tools is none.
fn is_answer(role: &str, text: &str) -> bool {
    role == "assistant" && !text.trim().is_empty()
}
