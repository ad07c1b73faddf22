//! One thread's rows.
//!
//! The fold numbers runs, messages and tool calls of a thread; rows carry these numbers, so that a restored thread
//! finds them again.

use std::collections::{BTreeMap, BTreeSet};

use agui::{
    fold::{self, CallKey, Changes, MessageKey, Role, RunKey},
    runs::Ending,
};
use archive::{
    Batch, CitationEventId, ConnectionId, ConversationId, MessageId, MessageUpdate, NewAlias,
    NewEdit, NewFinding, NewForeignSource, NewMessage, NewOccurrence, NewRun, NewSegment,
    NewToolCall, RunId, Sha256, ToolCallId,
};

use super::{
    Facts, when,
    words::{
        alias_reason, class, ending, ending_detail, extra, foreign_origin, origin, parent_means,
        question, severity,
    },
    work::Flush,
};
use crate::{contract::Failure, failure::Storage};

/// Codes of the fold that say the same as the citation binding's own.
const TOLD_BY_THE_BINDING: [&str; 2] =
    ["agui.citations.before-message-end", "agui.citations.after-run-end"];

/// The citation events of one message.
#[derive(Default)]
pub(super) struct Said {
    /// The event that is shown, and its run.
    pub(super) shown: Option<(CitationEventId, RunId)>,
    /// What each of them said.
    pub(super) contents: BTreeSet<Sha256>,
    /// How many there are.
    pub(super) events: usize,
}

/// Where the runs, messages and calls of a thread stand.
pub(super) struct ThreadRows {
    pub(super) conversation: ConversationId,
    runs: BTreeMap<RunKey, RunId>,
    messages: BTreeMap<MessageKey, MessageId>,
    calls: BTreeMap<CallKey, ToolCallId>,
    /// What citation events said of messages so far.
    pub(super) said: BTreeMap<MessageId, Said>,
    title_from: String,
    /// Nothing of the thread was held when it was taken into memory: what is not known here has no row.
    fresh: bool,
}

impl ThreadRows {
    /// Of a conversation that is new.
    pub(super) fn new(conversation: ConversationId) -> Self {
        Self::with(conversation, "none".to_owned(), true)
    }

    /// Of a conversation of which something may be held; `fresh` says that it is not.
    pub(super) fn held(
        batch: &Batch,
        conversation: ConversationId,
        fresh: bool,
    ) -> Result<Self, Failure> {
        let (_, title_from) = batch.title(conversation).storage()?;
        Ok(Self::with(conversation, title_from, fresh))
    }

    fn with(conversation: ConversationId, title_from: String, fresh: bool) -> Self {
        Self {
            conversation,
            runs: BTreeMap::new(),
            messages: BTreeMap::new(),
            calls: BTreeMap::new(),
            said: BTreeMap::new(),
            title_from,
            fresh,
        }
    }

    /// Writes everything new.
    pub(super) fn write(
        &mut self,
        batch: &mut Batch,
        facts: &Facts,
        connections: &[ConnectionId],
        flush: &Flush,
    ) -> Result<(), Failure> {
        let changes = &flush.changes;
        self.write_runs(batch, facts, connections, flush)?;
        self.write_messages(batch, facts, flush)?;
        self.write_calls(batch, facts, changes)?;
        for alias in &changes.aliases {
            let new = NewAlias {
                source: facts.source,
                message: self.message(batch, alias.message)?,
                conversation: self.conversation,
                run: self.run(batch, alias.run)?,
                alias: &alias.id,
                reason: alias_reason(alias.reason),
                event: alias.event,
            };
            batch.insert_alias(&new).storage()?;
        }
        self.write_foreign(batch, facts, changes)?;
        self.write_findings(batch, facts, changes)?;
        if let Some(state) = &changes.state {
            batch.set_state(self.conversation, state).storage()?;
        }
        self.write_citations(batch, facts, flush)
    }

    fn write_runs(
        &mut self,
        batch: &mut Batch,
        facts: &Facts,
        connections: &[ConnectionId],
        flush: &Flush,
    ) -> Result<(), Failure> {
        let changes = &flush.changes;
        let mut runs: Vec<&fold::Run> = changes.runs.iter().collect();
        runs.sort_by_key(|run| run.key);
        for run in runs {
            let variant_of = match run.variant_of {
                Some(of) => self.find_run(batch, of)?,
                None => None,
            };
            let connection =
                connections.get(run.connection as usize).copied().ok_or_else(|| {
                    Failure::internal("A run came in on a connection that is not known")
                })?;
            if let Some(of) = run.replay_of {
                self.write_replay(batch, facts, connection, run, of)?;
                continue;
            }
            let began = flush.began.get(&run.key).map(String::as_str);
            let started = when::when(run.timestamp.as_deref(), run.arrival.as_ref(), began);
            let last = changes
                .messages
                .iter()
                .filter(|message| message.run == Some(run.key))
                .filter_map(|message| {
                    when::when(message.timestamp.as_deref(), message.arrival.as_ref(), began)
                })
                .map(|(at, _)| at)
                .max();
            let parent = match &run.parent_run_id {
                Some(parent) => batch
                    .run_of_stated_id(self.conversation, run.thread_id.as_deref(), parent)
                    .storage()?,
                None => None,
            };
            let detail = ending_detail(run);
            let usage = (!run.usage.is_empty())
                .then(|| serde_json::to_string(&run.usage).unwrap_or_default());
            let row = NewRun {
                source: facts.source,
                connection,
                conversation: self.conversation,
                number: run.key.0,
                thread_id: run.thread_id.as_deref(),
                stated_id: run.run_id.as_deref(),
                stated_parent_id: run.parent_run_id.as_deref(),
                parent,
                parent_means: run.parent.map(parent_means),
                protocol_version: run.protocol_version.as_deref(),
                variant_of,
                ending: run.ending.as_ref().map_or("incomplete", Ending::word),
                ending_detail: detail.as_deref(),
                started: run.started,
                question: question(run.question),
                compacted: run.compacted,
                hash: Sha256(run.hash.unwrap_or_default()),
                first_event: run.first_event,
                events: run.events,
                at: run.at.clone(),
                started_at: started.map(|(at, _)| at),
                ended_at: last,
                time_from: started.map(|(_, from)| from.word()),
                usage: usage.as_deref(),
                extra: None,
            };
            match self.find_run(batch, run.key)? {
                Some(id) => batch.update_run(id, &row).storage()?,
                None => {
                    let id = batch.insert_run(&row).storage()?;
                    self.runs.insert(run.key, id);
                }
            }
        }
        Ok(())
    }

    fn write_replay(
        &mut self,
        batch: &mut Batch,
        facts: &Facts,
        connection: ConnectionId,
        run: &fold::Run,
        of: RunKey,
    ) -> Result<(), Failure> {
        let known = self.runs.contains_key(&run.key);
        if run.hash.is_none() || known {
            return Ok(());
        }
        let held = self
            .find_run(batch, of)?
            .ok_or_else(|| Failure::internal("A replay names a run that is not held"))?;
        self.runs.insert(run.key, held);
        let row = NewOccurrence {
            run: held,
            source: facts.source,
            connection,
            first_event: run.first_event,
            events: run.events,
            at: run.at.clone(),
        };
        batch.insert_occurrence(&row).storage()
    }

    fn write_messages(
        &mut self,
        batch: &mut Batch,
        facts: &Facts,
        flush: &Flush,
    ) -> Result<(), Failure> {
        let changes = &flush.changes;
        let mut messages: Vec<&fold::Message> = changes.messages.iter().collect();
        messages.sort_by_key(|message| message.key);
        for message in messages {
            let encrypted = changes
                .encrypted
                .iter()
                .any(|value| value.of == fold::Entity::Message(message.key));
            let extra = extra(message);
            match self.find_message(batch, message.key)? {
                Some(id) => {
                    let update = MessageUpdate {
                        text_at: message.text_at,
                        append: &message.text,
                        role: message.role.name(),
                        name: message.name.as_deref(),
                        cut: false,
                        ending: ending(message.ended),
                        answers_call: message.tool_call_id.as_deref(),
                        content: message.parts.as_deref(),
                        extra: extra.as_deref(),
                        content_end: None,
                    };
                    batch.update_message(id, &update).storage()?;
                    if encrypted {
                        batch.set_encrypted(id).storage()?;
                    }
                }
                None => {
                    let began = message.run.and_then(|run| flush.began.get(&run));
                    let stated = when::when(
                        message.timestamp.as_deref(),
                        message.arrival.as_ref(),
                        began.map(String::as_str),
                    );
                    let activity = changes
                        .activities
                        .iter()
                        .rev()
                        .find(|activity| activity.message == message.key);
                    let row = NewMessage {
                        source: facts.source,
                        conversation: self.conversation,
                        run: self.run(batch, message.run)?,
                        number: message.key.0,
                        position: message.order,
                        stated_id: Some(message.id.as_str()),
                        id_derived: message.id_derived,
                        role: message.role.name(),
                        class: class(&message.role),
                        name: message.name.as_deref(),
                        origin: origin(message.origin),
                        text: &message.text,
                        cut: false,
                        ending: ending(message.ended),
                        answers_call: message.tool_call_id.as_deref(),
                        activity_type: activity
                            .map(|activity| activity.activity_type.as_str())
                            .or(message.activity_type.as_deref()),
                        content: activity
                            .map(|activity| activity.content.as_str())
                            .or(message.parts.as_deref()),
                        extra: extra.as_deref(),
                        encrypted,
                        subagent_run_id: message.subagent.as_deref(),
                        first_event: message.first_event,
                        at: None,
                        timestamp: message.timestamp.as_deref(),
                        stated_at: stated.map(|(at, _)| at),
                    };
                    let id = batch.insert_message(&row).storage()?;
                    self.messages.insert(message.key, id);
                    self.title(batch, message)?;
                }
            }
        }
        for edit in &changes.edits {
            let row = NewEdit {
                source: facts.source,
                message: self.message(batch, edit.message)?,
                run: self.run(batch, edit.run)?,
                origin: origin(edit.origin),
                text: &edit.text,
                event: edit.event,
            };
            batch.insert_edit(&row).storage()?;
        }
        for activity in &changes.activities {
            let id = self.message(batch, activity.message)?;
            batch
                .replace_content(id, Some(&activity.content), Some(&activity.activity_type))
                .storage()?;
        }
        for (key, order) in &changes.orders {
            batch.set_position(self.message(batch, *key)?, *order).storage()?;
        }
        Ok(())
    }

    /// A conversation is called after the user's first words, else after the assistant's.
    fn title(&mut self, batch: &mut Batch, message: &fold::Message) -> Result<(), Failure> {
        let better = match message.role {
            Role::User => self.title_from != "user",
            Role::Assistant => self.title_from == "none",
            _ => false,
        };
        if !better {
            return Ok(());
        }
        let title = render::title(&message.text);
        if title.trim().is_empty() {
            return Ok(());
        }
        message.role.name().clone_into(&mut self.title_from);
        batch.set_title(self.conversation, &title, &self.title_from).storage()
    }

    fn write_calls(
        &mut self,
        batch: &mut Batch,
        facts: &Facts,
        changes: &Changes,
    ) -> Result<(), Failure> {
        let mut calls: Vec<&fold::ToolCall> = changes.tool_calls.iter().collect();
        calls.sort_by_key(|call| call.key);
        for call in calls {
            let result = match call.result {
                Some(result) => Some(self.message(batch, result)?),
                None => None,
            };
            let row = NewToolCall {
                source: facts.source,
                conversation: self.conversation,
                message: self.message(batch, call.message)?,
                run: self.run(batch, call.run)?,
                number: call.key.0,
                stated_id: &call.id,
                id_derived: call.id_derived,
                name: &call.name,
                result,
                first_event: call.first_event,
                extra: call.metadata.as_deref(),
            };
            let id = match self.find_call(batch, call.key)? {
                Some(id) => {
                    batch.update_tool_call(id, &row).storage()?;
                    id
                }
                None => {
                    let id = batch.insert_tool_call(&row).storage()?;
                    self.calls.insert(call.key, id);
                    id
                }
            };
            for segment in &call.segments {
                let row = NewSegment {
                    call: id,
                    number: segment.index,
                    source: facts.source,
                    run: self.run(batch, segment.run)?,
                    first_event: segment.first_event,
                    arguments: &segment.arguments,
                    ending: ending(segment.ended),
                    same_as: segment.same_as,
                };
                batch.set_segment(&row).storage()?;
            }
        }
        Ok(())
    }

    fn write_foreign(
        &mut self,
        batch: &mut Batch,
        facts: &Facts,
        changes: &Changes,
    ) -> Result<(), Failure> {
        for foreign in &changes.foreign {
            let origin = foreign_origin(&foreign.origin);
            let row = NewForeignSource {
                source: facts.source,
                conversation: self.conversation,
                run: self.run(batch, Some(foreign.run))?,
                message: foreign.message.map(|key| self.message(batch, key)).transpose()?,
                stated_message_id: foreign.message_id.as_deref(),
                origin: &origin,
                title: foreign.title.as_deref(),
                url: foreign.url.as_deref(),
                host: foreign.host.as_deref(),
                event: Some(foreign.event),
                at: None,
            };
            batch.insert_foreign_source(&row).storage()?;
        }
        Ok(())
    }

    fn write_findings(
        &mut self,
        batch: &mut Batch,
        facts: &Facts,
        changes: &Changes,
    ) -> Result<(), Failure> {
        for found in &changes.findings {
            // Where a citation event stands is a duty of the service, which `moca` judges and tells.
            if TOLD_BY_THE_BINDING.contains(&found.finding.code.id) {
                continue;
            }
            let row = NewFinding {
                source: facts.source,
                conversation: Some(self.conversation),
                run: self.run(batch, found.run)?,
                message: None,
                citation_event: None,
                code: found.finding.code.id,
                severity: severity(found.finding.code.severity),
                text: &found.finding.message,
                event: found.finding.event,
                at: found.finding.at.clone(),
                excerpt: None,
                times: 1,
            };
            batch.insert_finding(&row).storage()?;
        }
        Ok(())
    }

    /// Row of a run of this thread.
    pub(super) fn run(
        &mut self,
        batch: &Batch,
        key: Option<RunKey>,
    ) -> Result<Option<RunId>, Failure> {
        match key {
            Some(key) => self.find_run(batch, key),
            None => Ok(None),
        }
    }

    /// Row of a message of this thread.
    pub(super) fn message(&mut self, batch: &Batch, key: MessageKey) -> Result<MessageId, Failure> {
        self.find_message(batch, key)?
            .ok_or_else(|| Failure::internal("The fold names a message that has no row"))
    }

    fn find_run(&mut self, batch: &Batch, key: RunKey) -> Result<Option<RunId>, Failure> {
        find(&mut self.runs, key, self.fresh, || batch.run_of_number(self.conversation, key.0))
    }

    fn find_message(
        &mut self,
        batch: &Batch,
        key: MessageKey,
    ) -> Result<Option<MessageId>, Failure> {
        find(&mut self.messages, key, self.fresh, || {
            batch.message_of_number(self.conversation, key.0)
        })
    }

    fn find_call(&mut self, batch: &Batch, key: CallKey) -> Result<Option<ToolCallId>, Failure> {
        find(&mut self.calls, key, self.fresh, || {
            batch.tool_call_of_number(self.conversation, key.0)
        })
    }
}

/// A row from memory, else from the archive, unless all rows are in memory.
fn find<K: Copy + Ord, R: Copy>(
    known: &mut BTreeMap<K, R>,
    key: K,
    all_known: bool,
    held: impl FnOnce() -> archive::Result<Option<R>>,
) -> Result<Option<R>, Failure> {
    let row = known.get(&key).copied();
    if row.is_some() || all_known {
        return Ok(row);
    }
    let row = held().storage()?;
    if let Some(row) = row {
        known.insert(key, row);
    }
    Ok(row)
}
