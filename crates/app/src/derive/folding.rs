//! One thread while it is folded.

use std::collections::BTreeMap;

use agui::{
    container::Connection,
    fold::{Changes, CitationValue, Context, MessageKey, Origin, Role, RunKey, Thread},
    runs::{Ending, Step},
};
use moca::{Memo, duty::ToolRecords, event};
use serde::{Deserialize, Serialize};

use super::work::{Cited, Flush, Uncited};
use crate::contract::Failure;

/// A thread in memory.
pub(super) struct Folding {
    pub(super) thread: Thread,
    note: Note,
    /// Answers of runs that have not ended, which no citation event names yet.
    uncited: BTreeMap<MessageKey, Uncited>,
    unsaved: bool,
}

/// What the archive keeps for a later recording of the thread.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Note {
    /// The fold's own memory.
    context: Context,
    /// The service sends citation events.
    cites: bool,
}

impl Folding {
    /// What the archive keeps of a thread, ready to go on; nothing for a new one.
    pub(super) fn restore(kept: Option<&str>) -> Result<Self, Failure> {
        let note: Option<Note> = match kept.map(serde_json::from_str) {
            Some(Ok(note)) => Some(note),
            Some(Err(_)) => {
                return Err(Failure::internal("What is kept of a thread cannot be read"));
            }
            None => None,
        };
        let thread =
            note.as_ref().map_or_else(Thread::new, |note| Thread::restore(note.context.clone()));
        let note = note.unwrap_or_default();
        Ok(Self { thread, note, uncited: BTreeMap::new(), unsaved: false })
    }

    pub(super) fn apply(&mut self, step: &Step) {
        self.thread.apply(step);
    }

    /// What a later recording needs, when it changed; nothing while a run is open: that run belongs to this import.
    pub(super) fn save(&mut self) -> Result<Option<String>, Failure> {
        let Some(context) = self.thread.context().filter(|_| self.unsaved) else {
            return Ok(None);
        };
        self.note.context = context;
        self.unsaved = false;
        serde_json::to_string(&self.note)
            .map(Some)
            .map_err(|_| Failure::internal("A thread's memory could not be written"))
    }

    /// Everything new.
    pub(super) fn flush(&mut self, connections: &[Connection], memo: &mut Memo) -> Flush {
        let mut changes = self.thread.take_changes();
        self.unsaved = true;
        self.note.cites |= !changes.citations.is_empty();
        let tools = tool_records(&changes, memo);
        let began = changes
            .runs
            .iter()
            .filter_map(|run| {
                let connection = connections.get(run.connection as usize)?;
                Some((run.key, connection.started_at.clone()?))
            })
            .collect();
        let without_event = self.answers_without_event(&changes);
        let cited = std::mem::take(&mut changes.citations).into_iter().map(|held| {
            // An event without a value is read like one whose value is null: it has none of the members it must have.
            // An event without a value is read like one whose value is null: it has none of the members it must have.
            let parsed = match &held.value {
                CitationValue::Exact(json) => event::parse_again(json, memo),
                CitationValue::Missing => event::parse_again("null", memo),
                CitationValue::Unsure(why) => event::unreliable(held.message_id.as_deref(), why),
            };
            let id = parsed.event.message_id();
            let found = id.and_then(|id| self.thread.find_assistant(id, Some(held.run)));
            Cited { held, parsed, found }
        });
        Flush { cited: cited.collect(), changes, began, tools, without_event }
    }

    /// Where a service sends citation events, an answer without one is a finding (seed §3, fifth duty), once its run has
    /// come to where the event is due.
    fn answers_without_event(&mut self, changes: &Changes) -> Vec<Uncited> {
        for message in &changes.messages {
            let answer = message.role == Role::Assistant
                && message.text_at == 0
                && !message.text.trim().is_empty();
            if let (true, Origin::Stream, Some(run)) = (answer, message.origin, message.run) {
                let uncited = Uncited {
                    message: message.key,
                    run,
                    id: message.id.clone(),
                    first_event: message.first_event.unwrap_or_default(),
                };
                self.uncited.insert(message.key, uncited);
            }
            // An answer that was cut off never came to the place where its event is due.
            if !message.ended.is_ended() {
                self.uncited.remove(&message.key);
            }
        }
        for held in &changes.citations {
            let named = held
                .message_id
                .as_deref()
                .and_then(|id| self.thread.find_assistant(id, Some(held.run)));
            if let Some(found) = named {
                self.uncited.remove(&found.message);
            }
        }
        let over: BTreeMap<RunKey, &Ending> =
            changes.runs.iter().filter_map(|run| Some((run.key, run.ending.as_ref()?))).collect();
        let due: Vec<MessageKey> = self
            .uncited
            .iter()
            .filter(|(_, held)| over.contains_key(&held.run))
            .map(|(key, _)| *key)
            .collect();
        let cites = self.note.cites;
        due.into_iter()
            .filter_map(|key| self.uncited.remove(&key))
            .filter(|held| {
                let ending = over.get(&held.run);
                cites && matches!(ending, Some(Ending::Finished | Ending::Interrupted))
            })
            .collect()
    }
}

/// What the tools of each run returned, as far as this flush shows it.
fn tool_records(changes: &Changes, memo: &mut Memo) -> BTreeMap<RunKey, ToolRecords> {
    let mut records: BTreeMap<RunKey, ToolRecords> = BTreeMap::new();
    if changes.citations.is_empty() {
        return records;
    }
    for message in changes.messages.iter().filter(|message| message.role == Role::Tool) {
        if let Some(run) = message.run {
            records.entry(run).or_default().add_again(&message.text, memo);
        }
    }
    records
}
