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
