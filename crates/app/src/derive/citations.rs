//! Citation events: read, tied to their message, checked against what the service owes (seed §2–§4), written.

use std::collections::BTreeMap;

use agui::{
    container::Connection,
    fold::{Changes, CitationValue, HeldCitation, MessageKey, Origin, Resolved, Role, RunKey, Via},
    runs::Ending,
};
use archive::{
    Batch, CitationEventId, CitationState, MessageId, NewCitation, NewCitationEvent, NewFinding,
    RunId, Severity, Sha256,
};
use moca::{
    duty::{self, ToolRecords},
    event::{self, CitationEvent},
};

use super::{
    Facts,
    folding::{Folding, Uncited},
    record::{micros, moca_instant, record_row},
    when,
    words::alias_reason,
};
use crate::{contract::Failure, failure::Storage};

impl Folding {
    /// Writes the citation events of a flush and what is wrong with them; gives their number.
    pub(super) fn write_citations(
        &mut self,
        batch: &mut Batch,
        facts: &Facts,
        connections: &[Connection],
        changes: &Changes,
    ) -> Result<u64, Failure> {
        self.note.cites |= !changes.citations.is_empty();
        let tools = tool_records(changes);
        let none = ToolRecords::default();
        for held in &changes.citations {
            let began = changes
                .runs
                .iter()
                .find(|run| run.key == held.run)
                .and_then(|run| connections.get(run.connection as usize))
                .and_then(|connection| connection.started_at.as_deref());
            let received = when::received(held.arrival.as_ref(), began);
            let tools = tools.get(&held.run).unwrap_or(&none);
            self.write_event(batch, facts, changes, held, tools, received)?;
        }
        self.note_answers_without_event(batch, facts, changes)?;
        Ok(changes.citations.len() as u64)
    }

    fn write_event(
        &mut self,
        batch: &mut Batch,
        facts: &Facts,
        changes: &Changes,
        held: &HeldCitation,
        tools: &ToolRecords,
        received: Option<archive::Instant>,
    ) -> Result<(), Failure> {
        let run = self
            .run(batch, Some(held.run))?
            .ok_or_else(|| Failure::internal("A citation event names a run that has no row"))?;
        // An event without a value is read like one whose value is null: it has none of the members it must have.
        let parsed = match &held.value {
            CitationValue::Exact(json) => event::parse(json),
            CitationValue::Missing => event::parse("null"),
            CitationValue::Unsure(why) => event::unreliable(held.message_id.as_deref(), why),
        };
        let mut findings = parsed.findings;
        let event = parsed.event;
        let found =
            event.message_id().and_then(|id| self.thread.find_assistant(id, Some(held.run)));
        let state = state(&event, found);
        let message = found.map(|found| self.message(batch, found.message)).transpose()?;
        let shown = found.is_some() && state != CitationState::UnknownVersion;
        let earlier = match message.filter(|_| shown) {
            Some(message) => self.hide_earlier(batch, message)?,
            None => Vec::new(),
        };
        match (state, event.message_id()) {
            (CitationState::UnknownVersion, _) => {}
            // Without its message there is nothing to hold the rest of the event against.
            (_, Some(id)) if found.is_none() => findings.push(event::unknown_message(id)),
            _ => {
                let text = match found {
                    Some(found) => self.answer_text(batch, changes, found.message)?,
                    None => None,
                };
                let context = duty::Context {
                    answer_text: text.as_deref(),
                    message_ended: held.message_ended,
                    run_finished: held.run_finished,
                    earlier_events: &earlier,
                    tool_records: tools,
                    received_at: Some(moca_instant(received.unwrap_or(facts.imported_at))),
                };
                findings.extend(duty::check(&event, &context));
            }
        }
        let id = self.insert_event(
            batch, facts, held, run, &event, state, message, found, shown, received,
        )?;
        for finding in &findings {
            let at = Some(held.at.clone());
            self.insert_finding(
                batch,
                facts,
                Some(run),
                message,
                Some(id),
                finding,
                held.event,
                at,
            )?;
        }
        Ok(())
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "the columns of one row; a struct would only rename them"
    )]
    fn insert_event(
        &self,
        batch: &mut Batch,
        facts: &Facts,
        held: &HeldCitation,
        run: RunId,
        event: &CitationEvent,
        state: CitationState,
        message: Option<MessageId>,
        found: Option<Resolved>,
        shown: bool,
        received: Option<archive::Instant>,
    ) -> Result<CitationEventId, Failure> {
        let version = match event {
            CitationEvent::UnknownVersion(unknown) => Some(unknown.version.as_str()),
            _ => None,
        };
        let computed = event.computed_at();
        let row = NewCitationEvent {
            source: facts.source,
            run,
            conversation: self.conversation,
            message,
            stated_message_id: event.message_id(),
            found_by: found.map(found_by),
            state,
            version,
            computed: computed.map(moca::StatedTime::text),
            computed_at: computed.and_then(moca::StatedTime::instant).map(micros),
            received_at: received,
            canonical_sha256: Sha256::from_hex(&event.content_sha256()),
            reasons: None,
            shown,
            event: held.event,
            at: held.at.clone(),
        };
        let id = batch.insert_citation_event(&row).storage()?;
        for (number, citation) in event.citations().iter().enumerate() {
            let record = record_row(batch, &citation.record)?;
            let row = NewCitation {
                event: id,
                number: u32::try_from(number).unwrap_or(u32::MAX),
                record: Some(record),
                marker: citation.marker.as_deref(),
                reason: None,
            };
            batch.insert_citation(&row).storage()?;
        }
        Ok(id)
    }

    /// A later event for a message is the one that is shown; the earlier ones are kept. Gives what they said.
    fn hide_earlier(&self, batch: &mut Batch, message: MessageId) -> Result<Vec<String>, Failure> {
        let mut contents = Vec::new();
        for earlier in batch.citation_events_of_message(message).storage()? {
            batch.set_shown(earlier.id, false).storage()?;
            contents.extend(earlier.canonical_sha256.map(|sha256| sha256.to_string()));
        }
        Ok(contents)
    }

    /// Where a service sends citation events, an answer without one is a finding (seed §3, fifth duty), once its run has
    /// come to where the event is due.
    fn note_answers_without_event(
        &mut self,
        batch: &mut Batch,
        facts: &Facts,
        changes: &Changes,
    ) -> Result<(), Failure> {
        for message in &changes.messages {
            let answer = message.role == Role::Assistant
                && message.text_at == 0
                && !message.text.trim().is_empty();
            if let (true, Origin::Stream, Some(run)) = (answer, message.origin, message.run) {
                let first_event = message.first_event.unwrap_or_default();
                self.uncited
                    .insert(message.key, Uncited { run, id: message.id.clone(), first_event });
            }
            // An answer that was cut off never came to the place where its event is due.
            if !message.ended.is_ended() {
                self.uncited.remove(&message.key);
            }
        }
        for held in &changes.citations {
            let named = held
                .message_id
                .as_deref()
                .and_then(|id| self.thread.find_assistant(id, Some(held.run)));
            if let Some(found) = named {
                self.uncited.remove(&found.message);
            }
        }
        let over: BTreeMap<RunKey, &Ending> =
            changes.runs.iter().filter_map(|run| Some((run.key, run.ending.as_ref()?))).collect();
        let due: Vec<MessageKey> = self
            .uncited
            .iter()
            .filter(|(_, held)| over.contains_key(&held.run))
            .map(|(key, _)| *key)
            .collect();
        for key in due {
            let Some(Uncited { run, id, first_event }) = self.uncited.remove(&key) else {
                continue;
            };
            let came_to_its_end =
                matches!(over.get(&run), Some(Ending::Finished | Ending::Interrupted));
            if self.note.cites && came_to_its_end {
                let (run, row) = (self.run(batch, Some(run))?, self.message(batch, key)?);
                self.insert_finding(
                    batch,
                    facts,
                    run,
                    Some(row),
                    None,
                    &duty::no_event(&id),
                    first_event,
                    None,
                )?;
            }
        }
        Ok(())
    }

    /// Text of an answer: from this flush, else from the archive.
    fn answer_text(
        &mut self,
        batch: &Batch,
        changes: &Changes,
        key: MessageKey,
    ) -> Result<Option<String>, Failure> {
        match changes.messages.iter().find(|message| message.key == key && message.text_at == 0) {
            Some(message) => Ok(Some(message.text.clone())),
            None => batch.message_text(self.message(batch, key)?).storage().map(Some),
        }
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "the columns of one row; a struct would only rename them"
    )]
    fn insert_finding(
        &self,
        batch: &mut Batch,
        facts: &Facts,
        run: Option<RunId>,
        message: Option<MessageId>,
        citation_event: Option<CitationEventId>,
        finding: &moca::Finding,
        event: u64,
        at: Option<std::ops::Range<u64>>,
    ) -> Result<(), Failure> {
        let row = NewFinding {
            source: facts.source,
            conversation: Some(self.conversation),
            run,
            message,
            citation_event,
            code: finding.code.id,
            severity: match finding.code.severity {
                moca::Severity::Info => Severity::Info,
                moca::Severity::Warning => Severity::Warning,
                moca::Severity::Error => Severity::Error,
            },
            text: &finding.message,
            event: Some(event),
            at,
            excerpt: None,
            times: 1,
        };
        batch.insert_finding(&row).storage().map(drop)
    }
}

/// First match counts: version, shape, message, list.
fn state(event: &CitationEvent, found: Option<Resolved>) -> CitationState {
    match event {
        CitationEvent::UnknownVersion(_) => CitationState::UnknownVersion,
        CitationEvent::Invalid(_) => CitationState::Invalid,
        _ if found.is_none() => CitationState::UnknownMessage,
        CitationEvent::Empty(_) => CitationState::Empty,
        CitationEvent::Applied(_) => CitationState::Applied,
    }
}

fn found_by(found: Resolved) -> &'static str {
    match found.via {
        Via::Id => "id",
        Via::Alias(reason) => alias_reason(reason),
    }
}

/// What the tools of each run returned, as far as this flush shows it.
fn tool_records(changes: &Changes) -> BTreeMap<RunKey, ToolRecords> {
    let mut records: BTreeMap<RunKey, ToolRecords> = BTreeMap::new();
    if changes.citations.is_empty() {
        return records;
    }
    for message in changes.messages.iter().filter(|message| message.role == Role::Tool) {
        if let Some(run) = message.run {
            records.entry(run).or_default().add(&message.text);
        }
    }
    records
}
