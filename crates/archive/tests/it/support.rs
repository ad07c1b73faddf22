//! A tiny importer: enough of one to fill every table.
//!
//! A source here is lines; each line `question|answer|source ref` is one run of the thread that the source names.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use archive::*;

pub(crate) const NOW: Instant = Instant(1_788_250_000_000_000);

pub(crate) struct Place {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) path: PathBuf,
}

pub(crate) fn place() -> Place {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("test.recite");
    Place { dir, path }
}

pub(crate) fn created() -> (Place, Archive) {
    let place = place();
    let archive = Archive::create(&place.path, "test", NOW).unwrap();
    (place, archive)
}

/// Lines for `runs` runs; deterministic, with some repetition as real text has.
pub(crate) fn recording(name: &str, runs: std::ops::Range<usize>) -> Vec<u8> {
    let mut text = String::new();
    for run in runs {
        let filler = "The bicycle may be returned at every station. ".repeat(run % 7);
        text.push_str(&format!(
            "{name} question {run}|{filler}Answer {run} of {name} [1]|kb@1.0.{}#n{}.md\n",
            run % 3,
            run % 5
        ));
    }
    text.into_bytes()
}

pub(crate) fn new_source<'a>(name: &'a str, bytes: &[u8]) -> NewSource<'a> {
    NewSource {
        sha256: Sha256::of(bytes),
        size: bytes.len() as u64,
        name,
        format: "lines",
        carrier: Carrier::Plain,
        kept: Kept::AsIs,
        via: "file",
        received_at: None,
        imported_at: NOW,
        left_out: None,
        derived_version: 1,
    }
}

pub(crate) fn finish_of(bytes: &[u8]) -> Finish<'static> {
    Finish {
        sha256: Sha256::of(bytes),
        size: bytes.len() as u64,
        events: bytes.iter().filter(|byte| **byte == b'\n').count() as u64,
        derived_version: 1,
        left_out: None,
    }
}

/// An import that reads and writes in turn.
pub(crate) struct Import<'w> {
    intake: Intake<'w>,
    feeds: Feeds,
}

pub(crate) fn begin<'w>(writer: &'w mut Writer, new: &NewSource<'_>) -> Result<Import<'w>> {
    let (intake, feeds) = writer.begin_source(new)?;
    Ok(Import { intake, feeds })
}

pub(crate) fn resume(writer: &mut Writer, id: SourceId, content_from: u64) -> Result<Import<'_>> {
    let (intake, feeds) = writer.resume_source(id, content_from, 0)?;
    Ok(Import { intake, feeds })
}

impl Import<'_> {
    pub(crate) fn source(&self) -> SourceId {
        self.intake.source()
    }

    pub(crate) fn append(&mut self, stream: Stream, bytes: &[u8]) -> Result<()> {
        self.feeds.append(stream, bytes)?;
        self.put()
    }

    pub(crate) fn cut(&mut self, content_offset: u64) -> Result<()> {
        self.feeds.cut(content_offset)?;
        self.put()
    }

    pub(crate) fn commit_batch(&mut self, content_offset: u64, note: &str) -> Result<()> {
        let taken = self.feeds.flush(content_offset)?;
        self.put()?;
        self.intake.commit_batch(&taken, note)
    }

    pub(crate) fn finish(mut self, end: &Finish<'_>) -> Result<Source> {
        let taken = self.feeds.flush_all()?;
        self.put()?;
        self.intake.finish(&taken, end)
    }

    fn put(&mut self) -> Result<()> {
        self.feeds.segments().try_for_each(|segment| self.intake.put(&segment))
    }
}

impl std::ops::Deref for Import<'_> {
    type Target = Batch;

    fn deref(&self) -> &Batch {
        &self.intake
    }
}

impl std::ops::DerefMut for Import<'_> {
    fn deref_mut(&mut self) -> &mut Batch {
        &mut self.intake
    }
}

/// Takes a whole source in; batches of `every` runs, all in one when 0.
pub(crate) fn import(writer: &mut Writer, name: &str, bytes: &[u8], every: u64) -> Result<Source> {
    let mut intake = begin(writer, &new_source(name, bytes))?;
    feed(&mut intake, name, bytes, 0, every)?;
    intake.finish(&finish_of(bytes))
}

/// Feeds a source from run `first` on and derives its rows.
pub(crate) fn feed(
    intake: &mut Import<'_>,
    name: &str,
    bytes: &[u8],
    first: u64,
    every: u64,
) -> Result<()> {
    let source = intake.source();
    let mut at = 0;
    for (number, line) in (0_u64..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        let range = at..at + line.len() as u64;
        at = range.end;
        if number < first {
            continue;
        }
        intake.cut(range.start)?;
        intake.append(Stream::Content, line)?;
        derive(intake, source, name, number, range.clone(), line)?;
        if every != 0 && (number + 1) % every == 0 {
            intake.commit_batch(range.end, &(number + 1).to_string())?;
        }
    }
    Ok(())
}

pub(crate) fn derive_all(
    batch: &mut Batch,
    source: SourceId,
    name: &str,
    bytes: &[u8],
) -> Result<()> {
    let mut at = 0;
    for (number, line) in (0_u64..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        let range = at..at + line.len() as u64;
        at = range.end;
        derive(batch, source, name, number, range, line)?;
    }
    batch.set_source_counts(source, 1, bytes.iter().filter(|byte| **byte == b'\n').count() as u64)
}

fn derive(
    batch: &mut Batch,
    source: SourceId,
    name: &str,
    number: u64,
    at: std::ops::Range<u64>,
    line: &[u8],
) -> Result<()> {
    let text = String::from_utf8_lossy(line);
    let mut parts = text.trim_end().split('|');
    let (question, answer, node_ref) =
        (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
    let service = batch.service("kb.example", "Bicycle desk")?;
    let conversation = match batch.conversations_of_thread(name)?.first() {
        Some((id, _)) => *id,
        None => batch.insert_conversation(&NewConversation {
            source,
            service: Some(service),
            thread_id: Some(name),
            title: question,
            title_from: "user",
            newest_at: NOW,
        })?,
    };
    let connection = match batch.connections(source)?.first() {
        Some(id) => *id,
        None => batch.insert_connection(
            source,
            &NewConnection {
                service: Some(service),
                url: Some("https://kb.example/agent"),
                ..NewConnection::default()
            },
        )?,
    };
    let stated = format!("r{number}");
    let hash = Sha256::of(line);
    if let Some(held) =
        batch.runs_of_stated_ids(Some(name), Some(&stated))?.iter().find(|run| run.hash == hash)
    {
        let (run, first_event, events) = (held.id, number, 1);
        return batch.insert_occurrence(&NewOccurrence {
            run,
            source,
            connection,
            first_event,
            events,
            at,
        });
    }
    let base = runs_of(batch, conversation)?;
    let run = batch.insert_run(&NewRun {
        source,
        connection,
        conversation,
        number: base,
        thread_id: Some(name),
        stated_id: Some(&stated),
        stated_parent_id: None,
        parent: None,
        parent_means: None,
        protocol_version: None,
        variant_of: None,
        ending: "finished",
        ending_detail: None,
        started: true,
        question: "recorded",
        compacted: false,
        hash,
        first_event: number,
        events: 1,
        at: at.clone(),
        started_at: Some(Instant(NOW.0 + i64::try_from(number).unwrap() * 1_000_000)),
        ended_at: None,
        time_from: Some("timestamp"),
        usage: None,
        extra: None,
    })?;
    let position = i64::try_from(base).unwrap() * 1_000;
    let mut message = NewMessage {
        source,
        conversation,
        run: Some(run),
        number: base * 2,
        position,
        stated_id: Some("u"),
        id_derived: false,
        role: "user",
        class: "user",
        name: None,
        origin: "input",
        text: question,
        cut: false,
        ending: Ending::Whole,
        answers_call: None,
        activity_type: None,
        content: None,
        extra: None,
        encrypted: false,
        subagent_run_id: None,
        first_event: Some(number),
        at: Some(at.clone()),
        timestamp: None,
        stated_at: None,
    };
    batch.insert_message(&message)?;
    // The answer comes in two pieces, as a stream does.
    let (head, tail) = answer.split_at(answer.len() / 2);
    message = NewMessage {
        number: base * 2 + 1,
        position: position + 10,
        stated_id: Some("a"),
        role: "assistant",
        class: "text",
        origin: "stream",
        text: head,
        ending: Ending::Open,
        ..message
    };
    let answer = batch.insert_message(&message)?;
    batch.update_message(
        answer,
        &MessageUpdate {
            text_at: head.len() as u64,
            append: tail,
            role: "assistant",
            name: None,
            cut: false,
            ending: Ending::Ended,
            answers_call: None,
            content: None,
            extra: None,
            content_end: Some(at.end),
        },
    )?;
    let call = batch.insert_tool_call(&NewToolCall {
        source,
        conversation,
        message: answer,
        run: Some(run),
        number: base,
        stated_id: "t",
        id_derived: false,
        name: "search",
        result: None,
        first_event: Some(number),
        extra: None,
    })?;
    batch.set_segment(&NewSegment {
        call,
        number: 0,
        source,
        run: Some(run),
        first_event: Some(number),
        arguments: "{\"q\":1}",
        ending: Ending::Ended,
        same_as: None,
    })?;
    cite(batch, source, run, conversation, answer, number, at.clone(), node_ref)?;
    if number % 4 == 3 {
        batch.insert_finding(&NewFinding {
            source,
            conversation: Some(conversation),
            run: Some(run),
            message: Some(answer),
            citation_event: None,
            code: if number % 8 == 3 { "moca.marker-not-in-text" } else { "agui.order" },
            severity: if number % 8 == 3 { Severity::Warning } else { Severity::Error },
            text: "Something is odd here.",
            event: Some(number),
            at: Some(at),
            excerpt: Some(question),
            times: 1,
        })?;
    }
    Ok(())
}

/// Runs of a conversation so far, found by halving: they are numbered from 0 without gaps.
fn runs_of(batch: &Batch, conversation: ConversationId) -> Result<u64> {
    let (mut held, mut free) = (0, 1);
    while batch.run_of_number(conversation, free - 1)?.is_some() {
        (held, free) = (free, free * 2);
    }
    while held + 1 < free {
        let middle = held.midpoint(free);
        let there = batch.run_of_number(conversation, middle - 1)?.is_some();
        (held, free) = if there { (middle, free) } else { (held, middle) };
    }
    Ok(held)
}

#[allow(clippy::too_many_arguments)] // What a citation event belongs to.
fn cite(
    batch: &mut Batch,
    source: SourceId,
    run: RunId,
    conversation: ConversationId,
    message: MessageId,
    number: u64,
    at: std::ops::Range<u64>,
    node_ref: &str,
) -> Result<()> {
    let event = batch.insert_citation_event(&NewCitationEvent {
        source,
        run,
        conversation,
        message: (number % 10 != 9).then_some(message),
        stated_message_id: Some("a"),
        found_by: Some("id"),
        state: if number % 10 == 9 {
            CitationState::UnknownMessage
        } else {
            CitationState::Applied
        },
        version: Some("1"),
        computed: Some("2026-09-01T10:00:00Z"),
        computed_at: Some(NOW),
        received_at: None,
        canonical_sha256: Some(Sha256::of(node_ref.as_bytes())),
        reasons: None,
        shown: number % 10 != 9,
        citations: 1,
        event: number,
        at,
    })?;
    let (package, path) = node_ref.split_once('#').unwrap();
    let (id, version) = package.split_once('@').unwrap();
    let json = format!("{{\"node\":{{\"ref\":\"{node_ref}\"}}}}");
    let record = batch.record(&NewRecord {
        json: json.as_bytes(),
        canonical_sha256: Some(Sha256::of(json.as_bytes())),
        valid: true,
        package: Some(NewPackage { stated_id: id, version, digest: "sha256:0" }),
        node: Some(NewNode { node_ref, stated_id: path, path, node_type: "Policy" }),
        title: Some("Returning a bicycle"),
        text: Some("Bicycles are returned at any station."),
        signed: Some(version != "1.0.2"),
        signers: &["Example Ltd"],
        status: Some("stable"),
        stale: Some(version == "1.0.1"),
        in_force: Some(true),
        superseded: Some(false),
        contested: Some(false),
        reviews: &[NewReview {
            kind: ReviewKind::Declared,
            reviewer: "someone",
            stated: NewStated { text: Some("2026-01-01"), at: None },
            outcome: None,
            scope: None,
            signer: None,
        }],
        relations: &[(RelationKind::ContestedBy, "kb@2#x")],
        ..NewRecord::default()
    })?;
    batch.insert_citation(&NewCitation {
        event,
        conversation,
        number: 0,
        record: Some(record),
        marker: Some("[1]"),
        reason: None,
    })?;
    Ok(())
}

/// Derives every source again, as the importer does after its code changed.
pub(crate) fn rebuild_all(archive: &Archive, writer: &mut Writer) -> Result<()> {
    let reader = archive.reader()?;
    let sources = reader.sources(None, MAX_PAGE_ROWS)?.rows;
    let mut rebuild = writer.begin_rebuild()?;
    for source in sources {
        let mut bytes = Vec::new();
        reader
            .read_content(source.id, Stream::Content, 0..source.content_size)
            .read_to_end(&mut bytes)
            .unwrap();
        derive_all(&mut rebuild, source.id, &source.name, &bytes)?;
    }
    rebuild.finish()
}

pub(crate) fn verify(path: &Path) -> Result<verify::Report> {
    verify::verify(path, &gunzip, &(Arc::new(|| true) as verify::Wanted), &mut |_| {})
}

/// What the importer's carriers do, for gzip.
pub(crate) fn gunzip(given: Box<dyn Read + Send>) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(flate2::read::MultiGzDecoder::new(given)))
}

pub(crate) fn count(path: &Path, sql: &str) -> i64 {
    rusqlite::Connection::open(path).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Runs another test of this binary in a process of its own; `input` names what it works on.
pub(crate) fn child(test: &str, input: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]).env("RECITE_TEST_INPUT", input);
    command
}

/// What [`child`] was given.
pub(crate) fn input() -> PathBuf {
    std::env::var_os("RECITE_TEST_INPUT").expect("run by another test").into()
}

/// Every file beside and including the archive with its bytes.
pub(crate) fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect()
}
