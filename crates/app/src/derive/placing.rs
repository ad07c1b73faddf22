//! Which conversation a run belongs to.
//!
//! Ids of the world are never keys (architecture, invariant 6), so equal thread ids alone join nothing across
//! sources. A run joins a conversation of another source when that conversation holds the same run (equal ids and
//! equal event bytes), or when it says itself that it continues it: its parent, or messages of its history, are
//! held there. The same ids with other bytes make a conversation beside the first, with a finding.

use agui::{
    container::{Connection, Format},
    runs::{RunEnd, RunHead, Step},
};
use archive::{Batch, ConversationId, RunId, RunMatch, Severity};
use serde::Deserialize;

use super::{
    Derive, Queue, Work,
    folding::Folding,
    work::{Loose, ThreadNo},
};
use crate::{codes, contract::Failure};

/// Bytes of a run that are kept while it is compared with a held run of the same ids; a longer one counts as other bytes.
const MAX_COMPARED_BYTES: usize = 64 << 20;

/// Messages of a history that are compared with held ones.
const MAX_COMPARED_MESSAGES: usize = 1000;

/// Where an open run goes.
pub(super) enum Placing {
    /// Into this thread.
    Into(ThreadNo),
    /// Not known yet: a run with the same ids is held.
    Held(Box<Held>),
}

/// A run that is kept until its end tells whether it is the one held.
pub(super) struct Held {
    pub(super) head: RunHead,
    pub(super) steps: Vec<Step>,
    matches: Vec<RunMatch>,
    bytes: usize,
}

/// What makes one thread of a source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ThreadKey {
    /// A stated thread id, over all connections.
    Thread(String),
    /// A connection whose runs state no thread, or whose container holds unrelated cases.
    Connection(u32, Option<String>),
}

impl ThreadKey {
    pub(super) fn of(format: Format, head: &RunHead) -> Self {
        match (&head.thread_id, format) {
            (thread, Format::NamedLists | Format::CaseLines) => {
                Self::Connection(head.connection, thread.clone())
            }
            (Some(thread), _) => Self::Thread(thread.clone()),
            (None, _) => Self::Connection(head.connection, None),
        }
    }
}

impl Held {
    /// Keeps a step; gives everything back when the run is too long to compare.
    pub(super) fn keep(&mut self, step: Step) -> Option<Self> {
        if let Step::Event(event) = &step {
            self.bytes += event.event.bytes().len();
        }
        self.steps.push(step);
        (self.bytes > MAX_COMPARED_BYTES).then(|| Self {
            head: self.head.clone(),
            steps: std::mem::take(&mut self.steps),
            matches: std::mem::take(&mut self.matches),
            bytes: 0,
        })
    }

    /// The held run with the same event bytes.
    pub(super) fn matching(&self, hash: &[u8; 32]) -> Option<RunMatch> {
        self.matches.iter().find(|held| &held.hash.0 == hash).cloned()
    }

    /// What is written when the run is the one held.
    pub(super) fn occurrence(&self, run: RunId, end: &RunEnd) -> Work {
        Work::Occurrence {
            run,
            connection: end.connection,
            first_event: self.head.first_event,
            events: end.events,
            at: self.head.at.start..end.end,
        }
    }
}

impl Derive {
    /// Runs of other sources with the same stated ids.
    pub(super) fn held_elsewhere(
        &mut self,
        queue: &Queue,
        head: &RunHead,
    ) -> Result<Option<Box<Held>>, Failure> {
        let (Some(thread), Some(run)) = (head.thread_id.clone(), head.run_id.clone()) else {
            return Ok(None);
        };
        if !self.is_thread_of_others(queue, &thread)? {
            return Ok(None);
        }
        let mut matches =
            queue.ask(move |batch| batch.runs_of_stated_ids(Some(&thread), Some(&run)))?;
        matches.retain(|held| held.source != self.facts.source);
        Ok((!matches.is_empty())
            .then(|| Box::new(Held { head: head.clone(), steps: Vec::new(), matches, bytes: 0 })))
    }

    /// Whether other sources have runs of a thread; asked once, since nothing but this source is written meanwhile.
    fn is_thread_of_others(&mut self, queue: &Queue, thread: &str) -> Result<bool, Failure> {
        if let Some(known) = self.of_others.get(thread) {
            return Ok(*known);
        }
        let (asked, source) = (thread.to_owned(), self.facts.source);
        let found = queue.ask(move |batch| batch.is_thread_of_others(&asked, source))?;
        self.of_others.insert(thread.to_owned(), found);
        Ok(found)
    }

    /// The thread of a run that is new.
    pub(super) fn thread_for(
        &mut self,
        queue: &Queue,
        connections: &[Connection],
        head: &RunHead,
    ) -> Result<ThreadNo, Failure> {
        let key = ThreadKey::of(self.facts.format, head);
        if let Some(known) = self.threads.get(&key) {
            return Ok(*known);
        }
        let source = self.facts.source;
        let of_source = match &key {
            ThreadKey::Thread(thread) => Some(Some(thread.clone())),
            ThreadKey::Connection(_, None) if connections.len() <= 1 => Some(None),
            ThreadKey::Connection(..) => None,
        };
        let head_of_thread = Begins::of(&key, head);
        let found = queue.ask(move |batch| {
            if let Some(thread) = of_source
                && let Some(begun) = batch.conversation_of_thread_in(source, thread.as_deref())?
            {
                return Ok(Some(begun));
            }
            head_of_thread.map_or(Ok(None), |begins| begins.continues(batch))
        })?;
        let thread = match found {
            Some(conversation) => self.held_thread(queue, conversation)?,
            None => self.new_thread(queue, head.connection, head.thread_id.as_deref())?,
        };
        self.threads.insert(key, thread);
        Ok(thread)
    }

    /// A thread for a run whose ids are held with other bytes.
    pub(super) fn variant_thread(
        &mut self,
        queue: &Queue,
        connections: &[Connection],
        held: &Held,
    ) -> Result<ThreadNo, Failure> {
        let key = ThreadKey::of(self.facts.format, &held.head);
        let is_other = |thread: &ThreadNo| {
            let conversation = self.conversations.get(thread.0).copied().flatten();
            held.matches.iter().any(|run| Some(run.conversation) == conversation)
        };
        let known = self.threads.get(&key).copied().filter(|thread| !is_other(thread));
        let thread = match known {
            Some(known) => known,
            None => {
                self.connection(queue, connections, held.head.connection)?;
                let connection = held.head.connection;
                let new = self.new_thread(queue, connection, held.head.thread_id.as_deref())?;
                self.threads.insert(key, new);
                new
            }
        };
        let run = held.head.run_id.as_deref().unwrap_or_default();
        let text = format!(
            "Run {} is held already with other event bytes; both recordings of it are kept, each in a conversation of its own.",
            codes::quote(run)
        );
        queue.put(Work::Finding(Loose {
            thread: Some(thread),
            code: codes::RUN_OTHER_BYTES.id,
            severity: Severity::Warning,
            text,
            event: Some(held.head.first_event),
            at: Some(held.head.at.clone()),
        }))?;
        Ok(thread)
    }

    /// The thread of a conversation that is held.
    pub(super) fn held_thread(
        &mut self,
        queue: &Queue,
        conversation: ConversationId,
    ) -> Result<ThreadNo, Failure> {
        if let Some(known) = self.held.get(&conversation) {
            return Ok(*known);
        }
        let thread = ThreadNo(self.conversations.len());
        self.conversations.push(Some(conversation));
        self.held.insert(conversation, thread);
        queue.put(Work::HeldConversation(conversation))?;
        Ok(thread)
    }

    /// A thread of this source that makes a new conversation.
    pub(super) fn new_thread(
        &mut self,
        queue: &Queue,
        connection: u32,
        thread_id: Option<&str>,
    ) -> Result<ThreadNo, Failure> {
        let thread = ThreadNo(self.conversations.len());
        self.conversations.push(None);
        self.open.insert(thread, (self.tick, Folding::restore(None)?));
        let thread_id = thread_id.map(str::to_owned);
        queue.put(Work::NewConversation { connection, thread_id })?;
        Ok(thread)
    }
}

/// By what the first run of a thread says that it continues a conversation of another source.
struct Begins {
    thread: String,
    parent: Option<String>,
    history: Vec<String>,
}

impl Begins {
    fn of(key: &ThreadKey, head: &RunHead) -> Option<Self> {
        let ThreadKey::Thread(thread) = key else { return None };
        Some(Self {
            thread: thread.clone(),
            parent: head.parent_run_id.clone(),
            history: history_ids(head),
        })
    }

    /// The conversation that it continues.
    fn continues(&self, batch: &Batch) -> archive::Result<Option<ConversationId>> {
        if let Some(parent) = &self.parent {
            let held = batch.runs_of_stated_ids(Some(&self.thread), Some(parent))?;
            if let Some(parent) = held.last() {
                return Ok(Some(parent.conversation));
            }
        }
        if self.history.is_empty() {
            return Ok(None);
        }
        for (conversation, _) in batch.conversations_of_thread(&self.thread)?.into_iter().rev() {
            for id in &self.history {
                if batch.has_message(conversation, id)? {
                    return Ok(Some(conversation));
                }
            }
        }
        Ok(None)
    }
}

/// Message ids of the history that a run's request restates.
fn history_ids(head: &RunHead) -> Vec<String> {
    #[derive(Deserialize)]
    struct Input {
        #[serde(default)]
        messages: Vec<Stated>,
    }
    #[derive(Deserialize)]
    struct Stated {
        id: Option<String>,
    }
    let Some(request) = &head.request else { return Vec::new() };
    let input: Input =
        serde_json::from_slice(&request.text).unwrap_or(Input { messages: Vec::new() });
    input
        .messages
        .into_iter()
        .filter_map(|message| message.id)
        .take(MAX_COMPARED_MESSAGES)
        .collect()
}
