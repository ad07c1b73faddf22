//! A seeded generator of AG-UI recordings with sources: the same seed gives the same bytes on every machine.
//!
//! A recording is JSONL. Threads of four runs each are recorded side by side, as a service with several users at a
//! time sends them; a run asks, looks something up, answers with markers and cites what it found.

pub mod odd;
mod random;
mod record;

use std::io::{self, BufWriter, Write};

use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339, macros::datetime};

pub use random::Random;
pub use record::record;

/// Runs of the small set.
pub const S: u64 = 1_000;

/// Runs of the large set: about 1.4 million events, 225 MB.
pub const M: u64 = 40_000;

/// Runs of a thread.
pub const RUNS_OF_THREAD: u64 = 4;

/// Threads that are recorded side by side.
const THREADS_AT_A_TIME: u64 = 8;

/// When the first run of every recording begins: before the present of the tests.
const BEGIN: OffsetDateTime = datetime!(2026-03-02 08:00 UTC);

/// Questions and answers are made of these.
const WORDS: &[&str] = &[
    "bicycle",
    "deposit",
    "return",
    "helmet",
    "station",
    "morning",
    "ticket",
    "weekend",
    "invoice",
    "battery",
    "lock",
    "child",
    "seat",
    "refund",
    "harbour",
    "bridge",
    "season",
    "damage",
    "insurance",
    "key",
    "customer",
    "counter",
    "the",
    "a",
    "of",
    "within",
    "after",
    "before",
    "when",
    "is",
    "may",
    "must",
    "not",
    "each",
    "für",
    "Größe",
    "été",
];

/// What a recording holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Made {
    /// Bytes written.
    pub bytes: u64,
    /// Events, one a line.
    pub events: u64,
    /// Runs.
    pub runs: u64,
    /// Threads.
    pub threads: u64,
    /// `moca.citations` events.
    pub citation_events: u64,
}

/// Writes a recording of `runs` runs; threads bear names that no other seed gives.
///
/// # Errors
/// When `out` takes no more.
pub fn write(runs: u64, seed: u64, out: impl Write) -> io::Result<Made> {
    let mut to = Lines { out: BufWriter::new(out), made: Made::default() };
    let block = THREADS_AT_A_TIME * RUNS_OF_THREAD;
    for run in 0..runs {
        // Within a block each thread has one turn after the other.
        let (start, place) = (run / block * THREADS_AT_A_TIME, run % block);
        let (thread, turn) = (start + place % THREADS_AT_A_TIME, place / THREADS_AT_A_TIME);
        if turn == 0 {
            to.made.threads += 1;
        }
        Run::new(seed, run, thread, turn).write(&mut to)?;
        to.made.runs += 1;
    }
    to.out.flush()?;
    Ok(to.made)
}

/// A recording of `runs` runs in memory.
///
/// # Panics
/// Never: memory takes what is written.
#[must_use]
pub fn recording(runs: u64, seed: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(runs, seed, &mut bytes).expect("memory takes what is written");
    bytes
}

struct Lines<W: Write> {
    out: BufWriter<W>,
    made: Made,
}

impl<W: Write> Lines<W> {
    fn event(&mut self, event: &Value) -> io::Result<()> {
        let mut line = event.to_string();
        line.push('\n');
        self.made.bytes += line.len() as u64;
        self.made.events += 1;
        self.out.write_all(line.as_bytes())
    }
}

/// One run, and the chance that fills it.
struct Run {
    random: Random,
    thread: String,
    id: String,
    parent: Option<String>,
    answer: String,
    at: OffsetDateTime,
}

impl Run {
    fn new(seed: u64, run: u64, thread: u64, turn: u64) -> Self {
        let id = |turn: u64| format!("run-{seed}-{thread}-{turn}");
        Self {
            random: Random::new(seed.rotate_left(32) ^ run),
            thread: format!("thread-{seed}-{thread}"),
            id: id(turn),
            parent: turn.checked_sub(1).map(id),
            answer: format!("answer-{thread}-{turn}"),
            at: BEGIN + Duration::seconds(20) * u32::try_from(run % 1_000_000).unwrap_or(0),
        }
    }

    fn write<W: Write>(mut self, to: &mut Lines<W>) -> io::Result<()> {
        let question = json!({ "id": format!("question-{}", self.id), "role": "user", "content": self.words(9) + "?" });
        let mut started = json!({
            "type": "RUN_STARTED", "threadId": self.thread, "runId": self.id, "timestamp": self.millis(),
            "input": { "threadId": self.thread, "runId": self.id, "messages": [question], "tools": [], "context": [] },
        });
        if let Some(parent) = &self.parent {
            started["parentRunId"] = parent.as_str().into();
        }
        to.event(&started)?;
        let found: Vec<Value> =
            (0..1 + self.random.below(2)).map(|_| record(self.random.below(400))).collect();
        self.look_up(to, &found)?;
        self.answer(to, found.len())?;
        to.event(&json!({ "type": "TEXT_MESSAGE_END", "messageId": self.answer }))?;
        // One answer in ten has no source, and says so.
        let cited = if self.random.below(10) == 0 { 0 } else { found.len() };
        let citations: Vec<Value> = found
            .into_iter()
            .take(cited)
            .enumerate()
            .map(|(at, record)| json!({ "marker": format!("[{}]", at + 1), "record": record }))
            .collect();
        let computed = (self.at + Duration::seconds(3)).format(&Rfc3339).unwrap_or_default();
        to.event(&json!({
            "type": "CUSTOM", "name": "moca.citations",
            "value": { "version": 1, "messageId": self.answer, "computedAt": computed, "citations": citations },
        }))?;
        to.made.citation_events += 1;
        to.event(&json!({ "type": "RUN_FINISHED", "threadId": self.thread, "runId": self.id, "timestamp": self.millis() + 4_000 }))
    }

    fn look_up<W: Write>(&mut self, to: &mut Lines<W>, found: &[Value]) -> io::Result<()> {
        let call = format!("call-{}", self.id);
        to.event(&json!({ "type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": "search_knowledge" }))?;
        to.event(
            &json!({ "type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": "{\"query\":\"" }),
        )?;
        to.event(&json!({ "type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": self.words(3) + "\"}" }))?;
        to.event(&json!({ "type": "TOOL_CALL_END", "toolCallId": call }))?;
        let content = json!({ "results": found }).to_string();
        to.event(&json!({
            "type": "TOOL_CALL_RESULT", "messageId": format!("result-{}", self.id), "toolCallId": call, "content": content,
        }))
    }

    fn answer<W: Write>(&mut self, to: &mut Lines<W>, sources: usize) -> io::Result<()> {
        to.event(
            &json!({ "type": "TEXT_MESSAGE_START", "messageId": self.answer, "role": "assistant" }),
        )?;
        let pieces = 21 + self.random.below(9);
        for piece in 0..pieces {
            let mut delta = self.words(3) + " ";
            if let Some(number) =
                usize::try_from(piece / 6).ok().filter(|number| piece % 6 == 5 && *number < sources)
            {
                delta.push_str(&format!("[{}] ", number + 1));
            }
            to.event(&json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": self.answer, "delta": delta }))?;
        }
        Ok(())
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<&str> = (0..count).map(|_| *self.random.of(WORDS)).collect();
        words.join(" ")
    }

    fn millis(&self) -> i64 {
        self.at.unix_timestamp() * 1000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        assert!(recording(40, 7) == recording(40, 7));
        assert!(recording(40, 7) != recording(40, 8));
    }

    #[test]
    fn a_longer_recording_begins_like_a_shorter_one() {
        assert!(recording(40, 7).starts_with(&recording(20, 7)));
    }

    #[test]
    fn runs_have_the_size_that_the_benchmarks_are_stated_for() {
        let made = write(S, 1, io::sink()).unwrap();
        assert!((34_000..36_000).contains(&made.events), "{made:?}");
        assert!((150..170).contains(&(made.bytes / made.events)), "{made:?}");
        assert!((250..=256).contains(&made.threads), "{made:?}");
        assert_eq!((made.runs, made.citation_events), (S, S), "{made:?}");
    }
}
