//! Citation events: read, tied to their message, checked against what the service owes (seed §2–§4), written.

use std::borrow::Cow;
use std::collections::btree_map::Entry;

use agui::fold::{Changes, HeldCitation, MessageKey, Resolved, Via};
use archive::{
    Batch, CitationEventId, CitationState, MessageId, NewCitation, NewCitationEvent, NewFinding,
    RunId, Severity, Sha256,
};
use moca::{
    duty::{self, Earlier, ToolRecords},
    event::{self, CitationEvent},
};

use super::{
    Facts,
    record::{micros, moca_instant, record_row},
    thread_rows::{Said, ThreadRows},
    when,
    words::alias_reason,
    work::{Cited, Flush, Uncited},
};
use crate::{contract::Failure, failure::Storage};

/// Events of one message whose markers are looked for in its text; a service sends one.
const MAX_READ_AGAINST_TEXT: usize = 16;

impl ThreadRows {
    /// Writes the citation events of a flush and what is wrong with them.
    pub(super) fn write_citations(
        &mut self,
        batch: &mut Batch,
        facts: &Facts,
        flush: &Flush,
    ) -> Result<(), Failure> {
        let none = ToolRecords::default();
        for cited in &flush.cited {
            let began = flush.began.get(&cited.held.run).map(String::as_str);
            let received = when::received(cited.held.arrival.as_ref(), began);
            let tools = flush.tools.get(&cited.held.run).unwrap_or(&none);
            self.write_event(batch, facts, &flush.changes, cited, tools, received)?;
        }
        for Uncited { message, run, id, first_event } in &flush.without_event {
            let (run, row) = (self.run(batch, Some(*run))?, self.message(batch, *message)?);
            let finding = duty::no_event(id);
            self.insert_finding(batch, facts, run, Some(row), None, &finding, *first_event, None)?;
        }
        Ok(())
    }

    fn write_event(
        &mut self,
        batch: &mut Batch,
        facts: &Facts,
        changes: &Changes,
        cited: &Cited,
        tools: &ToolRecords,
        received: Option<archive::Instant>,
    ) -> Result<(), Failure> {
        let Cited { held, parsed, found } = cited;
        let event = &parsed.event;
        let mut findings = parsed.findings.clone();
        let run = self
            .run(batch, Some(held.run))?
            .ok_or_else(|| Failure::internal("A citation event names a run that has no row"))?;
        let found = self.within_reach(batch, facts, run, *found)?;
        let state = state(event, found);
        let message = found.map(|found| self.message(batch, found.message)).transpose()?;
        let content = Sha256::from_hex(&event.content_sha256());
        let (mut earlier, mut events) = (Earlier::None, 0);
        let mut shown = false;
        if let Some(message) = message.filter(|_| state != CitationState::UnknownVersion) {
            let said = self.said(batch, message)?;
            events = said.events;
            if said.events > 0 {
                let same = content.is_some_and(|sha256| said.contents.contains(&sha256));
                earlier = if same { Earlier::Same } else { Earlier::Other };
            }
            // A later event of the same run is the one that is shown. One of another run never takes its place: what a
            // run said of its answer is not for others to unsay.
            shown = said.shown.is_none_or(|(_, by)| by == run);
            if let Some((replaced, _)) = said.shown.filter(|_| shown) {
                batch.set_shown(replaced, false).storage()?;
            }
        }
        match (state, event.message_id()) {
            (CitationState::UnknownVersion, _) => {}
            // Without its message there is nothing to hold the rest of the event against.
            (_, Some(id)) if found.is_none() => findings.push(event::unknown_message(id)),
            _ => {
                let text = found
                    .filter(|_| events < MAX_READ_AGAINST_TEXT)
                    .map(|found| self.answer_text(batch, changes, found.message))
                    .transpose()?;
                let context = duty::Context {
                    answer_text: text.as_deref(),
                    message_ended: held.message_ended,
                    run_finished: held.run_finished,
                    earlier,
                    tool_records: tools,
                    received_at: Some(moca_instant(received.unwrap_or(facts.imported_at))),
                };
                findings.extend(duty::check(event, &context));
            }
        }
        let id = self.insert_event(
            batch, facts, held, run, event, content, state, message, found, shown, received,
        )?;
        if let Some(message) = message.filter(|_| state != CitationState::UnknownVersion) {
            let said = self.said(batch, message)?;
            said.events += 1;
            said.contents.extend(content);
            if shown {
                said.shown = Some((id, run));
            }
        }
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
        content: Option<Sha256>,
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
            canonical_sha256: content,
            reasons: None,
            shown,
            citations: u32::try_from(event.citations().len()).unwrap_or(u32::MAX),
            event: held.event,
            at: held.at.clone(),
        };
        let id = batch.insert_citation_event(&row).storage()?;
        for (number, citation) in event.citations().iter().enumerate() {
            let record = record_row(batch, &citation.record)?;
            let row = NewCitation {
                event: id,
                conversation: self.conversation,
                number: u32::try_from(number).unwrap_or(u32::MAX),
                record: Some(record),
                marker: citation.marker.as_deref(),
                reason: None,
            };
            batch.insert_citation(&row).storage()?;
        }
        Ok(id)
    }

    /// The message that an event may speak of: one of its own recording or run. A recording that merely names another's
    /// run as its parent cannot put sources on that run's answers.
    fn within_reach(
        &mut self,
        batch: &Batch,
        facts: &Facts,
        run: RunId,
        found: Option<Resolved>,
    ) -> Result<Option<Resolved>, Failure> {
        let Some(named) = found else { return Ok(None) };
        let message = self.message(batch, named.message)?;
        let (source, of_run) = batch.message_home(message).storage()?;
        Ok(found.filter(|_| source == facts.source || of_run == Some(run)))
    }

    /// What was said of a message before.
    fn said(&mut self, batch: &Batch, message: MessageId) -> Result<&mut Said, Failure> {
        match self.said.entry(message) {
            Entry::Occupied(held) => Ok(held.into_mut()),
            Entry::Vacant(vacant) => {
                let mut said = Said::default();
                for earlier in batch.citation_events_of_message(message).storage()? {
                    said.events += 1;
                    said.contents.extend(earlier.canonical_sha256);
                    if earlier.shown {
                        said.shown = Some((earlier.id, earlier.run));
                    }
                }
                Ok(vacant.insert(said))
            }
        }
    }

    /// Text of an answer: from this flush, else from the archive.
    fn answer_text<'c>(
        &mut self,
        batch: &Batch,
        changes: &'c Changes,
        key: MessageKey,
    ) -> Result<Cow<'c, str>, Failure> {
        match changes.messages.iter().find(|message| message.key == key && message.text_at == 0) {
            Some(message) => Ok(Cow::Borrowed(&message.text)),
            None => batch.message_text(self.message(batch, key)?).storage().map(Cow::Owned),
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
