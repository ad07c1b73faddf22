//! One event's way into the thread.

use std::ops::Range;

use super::codes;
use super::item::id_of;
use super::log::Detail;
use super::model::Origin;
use super::open::Folding;
use super::store::Store;
use super::{Speech, lists};
use crate::event::{Event, EventType, Key, key};
use crate::finding::{Code, Finding};
use crate::runs::{Place, RunEvent};

/// A run, its thread and the event at hand; none while a request is taken or the run ends.
pub(super) struct Fold<'a> {
    pub store: &'a mut Store,
    pub run: &'a mut Folding,
    pub ev: Option<&'a RunEvent>,
}

impl<'a> Fold<'a> {
    /// Takes the event at hand.
    pub(super) fn event(mut self) {
        use EventType as T;
        let Some(ev) = self.ev else { return };
        let event = &ev.event;
        self.run.changed = true;
        let Some(kind) = event.known() else {
            return self.named(event.kind().name(), "");
        };
        if !matches!(kind, T::SubagentStarted | T::SubagentFinished | T::SubagentError)
            && let Some(id) = event.subagent()
        {
            self.name_subagent(&id_of(&id));
        }
        self.close_chunks(kind, event);
        self.pieces(kind, event);
        match kind {
            T::RunStarted => self.run_started(event),
            T::RunFinished => self.run_finished(event),
            T::RunError => self.run_error(event),
            T::StepStarted | T::StepFinished => self.step(kind, event),
            T::TextMessageStart => self.message_start(Speech::Text, event),
            T::TextMessageContent => self.message_content(Speech::Text, event),
            T::TextMessageEnd => self.message_end(Speech::Text, event),
            T::TextMessageChunk => self.message_chunk(Speech::Text, event),
            T::ReasoningMessageStart => self.message_start(Speech::Reasoning, event),
            T::ReasoningMessageContent => self.message_content(Speech::Reasoning, event),
            T::ReasoningMessageEnd => self.message_end(Speech::Reasoning, event),
            T::ReasoningMessageChunk => self.message_chunk(Speech::Reasoning, event),
            T::ReasoningStart | T::ReasoningEnd => self.span(kind, event),
            T::ReasoningEncryptedValue => self.encrypted_value(event),
            T::ThinkingStart
            | T::ThinkingEnd
            | T::ThinkingTextMessageStart
            | T::ThinkingTextMessageContent
            | T::ThinkingTextMessageEnd
            | T::ThinkingContent => self.thinking(kind, event),
            T::ToolCallStart => self.tool_start(event),
            T::ToolCallArgs => self.tool_args(event),
            T::ToolCallEnd => self.tool_end(event),
            T::ToolCallChunk => self.tool_chunk(event),
            T::ToolCallResult => self.tool_result(event),
            T::StateSnapshot => self.state_snapshot(event),
            T::StateDelta => self.state_delta(event),
            T::ActivitySnapshot => self.activity_snapshot(event),
            T::ActivityDelta => self.activity_delta(event),
            T::MessagesSnapshot => {
                if let Some(list) = event.get(&key::MESSAGES).ok() {
                    lists::merge_list(&mut self, list, Origin::Snapshot);
                }
            }
            T::Custom => self.custom(event),
            T::Raw => self.raw(event),
            T::Meta | T::MetaEvent => {
                let name = event.text(&key::META_TYPE).ok().unwrap_or_default();
                self.named("META", &name);
            }
            T::SubagentStarted | T::SubagentFinished | T::SubagentError => {
                self.subagent(kind, event);
            }
        }
        self.raw_event(kind, event);
    }

    /// Notes a finding about the event at hand.
    pub(super) fn note(&mut self, code: &'static Code, message: String) {
        let (event, at) = (self.ev.map(|ev| ev.index), self.ev.map(|ev| ev.at.clone()));
        self.note_at(code, message, event, at);
    }

    pub(super) fn note_at(
        &mut self,
        code: &'static Code,
        message: String,
        event: Option<u64>,
        at: Option<Range<u64>>,
    ) {
        if let Some(finding) = self.run.bound.admit(Finding { code, message, event, at }) {
            self.store.finding(Some(self.run.key), finding);
        }
    }

    /// An id of the event, cut when it is too long.
    pub(super) fn id(&mut self, event: &Event, key: &Key) -> Option<String> {
        let id = event.text(key).ok()?;
        let kept = id_of(&id);
        if kept.len() != id.len() {
            self.note(&codes::ID_TOO_LONG, format!("{} has {} bytes.", key.name, id.len()));
        }
        Some(kept)
    }

    /// What is known of something that the event at hand brings.
    pub(super) fn met(&self) -> Detail {
        let Some(ev) = self.ev else { return Detail::default() };
        Detail {
            first_event: Some(ev.index),
            after_end: ev.place == Place::AfterEnd,
            timestamp: ev.event.timestamp().map(str::to_owned),
            arrival: ev.arrival.clone(),
            subagent: ev.event.subagent().map(|s| id_of(&s)),
            metadata: ev.event.get(&key::METADATA).ok().map(|raw| raw.json().to_owned()),
            ..Detail::default()
        }
    }

    pub(super) fn index(&self) -> Option<u64> {
        self.ev.map(|ev| ev.index)
    }
}
