//! Runs: cuts each connection's frames into runs (facts/agui §2.5, §3.1, §3.6).
//!
//! A RUN_STARTED begins a run, also while one is open: the open one then ends `incomplete`. What comes
//! after the end of a run without a RUN_STARTED stays with that run. Events before any RUN_STARTED form a
//! run that was never started.

mod bound;
mod ending;
mod step;

use std::collections::BTreeMap;
use std::ops::Range;

use sha2::{Digest, Sha256};

pub use bound::{Bound, MAX_FINDINGS_PER_CODE, MAX_INFOS_PER_CODE};
pub use ending::{Ending, TokenUsage};
pub use step::{
    MessageList, Place, Request, RunEnd, RunEvent, RunHead, RunNo, SourceFinding, Step,
};

use crate::event::note::{codes, quote};
use crate::event::{Event, EventType, Got, Object, Raw, key};
use crate::finding::{Code, Finding, Severity};
use crate::frame::{Arrival, Body, Frame, Malformed};

codes! {
    MALFORMED = "agui.frame.malformed", Error,
        "A frame that should hold an event holds none; its bytes are kept.", "facts/agui §2.3";
    NOT_STARTED = "agui.run.not-started", Warning,
        "Events came before any RUN_STARTED.", "facts/agui §3.1";
    STARTED_WHILE_OPEN = "agui.run.started-while-open", Warning,
        "A RUN_STARTED came while another run was open; the open run counts as incomplete.", "facts/agui §3.1";
    FINISHED_AS_OTHER = "agui.run.finished-under-other-id", Warning,
        "The run finished under another id than it started with.", "facts/agui §1.16";
    AFTER_END = "agui.run.event-after-end", Warning,
        "An event came after the run's end; it stays with that run.", "facts/agui §3.1";
    ENDED_TWICE = "agui.run.ended-twice", Warning,
        "The run's end was told twice; an error counts before a success.", "facts/agui §2.5";
    INCOMPLETE = "agui.run.incomplete", Warning,
        "The stream ended without RUN_FINISHED or RUN_ERROR; nobody said how the run ended.", "facts/agui §3.0";
    UNKNOWN_OUTCOME = "agui.run.unknown-outcome", Warning,
        "The run finished with an outcome that is in no enumeration; it is shown by its name.", "facts/agui §3.0";
    NO_EVENTS = "agui.run.no-events", Warning,
        "A request was recorded without any event of its answer.", "facts/agui §4.5";
}

/// Cuts frames into runs. Holds a few hundred bytes for each connection and no texts but pending requests.
#[derive(Debug, Default)]
pub struct Splitter {
    next_event: u64,
    next_run: u64,
    messages_only: bool,
    connections: BTreeMap<u32, Connection>,
}

#[derive(Debug, Default)]
struct Connection {
    request: Option<Request>,
    run: Option<OpenRun>,
}

#[derive(Debug)]
struct OpenRun {
    no: RunNo,
    run_id: Option<String>,
    hash: Sha256,
    events: u64,
    last_event: Option<u64>,
    /// Where the last event's bytes end in the content.
    end: u64,
    ending: Option<Ending>,
    findings: Bound,
}

impl Splitter {
    /// Starts at the beginning of a source.
    pub fn new() -> Self {
        Self::default()
    }

    /// Of a source that holds messages only: that it tells no start and no end of a run is no fault of it.
    #[must_use]
    pub fn messages_only(self) -> Self {
        Self { messages_only: true, ..self }
    }

    /// Goes on in a source of which this many events and runs were read before, no run being open.
    pub fn resume(events: u64, runs: u64) -> Self {
        Self { next_event: events, next_run: runs, ..Self::default() }
    }

    /// Events seen so far, which is the index of the next one.
    pub fn events(&self) -> u64 {
        self.next_event
    }

    /// Runs begun so far.
    pub fn runs(&self) -> u64 {
        self.next_run
    }

    /// Whether no run is open and no request waits, so that reading can be resumed from here.
    pub fn at_boundary(&self) -> bool {
        self.connections.values().all(|c| c.run.is_none() && c.request.is_none())
    }

    /// Takes the next frame and appends what follows from it to `steps`.
    pub fn push(&mut self, frame: Frame, steps: &mut Vec<Step>) {
        let Frame { at, connection, arrival, body, event_name } = frame;
        match body {
            Body::Event(bytes) => {
                self.event(
                    connection,
                    at,
                    arrival,
                    Event::named(bytes, event_name.as_deref()),
                    steps,
                );
            }
            Body::Request(text) => {
                self.close(connection, steps);
                self.connections.entry(connection).or_default().request =
                    Some(Request { text, at, arrival });
            }
            Body::Messages(text) => {
                self.close(connection, steps);
                steps.push(Step::Messages(MessageList { connection, at, text }));
            }
            Body::Malformed { bytes, why } => self.malformed(connection, at, &bytes, &why, steps),
            Body::KeepAlive(_) | Body::Done | Body::Note(_) => {}
        }
    }

    /// Says that a connection brings no more frames: its run ends here. Readers that know their connections
    /// call it as they go; [`Self::finish`] does it for all that are left.
    pub fn close(&mut self, connection: u32, steps: &mut Vec<Step>) {
        let Some(mut open) = self.connections.remove(&connection) else { return };
        if let Some(run) = open.run.take() {
            self.end(run, connection, steps);
        }
        if let Some(request) = open.request.take() {
            let at = request.at.clone();
            let mut run = self.begin(connection, None, Some(request), &at, None, steps);
            if !self.messages_only {
                run.note(steps, &NO_EVENTS, NO_EVENTS.meaning.to_owned(), None, Some(at));
            }
            self.end(run, connection, steps);
        }
    }

    /// Ends every run that is still open. The source has no more frames.
    pub fn finish(&mut self, steps: &mut Vec<Step>) {
        while let Some(connection) = self.connections.keys().next().copied() {
            self.close(connection, steps);
        }
    }

    fn event(
        &mut self,
        connection: u32,
        at: Range<u64>,
        arrival: Option<Arrival>,
        event: Event,
        steps: &mut Vec<Step>,
    ) {
        let index = self.next_event;
        let starts = event.known() == Some(EventType::RunStarted);
        let held = self.connections.entry(connection).or_default();
        let (open, request) = (
            held.run.take(),
            if starts || held.run.is_none() { held.request.take() } else { None },
        );
        let mut run = match open {
            Some(open) if !starts => open,
            open => {
                let interrupted = open.as_ref().is_some_and(|run| run.ending.is_none());
                if let Some(open) = open {
                    self.end(open, connection, steps);
                }
                let mut run = self.begin(
                    connection,
                    Some((&event, arrival.as_ref())),
                    request,
                    &at,
                    None,
                    steps,
                );
                if interrupted {
                    let message = STARTED_WHILE_OPEN.meaning.to_owned();
                    run.note(steps, &STARTED_WHILE_OPEN, message, Some(index), Some(at.clone()));
                }
                if !starts && !self.messages_only {
                    let message =
                        format!("{} came before any RUN_STARTED.", quote(event.kind().name()));
                    run.note(steps, &NOT_STARTED, message, Some(index), Some(at.clone()));
                }
                run
            }
        };
        self.next_event += 1;
        if run.events > 0 {
            run.hash.update(b"\n");
        }
        run.hash.update(event.bytes());
        run.events += 1;
        run.last_event = Some(index);
        run.end = at.end;
        for note in event.notes() {
            let message = note.sentence(event.kind().name());
            run.note(steps, note.code(), message, Some(index), Some(at.clone()));
        }
        let place = run.ended_by(&event, index, &at, steps);
        let no = run.no;
        self.connections.entry(connection).or_default().run = Some(run);
        steps.push(Step::Event(RunEvent { run: no, index, connection, at, arrival, place, event }));
    }

    /// Hands out the head of a new run.
    fn begin(
        &mut self,
        connection: u32,
        first: Option<(&Event, Option<&Arrival>)>,
        request: Option<Request>,
        at: &Range<u64>,
        ending: Option<Ending>,
        steps: &mut Vec<Step>,
    ) -> OpenRun {
        let no = RunNo(self.next_run);
        self.next_run += 1;
        let asked = request
            .as_ref()
            .and_then(|r| std::str::from_utf8(&r.text).ok())
            .and_then(Object::parse);
        let member = |key: &crate::event::Key| {
            first
                .and_then(|(event, _)| event.text(key).ok().map(|t| t.into_owned()))
                .or_else(|| asked.as_ref()?.owned(key))
        };
        let started = first.is_some_and(|(event, _)| event.known() == Some(EventType::RunStarted));
        let head = RunHead {
            run: no,
            connection,
            started,
            thread_id: member(&key::THREAD_ID),
            run_id: member(&key::RUN_ID),
            parent_run_id: member(&key::PARENT_RUN_ID),
            protocol_version: first.filter(|_| started).and_then(|(event, _)| {
                event.text(&key::PROTOCOL_VERSION).ok().map(|t| t.into_owned())
            }),
            timestamp: first.and_then(|(event, _)| event.timestamp().map(str::to_owned)),
            arrival: first
                .and_then(|(_, arrival)| arrival.cloned())
                .or_else(|| request.as_ref()?.arrival.clone()),
            first_event: self.next_event,
            at: at.clone(),
            request,
        };
        let run_id = head.run_id.clone();
        steps.push(Step::RunBegins(head));
        OpenRun {
            no,
            run_id,
            hash: Sha256::new(),
            events: 0,
            last_event: None,
            end: at.end,
            ending,
            findings: Bound::default(),
        }
    }

    fn end(&self, mut run: OpenRun, connection: u32, steps: &mut Vec<Step>) {
        let ending = run.ending.take().unwrap_or(Ending::Incomplete);
        if ending == Ending::Incomplete && run.events > 0 && !self.messages_only {
            run.note(steps, &INCOMPLETE, INCOMPLETE.meaning.to_owned(), run.last_event, None);
        }
        let no = run.no;
        for finding in std::mem::take(&mut run.findings).rest() {
            steps.push(Step::Finding(SourceFinding { run: Some(no), finding }));
        }
        steps.push(Step::RunEnds(RunEnd {
            run: run.no,
            connection,
            ending,
            hash: run.hash.finalize().into(),
            events: run.events,
            last_event: run.last_event,
            end: run.end,
        }));
    }

    fn malformed(
        &mut self,
        connection: u32,
        at: Range<u64>,
        bytes: &[u8],
        why: &Malformed,
        steps: &mut Vec<Step>,
    ) {
        let shown =
            String::from_utf8_lossy(&bytes[..bytes.len().min(4 * crate::event::note::MAX_QUOTED)]);
        let message = format!("{}: {}.", sentence(why), quote(&shown));
        let finding = Finding { code: &MALFORMED, message, event: None, at: Some(at) };
        match self.connections.get_mut(&connection).and_then(|c| c.run.as_mut()) {
            Some(run) => run.keep(steps, finding),
            None => steps.push(Step::Finding(SourceFinding { run: None, finding })),
        }
    }
}

fn sentence(why: &Malformed) -> String {
    match why {
        Malformed::NotJson(said) => format!("Not a JSON text ({said})"),
        Malformed::NotAnObject => "A JSON text, but no object".to_owned(),
        Malformed::TooLong => "Longer than a frame may be".to_owned(),
        Malformed::TooDeep => "Nested deeper than a frame may be".to_owned(),
        Malformed::Truncated => "The source ends inside the frame".to_owned(),
        Malformed::Ambiguous(said) => format!("Readers differ in what it says ({said})"),
        Malformed::NotProtobuf(said) => format!("Not a protobuf event ({said})"),
    }
}

impl OpenRun {
    /// Looks at an event as a sign of the run's end; says where the event stands.
    fn ended_by(
        &mut self,
        event: &Event,
        index: u64,
        at: &Range<u64>,
        steps: &mut Vec<Step>,
    ) -> Place {
        let told = match event.known() {
            Some(EventType::RunFinished) => Ending::of_finished(event),
            Some(EventType::RunError) => Ending::of_error(event),
            _ => {
                if self.ending.is_none() {
                    return Place::Inside;
                }
                let message = format!("{} came after the run's end.", quote(event.kind().name()));
                self.note(steps, &AFTER_END, message, Some(index), Some(at.clone()));
                return Place::AfterEnd;
            }
        };
        if let Ending::Unknown(name) = &told {
            let message = format!("The outcome {} is unknown.", quote(name));
            self.note(steps, &UNKNOWN_OUTCOME, message, Some(index), Some(at.clone()));
        }
        if let (Some(started), Some(finished)) =
            (self.run_id.clone(), event.text(&key::RUN_ID).ok())
            && started != finished
        {
            let message =
                format!("Started as {}, finished as {}.", quote(&started), quote(&finished));
            self.note(steps, &FINISHED_AS_OTHER, message, Some(index), Some(at.clone()));
        }
        let place = if self.ending.is_some() { Place::AfterEnd } else { Place::End };
        if self.ending.is_some() {
            self.note(
                steps,
                &ENDED_TWICE,
                ENDED_TWICE.meaning.to_owned(),
                Some(index),
                Some(at.clone()),
            );
        }
        match &self.ending {
            // An error stays, and makes what was a success a failure (facts/agui §2.5, §3.0).
            Some(Ending::Error { .. } | Ending::Aborted { .. }) => {}
            Some(_) if matches!(told, Ending::Error { .. } | Ending::Aborted { .. }) => {
                self.ending = Some(told);
            }
            Some(_) => {}
            None => self.ending = Some(told),
        }
        place
    }

    fn note(
        &mut self,
        steps: &mut Vec<Step>,
        code: &'static Code,
        message: String,
        event: Option<u64>,
        at: Option<Range<u64>>,
    ) {
        self.keep(steps, Finding { code, message, event, at });
    }

    fn keep(&mut self, steps: &mut Vec<Step>, finding: Finding) {
        if let Some(finding) = self.findings.admit(finding) {
            steps.push(Step::Finding(SourceFinding { run: Some(self.no), finding }));
        }
    }
}

/// The `outcome`'s name and the object it stands in, whatever its shape (facts/agui §1.2).
pub(crate) fn outcome(event: &Event) -> Option<(String, Option<Object<'_>>)> {
    match event.get(&key::OUTCOME) {
        Got::Ok(raw) => match raw.object() {
            Some(object) => Some((object.owned(&key::TYPE).unwrap_or_default(), Some(object))),
            None => Some((
                raw.text().ok().map_or_else(|| raw.json().to_owned(), |t| t.into_owned()),
                None,
            )),
        },
        // Some drafts only had the list beside.
        _ => match event.get(&key::INTERRUPTS).ok().map(Raw::kind) {
            Some(crate::event::JsonType::Array | crate::event::JsonType::Object) => {
                Some(("interrupt".to_owned(), None))
            }
            _ => None,
        },
    }
}
