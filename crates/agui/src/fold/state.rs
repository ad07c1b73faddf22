//! State of the thread and contents of its activities (facts/agui §1.5, §1.7).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Fold;
use super::codes;
use super::context::ActivityStub;
use super::log::{Detail, Spot};
use super::measure::CopyWork;
use super::model::*;
use super::patch::{MAX_NODES, MAX_VALUE_BYTES, Patchable, Patched};
use crate::event::note::quote;
use crate::event::{Event, Got, Raw, key};

/// Most bytes of activity contents that are held for later changes; the oldest are let go.
const MAX_ACTIVITY_BYTES: usize = 2 * MAX_VALUE_BYTES;

/// The thread's state.
#[derive(Debug, Default)]
pub(super) struct State {
    held: Option<Patchable>,
    changed: bool,
}

impl State {
    pub(super) fn restore(value: Option<Value>) -> Self {
        Self { held: value.map(Patchable::of), changed: false }
    }

    pub(super) fn value(&self) -> Option<&Value> {
        self.held.as_ref().map(Patchable::value)
    }

    pub(super) fn is_known(&self) -> bool {
        self.held.is_some()
    }

    /// Replaces it; whether it is small enough to be held.
    pub(super) fn set(&mut self, json: &str) -> bool {
        let Some(value) = Patchable::read(json) else { return false };
        self.changed |= self.value() != Some(value.value());
        self.held = Some(value);
        true
    }

    fn patch(&mut self, patch: Raw<'_>, drops_unknown: bool, work: &mut CopyWork) -> Patched {
        // Before any snapshot the base is the request's state, else an empty object.
        let patched = self.held.get_or_insert_default().apply(patch, drops_unknown, work);
        self.changed |= patched.failed.is_none();
        patched
    }

    pub(super) fn text(&self) -> String {
        self.value().map_or_else(|| "{}".to_owned(), Value::to_string)
    }

    pub(super) fn take(&mut self) -> Option<String> {
        std::mem::take(&mut self.changed).then(|| self.text())
    }
}

/// Contents of activity messages.
#[derive(Debug, Default)]
pub(super) struct Activities {
    held: BTreeMap<MessageKey, Activity>,
    bytes: usize,
    changed: BTreeSet<MessageKey>,
    /// Contents that were let go before they were handed out.
    left: Vec<ActivityContent>,
}

#[derive(Debug)]
struct Activity {
    activity_type: String,
    content: Patchable,
    /// About as many as its JSON text has.
    bytes: usize,
}

impl Activities {
    pub(super) fn restore(stubs: Vec<(MessageKey, ActivityStub)>) -> Self {
        let mut activities = Self::default();
        for (key, ActivityStub { activity_type, content, bytes }) in stubs {
            activities.put(key, Activity { activity_type, content: Patchable::of(content), bytes });
        }
        activities.changed.clear();
        activities
    }

    pub(super) fn stubs(&self) -> Vec<(MessageKey, ActivityStub)> {
        let stub = |held: &Activity| ActivityStub {
            activity_type: held.activity_type.clone(),
            content: held.content.value().clone(),
            bytes: held.bytes,
        };
        self.held.iter().map(|(key, held)| (*key, stub(held))).collect()
    }

    /// Replaces a content; whether it is small enough to be held.
    pub(super) fn set(&mut self, key: MessageKey, activity_type: String, json: &str) -> bool {
        let Some(content) = Patchable::read(json) else { return false };
        self.put(key, Activity { activity_type, content, bytes: json.len() });
        true
    }

    fn patch(
        &mut self,
        key: MessageKey,
        activity_type: Option<String>,
        patch: Raw<'_>,
        drops_unknown: bool,
        work: &mut CopyWork,
    ) -> Option<Patched> {
        let held = self.held.get_mut(&key)?;
        let before = held.content.bytes();
        let patched = held.content.apply(patch, drops_unknown, work);
        if patched.failed.is_none() {
            // Copies grow it by more than they take.
            let more = held.content.bytes().saturating_sub(before).max(patch.json().len());
            held.bytes += more;
            self.bytes += more;
            // A delta may change the type.
            held.activity_type =
                activity_type.unwrap_or_else(|| std::mem::take(&mut held.activity_type));
            self.changed.insert(key);
            self.shrink();
        }
        Some(patched)
    }

    fn put(&mut self, key: MessageKey, activity: Activity) {
        self.bytes += activity.bytes;
        self.bytes -= self.held.insert(key, activity).map_or(0, |before| before.bytes);
        self.changed.insert(key);
        self.shrink();
    }

    fn shrink(&mut self) {
        while self.bytes > MAX_ACTIVITY_BYTES && self.held.len() > 1 {
            let Some((oldest, activity)) = self.held.pop_first() else { break };
            self.bytes -= activity.bytes;
            if self.changed.remove(&oldest) {
                self.left.push(content(oldest, &activity));
            }
        }
    }

    pub(super) fn take(&mut self) -> Vec<ActivityContent> {
        let mut contents = std::mem::take(&mut self.left);
        for key in std::mem::take(&mut self.changed) {
            contents.extend(self.held.get(&key).map(|held| content(key, held)));
        }
        contents
    }
}

fn content(message: MessageKey, held: &Activity) -> ActivityContent {
    let activity_type = held.activity_type.clone();
    ActivityContent { message, activity_type, content: held.content.value().to_string() }
}

/// Why a value is not held.
fn too_large(what: &str, raw: Raw<'_>) -> String {
    let bytes = raw.json().len();
    format!(
        "The {what} has {bytes} bytes; at most {MAX_VALUE_BYTES} in {MAX_NODES} parts are held."
    )
}

impl Fold<'_> {
    pub(super) fn state_snapshot(&mut self, event: &Event) {
        let raw = match event.get(&key::SNAPSHOT) {
            Got::Ok(raw) => raw,
            Got::Null => Raw::new("null"),
            Got::Missing | Got::Wrong(_) => return,
        };
        if !self.run.speaks_1_0 && matches!(raw.json(), "null" | "false" | "0" | "\"\"") {
            return self
                .note(&codes::STATE_FALSY, format!("The snapshot is {}.", quote(raw.json())));
        }
        self.store.copy_work.earn(raw.json().len());
        if !self.store.state.set(raw.json()) {
            self.note(&codes::PATCH_TOO_LARGE, too_large("state", raw));
        }
        self.foreign_in_state();
    }

    pub(super) fn state_delta(&mut self, event: &Event) {
        let Some(patch) = event.get(&key::STATE_PATCH).ok() else { return };
        let patched = self.store.state.patch(patch, self.run.speaks_1_0, &mut self.store.copy_work);
        self.patched(patched);
        if patch.json().contains("itation") {
            self.foreign_in_state();
        }
    }

    pub(super) fn state_value(&self) -> Option<&Value> {
        self.store.state.value()
    }

    fn patched(&mut self, patched: Patched) {
        for operation in patched.unknown {
            self.note(
                &codes::PATCH_UNKNOWN_OP,
                format!("The operation {} is unknown.", quote(&operation)),
            );
        }
        if let Some((code, why)) = patched.failed {
            self.note(code, why);
        }
    }

    pub(super) fn activity_snapshot(&mut self, event: &Event) {
        let id = self.id(event, &key::MESSAGE_ID);
        let activity_type = event.text(&key::ACTIVITY_TYPE).ok().map(|t| t.into_owned());
        let held = id
            .as_ref()
            .and_then(|id| self.run.messages.get(&(RoleClass::Activity, id.clone())))
            .copied();
        let replace = event.get(&key::REPLACE).and_then(Raw::boolean).ok().unwrap_or(true);
        let message = match held {
            // Content and type stay as they are.
            Some(_) if !replace => return,
            Some(message) => message,
            None => {
                let derived = id.is_none();
                let id = id.unwrap_or_else(|| self.run.derive_id("activity"));
                let detail = Detail {
                    id_derived: derived,
                    activity_type: activity_type.clone(),
                    ..self.met()
                };
                let run = Some(self.run.key);
                let key = self.store.log.create(
                    &id,
                    Role::Activity,
                    run,
                    Origin::Stream,
                    Spot::End,
                    detail,
                );
                self.store.log.set_ended(key, Ended::Whole, None);
                self.run.messages.insert((RoleClass::Activity, id), key);
                key
            }
        };
        let content = event.get(&key::CONTENT).ok();
        let content = content.unwrap_or(Raw::new("null"));
        let activity_type = activity_type.unwrap_or_default();
        self.store.copy_work.earn(content.json().len());
        if !self.store.activities.set(message, activity_type, content.json()) {
            self.note(&codes::PATCH_TOO_LARGE, too_large("activity", content));
        }
    }

    pub(super) fn activity_delta(&mut self, event: &Event) {
        let id = self.id(event, &key::MESSAGE_ID).unwrap_or_default();
        let here = self.run.messages.get(&(RoleClass::Activity, id.clone())).copied();
        let message =
            here.or_else(|| self.store.log.with_id(RoleClass::Activity, &id).last().copied());
        let Some(patch) = event.get(&key::PATCH).ok() else { return };
        let activity_type = event.text(&key::ACTIVITY_TYPE).ok().map(|t| t.into_owned());
        let drops_unknown = self.run.speaks_1_0;
        let store = &mut *self.store;
        let patched = message.and_then(|key| {
            let work = &mut store.copy_work;
            store.activities.patch(key, activity_type, patch, drops_unknown, work)
        });
        match patched {
            Some(patched) => self.patched(patched),
            None => self.note(
                &codes::ACTIVITY_NOT_HELD,
                format!("The activity {} is not held.", quote(&id)),
            ),
        }
    }
}
