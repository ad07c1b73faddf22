//! The writing side: what was read and folded becomes rows.

use std::collections::BTreeMap;

use agui::container::Connection;
use archive::{
    Batch, ConnectionId, ConversationId, NewConnection, NewConversation, NewFinding, NewOccurrence,
    ServiceId,
};

use super::{
    Facts,
    thread_rows::ThreadRows,
    work::{Loose, ThreadNo, Work},
};
use crate::{contract::Failure, failure::Storage};

/// The rows of one source.
pub(crate) struct Rows {
    facts: Facts,
    connections: Vec<ConnectionId>,
    services: Vec<Option<ServiceId>>,
    threads: Vec<ConversationId>,
    open: BTreeMap<ThreadNo, ThreadRows>,
}

impl Rows {
    /// Of a source of which nothing is written yet.
    pub(crate) fn new(facts: Facts) -> Self {
        Self::with(facts, Vec::new())
    }

    /// Of a source of which these connections were written before.
    pub(crate) fn resume(facts: Facts, connections: Vec<ConnectionId>) -> Self {
        Self::with(facts, connections)
    }

    fn with(facts: Facts, connections: Vec<ConnectionId>) -> Self {
        let services = vec![None; connections.len()];
        Self { facts, connections, services, threads: Vec::new(), open: BTreeMap::new() }
    }

    /// Connections that have rows.
    pub(crate) fn connections(&self) -> usize {
        self.connections.len()
    }

    /// Writes one piece of work.
    pub(super) fn write(&mut self, batch: &mut Batch, work: &Work) -> Result<(), Failure> {
        match work {
            Work::Connection(stated) => self.connection(batch, stated),
            Work::NewConversation { connection, thread_id } => {
                let new = NewConversation {
                    source: self.facts.source,
                    service: self.services.get(*connection as usize).copied().flatten(),
                    thread_id: thread_id.as_deref(),
                    title: "",
                    title_from: "none",
                    newest_at: self.facts.imported_at,
                };
                let conversation = batch.insert_conversation(&new).storage()?;
                self.open.insert(ThreadNo(self.threads.len()), ThreadRows::new(conversation));
                self.threads.push(conversation);
                Ok(())
            }
            Work::HeldConversation(conversation) => {
                self.threads.push(*conversation);
                Ok(())
            }
            Work::Open { thread, reply } => {
                let conversation = self.conversation(*thread)?;
                let fold = batch.thread_state(conversation).storage()?.fold;
                self.open.insert(*thread, ThreadRows::held(batch, conversation, fold.is_none())?);
                // Nobody waits for the answer only when the reading side has stopped.
                drop(reply.send(fold));
                Ok(())
            }
            Work::Flush { thread, flush } => {
                let rows = self.open.get_mut(thread).ok_or_else(unknown)?;
                rows.write(batch, &self.facts, &self.connections, flush)
            }
            Work::Save { thread, fold } => {
                batch.set_fold(self.conversation(*thread)?, fold).storage()
            }
            Work::Forget(thread) => {
                self.open.remove(thread);
                Ok(())
            }
            Work::Occurrence { run, connection, first_event, events, at } => {
                let connection = self.connections.get(*connection as usize).ok_or_else(unknown)?;
                let again = NewOccurrence {
                    run: *run,
                    source: self.facts.source,
                    connection: *connection,
                    first_event: *first_event,
                    events: *events,
                    at: at.clone(),
                };
                batch.insert_occurrence(&again).storage()
            }
            Work::Finding(loose) => self.finding(batch, loose),
            Work::Stored(_) => Err(Failure::internal("Bytes of a source are no rows")),
        }
    }

    fn conversation(&self, thread: ThreadNo) -> Result<ConversationId, Failure> {
        self.threads.get(thread.0).copied().ok_or_else(unknown)
    }

    fn connection(&mut self, batch: &mut Batch, stated: &Connection) -> Result<(), Failure> {
        let service = match service_of(stated) {
            Some((key, name)) => Some(batch.service(&key, &name).storage()?),
            None => None,
        };
        let redacted = serde_json::to_string(&stated.redacted).unwrap_or_default();
        let row = NewConnection {
            number: u32::try_from(self.connections.len()).unwrap_or(u32::MAX),
            service,
            name: Some(stated.name.as_str()).filter(|name| !name.is_empty()),
            url: stated.url.as_deref(),
            method: stated.method.as_deref(),
            status: stated.status,
            transport: stated.transport.as_deref(),
            started: stated.started_at.as_deref(),
            redacted: (!stated.redacted.is_empty()).then_some(redacted.as_str()),
            citations_unknown: stated.citations_unknown,
        };
        self.connections.push(batch.insert_connection(self.facts.source, &row).storage()?);
        self.services.push(service);
        Ok(())
    }

    /// A finding about the source or a thread rather than a run.
    fn finding(&self, batch: &mut Batch, loose: &Loose) -> Result<(), Failure> {
        let row = NewFinding {
            source: self.facts.source,
            conversation: loose.thread.map(|thread| self.conversation(thread)).transpose()?,
            run: None,
            message: None,
            citation_event: None,
            code: loose.code,
            severity: loose.severity,
            text: &loose.text,
            event: loose.event,
            at: loose.at.clone(),
            excerpt: None,
            times: 1,
        };
        batch.insert_finding(&row).storage().map(drop)
    }
}

fn unknown() -> Failure {
    Failure::internal("The reading side names what the writing side does not know")
}

/// Key and name of the service behind a connection: its host, or what the container calls it.
fn service_of(connection: &Connection) -> Option<(String, String)> {
    let host = connection.url.as_deref().and_then(|url| {
        let rest = url.split_once("://")?.1;
        let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        (!host.is_empty()).then(|| host.to_owned())
    });
    let key = host.or_else(|| connection.service.clone())?;
    Some((key.clone(), key))
}
