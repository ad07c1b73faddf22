//! Tool calls and their results (facts/agui §1.4, §3.3, §3.6).

use super::codes;
use super::item::{content, merge_metadata};
use super::log::{Detail, Spot};
use super::model::*;
use super::{Fold, MAX_ARGUMENTS};
use crate::event::note::quote;
use crate::event::{Event, key};

impl Fold<'_> {
    pub(super) fn tool_start(&mut self, event: &Event) {
        let id = self.id(event, &key::TOOL_CALL_ID);
        let name = event.text(&key::TOOL_CALL_NAME).ok().map(|n| n.into_owned());
        let parent = self.id(event, &key::PARENT_MESSAGE_ID);
        if let Some(id) = &id
            && let Some(key) = self.run.open_calls.get(id).copied()
        {
            self.note(
                &codes::TOOL_STARTED_TWICE,
                format!("The tool call {} was started while it was open.", quote(id)),
            );
            return self.rename(key, name);
        }
        let key = self.open_call(id, name, parent);
        self.call_metadata(key, event);
    }

    /// Opens a call: a new one, or a further segment of one of this run or of the run that this one resumes.
    pub(super) fn open_call(
        &mut self,
        id: Option<String>,
        name: Option<String>,
        parent: Option<String>,
    ) -> CallKey {
        let derived = id.is_none();
        let id = id.unwrap_or_else(|| self.run.derive_id("tool-call"));
        let key = match self.run.calls.get(&id).copied() {
            Some(key) => {
                self.rename(key, name);
                key
            }
            None => match self.store.calls.with_id(&id).last().copied() {
                Some(earlier) if self.resumes(earlier, name.as_deref()) => {
                    self.note(
                        &codes::TOOL_RESTARTED,
                        format!("The tool call {} was started again.", quote(&id)),
                    );
                    self.rename(earlier, name);
                    earlier
                }
                earlier => {
                    if earlier.is_some() {
                        self.note(
                            &codes::TOOL_ID_REUSED,
                            format!("The id {} was used in an earlier run.", quote(&id)),
                        );
                    }
                    let message = self.calling_message(parent, &id);
                    let met = self.met();
                    let key = self.store.calls.create(ToolCall {
                        key: CallKey(0),
                        id: id.clone(),
                        id_derived: derived,
                        name: name.unwrap_or_default(),
                        message,
                        run: Some(self.run.key),
                        first_event: met.first_event,
                        subagent: met.subagent,
                        metadata: None,
                        result: None,
                        segments: Vec::new(),
                    });
                    self.store.log.stub_mut(message).calls.push(key);
                    key
                }
            },
        };
        self.store.calls.open(key, Some(self.run.key), self.index());
        self.run.calls.insert(id.clone(), key);
        self.run.open_calls.insert(id, key);
        self.run.last_call = Some(key);
        key
    }

    /// Whether a call that is started is one of an earlier run that waited for an answer.
    fn resumes(&self, earlier: CallKey, name: Option<&str>) -> bool {
        let call = self.store.calls.get(earlier);
        let same_name = name.is_none_or(|name| name == call.name);
        let waits = self
            .store
            .calls
            .last_run(earlier)
            .is_some_and(|run| self.store.run_stub(run).interrupted);
        let listed = call.segments.last().is_some_and(|s| s.ended == Ended::Whole);
        let answered = !self.run.run.resumes.is_empty();
        call.result.is_none()
            && same_name
            && self.run.run.variant_of.is_none()
            && (waits || answered || listed)
    }

    /// The assistant message that a call belongs to (facts/agui §3.3): the parent, else one with the call's id.
    fn calling_message(&mut self, parent: Option<String>, call: &str) -> MessageKey {
        let derived = parent.as_deref().is_none_or(str::is_empty);
        let mut id = parent.filter(|id| !id.is_empty()).unwrap_or_else(|| call.to_owned());
        if let Some(key) = self.run.messages.get(&(RoleClass::Text, id.clone())).copied() {
            if self.store.log.stub(key).role == Role::Assistant {
                return key;
            }
            id = call.to_owned();
        }
        let detail = Detail { id_derived: derived, ..self.met() };
        let key = self.store.log.create(
            &id,
            Role::Assistant,
            Some(self.run.key),
            Origin::Stream,
            Spot::End,
            detail,
        );
        self.store.log.set_ended(key, Ended::Implied, None);
        self.run.messages.insert((RoleClass::Text, id), key);
        key
    }

    fn rename(&mut self, key: CallKey, name: Option<String>) {
        if let Some(name) = name
            && self.store.calls.get(key).name != name
        {
            self.store.calls.get_mut(key).name = name;
        }
    }

    /// Metadata of tool events goes to the call (facts/agui §3.0).
    fn call_metadata(&mut self, key: CallKey, event: &Event) {
        if let Some(raw) = event.get(&key::METADATA).ok() {
            let call = self.store.calls.get_mut(key);
            call.metadata = merge_metadata(call.metadata.take(), raw);
        }
    }

    pub(super) fn tool_args(&mut self, event: &Event) {
        let id = self.id(event, &key::TOOL_CALL_ID);
        let delta = event.text(&key::DELTA).ok();
        let open = match &id {
            Some(id) => self.run.open_calls.get(id).copied(),
            None => self.run.last_call,
        };
        let ended = id.as_ref().and_then(|id| self.run.calls.get(id)).copied();
        let key = match (open, ended) {
            (Some(key), _) => key,
            (None, Some(key)) => {
                let shown = quote(&self.store.calls.get(key).id);
                let message = format!("Arguments came for the tool call {shown} after its end.");
                self.note(&codes::TOOL_ARGS_AFTER_END, message);
                key
            }
            (None, None) if delta.is_none() => return,
            (None, None) => {
                let shown = id.as_deref().map_or_else(|| "without an id".to_owned(), quote);
                let message =
                    format!("Arguments came for a tool call {shown} that was not started.");
                self.note(&codes::TOOL_NOT_STARTED, message);
                self.open_call(id, None, None)
            }
        };
        self.call_metadata(key, event);
        if let Some(delta) = delta {
            self.argue(key, &delta);
        }
    }

    /// Appends to a call's arguments.
    pub(super) fn argue(&mut self, key: CallKey, piece: &str) {
        if !self.store.calls.append(key, piece) {
            let shown = quote(&self.store.calls.get(key).id);
            let message =
                format!("The arguments of {shown} are longer than {MAX_ARGUMENTS} bytes.");
            self.note(&codes::TEXT_TOO_LONG, message);
        }
    }

    pub(super) fn tool_end(&mut self, event: &Event) {
        let id = self.id(event, &key::TOOL_CALL_ID);
        let open = match &id {
            Some(id) => self.run.open_calls.get(id).copied(),
            None => self.run.last_call,
        };
        let Some(key) = open else {
            let shown = id.as_deref().map_or_else(|| "without an id".to_owned(), quote);
            let message = format!("An end came for the tool call {shown}, which was not open.");
            return self.note(&codes::TOOL_END_NOT_OPEN, message);
        };
        self.call_metadata(key, event);
        self.end_call(key, Ended::Yes);
    }

    pub(super) fn end_call(&mut self, key: CallKey, ended: Ended) {
        self.store.calls.end(key, ended);
        let id = &self.store.calls.get(key).id;
        if self.run.open_calls.get(id) == Some(&key) {
            self.run.open_calls.remove(id);
        }
        if self.run.last_call == Some(key) {
            self.run.last_call = None;
        }
        self.run.chunks.retain(|_, chunk| chunk.of != super::open::Chunked::Call(key));
    }

    pub(super) fn tool_result(&mut self, event: &Event) {
        let call_id = self.id(event, &key::TOOL_CALL_ID);
        let call = call_id.as_deref().and_then(|id| self.call_named(id));
        let shown = call_id.as_deref().map_or_else(|| "without an id".to_owned(), quote);
        if call.is_none() {
            self.note(
                &codes::RESULT_WITHOUT_CALL,
                format!("A result came for the tool call {shown}, which is not held."),
            );
        }
        let stated = self.id(event, &key::MESSAGE_ID);
        let derived = stated.is_none();
        let id = stated.unwrap_or_else(|| match &call_id {
            Some(id) => format!("result:{id}"),
            None => self.run.derive_id("result"),
        });
        let Some(raw) = event.get(&key::TOOL_CONTENT).ok() else {
            return self.empty_result(&id, derived, call, call_id);
        };
        let content = content(raw);
        if content.unknown_part {
            self.note(&codes::UNKNOWN_PART, codes::UNKNOWN_PART.meaning.to_owned());
        }
        if self.is_echo(&id, &content.text) {
            return;
        }
        if let Some(call) = call
            && self.store.calls.get(call).result.is_some()
        {
            self.note(
                &codes::RESULT_TWICE,
                format!("A second result came for the tool call {shown}."),
            );
        }
        let detail = Detail {
            id_derived: derived,
            tool_call_id: call_id,
            parts: content.parts.clone(),
            ..self.met()
        };
        let key = self.put_result(&id, call, detail);
        self.say(key, &content.text);
        if let Some(parts) = &content.parts {
            self.foreign_in_parts(parts, key);
        }
    }

    fn empty_result(
        &mut self,
        id: &str,
        derived: bool,
        call: Option<CallKey>,
        call_id: Option<String>,
    ) {
        let detail = Detail { id_derived: derived, tool_call_id: call_id, ..self.met() };
        self.put_result(id, call, detail);
    }

    /// The call that a result names: of this run, else the latest.
    pub(super) fn call_named(&self, id: &str) -> Option<CallKey> {
        self.run.calls.get(id).or_else(|| self.store.calls.with_id(id).last()).copied()
    }

    /// A result that the run's own request brought is not doubled when the stream repeats it.
    fn is_echo(&self, id: &str, text: &str) -> bool {
        self.store.log.with_id(RoleClass::Tool, id).iter().any(|key| {
            let stub = self.store.log.stub(*key);
            stub.run == Some(self.run.key)
                && matches!(stub.origin, Origin::Request | Origin::Input)
                && self.store.log.digest(*key) == super::text::trimmed(text)
        })
    }

    /// Puts a result behind its assistant message and earlier results of it.
    fn put_result(&mut self, id: &str, call: Option<CallKey>, detail: Detail) -> MessageKey {
        let spot = call.map_or(Spot::End, |call| {
            let message = self.store.calls.get(call).message;
            let mut last = self.run.last_results.get(&message).copied().unwrap_or(message);
            while let Some(next) = self.store.log.next(last) {
                let of =
                    self.store.log.stub(next).call.map(|call| self.store.calls.get(call).message);
                if of != Some(message) {
                    break;
                }
                last = next;
            }
            Spot::After(last)
        });
        let key =
            self.store.log.create(id, Role::Tool, Some(self.run.key), Origin::Stream, spot, detail);
        self.store.log.set_ended(key, Ended::Whole, self.index());
        self.run.messages.insert((RoleClass::Tool, id.to_owned()), key);
        if let Some(call) = call {
            self.run.last_results.insert(self.store.calls.get(call).message, key);
            self.store.log.stub_mut(key).call = Some(call);
            if self.store.calls.get(call).result.is_none() {
                self.store.calls.get_mut(call).result = Some(key);
            }
        }
        key
    }
}
