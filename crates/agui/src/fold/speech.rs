//! Text and reasoning messages (facts/agui §1.3, §1.8, §3.1, §3.3).

use super::codes;
use super::item::{id_of, merge_metadata};
use super::log::{Detail, Spot};
use super::model::*;
use super::{Fold, MAX_MESSAGE_TEXT};
use crate::event::note::quote;
use crate::event::{Event, EventType, key};

/// Most messages with one id among which the one of an opener is looked for: the latest.
const MAX_OPENERS: usize = 64;

/// Which events speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speech {
    /// TEXT_MESSAGE_…
    Text,
    /// REASONING_MESSAGE_…
    Reasoning,
}

impl Speech {
    /// The classes of messages that these events name.
    pub(super) fn classes(self) -> &'static [RoleClass] {
        match self {
            Self::Text => &[RoleClass::Text, RoleClass::User],
            Self::Reasoning => &[RoleClass::Reasoning],
        }
    }

    /// The role of a message that nothing started.
    fn default_role(self) -> &'static Role {
        match self {
            Self::Text => &Role::Assistant,
            Self::Reasoning => &Role::Reasoning,
        }
    }

    pub(super) fn role(self, event: &Event) -> Role {
        match self {
            // Some servers say `assistant` here; the events say what it is.
            Self::Reasoning => Role::Reasoning,
            Self::Text => match event.text(&key::ROLE).ok() {
                Some(role) => match Role::read(&role) {
                    // Text is text, whatever role it claims.
                    Role::Tool | Role::Reasoning | Role::Activity => Role::Other(role.into_owned()),
                    role => role,
                },
                None => Role::Assistant,
            },
        }
    }
}

impl Fold<'_> {
    pub(super) fn message_start(&mut self, speech: Speech, event: &Event) {
        let id = self.id(event, &key::MESSAGE_ID);
        let role = speech.role(event);
        if let Some(id) = &id
            && self.own_message(role.class(), id).is_some_and(|key| self.run.is_open(key))
        {
            return self.note(
                &codes::STARTED_TWICE,
                format!("The message {} was started while it was open.", quote(id)),
            );
        }
        let key = self.open_message(id, &role);
        self.name(key, event);
    }

    /// Opens a message of this run, again when it was there before: an id names one message of a run.
    pub(super) fn open_message(&mut self, id: Option<String>, role: &Role) -> MessageKey {
        let derived = id.is_none();
        let id = id.unwrap_or_else(|| self.run.derive_id("message"));
        if *role == Role::User {
            self.run.run.question = Question::Recorded;
        }
        let key = match self.own_message(role.class(), &id) {
            Some(key) => {
                let held = &self.store.log.stub(key).role;
                if held != role {
                    let message = format!(
                        "{} was {}, now {}.",
                        quote(&id),
                        quote(held.name()),
                        quote(role.name())
                    );
                    self.note(&codes::ROLE_CHANGED, message);
                }
                self.check_owner(key);
                self.store.log.set_ended(key, Ended::No, None);
                key
            }
            None => {
                if self.run.messages.contains_key(&(role.class(), id.clone())) {
                    let id = quote(&id);
                    let message = format!("{id} is opened by several; they are kept apart.");
                    self.note(&codes::OWNER_CHANGED, message);
                } else if !derived && !self.store.log.with_id(role.class(), &id).is_empty() {
                    self.note(
                        &codes::ID_REUSED,
                        format!("The id {} was used in an earlier run.", quote(&id)),
                    );
                }
                let detail = Detail { id_derived: derived, ..self.met() };
                self.store.log.create(
                    &id,
                    role.clone(),
                    Some(self.run.key),
                    Origin::Stream,
                    Spot::End,
                    detail,
                )
            }
        };
        if let Some(detail) = self.store.log.detail_mut(key) {
            detail.segments += 1;
        }
        self.run.opened(role, &id, key);
        key
    }

    fn name(&mut self, key: MessageKey, event: &Event) {
        let name = event.text(&key::NAME).ok().map(|n| n.into_owned());
        let title = event.text(&key::TITLE).ok().map(|t| t.into_owned());
        if let Some(detail) = self.store.log.detail_mut(key) {
            detail.name = name.or_else(|| detail.name.take());
            detail.title = title.or_else(|| detail.title.take());
        }
        self.metadata(key, event);
    }

    fn metadata(&mut self, key: MessageKey, event: &Event) {
        if let Some(raw) = event.get(&key::METADATA).ok()
            && let Some(detail) = self.store.log.detail_mut(key)
        {
            detail.metadata = merge_metadata(detail.metadata.take(), raw);
        }
    }

    pub(super) fn message_content(&mut self, speech: Speech, event: &Event) {
        let id = self.id(event, &key::MESSAGE_ID);
        let delta = event.text(&key::DELTA).ok();
        let key = match self.spoken_of(speech, id.as_deref()) {
            Spoken::Open(key) => key,
            Spoken::Ended(key) => {
                let shown = quote(&self.store.log.stub(key).id);
                self.note(
                    &codes::CONTENT_AFTER_END,
                    format!("Text came for the message {shown} after its end."),
                );
                key
            }
            // A broken piece makes no message of its own.
            Spoken::Unknown if delta.is_none() => return,
            Spoken::Unknown => {
                let shown = id.as_deref().map_or_else(|| "without an id".to_owned(), quote);
                self.note(
                    &codes::CONTENT_NOT_OPEN,
                    format!("Text came for a message {shown} that was not started."),
                );
                self.open_message(id, speech.default_role())
            }
        };
        self.check_owner(key);
        self.metadata(key, event);
        if let Some(delta) = delta {
            self.say(key, &delta);
        }
    }

    /// Appends to a message's text.
    pub(super) fn say(&mut self, key: MessageKey, piece: &str) {
        if !piece.is_empty() {
            for (event, at) in self.store.take_cited(key) {
                let shown = quote(&self.store.log.stub(key).id);
                let message = format!("Text was added to the message {shown} after this event.");
                self.note_at(&codes::MESSAGE_WENT_ON, message, Some(event), Some(at));
            }
        }
        if !self.store.log.append(key, piece) {
            let shown = quote(&self.store.log.stub(key).id);
            self.note(
                &codes::TEXT_TOO_LONG,
                format!("The message {shown} is longer than {MAX_MESSAGE_TEXT} bytes."),
            );
        }
    }

    pub(super) fn message_end(&mut self, speech: Speech, event: &Event) {
        let id = self.id(event, &key::MESSAGE_ID);
        match self.spoken_of(speech, id.as_deref()) {
            Spoken::Open(key) => {
                self.check_owner(key);
                self.metadata(key, event);
                self.end_message(key, Ended::Yes);
            }
            Spoken::Ended(_) | Spoken::Unknown => {
                let shown = id.as_deref().map_or_else(|| "without an id".to_owned(), quote);
                self.note(
                    &codes::END_NOT_OPEN,
                    format!("An end came for the message {shown}, which was not open."),
                );
            }
        }
    }

    pub(super) fn end_message(&mut self, key: MessageKey, ended: Ended) {
        let event = self.index().filter(|_| ended == Ended::Yes);
        self.store.log.set_ended(key, ended, event);
        self.run.closed(key);
    }

    /// The message that an event speaks of; without an id the one that was opened last.
    fn spoken_of(&self, speech: Speech, id: Option<&str>) -> Spoken {
        let Some(id) = id else {
            return match self.run.last_opened {
                Some((class, key)) if speech.classes().contains(&class) => Spoken::Open(key),
                _ => Spoken::Unknown,
            };
        };
        // Nearly every piece goes on where the last one was: no look-up, which would need the id as a text of its own.
        if let Some((class, key)) = self.run.last_opened
            && class == speech.classes()[0]
            && *self.store.log.stub(key).id == *id
            && self.opener(key) == self.ev.and_then(|ev| ev.event.subagent()).as_deref()
        {
            return Spoken::Open(key);
        }
        let mut known = None;
        for class in speech.classes() {
            let Some(key) = self.meant_message(*class, id) else { continue };
            if self.run.is_open(key) {
                return Spoken::Open(key);
            }
            known.get_or_insert(key);
        }
        known.map_or(Spoken::Unknown, Spoken::Ended)
    }

    /// The message of this run that its opener may open again: a sub-agent and the agent that called it may both count
    /// their messages from one.
    fn own_message(&self, class: RoleClass, id: &str) -> Option<MessageKey> {
        let latest = self.run.messages.get(&(class, id.to_owned())).copied()?;
        let named = self.ev.and_then(|ev| ev.event.subagent()).map(|named| id_of(&named));
        // What a list or a tool call brought names no opener.
        let is_unclaimed = self.store.log.stub(latest).origin != Origin::Stream
            || self.store.log.detail(latest).is_none_or(|detail| detail.segments == 0);
        if is_unclaimed || self.opener(latest) == named.as_deref() {
            return Some(latest);
        }
        self.opened_by(class, id, named.as_deref())
    }

    /// The message that an event after the start means.
    pub(super) fn meant_message(&self, class: RoleClass, id: &str) -> Option<MessageKey> {
        let latest = self.run.messages.get(&(class, id.to_owned())).copied()?;
        let named = self.ev.and_then(|ev| ev.event.subagent()).map(|named| id_of(&named));
        if self.opener(latest) == named.as_deref() {
            return Some(latest);
        }
        let other = self.opened_by(class, id, named.as_deref());
        // The sub-agent may be left out.
        let is_latest = named.is_none() && self.run.is_open(latest);
        let other = other.filter(|other| !is_latest || self.run.is_open(*other));
        Some(other.unwrap_or(latest))
    }

    pub(super) fn opener(&self, key: MessageKey) -> Option<&str> {
        self.store.log.detail(key).and_then(|detail| detail.subagent.as_deref())
    }

    fn opened_by(&self, class: RoleClass, id: &str, owner: Option<&str>) -> Option<MessageKey> {
        let held = self.store.log.with_id(class, id).iter().rev().take(MAX_OPENERS).copied();
        let mut own = held.filter(|key| self.store.log.stub(*key).run == Some(self.run.key));
        own.find(|key| self.opener(*key) == owner)
    }

    /// Events of one message may omit the sub-agent but must not name another (facts/agui §3.1, rule 9).
    fn check_owner(&mut self, key: MessageKey) {
        let Some(named) = self.ev.and_then(|ev| ev.event.subagent()) else { return };
        let opener = self.opener(key);
        if opener != Some(&*named) {
            let opener = opener.map_or_else(|| "none".to_owned(), quote);
            let message = format!("{} is named, {opener} opened the message.", quote(&named));
            self.note(&codes::OWNER_CHANGED, message);
        }
    }

    /// Remembers by what a compacted run is known (facts/agui §3.5).
    pub(super) fn pieces(&mut self, kind: EventType, event: &Event) {
        self.run.pieces.timed |= event.timestamp().is_some();
        let stated = match kind {
            EventType::TextMessageContent | EventType::TextMessageChunk => {
                event.text(&key::MESSAGE_ID).ok()
            }
            _ => None,
        };
        let pieces = &mut self.run.pieces;
        let goes_on = match (&stated, kind) {
            (Some(id), _) => pieces.last.as_deref() == Some(&**id),
            // A chunk without an id is one of the message before it.
            (None, EventType::TextMessageChunk) => pieces.last.is_some(),
            (None, _) => false,
        };
        if stated.is_some() || goes_on {
            pieces.in_a_row |= goes_on;
            let length = event.text(&key::DELTA).ok().map_or(0, |delta| delta.len());
            pieces.longest = pieces.longest.max(length);
        }
        if !goes_on {
            pieces.last = stated.map(|id| id.into_owned());
        }
    }
}

enum Spoken {
    Open(MessageKey),
    Ended(MessageKey),
    Unknown,
}
