//! Plays a script: ids, times, pieces of text, and the records of the Reader.

mod events;

use moca_reader::{Instant, Library, Value};
use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};

use super::Failure;
use super::json::{object, parsed, push, remove, text};
use super::script::{Cited, Cites, Computed, Generation, Script, Source, Turn};
use super::shelf::{self, Shelf};

/// One request and what came back.
pub(super) struct Connection {
    /// When the request was sent, milliseconds since 1970.
    pub(super) began: i64,
    /// RunAgentInput.
    pub(super) input: Value,
    pub(super) events: Vec<Arrived>,
}

/// An event and when it arrived, milliseconds since 1970.
pub(super) struct Arrived {
    pub(super) at: i64,
    pub(super) event: Value,
}

/// Plays every turn.
pub(super) fn play(script: &Script, shelf: &Shelf) -> Result<Vec<Connection>, Failure> {
    let mut history = History::default();
    let mut connections = Vec::new();
    for (number, turn) in script.turns.iter().enumerate() {
        connections.push(run(script, turn, number, &mut history, shelf)?);
    }
    Ok(connections)
}

/// The messages of a thread as its client sends them.
#[derive(Default)]
struct History {
    said: Vec<Said>,
    /// Answers given in all, those that the client left out included.
    answers: usize,
}

struct Said {
    role: &'static str,
    id: String,
    text: String,
    /// The run in which it was said.
    run: usize,
}

fn run(
    script: &Script,
    turn: &Turn,
    number: usize,
    history: &mut History,
    shelf: &Shelf,
) -> Result<Connection, Failure> {
    let began = OffsetDateTime::parse(turn.at, &Rfc3339)?;
    let began_millis = i64::try_from(began.unix_timestamp_nanos() / 1_000_000)?;
    // A client that goes on from an earlier run leaves out what was said after it.
    history.said.retain(|said| turn.parent.is_none_or(|parent| said.run <= parent));
    if let Some(question) = turn.question {
        let id = format!("{}-q{}", script.thread, number + 1);
        history.said.push(Said { role: "user", id, text: question.to_owned(), run: number });
    }
    let mut input = object([
        ("threadId", text(script.thread)),
        ("runId", text(run_id(script, number))),
        ("messages", messages(history)),
        ("tools", Value::seq([])),
        ("context", Value::seq([])),
        ("state", object([])),
        ("forwardedProps", object([])),
    ]);
    if let Some(parent) = turn.parent {
        push(&mut input, "parentRunId", text(run_id(script, parent)));
    }
    if let (Some(payload), Some(before)) = (turn.resume, number.checked_sub(1)) {
        let entry = object([
            ("interruptId", text(interrupt_id(script, before))),
            ("status", text("resolved")),
            ("payload", parsed(payload)?),
        ]);
        push(&mut input, "resume", Value::seq([entry]));
    }
    let library = shelf.library(turn.loaded, Instant(began_millis))?;
    let mut stage = Stage {
        script,
        library: &library,
        offset: began.offset(),
        number,
        now: began_millis,
        computed: None,
        calls: 0,
        answer: None,
        history,
        events: Vec::new(),
    };
    stage.start(turn, &input)?;
    for step in &turn.steps {
        stage.step(step)?;
    }
    let events = stage.events;
    Ok(Connection { began: began_millis, input, events })
}

fn run_id(script: &Script, number: usize) -> String {
    format!("{}-r{}", script.thread, number + 1)
}

fn interrupt_id(script: &Script, number: usize) -> String {
    format!("{}-i{}", script.thread, number + 1)
}

fn messages(history: &History) -> Value {
    let message = |said: &Said| {
        object([("id", text(&said.id)), ("role", text(said.role)), ("content", text(&said.text))])
    };
    Value::seq(history.said.iter().map(message))
}

/// A run while it is played.
struct Stage<'a> {
    script: &'a Script,
    library: &'a Library,
    offset: UtcOffset,
    number: usize,
    /// Milliseconds since 1970.
    now: i64,
    /// When the Reader last computed records.
    computed: Option<i64>,
    calls: usize,
    /// Id of the last answer of this run.
    answer: Option<String>,
    history: &'a mut History,
    events: Vec<Arrived>,
}

impl Stage<'_> {
    fn cite(&mut self, cites: &Cites) -> Result<(), Failure> {
        let computed = self.computed.unwrap_or(self.now);
        let citations = cites
            .list
            .iter()
            .map(|cited| self.citation(cited, computed))
            .collect::<Result<Vec<_>, _>>()?;
        let id = match (cites.message, &self.answer) {
            (Some(id), _) => id.to_owned(),
            (None, Some(answer)) => answer.clone(),
            (None, None) => return Err("nothing was said before it is cited".into()),
        };
        let mut value = object([("version", Value::Int(cites.version)), ("messageId", text(id))]);
        if let Some(stated) = self.stated(cites.computed, computed)? {
            push(&mut value, "computedAt", text(stated));
        }
        push(&mut value, "citations", Value::seq(citations));
        self.emit(25, "CUSTOM", [("name", text("moca.citations")), ("value", value)]);
        Ok(())
    }

    fn citation(&self, cited: &Cited, computed: i64) -> Result<Value, Failure> {
        let mut record = self.record(cited.source, computed)?;
        if let Some(fault) = cited.fault {
            fault(&mut record);
        }
        Ok(match cited.marker {
            Some(marker) => object([("marker", text(marker)), ("record", record)]),
            None => object([("record", record)]),
        })
    }

    fn record(&self, source: Source, at: i64) -> Result<Value, Failure> {
        let mut record = shelf::record(self.library, source, Instant(at))?;
        if self.script.generation == Generation::Older {
            remove(&mut record, &["node"], "ref");
        }
        Ok(record)
    }

    fn stated(&self, how: Computed, at: i64) -> Result<Option<String>, Failure> {
        let time = |millis: i64| {
            let utc = OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000)?;
            Ok::<_, Failure>(utc.to_offset(self.offset).format(&Rfc3339)?)
        };
        Ok(match how {
            Computed::Missing => None,
            Computed::Stated => Some(time(at)?),
            Computed::Ahead(minutes) => Some(time(at + minutes * 60_000)?),
            Computed::WithoutOffset => {
                let stated = time(at)?;
                let end = stated.rfind(['+', '-', 'Z']).unwrap_or(stated.len());
                Some(stated[..end].to_owned())
            }
        })
    }
}
