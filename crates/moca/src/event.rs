//! The `moca.citations` event (`seed §2`): parse, don't validate.

mod entries;
mod found;

use entries::Citations;
use found::Findings;

use crate::Memo;
use crate::finding::{self, Finding};
use crate::json::{self, JsonError, Node};
use crate::record::{self, Reading};
use crate::text;
use crate::time::{StatedTime, TimeReading};

/// `name` of the CUSTOM event.
pub const EVENT_NAME: &str = "moca.citations";

/// Most citations of one event that are read; an answer cites a handful.
pub const MAX_CITATIONS: usize = 10_000;

/// Longest marker, in bytes: `[1]` has three, a node reference used as one has a few dozen.
pub const MAX_MARKER: usize = 1_024;

/// Most findings told of one event.
pub const MAX_FINDINGS: usize = 1_000;

/// An event as parsed, and what was found on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The event.
    pub event: CitationEvent,
    /// Findings, with JSON Pointers into `value`.
    pub findings: Vec<Finding>,
}

/// The states that the value alone decides. That its message is unknown is for the host to say ([`unknown_message`]).
#[derive(Debug, Clone, PartialEq)]
pub enum CitationEvent {
    /// `version` is there and is not 1: ignored for display, kept, named (`seed §2` MUST).
    UnknownVersion(UnknownVersionEvent),
    /// No usable value, or no valid record among those it lists.
    Invalid(InvalidEvent),
    /// The service said: no sources (`seed §3`, SHOULD).
    Empty(EventHead),
    /// At least one valid record.
    Applied(AppliedEvent),
}

/// What any event of version 1 says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventHead {
    /// `value.messageId`.
    pub message_id: String,
    /// `value.computedAt`.
    pub computed_at: Option<StatedTime>,
}

/// An event of a version that this app does not know; nothing else of it is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownVersionEvent {
    /// `value.version` as JSON text, shortened.
    pub version: String,
    /// `value.messageId`, if it is a text.
    pub message_id: Option<String>,
    /// `value.computedAt`, if it is a text.
    pub computed_at: Option<StatedTime>,
}

/// An event without anything to show.
#[derive(Debug, Clone, PartialEq)]
pub struct InvalidEvent {
    /// `value.messageId`, if it is a text.
    pub message_id: Option<String>,
    /// `value.computedAt`, if it is a text.
    pub computed_at: Option<StatedTime>,
    /// Its citations, every record of them invalid; empty when the value itself is unusable.
    pub citations: Vec<Citation>,
}

/// An event with sources.
#[derive(Debug, Clone, PartialEq)]
pub struct AppliedEvent {
    /// Message and time.
    pub head: EventHead,
    /// Its citations in order, up to [`MAX_CITATIONS`]; at least one record is valid.
    pub citations: Vec<Citation>,
    /// How many more it lists.
    pub not_read: usize,
}

/// One entry of `citations`.
#[derive(Debug, Clone, PartialEq)]
pub struct Citation {
    /// The text in the answer that refers to it, if it is usable as one.
    pub marker: Option<String>,
    /// Its record.
    pub record: Reading,
}

impl CitationEvent {
    /// `value.messageId`, if it is a text.
    #[must_use]
    pub fn message_id(&self) -> Option<&str> {
        match self {
            Self::UnknownVersion(event) => event.message_id.as_deref(),
            Self::Invalid(event) => event.message_id.as_deref(),
            Self::Empty(head) => Some(&head.message_id),
            Self::Applied(event) => Some(&event.head.message_id),
        }
    }

    /// `value.computedAt`, if it is a text.
    #[must_use]
    pub fn computed_at(&self) -> Option<&StatedTime> {
        match self {
            Self::UnknownVersion(event) => event.computed_at.as_ref(),
            Self::Invalid(event) => event.computed_at.as_ref(),
            Self::Empty(head) => head.computed_at.as_ref(),
            Self::Applied(event) => event.head.computed_at.as_ref(),
        }
    }

    /// Its citations; those of an unknown version are not read.
    #[must_use]
    pub fn citations(&self) -> &[Citation] {
        match self {
            Self::UnknownVersion(_) | Self::Empty(_) => &[],
            Self::Invalid(event) => &event.citations,
            Self::Applied(event) => &event.citations,
        }
    }

    /// `applied`, `empty`, `unknown-version` or `invalid`.
    #[must_use]
    pub fn state_id(&self) -> &'static str {
        match self {
            Self::UnknownVersion(_) => "unknown-version",
            Self::Invalid(_) => "invalid",
            Self::Empty(_) => "empty",
            Self::Applied(_) => "applied",
        }
    }

    /// SHA-256 over what the event says (message, time, markers, records), to tell a replay from a second statement.
    #[must_use]
    pub fn content_sha256(&self) -> String {
        let mut said = format!("{}\n", self.state_id());
        let mut say = |text: Option<&str>| match text {
            // Length first, so that no two statements run together into one.
            Some(text) => said.push_str(&format!("{}:{text}\n", text.len())),
            None => said.push_str("-\n"),
        };
        say(self.message_id());
        say(self.computed_at().map(StatedTime::text));
        if let Self::UnknownVersion(event) = self {
            say(Some(&event.version));
        }
        for citation in self.citations() {
            say(citation.marker.as_deref());
            say(Some(citation.record.record_sha256().unwrap_or_else(|| citation.record.raw())));
        }
        record::sha256_hex(&said)
    }
}

/// The finding of an event whose message the conversation does not have (`seed §4`, fourth MUST).
#[must_use]
pub fn unknown_message(message_id: &str) -> Finding {
    let message =
        format!("The conversation has no assistant message {}.", text::quoted(message_id));
    Finding::new(&finding::EVENT_MESSAGE_UNKNOWN, "/messageId", message)
}

/// An event whose value is there and cannot be relied on, `why` as one clause: nothing of it may be shown as trust.
#[must_use]
pub fn unreliable(message_id: Option<&str>, why: &str) -> Parsed {
    let mut findings = Findings::default();
    let message = format!("The event's value cannot be relied on: {why}.");
    findings.event(&finding::EVENT_VALUE, "", message);
    unusable(message_id.map(str::to_owned), None, findings)
}

/// Parses the JSON text of the event's `value`.
#[must_use]
pub fn parse(value: &str) -> Parsed {
    parse_again(value, &mut Memo::default())
}

/// The same, where some of its records may have been read before.
#[must_use]
pub fn parse_again(value: &str, memo: &mut Memo) -> Parsed {
    let mut findings = Findings::default();
    let members = match json::members(value) {
        Ok(Some(members)) => members,
        Ok(None) => {
            findings.event(&finding::EVENT_VALUE, "", "The event's value is not an object.");
            return unusable(None, None, findings);
        }
        Err(error) => {
            let code = match error {
                JsonError::TooDeep => &finding::EVENT_TOO_DEEP,
                _ => &finding::EVENT_VALUE,
            };
            findings.event(code, "", format!("The event's value cannot be read: {error}."));
            return unusable(None, None, findings);
        }
    };
    let get = |name: &str| members.iter().find(|(n, _)| n == name).map(|(_, raw)| *raw);
    let message_id = get("messageId").and_then(text_of);
    let stated = get("computedAt").and_then(text_of).map(StatedTime::parse);
    match get("version") {
        Some(version) if !is_one(version) => {
            return unknown_version(version, message_id, stated, findings);
        }
        Some(_) => {}
        None => {
            findings.event(
                &finding::EVENT_VERSION_MISSING,
                "/version",
                "The event has no version.",
            );
            return unusable(message_id, stated, findings);
        }
    }
    let computed_at = computed_at(get("computedAt"), stated, &mut findings);
    for (name, _) in &members {
        if !["version", "messageId", "computedAt", "citations"].contains(&name.as_ref()) {
            findings.unknown_member(name, "");
        }
    }
    let Some(message_id) = message_id else {
        findings.event(
            &finding::EVENT_MESSAGE_ID,
            "/messageId",
            "messageId is missing or not a text.",
        );
        return unusable(None, computed_at, findings);
    };
    let head = EventHead { message_id, computed_at };
    let mut citations = Citations::default();
    let listed = get("citations")
        .map(|raw| json::items(raw, |entry| citations.add(entry, memo, &mut findings)))
        // `members` has been through the whole text: an error cannot come up now.
        .is_some_and(|list| list.unwrap_or(false));
    if !listed {
        findings.event(
            &finding::EVENT_CITATIONS,
            "/citations",
            "citations is missing or not a list.",
        );
        return unusable(Some(head.message_id), head.computed_at, findings);
    }
    Parsed { event: citations.into_event(head, &mut findings), findings: findings.all }
}

fn unknown_version(
    version: &str,
    message_id: Option<String>,
    computed_at: Option<StatedTime>,
    mut findings: Findings,
) -> Parsed {
    let version = text::shown(version);
    let message = format!("The event has version {version}; this app knows version 1.");
    findings.event(&finding::EVENT_VERSION_UNKNOWN, "/version", message);
    let event = UnknownVersionEvent { version, message_id, computed_at };
    Parsed { event: CitationEvent::UnknownVersion(event), findings: findings.all }
}

fn unusable(
    message_id: Option<String>,
    computed_at: Option<StatedTime>,
    findings: Findings,
) -> Parsed {
    let event = InvalidEvent { message_id, computed_at, citations: Vec::new() };
    Parsed { event: CitationEvent::Invalid(event), findings: findings.all }
}

/// The number 1 in any spelling: a binary recording writes it `1.0`.
fn is_one(raw: &str) -> bool {
    matches!(json::parse(raw), Ok(Node::Number(spelling)) if json::natural(spelling) == Some(1))
}

fn text_of(raw: &str) -> Option<String> {
    match json::parse(raw) {
        Ok(Node::String(text)) => Some(text.into_owned()),
        _ => None,
    }
}

fn computed_at(
    raw: Option<&str>,
    stated: Option<StatedTime>,
    findings: &mut Findings,
) -> Option<StatedTime> {
    let (code, message) = match (raw, stated.as_ref().map(|s| (s, s.reading()))) {
        (None, _) => (
            &finding::EVENT_COMPUTED_AT_MISSING,
            "The service did not say when the records were computed.".to_owned(),
        ),
        (Some(_), None) => (&finding::EVENT_COMPUTED_AT, "computedAt is not a text.".to_owned()),
        (_, Some((_, TimeReading::Exact { .. }))) => return stated,
        (_, Some((s, TimeReading::Unreadable))) => {
            (&finding::EVENT_COMPUTED_AT_UNREADABLE, said_time(s, "cannot be read"))
        }
        (_, Some((s, TimeReading::DateOnly { .. }))) => {
            (&finding::EVENT_COMPUTED_AT_DATE_ONLY, said_time(s, "has no time of day"))
        }
        (_, Some((s, TimeReading::NoOffset { .. }))) => {
            (&finding::EVENT_COMPUTED_AT_NO_OFFSET, said_time(s, "has no offset; read as UTC"))
        }
    };
    findings.event(code, "/computedAt", message);
    stated
}

fn said_time(time: &StatedTime, what: &str) -> String {
    format!("computedAt {} {what}.", text::quoted(time.text()))
}
