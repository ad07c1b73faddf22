//! Spans of reasoning, encrypted values and the retired THINKING events (facts/agui §1.8).

use super::Fold;
use super::codes;
use super::log::{Detail, Spot};
use super::model::*;
use super::open::Thinking;
use crate::event::note::quote;
use crate::event::{Event, EventType, key};

impl Fold<'_> {
    /// Spans and messages of reasoning are separate name spaces (facts/agui §3.0).
    pub(super) fn span(&mut self, kind: EventType, event: &Event) {
        let Some(id) = self.id(event, &key::MESSAGE_ID) else { return };
        let shown = quote(&id);
        if kind == EventType::ReasoningStart {
            if !self.run.spans.insert(id) {
                self.note(
                    &codes::SPAN_STARTED_TWICE,
                    format!("The span {shown} was started while it was open."),
                );
            }
        } else if !self.run.spans.remove(&id) {
            self.note(&codes::SPAN_NOT_OPEN, format!("The span {shown} was ended, but not open."));
        }
    }

    pub(super) fn encrypted_value(&mut self, event: &Event) {
        let Some(value) = event.text(&key::ENCRYPTED_VALUE).ok() else { return };
        let id = self.id(event, &key::ENTITY_ID).unwrap_or_default();
        let of_call = event.text(&key::SUBTYPE).ok().is_some_and(|s| s == "tool-call");
        let of = if of_call { self.call_entity(&id) } else { self.message_entity(&id) };
        let of = of.unwrap_or_else(|| {
            self.note(
                &codes::ENCRYPTED_OF_UNKNOWN,
                format!("Nothing with the id {} is held.", quote(&id)),
            );
            Entity::Unknown(id)
        });
        let (run, event) = (Some(self.run.key), self.index());
        self.store.changes.encrypted.push(EncryptedValue {
            of,
            run,
            event,
            value: value.into_owned(),
        });
    }

    fn call_entity(&self, id: &str) -> Option<Entity> {
        self.run
            .calls
            .get(id)
            .or_else(|| self.store.calls.with_id(id).last())
            .map(|key| Entity::Call(*key))
    }

    fn message_entity(&mut self, id: &str) -> Option<Entity> {
        let classes = [RoleClass::Reasoning, RoleClass::Text, RoleClass::Tool, RoleClass::User];
        let here = classes
            .iter()
            .find_map(|class| self.run.messages.get(&(*class, id.to_owned())).copied());
        let earlier =
            || classes.iter().find_map(|class| self.store.log.with_id(*class, id).last().copied());
        let key = here.or_else(earlier)?;
        self.store.log.stub_mut(key).encrypted = true;
        Some(Entity::Message(key))
    }

    /// THINKING events have no ids: each text becomes a reasoning message with an id made of the run.
    pub(super) fn thinking(&mut self, kind: EventType, event: &Event) {
        match kind {
            EventType::ThinkingStart => {
                if self.run.thinking.open {
                    self.note(
                        &codes::SPAN_STARTED_TWICE,
                        "Thinking was started while it was open.".to_owned(),
                    );
                    self.end_thinking();
                }
                self.run.thinking.open = true;
                self.run.thinking.spoke = false;
                self.run.thinking.title = event.text(&key::TITLE).ok().map(|t| t.into_owned());
            }
            EventType::ThinkingEnd => {
                if !self.run.thinking.open {
                    self.note(
                        &codes::SPAN_NOT_OPEN,
                        "Thinking was ended, but not open.".to_owned(),
                    );
                }
                self.end_thinking();
            }
            EventType::ThinkingTextMessageStart => {
                if self.run.thinking.message.is_some() {
                    self.note(
                        &codes::STARTED_TWICE,
                        "A thought was started while it was open.".to_owned(),
                    );
                } else {
                    self.open_thought();
                }
            }
            EventType::ThinkingTextMessageEnd => match self.run.thinking.message.take() {
                Some(key) => self.end_message(key, Ended::Yes),
                None => {
                    self.note(
                        &codes::END_NOT_OPEN,
                        "A thought was ended, but not open.".to_owned(),
                    );
                }
            },
            // THINKING_TEXT_MESSAGE_CONTENT, and Dart's THINKING_CONTENT, which needs no start.
            _ => {
                let key = match self.run.thinking.message {
                    Some(key) => key,
                    None => {
                        if kind == EventType::ThinkingTextMessageContent {
                            self.note(
                                &codes::CONTENT_NOT_OPEN,
                                "A thought was not started.".to_owned(),
                            );
                        }
                        self.open_thought()
                    }
                };
                if let Some(delta) =
                    event.text(&key::DELTA).ok().or_else(|| event.text(&key::CONTENT).ok())
                {
                    self.say(key, &delta);
                }
            }
        }
    }

    /// Ends a span of thinking. A span that has a title but no text is kept for its title.
    pub(super) fn end_thinking(&mut self) {
        if self.run.thinking.title.is_some() && !self.run.thinking.spoke {
            let key = self.open_thought();
            self.end_message(key, Ended::Implied);
        }
        let count = self.run.thinking.count;
        self.run.thinking = Thinking { count, ..Thinking::default() };
    }

    fn open_thought(&mut self) -> MessageKey {
        let thinking = &mut self.run.thinking;
        thinking.count += 1;
        thinking.spoke = true;
        let count = thinking.count;
        let title = thinking.title.clone();
        let run = self.run.run.run_id.clone().unwrap_or_else(|| self.run.key.0.to_string());
        let id = format!("thinking:{run}:{count}");
        let detail = Detail { id_derived: true, title, segments: 1, ..self.met() };
        let key = self.store.log.create(
            &id,
            Role::Reasoning,
            Some(self.run.key),
            Origin::Stream,
            Spot::End,
            detail,
        );
        self.run.thinking.message = Some(key);
        key
    }
}
