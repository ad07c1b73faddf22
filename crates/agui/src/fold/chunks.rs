//! Chunks: the shorthand for start, content and end (facts/agui §3.2).

use super::codes;
use super::item::id_of;
use super::model::*;
use super::open::{Chunk, Chunked};
use super::{Fold, Speech};
use crate::event::{Event, EventType, Got, key};

/// Most chunks that are open at once, one for each sub-agent; one more ends them all.
const MAX_OPEN_CHUNKS: usize = 256;

impl Fold<'_> {
    /// Ends the open chunks that this event closes: nearly every other event does, CUSTOM among them.
    pub(super) fn close_chunks(&mut self, kind: EventType, event: &Event) {
        use EventType as T;
        if self.run.chunks.is_empty() {
            return;
        }
        let leaves_open = match kind {
            T::Raw
            | T::ActivitySnapshot
            | T::ActivityDelta
            | T::ReasoningEncryptedValue
            | T::Meta
            | T::MetaEvent => true,
            T::SubagentStarted => self.run.speaks_1_0,
            _ => false,
        };
        if leaves_open {
            return;
        }
        let owner = event.subagent().map(|s| id_of(&s));
        // From 1.0 on each owner has a chunk of its own. Events of no owner close all.
        let of_all = match kind {
            T::RunStarted | T::RunFinished | T::RunError | T::MessagesSnapshot => true,
            T::Custom => owner.is_none(),
            _ => false,
        };
        let only_own = self.run.speaks_1_0 && !of_all;
        let closed: Vec<_> = self
            .run
            .chunks
            .iter()
            .filter(|(of, chunk)| {
                (!only_own || **of == owner) && !(**of == owner && goes_on(chunk, kind, event))
            })
            .map(|(of, chunk)| (of.clone(), chunk.of.clone()))
            .collect();
        for (of, chunked) in closed {
            self.run.chunks.remove(&of);
            // An error ends the run, not the message: its text is not known to be whole.
            if kind != T::RunError {
                self.end_chunk(&chunked);
            }
        }
    }

    fn end_chunk(&mut self, chunked: &Chunked) {
        match chunked {
            Chunked::Message(_, key) => self.end_message(*key, Ended::Implied),
            Chunked::Call(key) => self.end_call(*key, Ended::Implied),
        }
    }

    pub(super) fn message_chunk(&mut self, speech: Speech, event: &Event) {
        let owner = event.subagent().map(|s| id_of(&s));
        let delta = event.text(&key::DELTA);
        let open = self.run.chunks.get(&owner).and_then(|chunk| match chunk.of {
            Chunked::Message(class, key) if speech.classes().contains(&class) => Some(key),
            _ => None,
        });
        let key = match open {
            Some(key) => key,
            None => self.first_chunk(speech, owner.clone(), event),
        };
        match delta {
            // An empty piece closes reasoning.
            Got::Ok(delta) if delta.is_empty() && speech == Speech::Reasoning => {
                self.run.chunks.remove(&owner);
                self.end_message(key, Ended::Implied);
            }
            Got::Ok(delta) => self.say(key, &delta),
            _ => {}
        }
    }

    fn first_chunk(&mut self, speech: Speech, owner: Option<String>, event: &Event) -> MessageKey {
        let role = speech.role(event);
        let id = self.id(event, &key::MESSAGE_ID).or_else(|| {
            self.note(&codes::CHUNK_WITHOUT_ID, codes::CHUNK_WITHOUT_ID.meaning.to_owned());
            // After an event in between a producer means the message that it was at.
            match self.run.last_chunked.get(&owner) {
                Some(Chunk { id, of: Chunked::Message(class, _) }) if *class == role.class() => {
                    Some(id.clone())
                }
                _ => None,
            }
        });
        // A chunk of its own belongs to each owner, whatever the ids; a started message may go on in chunks.
        let is_chunk = |key: MessageKey| {
            self.run
                .chunks
                .values()
                .any(|chunk| matches!(chunk.of, Chunked::Message(_, of) if of == key))
        };
        let open = id
            .as_deref()
            .and_then(|id| self.meant_message(role.class(), id))
            .filter(|key| self.run.is_open(*key))
            .filter(|key| {
                self.opener(*key) == owner.as_deref() || (owner.is_none() && !is_chunk(*key))
            });
        let key = open.unwrap_or_else(|| self.open_message(id, &role));
        if let Some(name) = event.text(&key::NAME).ok()
            && let Some(detail) = self.store.log.detail_mut(key)
        {
            detail.name = Some(name.into_owned());
        }
        let id = self.store.log.stub(key).id.to_string();
        self.chunk(owner, Chunk { id, of: Chunked::Message(role.class(), key) });
        key
    }

    pub(super) fn tool_chunk(&mut self, event: &Event) {
        let owner = event.subagent().map(|s| id_of(&s));
        let open = self.run.chunks.get(&owner).and_then(|chunk| match chunk.of {
            Chunked::Call(key) => Some(key),
            Chunked::Message(..) => None,
        });
        let key = open.unwrap_or_else(|| {
            let id = self.id(event, &key::TOOL_CALL_ID).or_else(|| {
                self.note(&codes::CHUNK_WITHOUT_ID, codes::CHUNK_WITHOUT_ID.meaning.to_owned());
                match self.run.last_chunked.get(&owner) {
                    Some(Chunk { id, of: Chunked::Call(_) }) => Some(id.clone()),
                    _ => None,
                }
            });
            let name = event.text(&key::TOOL_CALL_NAME).ok().map(|n| n.into_owned());
            let parent = self.id(event, &key::PARENT_MESSAGE_ID);
            let open = id.as_ref().and_then(|id| self.run.open_calls.get(id)).copied();
            let key = open.unwrap_or_else(|| self.open_call(id, name, parent));
            let id = self.store.calls.get(key).id.clone();
            self.chunk(owner.clone(), Chunk { id, of: Chunked::Call(key) });
            key
        });
        if let Some(delta) = event.text(&key::DELTA).ok() {
            self.argue(key, &delta);
        }
    }

    fn chunk(&mut self, owner: Option<String>, chunk: Chunk) {
        if self.run.chunks.len() >= MAX_OPEN_CHUNKS {
            for chunk in std::mem::take(&mut self.run.chunks).into_values() {
                self.end_chunk(&chunk.of);
            }
        }
        self.run.last_chunked.insert(owner.clone(), chunk.clone());
        self.run.chunks.insert(owner, chunk);
    }
}

/// Whether an event is a further piece of an open chunk, or speaks of the same thing in the long form.
fn goes_on(chunk: &Chunk, kind: EventType, event: &Event) -> bool {
    use EventType as T;
    let (of, id) = match kind {
        T::TextMessageStart | T::TextMessageContent | T::TextMessageEnd | T::TextMessageChunk => {
            (Some(Speech::Text), event.text(&key::MESSAGE_ID).ok())
        }
        T::ReasoningMessageStart
        | T::ReasoningMessageContent
        | T::ReasoningMessageEnd
        | T::ReasoningMessageChunk => (Some(Speech::Reasoning), event.text(&key::MESSAGE_ID).ok()),
        T::ToolCallStart | T::ToolCallArgs | T::ToolCallEnd | T::ToolCallChunk => {
            (None, event.text(&key::TOOL_CALL_ID).ok())
        }
        _ => return false,
    };
    let same_kind = match (&chunk.of, of) {
        (Chunked::Message(class, _), Some(speech)) => speech.classes().contains(class),
        (Chunked::Call(_), None) => true,
        _ => false,
    };
    let is_chunk =
        matches!(kind, T::TextMessageChunk | T::ReasoningMessageChunk | T::ToolCallChunk);
    same_kind && id.map_or(is_chunk, |id| id_of(&id) == chunk.id)
}
