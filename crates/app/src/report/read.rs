//! Reads a conversation as a report, and writes exports.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use archive::{ConversationId, FindingFilter, Reader, RunId, Window};
use serde_json::value::RawValue;

use super::{
    Citations, Finding, Item, Message, Orphan, Recording, Report, Run, ToolCall, events, html,
    markdown,
};
use crate::{
    App,
    answer::{Answer, is_answer, known},
    browse::{self, messages_only, notes},
    contract::{ErrorKind, ExportDone, ExportFormat, Failure},
    derive::{
        record::moca_instant,
        when::{instant, rfc3339},
    },
    failure::Storage,
};

/// Rows read at a time.
const PAGE: u32 = 200;

impl App {
    /// A whole conversation with the sources of each answer.
    ///
    /// # Errors
    /// Not found; storage; damaged.
    pub fn report(&self, conversation: &str) -> Result<Report, Failure> {
        let id = ConversationId(browse::row(conversation)?);
        let now = instant(self.now());
        self.read(|reader| {
            let held = reader
                .conversation(id)
                .storage()?
                .ok_or_else(|| browse::not_held("conversation"))?;
            Ok(Report {
                id: id.to_string(),
                title: browse::title(&held),
                service: held.service.map(|service| service.name),
                thread_id: held.thread_id,
                made_at: rfc3339(now),
                notes: notes(reader, id)?,
                recordings: recordings(reader, id)?,
                runs: runs(reader, id, moca_instant(now))?,
                orphan_citations: orphans(reader, id)?,
                findings: findings(reader, id)?,
            })
        })
    }

    /// Writes an export.
    ///
    /// # Errors
    /// Not found; storage; damaged.
    pub fn export_to(
        &self,
        conversation: &str,
        format: ExportFormat,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        match format {
            ExportFormat::Markdown => {
                written(out.write_all(markdown(&self.report(conversation)?).as_bytes()))
            }
            ExportFormat::Html => {
                written(out.write_all(html(&self.report(conversation)?).as_bytes()))
            }
            ExportFormat::Events | ExportFormat::AguiJsonl => {
                let id = ConversationId(browse::row(conversation)?);
                let now = rfc3339(instant(self.now()));
                self.read(|reader| events::write(self, reader, id, format, &now, out))
            }
        }
    }

    /// Writes an export to a file, which appears under its name only when it is whole.
    ///
    /// # Errors
    /// Not found; storage; damaged; bad input, when the file is the archive itself.
    pub fn export_to_file(
        &self,
        conversation: &str,
        format: ExportFormat,
        file: &Path,
    ) -> Result<ExportDone, Failure> {
        let path = self.export_target(file)?;
        let folder =
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let unfinished = unfinished_in(folder).map_err(|error| unwritable(&error))?;
        let mut out = BufWriter::new(unfinished);
        self.export_to(conversation, format, &mut out)?;
        let unfinished = out.into_inner().map_err(|error| unwritable(error.error()))?;
        unfinished.as_file().sync_all().map_err(|error| unwritable(&error))?;
        let bytes = unfinished.as_file().metadata()?.len();
        let written: File = unfinished.persist(&path).map_err(|error| unwritable(&error.error))?;
        drop(written);
        Ok(ExportDone { path: file.to_string_lossy().into_owned(), bytes: bytes.to_string() })
    }
}

impl App {
    /// Where an export goes: through a link to what it names, and never over the archive or what is no file.
    fn export_target(&self, path: &Path) -> Result<PathBuf, Failure> {
        let refuse = |why: &str| {
            Err(Failure::new(ErrorKind::BadInput, format!("{} {why}.", path.display()))
                .hint("Choose another file."))
        };
        let Ok(target) = path.canonicalize() else { return Ok(path.to_owned()) };
        if !target.is_file() {
            return refuse("is there and is no regular file");
        }
        for suffix in ["", "-wal", "-shm", "-lock"] {
            let mut own = self.path.clone().into_os_string();
            own.push(suffix);
            if Path::new(&own).canonicalize().is_ok_and(|own| own == target) {
                return refuse("belongs to the open archive");
            }
        }
        Ok(target)
    }
}

/// A write's result as a failure that a person can read.
pub(super) fn written(result: io::Result<()>) -> Result<(), Failure> {
    result.map_err(|error| unwritable(&error))
}

/// A file without its name yet, with the permissions that a new file of this user has.
fn unfinished_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn unwritable(error: &io::Error) -> Failure {
    Failure::new(ErrorKind::Storage, format!("The export could not be written: {error}."))
        .hint("Choose a folder that can be written and has space.")
}

fn recordings(reader: &Reader, id: ConversationId) -> Result<Vec<Recording>, Failure> {
    let held = reader.sources_of_conversation(id, PAGE).storage()?;
    Ok(held
        .into_iter()
        .map(|source| Recording {
            name: source.name,
            sha256: source.sha256.to_string(),
            bytes: source.size,
            format: source.format,
            imported_at: rfc3339(source.imported_at),
        })
        .collect())
}

fn runs(reader: &Reader, id: ConversationId, now: moca::Instant) -> Result<Vec<Run>, Failure> {
    let mut runs: Vec<Run> = Vec::new();
    let mut places: BTreeMap<RunId, usize> = BTreeMap::new();
    let mut next = 0;
    loop {
        let page = reader.runs_from(id, next, PAGE).storage()?;
        let Some(last) = page.last() else { break };
        next = last.number + 1;
        for run in &page {
            places.insert(run.id, runs.len());
            runs.push(Run {
                id: Some(run.id.to_string()),
                run_id: run.stated_id.clone(),
                parent_run_id: run.stated_parent_id.clone(),
                ending: run.ending.clone(),
                ending_text: browse::ending_text(run),
                started_at: run.started_at.map(rfc3339),
                question_recorded: browse::question_recorded(run),
                messages: Vec::new(),
            });
        }
    }
    let only = messages_only(reader, id)?;
    let mut loose = Vec::new();
    let mut window = Window::Place(0);
    loop {
        let page = reader.messages(id, window, PAGE, u32::MAX).storage()?;
        let Some(last) = page.last() else { break };
        window = Window::After(last.id);
        for held in &page {
            let message = message(reader, held, only, now)?;
            match held.run.and_then(|run| places.get(&run)) {
                Some(place) => runs[*place].messages.push(message),
                None => loose.push(message),
            }
        }
    }
    if !loose.is_empty() {
        runs.insert(
            0,
            Run {
                id: None,
                run_id: None,
                parent_run_id: None,
                ending: "none".to_owned(),
                ending_text: "messages without a run".to_owned(),
                started_at: None,
                question_recorded: true,
                messages: loose,
            },
        );
    }
    Ok(runs)
}

fn message(
    reader: &Reader,
    held: &archive::Message,
    messages_only: bool,
    now: moca::Instant,
) -> Result<Message, Failure> {
    let citations = match is_answer(held) {
        true => Some(citations(reader, held, messages_only, now)?),
        false => None,
    };
    let calls = reader.tool_calls(held.id, PAGE).storage()?;
    Ok(Message {
        id: held.id.to_string(),
        message_id: held.stated_id.clone(),
        role: held.role.clone(),
        text: held.text.clone(),
        ended: held.ending != archive::Ending::Open,
        tool_calls: calls
            .into_iter()
            .map(|call| ToolCall {
                tool_call_id: call.stated_id,
                name: call.name,
                arguments: call.arguments,
            })
            .collect(),
        citations,
    })
}

fn citations(
    reader: &Reader,
    held: &archive::Message,
    messages_only: bool,
    now: moca::Instant,
) -> Result<Citations, Failure> {
    let answer = Answer::read(reader, held.id, messages_only, now)?;
    let (since, kind) = browse::held_since(reader, held, answer.event.as_ref())?;
    Ok(Citations {
        state: answer.state(),
        sentence: answer.sentence(),
        computed_at: answer.event.as_ref().and_then(|event| event.computed.clone()),
        computed_at_read: answer.computed_at(),
        held_since: format!("{kind} {}", moca_instant(since).moment()),
        items: answer
            .cited
            .into_iter()
            .map(|cited| {
                let valid = cited.reading.valid();
                let title = valid.map(|record| {
                    record
                        .node
                        .title
                        .clone()
                        .unwrap_or_else(|| record.node.path.as_str().to_owned())
                });
                Item {
                    marker: cited.citation.marker.clone(),
                    title: title.unwrap_or_else(|| "Source without a title".to_owned()),
                    node_ref: cited.reading.node_ref().map(str::to_owned),
                    record_sha256: cited.reading.record_sha256().map(str::to_owned),
                    record: raw_json(cited.reading.raw()),
                    text: valid.and_then(|record| record.text.clone()),
                    evidence: valid.map(|record| record.evidence.clone()).unwrap_or_default(),
                    standing: cited.standing,
                }
            })
            .collect(),
        others: browse::others(reader, held)?,
    })
}

fn orphans(reader: &Reader, id: ConversationId) -> Result<Vec<Orphan>, Failure> {
    let mut orphans = Vec::new();
    let mut after = None;
    loop {
        let page = reader.unplaced_citation_events(id, after.as_ref(), PAGE).storage()?;
        for event in page.rows.iter().filter(|event| !browse::replaced(event)) {
            let value = events::citation_value(reader, event)?;
            orphans.push(Orphan {
                state: event.state.word().to_owned(),
                sentence: known(event).sentence(),
                message_id: event.stated_message_id.clone(),
                computed_at: event.computed.clone(),
                value: value.as_deref().and_then(raw_json),
            });
        }
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(orphans),
        }
    }
}

fn findings(reader: &Reader, id: ConversationId) -> Result<Vec<Finding>, Failure> {
    let filter = FindingFilter { conversation: Some(id), ..FindingFilter::default() };
    let mut findings = Vec::new();
    let mut after = None;
    loop {
        let page = reader.findings(&filter, after.as_ref(), PAGE).storage()?;
        findings.extend(page.rows.into_iter().map(|finding| Finding {
            code: finding.code,
            severity: finding.severity.word().to_owned(),
            run: finding.run.map(|run| run.to_string()),
            event: finding.event,
            message: finding.text,
        }));
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    findings.reverse();
    Ok(findings)
}

/// A JSON text as received; none when it is no JSON.
fn raw_json(text: &str) -> Option<Box<RawValue>> {
    // Half a surrogate pair, NaN or 1e999 would make the whole answer unreadable for a strict reader.
    let readable = match serde_json::from_str::<serde_json::Value>(text) {
        Ok(_) => text.to_owned(),
        Err(_) => agui::json::readable(text)?,
    };
    RawValue::from_string(readable).ok()
}
