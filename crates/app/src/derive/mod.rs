//! From frames to rows: cuts runs, folds threads, reads citation events, and writes what comes of them.
//!
//! Import and rebuild share this: the same bytes give the same rows, whether they arrive from a file or from the
//! archive's own segments, in one go or resumed.

mod citations;
mod folding;
pub(crate) mod order;
mod placing;
pub(crate) mod record;
pub(crate) mod when;
mod words;

use std::collections::BTreeMap;

use agui::{
    container::{Connection, Format, Frames},
    finding::Finding,
    frame::Frame,
    runs::{MessageList, RunEnd, RunHead, RunNo, SourceFinding, Splitter, Step},
};
use archive::{
    Batch, ConnectionId, ConversationId, NewConnection, NewFinding, ServiceId, SourceId,
};

pub(crate) use words::severity;

use self::{
    folding::Folding,
    placing::{Held, Placing, ThreadKey},
};
use crate::{contract::Failure, failure::Storage};

/// Version of the deriving code: a source derived by an older one can be derived again (`recite rebuild`).
pub(crate) const DERIVED_VERSION: u32 = 1;

/// Threads kept in memory; the rest is folded on from what the archive holds of them.
const OPEN_THREADS: usize = 64;

/// What is known of a source beside its bytes.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    /// Its row.
    pub(crate) source: SourceId,
    /// Its container.
    pub(crate) format: Format,
    /// When it was imported.
    pub(crate) imported_at: archive::Instant,
}

/// Derives the rows of one source.
pub(crate) struct Derive {
    facts: Facts,
    splitter: Splitter,
    steps: Vec<Step>,
    connections: Vec<(ConnectionId, Option<ServiceId>)>,
    /// Where each run that is still open goes.
    runs: BTreeMap<RunNo, Placing>,
    /// Where the threads of this source go.
    threads: BTreeMap<ThreadKey, ConversationId>,
    /// Threads in memory, each with the tick at which it was last used.
    open: BTreeMap<ConversationId, (u64, Folding)>,
    tick: u64,
    last_connection: u32,
    new_runs: u64,
    citation_events: u64,
}

/// A place where a run begins, so that a segment can be cut there.
pub(crate) type RunStarts = Vec<u64>;

impl Derive {
    /// Begins at the start of a source.
    pub(crate) fn new(facts: Facts) -> Self {
        Self::with(facts, Splitter::new())
    }

    /// Goes on in a source of which this many events and runs were derived before.
    pub(crate) fn resume(
        facts: Facts,
        events: u64,
        runs: u64,
        batch: &Batch,
    ) -> Result<Self, Failure> {
        let mut derive = Self::with(facts, Splitter::resume(events, runs));
        let ids = batch.connections(derive.facts.source).storage()?;
        derive.connections = ids.into_iter().map(|id| (id, None)).collect();
        Ok(derive)
    }

    fn with(facts: Facts, splitter: Splitter) -> Self {
        let splitter = match facts.format {
            Format::Messages(_) => splitter.messages_only(),
            _ => splitter,
        };
        Self {
            facts,
            splitter,
            steps: Vec::new(),
            connections: Vec::new(),
            runs: BTreeMap::new(),
            threads: BTreeMap::new(),
            open: BTreeMap::new(),
            tick: 0,
            last_connection: 0,
            new_runs: 0,
            citation_events: 0,
        }
    }

    /// Events read so far.
    pub(crate) fn events(&self) -> u64 {
        self.splitter.events()
    }

    /// Runs read so far.
    pub(crate) fn runs(&self) -> u64 {
        self.splitter.runs()
    }

    /// Runs that were new to the archive.
    pub(crate) fn new_runs(&self) -> u64 {
        self.new_runs
    }

    /// `moca.citations` events read so far.
    pub(crate) fn citation_events(&self) -> u64 {
        self.citation_events
    }

    /// Whether no run is open, so that a batch may end here.
    pub(crate) fn at_boundary(&self) -> bool {
        self.splitter.at_boundary()
    }

    /// Takes the next frame; gives the places where runs begin in it.
    pub(crate) fn frame(
        &mut self,
        batch: &mut Batch,
        frames: &mut dyn Frames,
        frame: Frame,
    ) -> Result<RunStarts, Failure> {
        if self.last_connection != frame.connection {
            // In these containers a connection that was left brings nothing more: its run ends, its texts are written.
            if one_by_one(self.facts.format) {
                self.splitter.close(self.last_connection, &mut self.steps);
            }
            self.last_connection = frame.connection;
        }
        self.splitter.push(frame, &mut self.steps);
        for finding in frames.take_findings() {
            self.loose_finding(batch, &finding)?;
        }
        self.apply(batch, frames.connections())
    }

    /// Ends the run of a connection, before a batch is to end.
    pub(crate) fn close(
        &mut self,
        batch: &mut Batch,
        frames: &dyn Frames,
        connection: u32,
    ) -> Result<(), Failure> {
        self.splitter.close(connection, &mut self.steps);
        self.apply(batch, frames.connections()).map(drop)
    }

    /// Writes what later recordings of the same threads need; a batch may end after it.
    pub(crate) fn save(&mut self, batch: &mut Batch) -> Result<(), Failure> {
        for (_, folding) in self.open.values_mut() {
            folding.save(batch)?;
        }
        Ok(())
    }

    /// Ends the source.
    pub(crate) fn finish(
        &mut self,
        batch: &mut Batch,
        frames: &mut dyn Frames,
    ) -> Result<(), Failure> {
        self.splitter.finish(&mut self.steps);
        for finding in frames.take_findings() {
            self.loose_finding(batch, &finding)?;
        }
        self.apply(batch, frames.connections())?;
        self.save(batch)
    }

    fn apply(
        &mut self,
        batch: &mut Batch,
        connections: &[Connection],
    ) -> Result<RunStarts, Failure> {
        let mut starts = Vec::new();
        for step in std::mem::take(&mut self.steps) {
            match step {
                Step::RunBegins(head) => {
                    starts.push(head.at.start);
                    self.run_begins(batch, connections, head)?;
                }
                Step::Event(event) => {
                    let run = event.run;
                    self.route(batch, connections, run, Step::Event(event))?;
                }
                Step::Finding(SourceFinding { run: Some(run), finding }) => {
                    let step = Step::Finding(SourceFinding { run: Some(run), finding });
                    self.route(batch, connections, run, step)?;
                }
                Step::Finding(SourceFinding { run: None, finding }) => {
                    self.loose_finding(batch, &finding)?;
                }
                Step::RunEnds(end) => self.run_ends(batch, connections, end)?,
                Step::Messages(list) => self.messages(batch, connections, list)?,
            }
        }
        Ok(starts)
    }

    fn run_begins(
        &mut self,
        batch: &mut Batch,
        connections: &[Connection],
        head: RunHead,
    ) -> Result<(), Failure> {
        let run = head.run;
        self.connection(batch, connections, head.connection)?;
        let placing = match self.held_elsewhere(batch, &head)? {
            Some(held) => Placing::Held(held),
            None => {
                let conversation = self.conversation_for(batch, connections, &head)?;
                self.new_runs += u64::from(head.started);
                self.begin_in(batch, connections, conversation, head)?;
                Placing::Into(conversation)
            }
        };
        self.runs.insert(run, placing);
        Ok(())
    }

    /// Hands a step to the thread of its run, or keeps it until it is known whether the run is new.
    fn route(
        &mut self,
        batch: &mut Batch,
        connections: &[Connection],
        run: RunNo,
        step: Step,
    ) -> Result<(), Failure> {
        match self.runs.get_mut(&run) {
            Some(Placing::Held(held)) => {
                if let Some(full) = held.keep(step) {
                    self.place_variant(batch, connections, run, full)?;
                }
                Ok(())
            }
            Some(Placing::Into(conversation)) => {
                let conversation = *conversation;
                self.folding(batch, conversation)?.apply(&step);
                Ok(())
            }
            // A finding that follows its run's end.
            None => match step {
                Step::Finding(SourceFinding { finding, .. }) => self.loose_finding(batch, &finding),
                _ => Err(Failure::internal("An event came for a run that is not open")),
            },
        }
    }

    fn run_ends(
        &mut self,
        batch: &mut Batch,
        connections: &[Connection],
        end: RunEnd,
    ) -> Result<(), Failure> {
        let run = end.run;
        if let Some(Placing::Held(_)) = self.runs.get(&run)
            && let Some(Placing::Held(held)) = self.runs.remove(&run)
        {
            if let Some(same) = held.matching(&end.hash) {
                let (connection, _) = self.connection(batch, connections, end.connection)?;
                let again = held.occurrence(same.id, self.facts.source, connection, &end);
                batch.insert_occurrence(&again).storage()?;
                let key = ThreadKey::of(self.facts.format, &held.head);
                self.threads.entry(key).or_insert(same.conversation);
                return Ok(());
            }
            self.place_variant(batch, connections, run, *held)?;
        }
        let Some(Placing::Into(conversation)) = self.runs.remove(&run) else {
            return Err(Failure::internal("A run ended that was not open"));
        };
        self.folding(batch, conversation)?.apply(&Step::RunEnds(end));
        self.flush(batch, connections, conversation)
    }

    /// A run that is held under the same ids with other bytes goes into a conversation of its own.
    fn place_variant(
        &mut self,
        batch: &mut Batch,
        connections: &[Connection],
        run: RunNo,
        held: Held,
    ) -> Result<(), Failure> {
        let conversation = self.variant_conversation(batch, connections, &held)?;
        self.new_runs += u64::from(held.head.started);
        self.begin_in(batch, connections, conversation, held.head)?;
        let folding = self.folding(batch, conversation)?;
        for step in &held.steps {
            folding.apply(step);
        }
        self.runs.insert(run, Placing::Into(conversation));
        Ok(())
    }

    /// Begins a run in a conversation, with the question that only its container gives.
    fn begin_in(
        &mut self,
        batch: &Batch,
        connections: &[Connection],
        conversation: ConversationId,
        head: RunHead,
    ) -> Result<(), Failure> {
        let question =
            connections.get(head.connection as usize).and_then(|stated| stated.question.as_deref());
        let run = head.run;
        let folding = self.folding(batch, conversation)?;
        folding.apply(&Step::RunBegins(head));
        if let Some(question) = question {
            folding.thread.offer_question(run, question);
        }
        Ok(())
    }

    fn messages(
        &mut self,
        batch: &mut Batch,
        connections: &[Connection],
        list: MessageList,
    ) -> Result<(), Failure> {
        self.connection(batch, connections, list.connection)?;
        let conversation = self.new_conversation(batch, list.connection, None)?;
        self.folding(batch, conversation)?.apply(&Step::Messages(list));
        self.flush(batch, connections, conversation)
    }

    fn flush(
        &mut self,
        batch: &mut Batch,
        connections: &[Connection],
        conversation: ConversationId,
    ) -> Result<(), Failure> {
        let rows: Vec<ConnectionId> = self.connections.iter().map(|(id, _)| *id).collect();
        let facts = self.facts.clone();
        let folding = self.folding(batch, conversation)?;
        let written = folding.flush(batch, &facts, connections, &rows)?;
        self.citation_events += written;
        self.let_go(batch)
    }

    /// The thread of a conversation, from memory or restored from the archive.
    fn folding(
        &mut self,
        batch: &Batch,
        conversation: ConversationId,
    ) -> Result<&mut Folding, Failure> {
        self.tick += 1;
        let tick = self.tick;
        let entry = match self.open.entry(conversation) {
            std::collections::btree_map::Entry::Occupied(held) => held.into_mut(),
            std::collections::btree_map::Entry::Vacant(free) => {
                free.insert((tick, Folding::restore(batch, conversation)?))
            }
        };
        entry.0 = tick;
        Ok(&mut entry.1)
    }

    /// Saves and forgets the thread that was not used for longest, when too many are in memory.
    fn let_go(&mut self, batch: &mut Batch) -> Result<(), Failure> {
        while self.open.len() > OPEN_THREADS {
            let busy = |id: &ConversationId| {
                self.runs
                    .values()
                    .any(|placing| matches!(placing, Placing::Into(open) if open == id))
            };
            let oldest =
                self.open.iter().filter(|(id, _)| !busy(id)).min_by_key(|(_, (tick, _))| *tick);
            let Some(id) = oldest.map(|(id, _)| *id) else { return Ok(()) };
            if let Some((_, mut folding)) = self.open.remove(&id) {
                folding.save(batch)?;
            }
        }
        Ok(())
    }

    /// Row and service of a connection; rows are written in order, once each.
    fn connection(
        &mut self,
        batch: &mut Batch,
        connections: &[Connection],
        number: u32,
    ) -> Result<(ConnectionId, Option<ServiceId>), Failure> {
        let wanted = number as usize;
        while self.connections.len() <= wanted {
            let at = self.connections.len();
            let unnamed = Connection::default();
            let stated = connections.get(at).unwrap_or(&unnamed);
            let service = match service_of(stated) {
                Some((key, name)) => Some(batch.service(&key, &name).storage()?),
                None => None,
            };
            let redacted = serde_json::to_string(&stated.redacted).unwrap_or_default();
            let row = NewConnection {
                number: u32::try_from(at).unwrap_or(u32::MAX),
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
            let id = batch.insert_connection(self.facts.source, &row).storage()?;
            self.connections.push((id, service));
        }
        Ok(self.connections[wanted])
    }

    /// A finding about the source rather than a run.
    fn loose_finding(&mut self, batch: &mut Batch, finding: &Finding) -> Result<(), Failure> {
        let row = NewFinding {
            source: self.facts.source,
            conversation: None,
            run: None,
            message: None,
            citation_event: None,
            code: finding.code.id,
            severity: severity(finding.code.severity),
            text: &finding.message,
            event: finding.event,
            at: finding.at.clone(),
            excerpt: None,
            times: 1,
        };
        batch.insert_finding(&row).storage().map(drop)
    }
}

/// Whether a container holds its connections one after the other.
fn one_by_one(format: Format) -> bool {
    matches!(format, Format::Har | Format::CaseLines | Format::Aimock | Format::NamedLists)
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
