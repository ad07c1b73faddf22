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
use archive::{
    Batch, ConnectionId, ConversationId, NewConversation, NewFinding, NewOccurrence, RunId,
    RunMatch, Severity, SourceId,
};
use serde::Deserialize;

use super::Derive;
use crate::{codes, contract::Failure, failure::Storage};

/// Bytes of a run that are kept while it is compared with a held run of the same ids; a longer one counts as other bytes.
const MAX_COMPARED_BYTES: usize = 64 << 20;

/// Messages of a history that are compared with held ones.
const MAX_COMPARED_MESSAGES: usize = 1000;

/// Where an open run goes.
pub(super) enum Placing {
    /// Into this conversation.
    Into(ConversationId),
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

    pub(super) fn occurrence(
        &self,
        run: RunId,
        source: SourceId,
        connection: ConnectionId,
        end: &RunEnd,
    ) -> NewOccurrence {
        NewOccurrence {
            run,
            source,
            connection,
            first_event: self.head.first_event,
            events: end.events,
            at: self.head.at.start..end.end,
        }
    }
}

impl Derive {
    /// Runs of other sources with the same stated ids.
    pub(super) fn held_elsewhere(
        &self,
        batch: &Batch,
        head: &RunHead,
    ) -> Result<Option<Box<Held>>, Failure> {
        let (Some(thread), Some(run)) = (&head.thread_id, &head.run_id) else { return Ok(None) };
        let mut matches = batch.runs_of_stated_ids(Some(thread), Some(run)).storage()?;
        matches.retain(|held| held.source != self.facts.source);
        Ok((!matches.is_empty())
            .then(|| Box::new(Held { head: head.clone(), steps: Vec::new(), matches, bytes: 0 })))
    }

    /// The conversation of a run that is new.
    pub(super) fn conversation_for(
        &mut self,
        batch: &mut Batch,
        connections: &[Connection],
        head: &RunHead,
    ) -> Result<ConversationId, Failure> {
        let key = ThreadKey::of(self.facts.format, head);
        if let Some(known) = self.threads.get(&key) {
            return Ok(*known);
        }
        let begun = match &key {
            ThreadKey::Thread(thread) => {
                batch.conversation_of_thread_in(self.facts.source, Some(thread)).storage()?
            }
            ThreadKey::Connection(_, None) if connections.len() <= 1 => {
                batch.conversation_of_thread_in(self.facts.source, None).storage()?
            }
            ThreadKey::Connection(..) => None,
        };
        let conversation = match begun {
            Some(begun) => begun,
            None => match self.continued(batch, &key, head)? {
                Some(continued) => continued,
                None => self.new_conversation(batch, head.connection, head.thread_id.as_deref())?,
            },
        };
        self.threads.insert(key, conversation);
        Ok(conversation)
    }

    /// A conversation for a run whose ids are held with other bytes.
    pub(super) fn variant_conversation(
        &mut self,
        batch: &mut Batch,
        connections: &[Connection],
        held: &Held,
    ) -> Result<ConversationId, Failure> {
        let key = ThreadKey::of(self.facts.format, &held.head);
        let others: Vec<ConversationId> = held.matches.iter().map(|run| run.conversation).collect();
        let conversation = match self.threads.get(&key) {
            Some(known) if !others.contains(known) => *known,
            _ => {
                let (_, service) = self.connection(batch, connections, held.head.connection)?;
                let new =
                    self.insert_conversation(batch, service, held.head.thread_id.as_deref())?;
                self.threads.insert(key, new);
                new
            }
        };
        let run = held.head.run_id.as_deref().unwrap_or_default();
        let text = format!(
            "Run {} is held already with other event bytes; both recordings of it are kept, each in a conversation of its own.",
            codes::quote(run)
        );
        let row = NewFinding {
            source: self.facts.source,
            conversation: Some(conversation),
            run: None,
            message: None,
            citation_event: None,
            code: codes::RUN_OTHER_BYTES.id,
            severity: Severity::Warning,
            text: &text,
            event: Some(held.head.first_event),
            at: Some(held.head.at.clone()),
            excerpt: None,
            times: 1,
        };
        batch.insert_finding(&row).storage()?;
        Ok(conversation)
    }

    /// A new conversation of this source.
    pub(super) fn new_conversation(
        &mut self,
        batch: &mut Batch,
        connection: u32,
        thread: Option<&str>,
    ) -> Result<ConversationId, Failure> {
        let service = self.connections.get(connection as usize).and_then(|(_, service)| *service);
        self.insert_conversation(batch, service, thread)
    }

    fn insert_conversation(
        &mut self,
        batch: &mut Batch,
        service: Option<archive::ServiceId>,
        thread: Option<&str>,
    ) -> Result<ConversationId, Failure> {
        let new = NewConversation {
            source: self.facts.source,
            service,
            thread_id: thread,
            title: "",
            title_from: "none",
            newest_at: self.facts.imported_at,
        };
        batch.insert_conversation(&new).storage()
    }

    /// The conversation of another source that this run says it continues.
    fn continued(
        &self,
        batch: &Batch,
        key: &ThreadKey,
        head: &RunHead,
    ) -> Result<Option<ConversationId>, Failure> {
        let ThreadKey::Thread(thread) = key else { return Ok(None) };
        if let Some(parent) = &head.parent_run_id {
            let held = batch.runs_of_stated_ids(Some(thread), Some(parent)).storage()?;
            if let Some(parent) = held.last() {
                return Ok(Some(parent.conversation));
            }
        }
        let history = history_ids(head);
        if history.is_empty() {
            return Ok(None);
        }
        for (conversation, _) in batch.conversations_of_thread(thread).storage()?.into_iter().rev()
        {
            for id in &history {
                if batch.has_message(conversation, id).storage()? {
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
