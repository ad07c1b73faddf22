//! The list of conversations, and what stands above one.

use archive::{
    Conversation, ConversationFilter, ConversationId, Cursor, Reader, ServiceId, Source,
    TrustFilter,
};
use moca::{
    sources::Coverage,
    standing::{standing, strip},
};

use super::{PAGE_ROWS, count, not_held, row, runs::run_row, sources::replaced};
use crate::{
    App,
    answer::{SourceKey, basis, distinct},
    contract::{
        ConversationHead, ConversationPage, ConversationQuery, ConversationRow, ErrorKind, Failure,
        FilterValue, Filters, Recording, SourceStrip,
    },
    derive::{
        record::moca_instant,
        when::{self, instant, rfc3339},
    },
    failure::Storage,
};

/// Sources that a strip draws, worst first.
const STRIP_SOURCES: usize = 12;

/// Sources of a conversation that a strip judges.
const JUDGED_SOURCES: u32 = 200;

/// Runs given with a conversation.
const HEAD_RUNS: u32 = 200;

/// Recordings given with a conversation.
const HEAD_RECORDINGS: u32 = 50;

/// Trust states that conversations can be filtered by.
const TRUST: &[(&str, &str, TrustFilter)] = &[
    ("superseded", "Superseded", TrustFilter::Superseded),
    ("not-in-force", "Not in force", TrustFilter::NotInForce),
    ("contested", "Contested", TrustFilter::Contested),
    ("stale", "Stale", TrustFilter::Stale),
    ("deprecated", "Deprecated", TrustFilter::Deprecated),
    ("draft", "Draft", TrustFilter::Draft),
    ("unsigned", "Not signed", TrustFilter::Unsigned),
    ("invalid", "Invalid record", TrustFilter::Invalid),
];

impl App {
    pub(super) fn read_conversations(
        &self,
        query: &ConversationQuery,
    ) -> Result<ConversationPage, Failure> {
        let now = instant(self.now());
        let filter = filter(query, now)?;
        let cursor = query.cursor.as_deref().map(Cursor::from_text);
        let limit = query.limit.unwrap_or(PAGE_ROWS).clamp(1, PAGE_ROWS);
        self.read(|reader| {
            let page = reader.conversations(&filter, cursor.as_ref(), limit).storage()?.page;
            let conversations = page
                .rows
                .iter()
                .map(|conversation| self.conversation_row(reader, conversation, moca_instant(now)))
                .collect::<Result<_, _>>()?;
            Ok(ConversationPage { conversations, next: page.next.map(|next| next.to_string()) })
        })
    }

    pub(super) fn read_conversation(
        &self,
        id: ConversationId,
    ) -> Result<ConversationHead, Failure> {
        let now = moca_instant(instant(self.now()));
        self.read(|reader| {
            let conversation =
                reader.conversation(id).storage()?.ok_or_else(|| not_held("conversation"))?;
            let runs = reader.runs_from(id, 0, HEAD_RUNS).storage()?;
            Ok(ConversationHead {
                row: self.conversation_row(reader, &conversation, now)?,
                events: reader.events_of_conversation(id).storage()?.to_string(),
                runs: runs.iter().map(|run| run_row(reader, run)).collect::<Result<_, _>>()?,
                recordings: recordings(reader, id)?,
                notes: notes(reader, id)?,
                unplaced_citations: unplaced(reader, id)?,
            })
        })
    }

    pub(super) fn read_filters(&self) -> Result<Filters, Failure> {
        self.read(|reader| {
            let services = reader.services().storage()?;
            let packages = reader.package_ids("", PAGE_ROWS).storage()?;
            let findings = reader.finding_totals(&archive::FindingFilter::default()).storage()?;
            Ok(Filters {
                services: services
                    .into_iter()
                    .map(|service| FilterValue {
                        value: service.id.to_string(),
                        label: service.name,
                    })
                    .collect(),
                packages: packages
                    .into_iter()
                    .map(|package| FilterValue {
                        label: render::plain_line(&package),
                        value: package,
                    })
                    .collect(),
                trust: TRUST
                    .iter()
                    .map(|(value, label, _)| FilterValue {
                        value: (*value).to_owned(),
                        label: (*label).to_owned(),
                    })
                    .collect(),
                findings: findings
                    .into_iter()
                    .map(|total| FilterValue { label: total.code.clone(), value: total.code })
                    .collect(),
            })
        })
    }

    /// Conversations that a source has a part in.
    pub(crate) fn conversations_of(&self, sha256: Option<&str>) -> Result<Vec<String>, Failure> {
        const NAMED: u32 = 20;
        let Some(sha256) = sha256.and_then(archive::Sha256::from_hex) else {
            return Ok(Vec::new());
        };
        self.read(|reader| {
            let Some(source) = reader.find_source(sha256).storage()? else { return Ok(Vec::new()) };
            let ids = reader.conversations_of_source(source.id, NAMED).storage()?;
            Ok(ids.into_iter().map(|id| id.to_string()).collect())
        })
    }

    /// One line of the list.
    fn conversation_row(
        &self,
        reader: &Reader,
        conversation: &Conversation,
        now: moca::Instant,
    ) -> Result<ConversationRow, Failure> {
        let stated = conversation.last_at.or(conversation.first_at);
        Ok(ConversationRow {
            id: conversation.id.to_string(),
            title: title(conversation),
            service: conversation.service.as_ref().map(|service| render::plain_line(&service.name)),
            thread_id: conversation.thread_id.clone(),
            runs: count(conversation.runs),
            messages: count(conversation.messages),
            answers: count(conversation.answers),
            citations: count(conversation.citations),
            first_at: Some(rfc3339(conversation.first_at.unwrap_or(conversation.newest_at))),
            last_at: Some(rfc3339(stated.unwrap_or(conversation.newest_at))),
            times_are_import: stated.is_none(),
            strip: self.source_strip(reader, conversation, now)?,
            findings: count(conversation.findings),
        })
    }

    /// The states of a conversation's sources, worst first, and what the answers without sources have instead.
    fn source_strip(
        &self,
        reader: &Reader,
        conversation: &Conversation,
        now: moca::Instant,
    ) -> Result<SourceStrip, Failure> {
        let cited = reader.cited_records(conversation.id, JUDGED_SOURCES).storage()?;
        let mut sources = Vec::with_capacity(cited.len());
        for cited in &cited {
            let event = reader.citation_event(cited.event).storage()?;
            if let (Some(reading), Some(event)) = (self.judged(reader, cited)?, event) {
                let key = SourceKey::of(&reading, cited.record);
                sources.push((key, standing(&reading, &basis(&event), now)));
            }
        }
        let coverage = coverage(reader, conversation)?.sentence();
        let distinct = distinct(sources.iter().map(|(key, standing)| (key.clone(), standing)));
        if distinct.is_empty() {
            let label = coverage.clone().unwrap_or_default();
            return Ok(SourceStrip { coverage, label, ..SourceStrip::default() });
        }
        let rolled = strip(distinct.iter().copied());
        let mut tones: Vec<_> = distinct.iter().map(|standing| standing.worst().tone).collect();
        tones.sort_unstable_by(|one, other| other.cmp(one));
        tones.truncate(STRIP_SOURCES);
        let first = if cited.len() < JUDGED_SOURCES as usize { "" } else { "the first " };
        let mut label = format!("{first}{} · {}", rolled.sentence, rolled.line);
        if let Some(coverage) = &coverage {
            label.push_str(" · ");
            label.push_str(coverage);
        }
        Ok(SourceStrip { tones, parts: rolled.parts, coverage, label })
    }
}

fn filter(query: &ConversationQuery, now: archive::Instant) -> Result<ConversationFilter, Failure> {
    let time = |text: &Option<String>| match text.as_deref() {
        None => Ok(None),
        Some(text) => when::read(text).map(Some).ok_or_else(|| {
            Failure::new(ErrorKind::BadInput, "This is no RFC 3339 time.")
                .hint("Write it like 2026-11-30T00:00:00Z.")
        }),
    };
    let trust = match query.trust.as_deref() {
        None => None,
        Some(wanted) => {
            let known = TRUST.iter().find(|(value, ..)| *value == wanted);
            let (_, _, filter) = known.ok_or_else(|| {
                Failure::new(ErrorKind::BadInput, "There is no such trust state.")
            })?;
            Some((*filter, now))
        }
    };
    Ok(ConversationFilter {
        text: query.text.clone().filter(|text| !text.trim().is_empty()),
        service: query.service.as_deref().map(row).transpose()?.map(ServiceId),
        since: time(&query.since)?,
        until: time(&query.until)?,
        package: query.package.clone(),
        trust,
        finding: query.finding.clone(),
    })
}

/// What a conversation is called.
pub(crate) fn title(conversation: &Conversation) -> String {
    called(&conversation.title)
}

/// What a conversation with this title is called.
pub(crate) fn called(title: &str) -> String {
    match title.trim() {
        "" => "Conversation without a question".to_owned(),
        title => title.to_owned(),
    }
}

/// What the answers of a conversation have as sources.
fn coverage(reader: &Reader, conversation: &Conversation) -> Result<Coverage, Failure> {
    use archive::CitationState;
    let mut coverage = Coverage { answers: count(conversation.answers), ..Coverage::default() };
    if conversation.citation_events == 0 {
        coverage.messages_only = messages_only(reader, conversation.id)?;
        return Ok(coverage);
    }
    for (state, answers) in reader.answers_by_citation_state(conversation.id).storage()? {
        let of_state = match state {
            CitationState::Applied => &mut coverage.listed,
            CitationState::Empty => &mut coverage.empty,
            CitationState::UnknownVersion => &mut coverage.unknown_version,
            CitationState::Invalid => &mut coverage.invalid,
            // An event that is tied to an answer names a message that is here.
            CitationState::UnknownMessage => continue,
        };
        *of_state = count(answers);
    }
    let apart = reader.count_citation_events_without_message(conversation.id).storage()?;
    coverage.without_message = count(apart);
    Ok(coverage)
}

/// Whether all that is held of a conversation are messages, so that citations are unknown rather than absent.
pub(crate) fn messages_only(reader: &Reader, id: ConversationId) -> Result<bool, Failure> {
    for source in reader.sources_of_conversation(id, HEAD_RECORDINGS).storage()? {
        let connections = reader.connections_of_source(source.id, 1).storage()?;
        if !connections.iter().any(|connection| connection.citations_unknown) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Citation events that no message shows, those apart that a later one replaced.
fn unplaced(reader: &Reader, id: ConversationId) -> Result<u32, Failure> {
    let page = reader.unplaced_citation_events(id, None, PAGE_ROWS).storage()?;
    let held = page.rows.iter().filter(|event| !replaced(event)).count();
    match page.next {
        // Beyond a page the exact number says nothing that the page does not.
        Some(_) => Ok(count(reader.count_unplaced_citation_events(id).storage()?)),
        None => Ok(count(held as u64)),
    }
}

fn recordings(reader: &Reader, id: ConversationId) -> Result<Vec<Recording>, Failure> {
    let sources = reader.sources_of_conversation(id, HEAD_RECORDINGS).storage()?;
    Ok(sources.into_iter().map(recording).collect())
}

fn recording(source: Source) -> Recording {
    Recording {
        id: source.id.to_string(),
        name: render::plain_line(&source.name),
        format: source.format,
        sha256: source.sha256.to_string(),
        bytes: source.size.to_string(),
        imported_at: rfc3339(source.imported_at),
    }
}

/// Sentences that a reader of the conversation must know.
pub(crate) fn notes(reader: &Reader, id: ConversationId) -> Result<Vec<String>, Failure> {
    let mut notes = Vec::new();
    if messages_only(reader, id)? {
        notes.push(
            "This copy holds messages only; whether the answers had citations is unknown."
                .to_owned(),
        );
    }
    let runs = reader.runs_from(id, 0, HEAD_RUNS).storage()?;
    if runs.iter().any(|run| run.compacted) {
        notes.push(
            "Compacted by its producer; the timing and the pieces of the texts are lost."
                .to_owned(),
        );
    }
    if runs.iter().any(|run| run.variant_of.is_some()) {
        notes.push(
            "A run is held more than once with different bytes; both recordings are shown."
                .to_owned(),
        );
    }
    let mut redacted = Vec::new();
    for source in reader.sources_of_conversation(id, HEAD_RECORDINGS).storage()? {
        for connection in reader.connections_of_source(source.id, PAGE_ROWS).storage()? {
            let groups: Vec<String> = connection
                .redacted
                .as_deref()
                .and_then(|list| serde_json::from_str(list).ok())
                .unwrap_or_default();
            redacted.extend(groups);
        }
        if let Some(left_out) = source.left_out {
            notes.push(format!(
                "{}: {left_out} left out on purpose.",
                render::plain_line(&source.name)
            ));
        }
    }
    redacted.sort();
    redacted.dedup();
    if !redacted.is_empty() {
        notes.push(format!(
            "Its recorder replaced {} before saving; citations may not be tied to the text.",
            render::plain_line(&redacted.join(", "))
        ));
    }
    Ok(notes)
}
