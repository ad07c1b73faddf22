//! What the splitter hands on.

use std::ops::Range;

use super::Ending;
use crate::event::Event;
use crate::finding::Finding;
use crate::frame::Arrival;

/// Number of a run within its source, from 0, in the order in which runs begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunNo(pub u64);

/// One thing that follows from the frames read so far, in arrival order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A run begins. Its first event follows, unless it has none.
    RunBegins(RunHead),
    /// An event of a run.
    Event(RunEvent),
    /// A run ends for good: nothing of it follows.
    RunEnds(RunEnd),
    /// The list of a messages-only source, which has no runs.
    Messages(MessageList),
    /// Something about the source, or about a run as a whole or an event of it.
    Finding(SourceFinding),
}

/// What is known of a run when it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunHead {
    /// The run's number.
    pub run: RunNo,
    /// The stream it came in on.
    pub connection: u32,
    /// Whether a RUN_STARTED begins it.
    pub started: bool,
    /// `threadId` of the first event, else of the request.
    pub thread_id: Option<String>,
    /// `runId` of the first event, else of the request.
    pub run_id: Option<String>,
    /// `parentRunId` of the first event, else of the request.
    pub parent_run_id: Option<String>,
    /// `protocolVersion` of RUN_STARTED; none means older than 1.0.
    pub protocol_version: Option<String>,
    /// `timestamp` of the first event as it is spelt.
    pub timestamp: Option<String>,
    /// When the first event arrived, as far as the container says.
    pub arrival: Option<Arrival>,
    /// Index of the first event over the whole source.
    pub first_event: u64,
    /// Bytes of the first event, or of the request where there is no event.
    pub at: Range<u64>,
    /// The request that asked for this run.
    pub request: Option<Request>,
}

/// A recorded request: a RunAgentInput.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Its JSON text as it stands in the source.
    pub text: Vec<u8>,
    /// Where it stands.
    pub at: Range<u64>,
    /// When it was sent, as far as the container says.
    pub arrival: Option<Arrival>,
}

/// One event with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEvent {
    /// The run it belongs to.
    pub run: RunNo,
    /// Its index over the whole source, from 0.
    pub index: u64,
    /// The stream it came in on.
    pub connection: u32,
    /// Bytes of the content it stands in.
    pub at: Range<u64>,
    /// When it arrived, as far as the container says.
    pub arrival: Option<Arrival>,
    /// Where it stands in its run.
    pub place: Place,
    /// The event.
    pub event: Event,
}

/// Where an event stands in its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Before the run's end.
    Inside,
    /// The first RUN_FINISHED or RUN_ERROR.
    End,
    /// After it.
    AfterEnd,
}

/// What is known of a run when nothing of it follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEnd {
    /// The run's number.
    pub run: RunNo,
    /// The stream it came in on.
    pub connection: u32,
    /// How it ended.
    pub ending: Ending,
    /// SHA-256 over its events' texts joined by LF: equal for the same run in any container that keeps texts.
    pub hash: [u8; 32],
    /// Number of its events.
    pub events: u64,
    /// Index of its last event, if it has one.
    pub last_event: Option<u64>,
    /// Where its last event's bytes end in the content.
    pub end: u64,
}

/// A messages-only source's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageList {
    /// The stream it came in on.
    pub connection: u32,
    /// Where it stands.
    pub at: Range<u64>,
    /// Its JSON text: a list, or an object with `messages`.
    pub text: Vec<u8>,
}

/// A finding with the run it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFinding {
    /// The run, where the finding is about one.
    pub run: Option<RunNo>,
    /// The finding.
    pub finding: Finding,
}
