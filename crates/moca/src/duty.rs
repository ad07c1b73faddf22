//! What a service owes with its event (`seed §2–§3`), checked against the conversation around it.

mod mention;
mod tool_record;

pub use mention::{MAX_MENTIONS, Mention, mentions};
pub(crate) use tool_record::Shows;
pub use tool_record::ToolRecords;

use std::collections::HashSet;

use crate::event::{Citation, CitationEvent};
use crate::finding::{self, Finding};
use crate::record::{CitationKey, Reading};
use crate::text::{quoted, shown};
use crate::time::{CLOCK_SKEW_MILLIS, Instant, StatedTime};

/// What the conversation shows around one event.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The whole text of the answer that the event names; `None` when it is not held.
    pub answer_text: Option<&'a str>,
    /// The message had ended when the event came (TEXT_MESSAGE_END seen, or closed by the rules of chunks).
    pub message_ended: bool,
    /// The run was over, or none was open, when the event came.
    pub run_finished: bool,
    /// [`CitationEvent::content_sha256`] of the earlier events for the same message.
    pub earlier_events: &'a [String],
    /// What the tool results of the run show.
    pub tool_records: &'a ToolRecords,
    /// When the event was received, by the recording.
    pub received_at: Option<Instant>,
}

/// Checks one event, in the order of the seed. Nothing of an event of unknown version or with an unusable value is judged.
#[must_use]
pub fn check(event: &CitationEvent, context: &Context<'_>) -> Vec<Finding> {
    let citations = match event {
        CitationEvent::UnknownVersion(_) => return Vec::new(),
        CitationEvent::Invalid(invalid) if invalid.citations.is_empty() => return Vec::new(),
        _ => event.citations(),
    };
    let mut found = Vec::new();
    time(event, context, &mut found);
    reviews(event, &mut found);
    placing(context, &mut found);
    repetition(event, context, &mut found);
    if let Some(answer) = context.answer_text {
        in_answer(citations, answer, &mut found);
    }
    in_run(citations, context.tool_records, &mut found);
    duplicates(citations, &mut found);
    found
}

/// The finding of an answer that no event names, of a service that sends them (`seed §3`, fifth duty, SHOULD).
#[must_use]
pub fn no_event(message_id: &str) -> Finding {
    let message = format!("No citation event names the answer {}.", quoted(message_id));
    Finding::new(&finding::DUTY_NO_EVENT, "", message)
}

fn time(event: &CitationEvent, context: &Context<'_>, found: &mut Vec<Finding>) {
    let Some((stated, at)) = event.computed_at().and_then(|s| Some((s, s.instant()?))) else {
        return;
    };
    if let Some(received) = context.received_at
        && at > received.plus(CLOCK_SKEW_MILLIS)
    {
        let message = format!(
            "computedAt {} lies after the event was received, {}.",
            quoted(stated.text()),
            received.moment()
        );
        found.push(Finding::new(&finding::EVENT_COMPUTED_AT_FUTURE, "/computedAt", message));
    }
}

/// A review that is dated after the record was computed: one of the two times is wrong.
fn reviews(event: &CitationEvent, found: &mut Vec<Finding>) {
    let Some(computed) = event.computed_at().and_then(StatedTime::instant) else { return };
    for (index, citation) in event.citations().iter().enumerate() {
        let Some(record) = citation.record.valid() else { continue };
        for (number, review) in record.trust.reviews.iter().enumerate() {
            if review.is_after(computed) {
                let message = format!(
                    "The review of {} is dated {}, after the records were computed.",
                    quoted(&review.reviewer),
                    quoted(review.reviewed_at.text())
                );
                let path = format!("/record/trust/attestedReviews/{number}/reviewedAt");
                found.push(Finding::of_citation(
                    &finding::EVENT_REVIEW_LATER,
                    index,
                    &path,
                    message,
                ));
            }
        }
    }
}

fn placing(context: &Context<'_>, found: &mut Vec<Finding>) {
    if !context.message_ended {
        let message = "The event came before the end of its message.";
        found.push(Finding::new(&finding::DUTY_BEFORE_MESSAGE_END, "", message));
    }
    if context.run_finished {
        let message = "The event came after the end of its run.";
        found.push(Finding::new(&finding::DUTY_AFTER_RUN_FINISHED, "", message));
    }
}

fn repetition(event: &CitationEvent, context: &Context<'_>, found: &mut Vec<Finding>) {
    if context.earlier_events.is_empty() {
        return;
    }
    let (code, message) = if context.earlier_events.contains(&event.content_sha256()) {
        (&finding::DUTY_REPEATED_EVENT, "The same event was sent before.")
    } else {
        (&finding::DUTY_SECOND_EVENT, "Another event for the same message said something else.")
    };
    found.push(Finding::new(code, "/messageId", message));
}

/// Marker, mention and order: what the answer's text shows.
fn in_answer(citations: &[Citation], answer: &str, found: &mut Vec<Finding>) {
    let texts: Vec<[Option<&str>; 2]> = citations
        .iter()
        .map(|citation| [citation.marker.as_deref(), citation.record.node_ref()])
        .collect();
    let flat: Vec<Option<&str>> = texts.iter().flatten().copied().collect();
    let places = mentions(answer, &flat);
    let mut latest = None;
    for (index, pair) in places.chunks_exact(2).enumerate() {
        let [marker, reference] = pair else { continue };
        if let Some(text) = texts[index][0]
            && marker.is_empty()
        {
            let message = format!("The answer does not have the marker {}.", quoted(text));
            found.push(Finding::of_citation(
                &finding::EVENT_MARKER_NOT_IN_TEXT,
                index,
                "/marker",
                message,
            ));
        }
        let first = marker.iter().chain(reference).map(|mention| mention.bytes.start).min();
        let Some(first) = first else {
            let message = format!(
                "The answer mentions {} neither by marker nor by reference.",
                named(&citations[index])
            );
            found.push(Finding::of_citation(&finding::DUTY_NOT_CITED, index, "", message));
            continue;
        };
        if latest.is_some_and(|latest| first < latest) {
            let message = format!(
                "{} is mentioned before a source that is listed before it.",
                named(&citations[index])
            );
            found.push(Finding::of_citation(&finding::DUTY_ORDER, index, "", message));
        }
        latest = latest.max(Some(first));
    }
}

/// What the tool results of the run show; where they show no record at all there is nothing to compare with.
fn in_run(citations: &[Citation], tools: &ToolRecords, found: &mut Vec<Finding>) {
    if tools.is_empty() {
        return;
    }
    for (index, citation) in citations.iter().enumerate() {
        let Some(node_ref) = citation.record.node_ref() else { continue };
        if !tools.returned(node_ref) {
            let message = format!("No tool result of the run has {}.", named(citation));
            found.push(Finding::of_citation(
                &finding::DUTY_NOT_RETURNED,
                index,
                "/record",
                message,
            ));
        } else if let Some(changed) = tools.changed(node_ref, &citation.record) {
            let message = format!(
                "The record of {} differs from the one in the run’s tool results: {}.",
                named(citation),
                list(&changed)
            );
            found.push(Finding::of_citation(
                &finding::DUTY_RECORD_CHANGED,
                index,
                "/record",
                message,
            ));
        }
    }
}

fn duplicates(citations: &[Citation], found: &mut Vec<Finding>) {
    let mut seen = HashSet::new();
    for (index, citation) in citations.iter().enumerate() {
        let Reading::Valid(record) = &citation.record else { continue };
        let key: CitationKey = record.key();
        if !seen.insert((key, record.span)) {
            let message =
                format!("Listed before, with the same span: {}.", named(&citations[index]));
            found.push(Finding::of_citation(&finding::DUTY_DUPLICATE, index, "/record", message));
        }
    }
}

/// A source as a sentence names it: its title and its reference, as far as it has them.
fn named(citation: &Citation) -> String {
    let title = citation.record.valid().and_then(|record| record.node.title.as_deref());
    match (title.filter(|title| !title.trim().is_empty()), citation.record.node_ref()) {
        (Some(title), Some(node_ref)) => format!("“{}” ({})", shown(title), quoted(node_ref)),
        (Some(title), None) => format!("“{}”", shown(title)),
        (None, Some(node_ref)) => quoted(node_ref),
        (None, None) => "a source without a reference".to_owned(),
    }
}

/// Fields told one by one; the record itself has them all.
const MOST_FIELDS: usize = 5;

fn list(fields: &[String]) -> String {
    let told: Vec<String> = fields.iter().take(MOST_FIELDS).map(|field| quoted(field)).collect();
    match fields.len().saturating_sub(MOST_FIELDS) {
        0 => told.join(", "),
        more => format!("{} and {more} more", told.join(", ")),
    }
}
