//! The code table of this crate.

use super::{Code, Severity};

/// The event has no readable object as its value.
pub static EVENT_VALUE: Code = Code {
    id: "moca.event.value",
    severity: Severity::Error,
    meaning: "The event has no readable object as its value.",
    rule: "seed §2",
    breaks: Some("2-value"),
};

/// The event's value is nested deeper than MAX_DEPTH levels and was not read.
pub static EVENT_TOO_DEEP: Code = Code {
    id: "moca.event.too-deep",
    severity: Severity::Error,
    meaning: "The event's value is nested deeper than MAX_DEPTH levels and was not read.",
    rule: "limit MAX_DEPTH",
    breaks: Some("2-value"),
};

/// The event has a version that this app does not know; it is kept and not shown.
pub static EVENT_VERSION_UNKNOWN: Code = Code {
    id: "moca.event.version-unknown",
    severity: Severity::Warning,
    meaning: "The event has a version that this app does not know; it is kept and not shown.",
    rule: "seed §2 value.version",
    breaks: Some("2-version"),
};

/// The event does not say its version.
pub static EVENT_VERSION_MISSING: Code = Code {
    id: "moca.event.version-missing",
    severity: Severity::Error,
    meaning: "The event does not say its version.",
    rule: "seed §2 value.version",
    breaks: Some("2-version"),
};

/// The event does not name its message by a text.
pub static EVENT_MESSAGE_ID: Code = Code {
    id: "moca.event.message-id",
    severity: Severity::Error,
    meaning: "The event does not name its message by a text.",
    rule: "seed §2 value.messageId",
    breaks: Some("2-message-id"),
};

/// The event names a message that the conversation does not have; it is kept and listed apart.
pub static EVENT_MESSAGE_UNKNOWN: Code = Code {
    id: "moca.event.message-unknown",
    severity: Severity::Warning,
    meaning: "The event names a message that the conversation does not have; it is kept and listed apart.",
    rule: "seed §4, fourth MUST",
    breaks: Some("2-message-id"),
};

/// The event has no list of citations.
pub static EVENT_CITATIONS: Code = Code {
    id: "moca.event.citations",
    severity: Severity::Error,
    meaning: "The event has no list of citations.",
    rule: "seed §2 value.citations",
    breaks: Some("2-citations"),
};

/// An entry of the list is not an object with a record.
pub static EVENT_ENTRY: Code = Code {
    id: "moca.event.entry",
    severity: Severity::Error,
    meaning: "An entry of the list is not an object with a record.",
    rule: "seed §2 value.citations[].record",
    breaks: Some("2-citations"),
};

/// The event lists more citations than MAX_CITATIONS; those after the limit are kept in the source and not shown.
pub static EVENT_TOO_MANY: Code = Code {
    id: "moca.event.too-many-citations",
    severity: Severity::Error,
    meaning: "The event lists more citations than MAX_CITATIONS; those after the limit are kept in the source and not shown.",
    rule: "limit MAX_CITATIONS",
    breaks: None,
};

/// The event has more faults than MAX_FINDINGS; the rest are not told one by one.
pub static EVENT_TOO_MANY_FINDINGS: Code = Code {
    id: "moca.event.too-many-findings",
    severity: Severity::Warning,
    meaning: "The event has more faults than MAX_FINDINGS; the rest are not told one by one.",
    rule: "limit MAX_FINDINGS",
    breaks: None,
};

/// The marker is not a text that can stand in an answer.
pub static EVENT_MARKER: Code = Code {
    id: "moca.event.marker",
    severity: Severity::Warning,
    meaning: "The marker is not a text that can stand in an answer.",
    rule: "seed §2 value.citations[].marker",
    breaks: Some("2-marker"),
};

/// One marker is given to two different sources.
pub static EVENT_MARKER_SHARED: Code = Code {
    id: "moca.event.marker-shared",
    severity: Severity::Warning,
    meaning: "One marker is given to two different sources.",
    rule: "seed §2 value.citations[].marker",
    breaks: Some("2-marker"),
};

/// The answer does not have the marker outside code.
pub static EVENT_MARKER_NOT_IN_TEXT: Code = Code {
    id: "moca.event.marker-not-in-text",
    severity: Severity::Warning,
    meaning: "The answer does not have the marker outside code.",
    rule: "seed §2 value.citations[].marker",
    breaks: Some("2-marker"),
};

/// computedAt is not a text.
pub static EVENT_COMPUTED_AT: Code = Code {
    id: "moca.event.computed-at",
    severity: Severity::Warning,
    meaning: "computedAt is not a text.",
    rule: "seed §2 value.computedAt",
    breaks: Some("2-computed-at"),
};

/// The service did not say when its Reader computed the records.
pub static EVENT_COMPUTED_AT_MISSING: Code = Code {
    id: "moca.event.computed-at-missing",
    severity: Severity::Info,
    meaning: "The service did not say when its Reader computed the records.",
    rule: "seed §2 value.computedAt (optional)",
    breaks: None,
};

/// computedAt cannot be read as an RFC 3339 date-time.
pub static EVENT_COMPUTED_AT_UNREADABLE: Code = Code {
    id: "moca.event.computed-at-unreadable",
    severity: Severity::Warning,
    meaning: "computedAt cannot be read as an RFC 3339 date-time.",
    rule: "seed §2 value.computedAt",
    breaks: Some("2-computed-at"),
};

/// computedAt is a date without a time of day; read as midnight UTC.
pub static EVENT_COMPUTED_AT_DATE_ONLY: Code = Code {
    id: "moca.event.computed-at-date-only",
    severity: Severity::Warning,
    meaning: "computedAt is a date without a time of day; read as midnight UTC.",
    rule: "seed §2 value.computedAt",
    breaks: Some("2-computed-at"),
};

/// computedAt has no offset; read as UTC.
pub static EVENT_COMPUTED_AT_NO_OFFSET: Code = Code {
    id: "moca.event.computed-at-without-offset",
    severity: Severity::Warning,
    meaning: "computedAt has no offset; read as UTC.",
    rule: "seed §2 value.computedAt",
    breaks: Some("2-computed-at"),
};

/// computedAt lies after the event was received.
pub static EVENT_COMPUTED_AT_FUTURE: Code = Code {
    id: "moca.event.computed-at-future",
    severity: Severity::Warning,
    meaning: "computedAt lies after the event was received.",
    rule: "seed §2 value.computedAt",
    breaks: Some("2-computed-at"),
};

/// An attested review is dated after computedAt.
pub static EVENT_REVIEW_LATER: Code = Code {
    id: "moca.event.review-after-computed",
    severity: Severity::Warning,
    meaning: "An attested review is dated after the records were computed; it is not shown as approval.",
    rule: "seed §2 value.computedAt",
    breaks: None,
};

/// The event has a member that this app does not know.
pub static EVENT_UNKNOWN_MEMBER: Code = Code {
    id: "moca.event.unknown-member",
    severity: Severity::Info,
    meaning: "The event has a member that this app does not know.",
    rule: "facts/moca-reader §13.2",
    breaks: None,
};

/// The record breaks the citation record schema; it is shown as invalid, without its trust.
pub static RECORD_INVALID: Code = Code {
    id: "moca.record.invalid",
    severity: Severity::Error,
    meaning: "The record breaks the citation record schema; it is shown as invalid, without its trust.",
    rule: "facts/moca-reader §7.1",
    breaks: Some("2-record-schema"),
};

/// The record has a member that is newer than this app knows.
pub static RECORD_UNKNOWN_MEMBER: Code = Code {
    id: "moca.record.unknown-member",
    severity: Severity::Info,
    meaning: "The record has a member that is newer than this app knows.",
    rule: "facts/moca-reader §7.1",
    breaks: Some("2-record-unknown-member"),
};

/// The record has no node.ref, as older services send it; it was rebuilt from package and path.
pub static RECORD_REF_REBUILT: Code = Code {
    id: "moca.record.ref-rebuilt",
    severity: Severity::Warning,
    meaning: "The record has no node.ref, as older services send it; it was rebuilt from package and path.",
    rule: "facts/moca-reader §7.1",
    breaks: Some("2-record-schema"),
};

/// The record contradicts itself about which node it is of.
pub static RECORD_INCONSISTENT_REF: Code = Code {
    id: "moca.record.inconsistent-ref",
    severity: Severity::Error,
    meaning: "The record contradicts itself about which node it is of.",
    rule: "facts/moca-reader §13.3",
    breaks: Some("record-inconsistent-ref"),
};

/// The record's span ends before it starts or lies beyond any file.
pub static RECORD_INCONSISTENT_SPAN: Code = Code {
    id: "moca.record.inconsistent-span",
    severity: Severity::Warning,
    meaning: "The record's span ends before it starts or lies beyond any file.",
    rule: "facts/moca-reader §13.3",
    breaks: Some("record-inconsistent-span"),
};

/// The record's trust values contradict each other.
pub static RECORD_INCONSISTENT_TRUST: Code = Code {
    id: "moca.record.inconsistent-trust",
    severity: Severity::Warning,
    meaning: "The record's trust values contradict each other.",
    rule: "facts/moca-reader §5.3, §4.8",
    breaks: None,
};

/// A date of the record cannot be read.
pub static RECORD_TIME_UNREADABLE: Code = Code {
    id: "moca.record.time-unreadable",
    severity: Severity::Warning,
    meaning: "A date of the record cannot be read.",
    rule: "facts/moca-reader §7.4",
    breaks: None,
};

/// A time of the record has no offset; read as UTC.
pub static RECORD_TIME_NO_OFFSET: Code = Code {
    id: "moca.record.time-without-offset",
    severity: Severity::Info,
    meaning: "A time of the record has no offset; read as UTC.",
    rule: "facts/moca-reader §7.4",
    breaks: None,
};

/// The event came before the end of its message.
pub static DUTY_BEFORE_MESSAGE_END: Code = Code {
    id: "moca.duty.before-message-end",
    severity: Severity::Warning,
    meaning: "The event came before the end of its message.",
    rule: "seed §3, first duty",
    breaks: Some("3.1-before-message-end"),
};

/// The event came after the end of its run.
pub static DUTY_AFTER_RUN_FINISHED: Code = Code {
    id: "moca.duty.after-run-finished",
    severity: Severity::Warning,
    meaning: "The event came after the end of its run.",
    rule: "seed §3, first duty",
    breaks: Some("3.1-after-run-finished"),
};

/// The answer mentions the source neither by marker nor by reference.
pub static DUTY_NOT_CITED: Code = Code {
    id: "moca.duty.not-cited",
    severity: Severity::Warning,
    meaning: "The answer mentions the source neither by marker nor by reference.",
    rule: "seed §3, second duty",
    breaks: Some("3.2-not-cited"),
};

/// No tool result of the run holds the node.
pub static DUTY_NOT_RETURNED: Code = Code {
    id: "moca.duty.not-returned-in-run",
    severity: Severity::Warning,
    meaning: "No tool result of the run holds the node.",
    rule: "seed §3, second duty",
    breaks: Some("3.2-not-returned-in-run"),
};

/// The record differs from the one in the run's tool results in more than a left-out text.
pub static DUTY_RECORD_CHANGED: Code = Code {
    id: "moca.duty.record-changed",
    severity: Severity::Warning,
    meaning: "The record differs from the one in the run's tool results in more than a left-out text.",
    rule: "seed §3, third duty",
    breaks: Some("3.3-record-changed"),
};

/// The citations are not in the order of their first mention.
pub static DUTY_ORDER: Code = Code {
    id: "moca.duty.order",
    severity: Severity::Warning,
    meaning: "The citations are not in the order of their first mention.",
    rule: "seed §3, fourth duty",
    breaks: Some("3.4-order"),
};

/// The same node and span is listed twice.
pub static DUTY_DUPLICATE: Code = Code {
    id: "moca.duty.duplicate",
    severity: Severity::Warning,
    meaning: "The same node and span is listed twice.",
    rule: "seed §3, fourth duty",
    breaks: Some("3.4-duplicate"),
};

/// Another event for the same message says something else; both are kept, and of one run the later is shown.
pub static DUTY_SECOND_EVENT: Code = Code {
    id: "moca.duty.second-event",
    severity: Severity::Warning,
    meaning: "Another event for the same message says something else; both are kept, and of one run the later is shown.",
    rule: "seed §2, facts/moca-reader §13.2",
    breaks: None,
};

/// The same event for the same message was sent again; it is shown once.
pub static DUTY_REPEATED_EVENT: Code = Code {
    id: "moca.duty.repeated-event",
    severity: Severity::Info,
    meaning: "The same event for the same message was sent again; it is shown once.",
    rule: "facts/agui §8.3",
    breaks: None,
};

/// The service sends citation events but sent none for this answer.
pub static DUTY_NO_EVENT: Code = Code {
    id: "moca.duty.no-event",
    severity: Severity::Info,
    meaning: "The service sends citation events but sent none for this answer.",
    rule: "seed §3, fifth duty (SHOULD)",
    breaks: None,
};

/// Every code of this crate, in the order of the documents.
pub static CODES: &[&Code] = &[
    &EVENT_VALUE,
    &EVENT_TOO_DEEP,
    &EVENT_VERSION_UNKNOWN,
    &EVENT_VERSION_MISSING,
    &EVENT_MESSAGE_ID,
    &EVENT_MESSAGE_UNKNOWN,
    &EVENT_CITATIONS,
    &EVENT_ENTRY,
    &EVENT_TOO_MANY,
    &EVENT_TOO_MANY_FINDINGS,
    &EVENT_MARKER,
    &EVENT_MARKER_SHARED,
    &EVENT_MARKER_NOT_IN_TEXT,
    &EVENT_COMPUTED_AT,
    &EVENT_COMPUTED_AT_MISSING,
    &EVENT_COMPUTED_AT_UNREADABLE,
    &EVENT_COMPUTED_AT_DATE_ONLY,
    &EVENT_COMPUTED_AT_NO_OFFSET,
    &EVENT_COMPUTED_AT_FUTURE,
    &EVENT_REVIEW_LATER,
    &EVENT_UNKNOWN_MEMBER,
    &RECORD_INVALID,
    &RECORD_UNKNOWN_MEMBER,
    &RECORD_REF_REBUILT,
    &RECORD_INCONSISTENT_REF,
    &RECORD_INCONSISTENT_SPAN,
    &RECORD_INCONSISTENT_TRUST,
    &RECORD_TIME_UNREADABLE,
    &RECORD_TIME_NO_OFFSET,
    &DUTY_BEFORE_MESSAGE_END,
    &DUTY_AFTER_RUN_FINISHED,
    &DUTY_NOT_CITED,
    &DUTY_NOT_RETURNED,
    &DUTY_RECORD_CHANGED,
    &DUTY_ORDER,
    &DUTY_DUPLICATE,
    &DUTY_SECOND_EVENT,
    &DUTY_REPEATED_EVENT,
    &DUTY_NO_EVENT,
];
