//! Takes one source in: hash, detect, reduce where it must be reduced, then frames into rows and bytes into segments.

use std::io::{self, BufReader, Read as _, Seek, Write};

use agui::{
    carrier::{self, TextEncoding},
    container::{self, Content, Format, Frames, Keep, LeftOut, ReadError},
    event::{Event, EventType},
    frame::{Body, Frame},
};
use archive::{
    Feeds, Finish, Intake, Kept, NewSource, Sha256, Source, SourceState, Stream, Taken, TakenOut,
    Writer,
};

use super::{
    given::Given,
    note::Note,
    tee::{self, Passed, Tee},
};
use crate::{
    App,
    contract::{ErrorKind, Failure, ImportStatus, ImportedSource},
    derive::{DERIVED_VERSION, Derive, Facts, Queue, Rows, Stored, Work, order, side_by_side},
    failure::Storage,
    jobs::Job,
};

/// Content bytes after which a batch is made durable at the next border between runs, as a rule (32 MiB).
pub const BATCH_BYTES: u64 = 32 << 20;

/// Frames between two looks at whether the user wants to stop.
const FRAMES_PER_LOOK: u32 = 256;

/// How a source came in.
pub(super) struct Arrival<'a> {
    pub(super) app: &'a App,
    pub(super) via: &'a str,
    pub(super) now: archive::Instant,
    /// Content bytes after which a batch is made durable.
    pub(super) batch_bytes: u64,
}

/// Takes one source in; what went wrong with it is part of the answer.
pub(super) fn take_in(
    writer: &mut Writer,
    given: &Given,
    arrival: &Arrival<'_>,
    job: &Job,
) -> ImportedSource {
    let mut told = refused(given);
    match take(writer, given, arrival, job, &mut told) {
        Ok(()) => {}
        Err(failure) => {
            told.status = ImportStatus::Refused;
            told.error = Some(failure);
        }
    }
    told
}

fn take(
    writer: &mut Writer,
    given: &Given,
    arrival: &Arrival<'_>,
    job: &Job,
    told: &mut ImportedSource,
) -> Result<(), Failure> {
    job.tell(|state| state.doing = format!("Reading {}", given.name()));
    let (sha256, size) = tee::hash(given.open()?, |_| job.check())?;
    told.sha256 = Some(sha256.to_string());
    let held = writer.find_source(sha256).storage()?;
    if let Some(held) = held.as_ref().filter(|held| held.state == SourceState::Complete) {
        told.status = ImportStatus::AlreadyHeld;
        count(told, held);
        return Ok(());
    }
    let opened = open(given)?;
    told.format = Some(opened.format.name().to_owned());
    told.left_out = opened.left_out.as_ref().and_then(sentence);
    let finished = match held {
        Some(partial) => resume(writer, given, arrival, &partial, opened, job),
        None => begin(writer, given, arrival, (sha256, size), opened, job),
    };
    let finished = match finished {
        Ok(finished) => finished,
        Err(failure) => {
            if failure.kind == ErrorKind::BadInput {
                take_out(writer, arrival.app, sha256, job)?;
            }
            return Err(failure);
        }
    };
    told.status = ImportStatus::Added;
    told.new_runs = small(finished.new_runs);
    count(told, &finished.source);
    Ok(())
}

/// Takes the batches of a source out again that can never be complete: it changed, or its bytes break off. After
/// any other failure, as a full disk, they stay, and the next import goes on behind them.
fn take_out(writer: &mut Writer, app: &App, sha256: Sha256, job: &Job) -> Result<(), Failure> {
    let Some(begun) = writer.find_source(sha256).storage()? else { return Ok(()) };
    match writer.take_out(begun.id).storage()? {
        TakenOut::Gone => Ok(()),
        TakenOut::ByRebuild(rebuild) => app.derive_all(rebuild, Some(begun.id), job).map(drop),
    }
}

/// A source whose container is known, at its first frame.
struct Opened {
    format: Format,
    carrier: archive::Carrier,
    kept: Kept,
    left_out: Option<LeftOut>,
    frames: Box<dyn Frames + Send>,
    content: Passed,
    original: Option<Passed>,
}

/// A source that is in.
struct Finished {
    source: Source,
    new_runs: u64,
}

fn open(given: &Given) -> Result<Opened, Failure> {
    let (tee, original) = Tee::new(given.open()?);
    let opened = carrier::open(tee)?;
    let carrier = stored_carrier(opened.carrier);
    let (tee, content) = Tee::new(opened.content);
    let (format, frames) = container::open(Box::new(tee))?;
    match format.keep() {
        Keep::AsIs => Ok(Opened {
            format,
            carrier,
            kept: Kept::AsIs,
            left_out: None,
            frames,
            content,
            original: (carrier != archive::Carrier::Plain).then_some(original),
        }),
        Keep::Reduced => {
            let reduced = reduce(given, format)?;
            let (tee, content) = Tee::new(reduced.file);
            let frames = format.open(Box::new(BufReader::new(tee)));
            Ok(Opened {
                format,
                carrier,
                kept: Kept::Reduced,
                left_out: Some(reduced.left_out),
                frames,
                content,
                original: None,
            })
        }
    }
}

/// What may be kept of a source that can hold headers, cookies and tokens.
struct Reduced {
    file: std::fs::File,
    left_out: LeftOut,
}

fn reduce(given: &Given, format: Format) -> Result<Reduced, Failure> {
    // A file without a name: it is gone when it is closed, also after a crash.
    let mut file = tempfile::tempfile()?;
    let content: Content = carrier::open(given.open()?)?.content;
    let mut out = io::BufWriter::new(&mut file);
    let left_out = format.reduce(content, &mut out)?;
    out.flush()?;
    drop(out);
    file.rewind()?;
    Ok(Reduced { file, left_out })
}

fn begin(
    writer: &mut Writer,
    given: &Given,
    arrival: &Arrival<'_>,
    (sha256, size): (Sha256, u64),
    opened: Opened,
    job: &Job,
) -> Result<Finished, Failure> {
    let left_out = opened.left_out.as_ref().and_then(sentence);
    let name = given.name();
    let new = NewSource {
        sha256,
        size,
        name: &name,
        format: opened.format.name(),
        carrier: opened.carrier,
        kept: opened.kept,
        via: arrival.via,
        received_at: None,
        imported_at: arrival.now,
        left_out: left_out.as_deref(),
        derived_version: DERIVED_VERSION,
    };
    let (intake, feeds) = writer.begin_source(&new).storage()?;
    let facts = Facts { source: intake.source(), format: opened.format, imported_at: arrival.now };
    let derive = Derive::new(facts.clone());
    let reading = Reading {
        opened,
        feeds,
        derive,
        committed: 0,
        batch_bytes: arrival.batch_bytes,
        size,
        job,
    };
    take_all(intake, Rows::new(facts), reading, sha256)
}

/// Goes on with a source of which an earlier import left only some batches.
fn resume(
    writer: &mut Writer,
    given: &Given,
    arrival: &Arrival<'_>,
    partial: &Source,
    mut opened: Opened,
    job: &Job,
) -> Result<Finished, Failure> {
    let note: Note = partial
        .resume
        .as_deref()
        .and_then(|note| serde_json::from_str(note).ok())
        .ok_or_else(|| Failure::internal("What an unfinished import left cannot be read"))?;
    let from = partial.content_size;
    // A second reader starts behind what is held; the carrier, if any, is read from its beginning again.
    let (tee, original) = Tee::new(given.open()?);
    let mut content = carrier::open(tee)?.content;
    io::copy(&mut content.by_ref().take(from), &mut io::sink())?;
    let (tee, passed) = Tee::new(content);
    let Some(frames) = opened.format.resume(Box::new(tee), from, note.connections) else {
        return Err(Failure::internal(
            "A source was left unfinished whose format cannot be resumed",
        ));
    };
    opened.frames = frames;
    opened.content = passed;
    opened.original = opened.original.is_some().then_some(original);
    let (sha256, size) = (partial.sha256, partial.size);
    let (intake, feeds) = writer.resume_source(partial.id, from, 0).storage()?;
    let facts =
        Facts { source: partial.id, format: opened.format, imported_at: partial.imported_at };
    let rows = Rows::resume(facts.clone(), intake.connections(partial.id).storage()?);
    let derive = Derive::resume(facts, note.events, note.runs, rows.connections());
    let reading = Reading {
        opened,
        feeds,
        derive,
        committed: from,
        batch_bytes: arrival.batch_bytes,
        size,
        job,
    };
    take_all(intake, rows, reading, sha256)
}

/// Reads a source on one thread and writes it on this one.
fn take_all(
    mut intake: Intake<'_>,
    mut rows: Rows,
    reading: Reading<'_>,
    sha256: Sha256,
) -> Result<Finished, Failure> {
    let size = reading.size;
    let read = side_by_side(&mut intake, &mut rows, |queue| reading.run(queue), store)?;
    let end = Finish {
        sha256,
        size,
        events: read.events,
        derived_version: DERIVED_VERSION,
        left_out: None,
    };
    let source = intake.source();
    order::note(&mut intake, source)?;
    let source = intake.finish(&read.taken, &end).storage()?;
    Ok(Finished { source, new_runs: read.new_runs })
}

/// Writes what an import stores beside rows.
fn store(intake: &mut Intake<'_>, stored: Stored) -> Result<(), Failure> {
    match stored {
        Stored::Segment(segment) => intake.put(&segment),
        Stored::BatchEnds { taken, note } => intake.commit_batch(&taken, &note),
    }
    .storage()
}

/// One source while it is read.
struct Reading<'j> {
    opened: Opened,
    feeds: Feeds,
    derive: Derive,
    committed: u64,
    batch_bytes: u64,
    size: u64,
    job: &'j Job,
}

/// What reading a source to its end gives.
struct ReadThrough {
    taken: Taken,
    events: u64,
    new_runs: u64,
}

impl Reading<'_> {
    fn run(mut self, queue: &Queue) -> Result<ReadThrough, Failure> {
        let mut until_look = 0;
        let (events, citations) = (self.derive.events(), self.derive.citation_events());
        let runs = self.derive.runs();
        let before = self.job.counts();
        while let Some(frame) = next(&mut *self.opened.frames)? {
            self.keep(queue)?;
            if until_look == 0 {
                self.job.check()?;
                let (done, size, derive) = (frame.at.end, self.size, &self.derive);
                self.job.tell(|state| {
                    state.done = done.to_string();
                    state.total = Some(size.to_string());
                    state.counts.events = before.events + small(derive.events() - events);
                    state.counts.runs = before.runs + small(derive.runs() - runs);
                    state.counts.citation_events =
                        before.citation_events + small(derive.citation_events() - citations);
                });
                until_look = FRAMES_PER_LOOK;
            }
            until_look -= 1;
            self.end_batch(queue, &frame)?;
            for start in self.derive.frame(queue, &mut *self.opened.frames, frame)? {
                self.feeds.cut(start).storage()?;
            }
        }
        self.keep(queue)?;
        self.derive.finish(queue, &mut *self.opened.frames)?;
        // Readers stop at the last frame; what follows it belongs to the source all the same.
        self.keep(queue)?;
        let taken = self.feeds.flush_all().storage()?;
        self.hand_on(queue)?;
        let (events, new_runs) = (self.derive.events(), self.derive.new_runs());
        Ok(ReadThrough { taken, events, new_runs })
    }

    /// Puts the bytes that were read into segments.
    fn keep(&mut self, queue: &Queue) -> Result<(), Failure> {
        let (opened, feeds) = (&self.opened, &mut self.feeds);
        opened.content.take(|bytes| feeds.append(Stream::Content, bytes).storage())?;
        if let Some(original) = &opened.original {
            original.take(|bytes| feeds.append(Stream::Carrier, bytes).storage())?;
        }
        self.hand_on(queue)
    }

    fn hand_on(&mut self, queue: &Queue) -> Result<(), Failure> {
        self.feeds
            .segments()
            .try_for_each(|segment| queue.put(Work::Stored(Stored::Segment(segment))))
    }

    /// Makes what was read durable when it is enough and a run begins here.
    fn end_batch(&mut self, queue: &Queue, frame: &Frame) -> Result<(), Failure> {
        let due =
            self.opened.format.resumable() && frame.at.start >= self.committed + self.batch_bytes;
        if !due || !begins_run(frame) {
            return Ok(());
        }
        self.derive.close(queue, &*self.opened.frames, frame.connection)?;
        if !self.derive.at_boundary() {
            return Ok(());
        }
        self.derive.save(queue)?;
        let note = Note {
            events: self.derive.events(),
            runs: self.derive.runs(),
            connections: self.opened.frames.connections().to_vec(),
        };
        let note = serde_json::to_string(&note)
            .map_err(|_| Failure::internal("A batch's note could not be written"))?;
        let taken = self.feeds.flush(frame.at.start).storage()?;
        self.hand_on(queue)?;
        queue.put(Work::Stored(Stored::BatchEnds { taken, note }))?;
        self.committed = frame.at.start;
        Ok(())
    }
}

fn next(frames: &mut dyn Frames) -> Result<Option<Frame>, Failure> {
    frames.next_frame().map_err(|error: ReadError| error.into())
}

fn begins_run(frame: &Frame) -> bool {
    match &frame.body {
        Body::Event(bytes) => {
            Event::named(bytes.clone(), frame.event_name.as_deref()).known()
                == Some(EventType::RunStarted)
        }
        _ => false,
    }
}

/// A gzip of UTF-16 is kept as the gzip it is; what is inside shows when it is opened.
fn stored_carrier(carrier: carrier::Carrier) -> archive::Carrier {
    match carrier {
        carrier::Carrier { gzip: true, .. } => archive::Carrier::Gzip,
        carrier::Carrier { text: TextEncoding::Utf8, .. } => archive::Carrier::Plain,
        carrier::Carrier { text: TextEncoding::Utf16Le, .. } => archive::Carrier::Utf16Le,
        carrier::Carrier { text: TextEncoding::Utf16Be, .. } => archive::Carrier::Utf16Be,
    }
}

/// "12 headers, 3 cookies, 2 other entries"; nothing when nothing was left out.
fn sentence(left_out: &LeftOut) -> Option<String> {
    let parts: Vec<String> = [
        (left_out.headers, "header", "headers"),
        (left_out.cookies, "cookie", "cookies"),
        (left_out.queries, "query string or fragment", "query strings or fragments"),
        (left_out.others, "other line or text", "other lines or texts"),
        (left_out.entries, "entry that is no AG-UI", "entries that are no AG-UI"),
    ]
    .into_iter()
    .filter(|(count, ..)| *count > 0)
    .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
    .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn refused(given: &Given) -> ImportedSource {
    ImportedSource {
        path: given.shown(),
        sha256: None,
        format: None,
        status: ImportStatus::Refused,
        events: 0,
        runs: 0,
        conversations: 0,
        messages: 0,
        citation_events: 0,
        citations: 0,
        findings: 0,
        new_runs: 0,
        left_out: None,
        conversation_ids: Vec::new(),
        error: None,
    }
}

fn count(told: &mut ImportedSource, source: &Source) {
    let counts = &source.counts;
    told.format = Some(source.format.clone());
    told.left_out.clone_from(&source.left_out);
    told.events = small(counts.events);
    told.runs = small(counts.runs);
    told.conversations = small(counts.conversations);
    told.messages = small(counts.messages);
    told.citation_events = small(counts.citation_events);
    told.citations = small(counts.citations);
    told.findings = small(counts.findings);
}

/// Counts of one source as they cross to a host; no source holds 2^32 of anything within its size limit.
fn small(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
