//! The fold: runs of one thread to messages, tool calls and the rest (facts/agui §3).
//!
//! Nothing in a stream stops it: whatever breaks a rule is kept and becomes a finding.

mod calls;
mod chunks;
pub(crate) mod codes;
mod context;
mod custom;
mod dispatch;
mod foreign;
mod item;
mod lifecycle;
mod lists;
mod log;
mod matching;
mod measure;
mod model;
mod open;
mod patch;
mod reasoning;
mod speech;
mod state;
mod store;
mod text;
mod tools;

use std::collections::BTreeMap;

pub use calls::MAX_ARGUMENTS;
pub use codes::CODES;
pub use context::Context;
pub use custom::CITATIONS;
pub use foreign::MAX_FOREIGN_PER_RUN;
pub use item::{MAX_ID_BYTES, MAX_LISTED_MESSAGES, MAX_LISTED_TOOL_CALLS};
pub use log::MAX_MESSAGE_TEXT;
pub use model::*;
pub use open::MAX_REPLAY_BYTES;
pub use patch::{MAX_COPIES, MAX_NODES, MAX_OPERATIONS, MAX_POINTER_PARTS, MAX_VALUE_BYTES};

use crate::runs::{RunNo, Step};
use dispatch::Fold;
use open::{Folding, Later, Open};
use speech::Speech;
use store::Store;

/// One thread being folded.
///
/// The steps of its runs go in, in arrival order, also those of several connections at once;
/// [`Self::take_changes`] hands out what came of them. What is held grows with the number of messages,
/// calls and runs, not with their texts, as long as changes are taken.
#[derive(Debug, Default)]
pub struct Thread {
    store: Store,
    open: BTreeMap<RunNo, Open>,
}

impl Thread {
    /// A thread of which nothing is held yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A thread of which an archive holds something: what follows goes on from there.
    pub fn restore(context: Context) -> Self {
        Self { store: Store::restore(context), open: BTreeMap::new() }
    }

    /// What [`Self::restore`] needs to go on from here; none while a run is open.
    pub fn context(&self) -> Option<Context> {
        self.open.is_empty().then(|| self.store.context())
    }

    /// Takes the next step of one of its runs, a finding on one of them, or a message list.
    pub fn apply(&mut self, step: &Step) {
        match step {
            Step::RunBegins(head) => {
                let open = self.store.begin(head, &self.open);
                self.open.insert(head.run, open);
            }
            Step::Event(event) => match self.open.get_mut(&event.run) {
                Some(Open::Folding(run)) => {
                    Fold { store: &mut self.store, run, ev: Some(event) }.event();
                }
                Some(Open::HeldBack(held)) => {
                    held.bytes += event.event.bytes().len();
                    held.later.push(Later::Event(event.clone()));
                    if held.bytes > MAX_REPLAY_BYTES {
                        self.give_up_comparing(event.run);
                    }
                }
                None => {}
            },
            Step::Finding(found) => match found.run.and_then(|run| self.open.get_mut(&run)) {
                Some(Open::Folding(run)) => {
                    self.store.finding(Some(run.key), found.finding.clone());
                }
                Some(Open::HeldBack(held)) => {
                    held.later.push(Later::Finding(found.finding.clone()));
                }
                None => {}
            },
            Step::RunEnds(end) => match self.open.remove(&end.run) {
                Some(Open::Folding(run)) => self.store.end(*run, end),
                Some(Open::HeldBack(held)) => match self.store.original(&held.head, &end.hash) {
                    Some(original) => self.store.replay(&held.head, end, original),
                    None => {
                        let run = self.store.fold_held_back(*held, &codes::VARIANT, &self.open);
                        self.store.end(run, end);
                    }
                },
                None => {}
            },
            Step::Messages(list) => self.store.message_list(list),
        }
    }

    /// Tells the question of an open run as its container has it; it counts where no user message came
    /// with the run by its end.
    pub fn offer_question(&mut self, run: RunNo, text: &str) {
        match self.open.get_mut(&run) {
            Some(Open::Folding(run)) => run.offered = Some(text.to_owned()),
            Some(Open::HeldBack(held)) => held.offered = Some(text.to_owned()),
            None => {}
        }
    }

    /// Hands out what is new or changed and lets go of the texts of runs that ended.
    pub fn take_changes(&mut self) -> Changes {
        let keys: Vec<_> = self.folding().map(|run| run.key).collect();
        let is_open = |key| keys.contains(&key);
        let mut open_runs = Vec::new();
        for open in self.open.values_mut() {
            if let Open::Folding(run) = open
                && std::mem::take(&mut run.changed)
            {
                open_runs.push(run.run.clone());
            }
        }
        let mut changes = self.store.take(is_open);
        changes.runs.extend(open_runs);
        changes.runs.sort_by_key(|run| run.key);
        changes
    }

    /// Messages in reading order, with their whole texts as long as no changes were taken.
    pub fn messages(&self) -> Vec<Message> {
        self.store.log.messages()
    }

    /// Tool calls in the order in which they were met, with their whole arguments as long as no changes
    /// were taken.
    pub fn tool_calls(&self) -> Vec<ToolCall> {
        self.store.calls.calls()
    }

    /// The state as JSON text; `{}` when none was told.
    pub fn state(&self) -> String {
        self.store.state_text()
    }

    /// The assistant message that an id names for a run: one of the run itself, else the latest of an
    /// earlier run, else the first of a later one; none where that run has several. Its own ids count before aliases,
    /// and an alias only for a message of this run or of the run whose list gave it.
    pub fn find_assistant(&self, id: &str, run: Option<RunKey>) -> Option<Resolved> {
        self.store.find_assistant(id, run).message()
    }

    /// A run too long to be held back is folded as one of its own.
    fn give_up_comparing(&mut self, no: RunNo) {
        if let Some(Open::HeldBack(held)) = self.open.remove(&no) {
            let run = self.store.fold_held_back(*held, &codes::REPLAY_NOT_COMPARED, &self.open);
            self.open.insert(no, Open::Folding(Box::new(run)));
        }
    }

    fn folding(&self) -> impl Iterator<Item = &Folding> {
        self.open.values().filter_map(|open| match open {
            Open::Folding(run) => Some(&**run),
            Open::HeldBack(_) => None,
        })
    }
}
