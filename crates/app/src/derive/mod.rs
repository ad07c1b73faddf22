//! From frames to rows: cuts runs, folds threads, reads citation events, and writes what comes of them.
//!
//! Import and rebuild share this: the same bytes give the same rows, whether they arrive from a file or from the
//! archive's own segments, in one go or resumed.

mod citations;
mod folding;
pub(crate) mod order;
mod placing;
mod queue;
pub(crate) mod record;
mod rows;
mod thread_rows;
pub(crate) mod when;
mod words;
mod work;

use std::collections::BTreeMap;

use agui::{
    container::{Connection, Format, Frames},
    finding::Finding,
    frame::Frame,
    runs::{MessageList, RunEnd, RunHead, RunNo, SourceFinding, Splitter, Step},
};
use archive::{ConversationId, SourceId};
use moca::Memo;

pub(crate) use queue::{Queue, side_by_side};
pub(crate) use rows::Rows;
pub(crate) use words::severity;
pub(crate) use work::{Stored, Work};

use self::{
    folding::Folding,
    placing::{Held, Placing, ThreadKey},
    work::{Loose, ThreadNo},
};
use crate::contract::Failure;

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

/// The reading side: derives from the frames of one source what [`Rows`] writes.
pub(crate) struct Derive {
    facts: Facts,
    splitter: Splitter,
    steps: Vec<Step>,
    /// Connections that the writing side knows.
    connections: usize,
    /// Where each run that is still open goes.
    runs: BTreeMap<RunNo, Placing>,
    /// Where the threads of this source go.
    threads: BTreeMap<ThreadKey, ThreadNo>,
    /// Stated thread ids, and whether other sources have runs of them.
    of_others: BTreeMap<String, bool>,
    /// Every thread met; the conversation of those that were held before.
    conversations: Vec<Option<ConversationId>>,
    held: BTreeMap<ConversationId, ThreadNo>,
    /// Threads in memory, each with the tick at which it was last used.
    open: BTreeMap<ThreadNo, (u64, Folding)>,
    tick: u64,
    memo: Memo,
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

    /// Goes on in a source of which this many events, runs and connections were derived before.
    pub(crate) fn resume(facts: Facts, events: u64, runs: u64, connections: usize) -> Self {
        Self { connections, ..Self::with(facts, Splitter::resume(events, runs)) }
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
            connections: 0,
            runs: BTreeMap::new(),
            threads: BTreeMap::new(),
            of_others: BTreeMap::new(),
            conversations: Vec::new(),
            held: BTreeMap::new(),
            open: BTreeMap::new(),
            tick: 0,
            memo: Memo::default(),
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
        queue: &Queue,
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
            self.loose_finding(queue, &finding)?;
        }
        self.apply(queue, frames.connections())
    }

    /// Ends the run of a connection, before a batch is to end.
    pub(crate) fn close(
        &mut self,
        queue: &Queue,
        frames: &dyn Frames,
        connection: u32,
    ) -> Result<(), Failure> {
        self.splitter.close(connection, &mut self.steps);
        self.apply(queue, frames.connections()).map(drop)
    }

    /// Writes what later recordings of the same threads need; a batch may end after it.
    pub(crate) fn save(&mut self, queue: &Queue) -> Result<(), Failure> {
        for (thread, (_, folding)) in &mut self.open {
            if let Some(fold) = folding.save()? {
                queue.put(Work::Save { thread: *thread, fold })?;
            }
        }
        Ok(())
    }

    /// Ends the source.
    pub(crate) fn finish(&mut self, queue: &Queue, frames: &mut dyn Frames) -> Result<(), Failure> {
        self.splitter.finish(&mut self.steps);
        for finding in frames.take_findings() {
            self.loose_finding(queue, &finding)?;
        }
        self.apply(queue, frames.connections())?;
        self.save(queue)
    }

    fn apply(&mut self, queue: &Queue, connections: &[Connection]) -> Result<RunStarts, Failure> {
        let mut starts = Vec::new();
        let mut steps = std::mem::take(&mut self.steps);
        for step in steps.drain(..) {
            match step {
                Step::RunBegins(head) => {
                    starts.push(head.at.start);
                    self.run_begins(queue, connections, head)?;
                }
                Step::Event(event) => {
                    let run = event.run;
                    self.route(queue, connections, run, Step::Event(event))?;
                }
                Step::Finding(SourceFinding { run: Some(run), finding }) => {
                    let step = Step::Finding(SourceFinding { run: Some(run), finding });
                    self.route(queue, connections, run, step)?;
                }
                Step::Finding(SourceFinding { run: None, finding }) => {
                    self.loose_finding(queue, &finding)?;
                }
                Step::RunEnds(end) => self.run_ends(queue, connections, end)?,
                Step::Messages(list) => self.messages(queue, connections, list)?,
            }
        }
        // Its room is used again: there is one for each event.
        self.steps = steps;
        Ok(starts)
    }

    fn run_begins(
        &mut self,
        queue: &Queue,
        connections: &[Connection],
        head: RunHead,
    ) -> Result<(), Failure> {
        let run = head.run;
        self.connection(queue, connections, head.connection)?;
        let placing = match self.held_elsewhere(queue, &head)? {
            Some(held) => Placing::Held(held),
            None => {
                let thread = self.thread_for(queue, connections, &head)?;
                self.new_runs += u64::from(head.started);
                self.begin_in(queue, connections, thread, head)?;
                Placing::Into(thread)
            }
        };
        self.runs.insert(run, placing);
        Ok(())
    }

    /// Hands a step to the thread of its run, or keeps it until it is known whether the run is new.
    fn route(
        &mut self,
        queue: &Queue,
        connections: &[Connection],
        run: RunNo,
        step: Step,
    ) -> Result<(), Failure> {
        match self.runs.get_mut(&run) {
            Some(Placing::Held(held)) => {
                if let Some(full) = held.keep(step) {
                    self.place_variant(queue, connections, run, full)?;
                }
                Ok(())
            }
            Some(Placing::Into(thread)) => {
                let thread = *thread;
                self.folding(queue, thread)?.apply(&step);
                Ok(())
            }
            // A finding that follows its run's end.
            None => match step {
                Step::Finding(SourceFinding { finding, .. }) => self.loose_finding(queue, &finding),
                _ => Err(Failure::internal("An event came for a run that is not open")),
            },
        }
    }

    fn run_ends(
        &mut self,
        queue: &Queue,
        connections: &[Connection],
        end: RunEnd,
    ) -> Result<(), Failure> {
        let run = end.run;
        if let Some(Placing::Held(_)) = self.runs.get(&run)
            && let Some(Placing::Held(held)) = self.runs.remove(&run)
        {
            if let Some(same) = held.matching(&end.hash) {
                self.connection(queue, connections, end.connection)?;
                queue.put(held.occurrence(same.id, &end))?;
                let thread = self.held_thread(queue, same.conversation)?;
                let key = ThreadKey::of(self.facts.format, &held.head);
                self.threads.entry(key).or_insert(thread);
                return Ok(());
            }
            self.place_variant(queue, connections, run, *held)?;
        }
        let Some(Placing::Into(thread)) = self.runs.remove(&run) else {
            return Err(Failure::internal("A run ended that was not open"));
        };
        self.folding(queue, thread)?.apply(&Step::RunEnds(end));
        self.flush(queue, connections, thread)
    }

    /// A run that is held under the same ids with other bytes goes into a conversation of its own.
    fn place_variant(
        &mut self,
        queue: &Queue,
        connections: &[Connection],
        run: RunNo,
        held: Held,
    ) -> Result<(), Failure> {
        let thread = self.variant_thread(queue, connections, &held)?;
        self.new_runs += u64::from(held.head.started);
        self.begin_in(queue, connections, thread, held.head)?;
        let folding = self.folding(queue, thread)?;
        for step in &held.steps {
            folding.apply(step);
        }
        self.runs.insert(run, Placing::Into(thread));
        Ok(())
    }

    /// Begins a run in a thread, with the question that only its container gives.
    fn begin_in(
        &mut self,
        queue: &Queue,
        connections: &[Connection],
        thread: ThreadNo,
        head: RunHead,
    ) -> Result<(), Failure> {
        let question =
            connections.get(head.connection as usize).and_then(|stated| stated.question.as_deref());
        let run = head.run;
        let folding = self.folding(queue, thread)?;
        folding.apply(&Step::RunBegins(head));
        if let Some(question) = question {
            folding.thread.offer_question(run, question);
        }
        Ok(())
    }

    fn messages(
        &mut self,
        queue: &Queue,
        connections: &[Connection],
        list: MessageList,
    ) -> Result<(), Failure> {
        self.connection(queue, connections, list.connection)?;
        let thread = self.new_thread(queue, list.connection, None)?;
        self.folding(queue, thread)?.apply(&Step::Messages(list));
        self.flush(queue, connections, thread)
    }

    fn flush(
        &mut self,
        queue: &Queue,
        connections: &[Connection],
        thread: ThreadNo,
    ) -> Result<(), Failure> {
        let mut memo = std::mem::take(&mut self.memo);
        let flush = self.folding(queue, thread)?.flush(connections, &mut memo);
        self.memo = memo;
        self.citation_events += flush.cited.len() as u64;
        queue.put(Work::Flush { thread, flush: Box::new(flush) })?;
        self.let_go(queue)
    }

    /// A thread, from memory or restored from what the archive keeps of it.
    fn folding(&mut self, queue: &Queue, thread: ThreadNo) -> Result<&mut Folding, Failure> {
        self.tick += 1;
        let tick = self.tick;
        let entry = match self.open.entry(thread) {
            std::collections::btree_map::Entry::Occupied(held) => held.into_mut(),
            std::collections::btree_map::Entry::Vacant(free) => {
                free.insert((tick, Folding::restore(queue.open(thread)?.as_deref())?))
            }
        };
        entry.0 = tick;
        Ok(&mut entry.1)
    }

    /// Saves and forgets the thread that was not used for longest, when too many are in memory.
    fn let_go(&mut self, queue: &Queue) -> Result<(), Failure> {
        while self.open.len() > OPEN_THREADS {
            let busy = |thread: &ThreadNo| {
                self.runs
                    .values()
                    .any(|placing| matches!(placing, Placing::Into(open) if open == thread))
            };
            let oldest =
                self.open.iter().filter(|(no, _)| !busy(no)).min_by_key(|(_, (tick, _))| *tick);
            let Some(thread) = oldest.map(|(no, _)| *no) else { return Ok(()) };
            if let Some((_, mut folding)) = self.open.remove(&thread) {
                if let Some(fold) = folding.save()? {
                    queue.put(Work::Save { thread, fold })?;
                }
                queue.put(Work::Forget(thread))?;
            }
        }
        Ok(())
    }

    /// Tells the writing side of a connection and of those before it, in order, once each.
    fn connection(
        &mut self,
        queue: &Queue,
        connections: &[Connection],
        number: u32,
    ) -> Result<(), Failure> {
        while self.connections <= number as usize {
            let stated = connections.get(self.connections).cloned().unwrap_or_default();
            queue.put(Work::Connection(Box::new(stated)))?;
            self.connections += 1;
        }
        Ok(())
    }

    /// A finding about the source rather than a run.
    fn loose_finding(&self, queue: &Queue, finding: &Finding) -> Result<(), Failure> {
        queue.put(Work::Finding(Loose {
            thread: None,
            code: finding.code.id,
            severity: severity(finding.code.severity),
            text: finding.message.clone(),
            event: finding.event,
            at: finding.at.clone(),
        }))
    }
}

/// Whether a container holds its connections one after the other.
fn one_by_one(format: Format) -> bool {
    matches!(format, Format::Har | Format::CaseLines | Format::Aimock | Format::NamedLists)
}
