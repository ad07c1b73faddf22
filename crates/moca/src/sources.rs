//! The state of an answer's citations: different things that must not look alike (`design/product.md`), each with its sentence.

use serde::Serialize;

use crate::event::CitationEvent;
use crate::text::quoted;

/// What is known of the sources of one answer, or of an event that has none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AnswerSources {
    /// The event lists sources.
    Listed {
        /// How many.
        count: u32,
    },
    /// The service said: no sources (`seed §3`, fifth duty).
    EmptyList,
    /// No event names the answer: not a MOCA service, or it sent none.
    NoEvent,
    /// The event has a version that this app does not know (`seed §2`).
    UnknownVersion {
        /// The version, shortened.
        version: String,
    },
    /// The event names a message that the conversation does not have (`seed §4`, fourth MUST).
    UnknownMessage {
        /// The message it names.
        message_id: String,
    },
    /// The event cannot be used.
    Invalid,
    /// The copy has messages and no events: nothing is known (`facts/agui §8.3`).
    MessagesOnly,
}

impl AnswerSources {
    /// What an event that names a known message says of that message's sources.
    #[must_use]
    pub fn of_event(event: &CitationEvent) -> Self {
        match event {
            CitationEvent::UnknownVersion(event) => {
                Self::UnknownVersion { version: event.version.clone() }
            }
            CitationEvent::Invalid(_) => Self::Invalid,
            CitationEvent::Empty(_) => Self::EmptyList,
            CitationEvent::Applied(event) => {
                let count = event.citations.len().saturating_add(event.not_read);
                Self::Listed { count: u32::try_from(count).unwrap_or(u32::MAX) }
            }
        }
    }

    /// The stable name for scripts.
    #[must_use]
    pub fn state_id(&self) -> &'static str {
        match self {
            Self::Listed { .. } => "applied",
            Self::EmptyList => "empty",
            Self::NoEvent => "none",
            Self::UnknownVersion { .. } => "unknown-version",
            Self::UnknownMessage { .. } => "unknown-message",
            Self::Invalid => "invalid",
            Self::MessagesOnly => "messages-only",
        }
    }

    /// A few words for a list.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Self::Listed { count: 1 } => "1 source".to_owned(),
            Self::Listed { count } => format!("{count} sources"),
            Self::EmptyList => "No sources".to_owned(),
            Self::NoEvent | Self::MessagesOnly => "Sources unknown".to_owned(),
            Self::UnknownVersion { .. } => "Newer citation event".to_owned(),
            Self::UnknownMessage { .. } => "Citations without a message".to_owned(),
            Self::Invalid => "Citation event unusable".to_owned(),
        }
    }

    /// The whole sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Listed { count: 1 } => "The service sent one source for this answer.".to_owned(),
            Self::Listed { count } => format!("The service sent {count} sources for this answer."),
            Self::EmptyList => "No sources: the service sent an empty list.".to_owned(),
            Self::NoEvent => "Sources unknown: no citation event names this answer.".to_owned(),
            Self::UnknownVersion { version } => format!(
                "Sources not shown: the citation event has version {version}, which is not known here; it is kept."
            ),
            Self::UnknownMessage { message_id } => format!(
                "Citations without a message: the event names {}, which this conversation does not have.",
                quoted(message_id)
            ),
            Self::Invalid => {
                "Sources not shown: the citation event cannot be used; it is kept.".to_owned()
            }
            Self::MessagesOnly => "Sources unknown: this copy holds messages only.".to_owned(),
        }
    }
}

/// What the answers of a conversation have as sources, counted: a conversation is rarely of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Answers in all.
    pub answers: u32,
    /// Those with a list of sources.
    pub listed: u32,
    /// Those of which the service said: no sources.
    pub empty: u32,
    /// Those whose event has a version that is not known here.
    pub unknown_version: u32,
    /// Those whose event cannot be used.
    pub invalid: u32,
    /// Events that name no message of the conversation.
    pub without_message: u32,
    /// Whether only messages are held, so that events are unknown rather than absent.
    pub messages_only: bool,
}

impl Coverage {
    /// One sentence without its full stop, with every number; `None` when all answers have sources and there is nothing
    /// else to say.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        let mut parts = vec![self.main()?];
        if !self.of_one_kind() {
            parts.extend(self.rest());
        }
        match self.without_message {
            0 => {}
            1 => parts.push("1 citation event names no message here".to_owned()),
            n => parts.push(format!("{n} citation events name no message here")),
        }
        Some(parts.join(" · "))
    }

    /// Answers that no event names.
    fn without_event(&self) -> u32 {
        let named = [self.listed, self.empty, self.unknown_version, self.invalid];
        named.iter().fold(self.answers, |left, named| left.saturating_sub(*named))
    }

    /// None has sources, and of all the same is to be said.
    fn of_one_kind(&self) -> bool {
        let kinds = [self.empty, self.unknown_version, self.invalid, self.without_event()];
        self.listed == 0 && kinds.iter().filter(|count| **count > 0).count() <= 1
    }

    fn main(&self) -> Option<String> {
        let n = self.answers;
        if n == 0 {
            return Some("No answers".to_owned());
        }
        if self.listed >= n {
            return (self.without_message > 0).then(|| "All answers have sources".to_owned());
        }
        if self.listed > 0 {
            let have = if self.listed == 1 { "has" } else { "have" };
            return Some(format!("{} of {n} answers {have} sources", self.listed));
        }
        if !self.of_one_kind() {
            return Some(format!("None of {n} answers has sources"));
        }
        let one = n == 1;
        let said = match self {
            Self { empty: 1.., .. } if one => "No sources: the service sent an empty list".to_owned(),
            Self { empty: 1.., .. } => {
                format!("No sources: the service sent an empty list for each of {n} answers")
            }
            Self { unknown_version: 1.., .. } if one => {
                "Sources not shown: the citation event has a version that is not known here; it is kept"
                    .to_owned()
            }
            Self { unknown_version: 1.., .. } => format!(
                "Sources not shown: the citation events of {n} answers have a version that is not known here; they are kept"
            ),
            Self { invalid: 1.., .. } if one => {
                "Sources not shown: the citation event cannot be used; it is kept".to_owned()
            }
            Self { invalid: 1.., .. } => format!(
                "Sources not shown: the citation events of {n} answers cannot be used; they are kept"
            ),
            Self { messages_only: true, .. } => {
                "Sources unknown: this copy holds messages only".to_owned()
            }
            _ if one => "Sources unknown: no citation event names the answer".to_owned(),
            _ => format!("Sources unknown: no citation event names any of {n} answers"),
        };
        Some(said)
    }

    fn rest(&self) -> Vec<String> {
        let without =
            if self.messages_only { "held as a message only" } else { "without a citation event" };
        [
            (self.empty, "with an empty list"),
            (self.without_event(), without),
            (self.unknown_version, "with an event of an unknown version"),
            (self.invalid, "with an event that cannot be used"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect()
    }
}
