//! Lists of messages and the messages that are held: who is who (facts/agui §3.3, §3.4).
//!
//! The events stay the truth. A list adds what they lack, and says what a message is also called. A
//! message of the list is one that is held when both have the same id, else the same tool call, else the
//! same role and text and nothing else has. It is never guessed.

use std::collections::HashSet;
use std::ops::Range;

use super::Fold;
use super::codes;
use super::item::{Listed, ListedCall, MAX_LISTED_MESSAGES};
use super::log::{Detail, Spot};
use super::matching::{Match, Matching};
use super::model::*;
use super::open::Folding;
use super::store::Store;
use super::text::trimmed;
use crate::event::note::quote;
use crate::event::{Object, Raw, key};
use crate::finding::{Code, Finding};
use crate::runs::MessageList;

/// Merges a list of a run.
pub(super) fn merge_list(fold: &mut Fold<'_>, list: Raw<'_>, origin: Origin) {
    let met = Detail { subagent: None, metadata: None, ..fold.met() };
    let (event, at) = (fold.index(), fold.ev.map(|ev| ev.at.clone()));
    Merge { store: &mut *fold.store, run: Some(&mut *fold.run), origin, event, at, met }.list(list);
}

impl Store {
    /// Merges the list of a messages-only source.
    pub(super) fn message_list(&mut self, list: &MessageList) {
        let text = String::from_utf8_lossy(&list.text);
        let text = text.trim_start_matches('\u{feff}').trim();
        let at = Some(list.at.clone());
        let object = Object::parse(text);
        let mut merge = Merge {
            store: self,
            run: None,
            origin: Origin::List,
            event: None,
            at,
            met: Detail::default(),
        };
        match &object {
            Some(object) => {
                if let Some(state) = object.look(&key::STATE).ok() {
                    merge.store.state.set(state.json());
                }
                match object.look(&key::MESSAGES).ok() {
                    Some(messages) => merge.list(messages),
                    None => merge
                        .note(&codes::LIST_UNREADABLE, "The object has no messages.".to_owned()),
                }
            }
            None => merge.list(Raw::new(text)),
        }
        for finding in std::mem::take(&mut self.bound).rest() {
            self.finding(None, finding);
        }
    }
}

/// A list being merged.
pub(super) struct Merge<'a> {
    pub store: &'a mut Store,
    pub run: Option<&'a mut Folding>,
    pub origin: Origin,
    event: Option<u64>,
    at: Option<Range<u64>>,
    /// What new messages have in common.
    met: Detail,
}

impl Merge<'_> {
    fn list(&mut self, list: Raw<'_>) {
        let Some(elements) = list.array() else {
            let found = list.kind();
            return self
                .note(&codes::LIST_UNREADABLE, format!("Messages should be a list, not {found}."));
        };
        if elements.len() > MAX_LISTED_MESSAGES {
            let message = format!("{} messages; {MAX_LISTED_MESSAGES} are read.", elements.len());
            self.note(&codes::LIST_TOO_LONG, message);
        }
        let mut items = Vec::with_capacity(elements.len().min(MAX_LISTED_MESSAGES));
        for raw in elements.into_iter().take(MAX_LISTED_MESSAGES) {
            match Listed::read(raw) {
                Some(item) => items.push(item),
                None => self.note(&codes::LIST_UNREADABLE, "A message is no object.".to_owned()),
            }
        }
        let Matching { mut found, mut taken } = self.matched(&items);
        let next = next_held(&found);
        let mut new_question = false;
        let mut before: Option<MessageKey> = None;
        for (n, item) in items.iter().enumerate() {
            if item.content.unknown_part {
                self.note(&codes::UNKNOWN_PART, codes::UNKNOWN_PART.meaning.to_owned());
            }
            let key = match found[n] {
                Some(found) => {
                    self.update(found, item);
                    found.key
                }
                None => {
                    new_question |= item.role == Role::User;
                    let spot = self.spot(next[n], before, &taken);
                    let key = self.create(item, spot);
                    taken.insert(key);
                    found[n] = Some(Match { key, alias: None, certain: true });
                    key
                }
            };
            before = Some(key);
        }
        self.question(&items, new_question);
    }

    /// Before the next message of the list that is held, and what its run had said before it; else at the end.
    fn spot(
        &self,
        next: Option<MessageKey>,
        before: Option<MessageKey>,
        taken: &HashSet<MessageKey>,
    ) -> Spot {
        let Some(next) = next else { return Spot::End };
        let log = &self.store.log;
        let order = |key| log.stub(key).order;
        let mut at = next;
        while let Some(previous) = log.previous(at)
            && log.stub(previous).run == log.stub(next).run
            && !taken.contains(&previous)
            && before.is_none_or(|before| order(before) < order(previous))
        {
            at = previous;
        }
        match before {
            Some(before) if order(before) >= order(at) => Spot::After(before),
            _ => Spot::Before(at),
        }
    }

    fn create(&mut self, item: &Listed, spot: Spot) -> MessageKey {
        let derived = item.id.is_none();
        let id = match (&item.id, &mut self.run) {
            (Some(id), _) => id.clone(),
            (None, Some(run)) => run.derive_id("message"),
            (None, None) => format!("message:list:{}", self.store.log.keys().len() + 1),
        };
        if derived {
            let message = format!("A message of the role {} has no id.", quote(item.role.name()));
            self.note(&codes::ID_MISSING, message);
        }
        let detail = Detail {
            id_derived: derived,
            first_event: self.met.first_event,
            after_end: self.met.after_end,
            timestamp: self.met.timestamp.clone(),
            arrival: self.met.arrival.clone(),
            parts: item.content.parts.clone().filter(|_| item.role != Role::Activity),
            name: item.name.clone(),
            tool_call_id: item.tool_call_id.clone(),
            error: item.error.clone(),
            activity_type: item.activity_type.clone(),
            subagent: item.subagent.clone(),
            metadata: item.metadata.clone(),
            ..Detail::default()
        };
        let run = self.run.as_ref().map(|run| run.key);
        let key = self.store.log.create(&id, item.role.clone(), run, self.origin, spot, detail);
        if !self.store.log.append(key, &item.content.text) {
            self.note(&codes::TEXT_TOO_LONG, format!("The message {} is too long.", quote(&id)));
        }
        self.store.log.set_ended(key, Ended::Whole, None);
        if self.origin == Origin::Snapshot
            && let Some(run) = &mut self.run
        {
            run.messages.insert((item.role.class(), id), key);
        }
        if item.role == Role::Activity {
            let content = item.content.parts.as_deref().unwrap_or("{}");
            self.store.activities.set(key, item.activity_type.clone().unwrap_or_default(), content);
        }
        self.attach(key, item);
        key
    }

    /// Takes from the list what a message that is held lacks.
    fn update(&mut self, found: Match, item: &Listed) {
        let key = found.key;
        if let (Some(reason), Some(id)) = (found.alias, &item.id) {
            let known =
                self.store.with_alias(item.role.class(), id).any(|alias| alias.message == key);
            if !known && *self.store.log.stub(key).id != **id {
                let run = self.run.as_ref().map(|run| run.key);
                let message =
                    format!("{} is now called {}.", quote(&self.store.log.stub(key).id), quote(id));
                self.note(&codes::LIST_RENAMES, message);
                self.store.add_alias(Alias {
                    message: key,
                    id: id.clone(),
                    reason,
                    run,
                    event: self.event,
                });
            }
        }
        if !found.certain {
            return;
        }
        self.compare_text(key, item);
        self.attach(key, item);
    }

    /// The text received first is shown; another one is kept beside it.
    fn compare_text(&mut self, key: MessageKey, item: &Listed) {
        let Some(digest) = trimmed(&item.content.text) else { return };
        let held = self.store.log.digest(key);
        // A message in the middle of its stream is compared by no list.
        let open = self.run.as_ref().is_some_and(|run| run.is_open(key));
        if held == Some(digest) || open {
            return;
        }
        // What this run's own events left empty is filled in.
        let run = self.run.as_ref().map(|run| run.key);
        let own = run.is_some() && self.store.log.stub(key).run == run;
        if held.is_none()
            && own
            && let Some(detail) = self.store.log.detail_mut(key)
        {
            detail.parts.clone_from(&item.content.parts);
            self.store.log.append(key, &item.content.text);
            for (event, at) in self.store.take_cited(key) {
                let message = "A list told the text of the message after this event.".to_owned();
                self.note_at(&codes::MESSAGE_WENT_ON, message, Some(event), Some(at));
            }
            return;
        }
        if self.store.edits.insert(key, digest) == Some(digest) {
            return;
        }
        let message =
            format!("The message {} has another text here.", quote(&self.store.log.stub(key).id));
        self.note(&codes::LIST_DIFFERS, message);
        let text = item.content.text.clone();
        self.store.changes.edits.push(Edit {
            message: key,
            run,
            event: self.event,
            origin: self.origin,
            text,
        });
    }

    /// Tool calls, the call that a result answers, and encrypted values.
    fn attach(&mut self, key: MessageKey, item: &Listed) {
        let run = self.run.as_ref().map(|run| run.key);
        for call in &item.calls {
            self.call(key, call);
        }
        if item.role == Role::Tool
            && self.store.log.stub(key).call.is_none()
            && let Some(call) = item
                .tool_call_id
                .as_deref()
                .and_then(|id| self.store.calls.with_id(id).last())
                .copied()
        {
            self.store.log.stub_mut(key).call = Some(call);
            if self.store.calls.get(call).result.is_none() {
                self.store.calls.get_mut(call).result = Some(key);
            }
        }
        if let Some(value) = &item.encrypted
            && !std::mem::replace(&mut self.store.log.stub_mut(key).encrypted, true)
        {
            let (of, value) = (Entity::Message(key), value.clone());
            self.store.changes.encrypted.push(EncryptedValue { of, run, event: self.event, value });
        }
    }

    fn call(&mut self, message: MessageKey, call: &ListedCall) {
        let known = |key: &CallKey| Some(&self.store.calls.get(*key).id) == call.id.as_ref();
        if self.store.log.stub(message).calls.iter().any(known) {
            return;
        }
        let run = self.run.as_ref().map(|run| run.key);
        let number = self.store.log.stub(message).calls.len() + 1;
        let id = call
            .id
            .clone()
            .unwrap_or_else(|| format!("tool-call:{}:{number}", self.store.log.stub(message).id));
        let key = self.store.calls.create(ToolCall {
            key: CallKey(0),
            id,
            id_derived: call.id.is_none(),
            name: call.name.clone(),
            message,
            run,
            first_event: self.event,
            subagent: None,
            metadata: call.metadata.clone(),
            result: None,
            segments: Vec::new(),
        });
        self.store.log.stub_mut(message).calls.push(key);
        self.store.calls.open(key, run, self.event);
        self.store.calls.append(key, &call.arguments);
        self.store.calls.end(key, Ended::Whole);
        if let Some(value) = call.encrypted.clone() {
            let of = Entity::Call(key);
            self.store.changes.encrypted.push(EncryptedValue { of, run, event: self.event, value });
        }
    }

    /// Whether the list holds what the run answers.
    fn question(&mut self, items: &[Listed], new_question: bool) {
        let Some(run) = &mut self.run else { return };
        let asked = matches!(self.origin, Origin::Request | Origin::Input);
        let last = items
            .iter()
            .rev()
            .map(|item| item.role.class())
            .find(|class| *class != RoleClass::Activity);
        if new_question || (asked && last == Some(RoleClass::User)) {
            run.run.question = Question::Recorded;
        } else if asked
            && last == Some(RoleClass::Tool)
            && run.run.question == Question::NotRecorded
        {
            run.run.question = Question::Resumes;
        }
    }

    pub(super) fn note(&mut self, code: &'static Code, message: String) {
        self.note_at(code, message, self.event, self.at.clone());
    }

    fn note_at(
        &mut self,
        code: &'static Code,
        message: String,
        event: Option<u64>,
        at: Option<Range<u64>>,
    ) {
        let finding = Finding { code, message, event, at };
        let (run, admitted) = match &mut self.run {
            Some(run) => (Some(run.key), run.bound.admit(finding)),
            None => (None, self.store.bound.admit(finding)),
        };
        if let Some(finding) = admitted {
            self.store.finding(run, finding);
        }
    }
}

/// For each message of a list the next one of it that was held before.
fn next_held(found: &[Option<Match>]) -> Vec<Option<MessageKey>> {
    let mut next = vec![None; found.len()];
    let mut held = None;
    for (n, found) in found.iter().enumerate().rev() {
        next[n] = held;
        held = found.map(|found| found.key).or(held);
    }
    next
}
