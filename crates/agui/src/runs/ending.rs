//! How runs end (facts/agui §1.2, §2.5) and what they used.

use serde::{Deserialize, Serialize};

use super::outcome;
use crate::event::{Event, Key, Object, Raw, key};

/// How a run ended, in the words of the product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ending", rename_all = "kebab-case")]
pub enum Ending {
    /// RUN_FINISHED with success or, from older producers, without an outcome.
    Finished,
    /// The run is over, the thread waits for an answer to an interrupt.
    Interrupted,
    /// Neither a success nor a failure.
    Cancelled,
    /// RUN_ERROR.
    Error {
        /// `code`, if it was sent.
        code: Option<String>,
        /// `message`, if it was sent.
        message: Option<String>,
    },
    /// The client stopped it: its own RUN_ERROR with the code `abort`.
    Aborted {
        /// `message`, if it was sent.
        message: Option<String>,
    },
    /// The stream just ends.
    Incomplete,
    /// An outcome by its name that is in no enumeration. Never a success.
    Unknown(#[serde(default)] String),
}

impl Ending {
    /// The word for it: `finished`, `interrupted`, `cancelled`, `error`, `aborted`, `incomplete`, or the
    /// name of an unknown outcome.
    pub fn word(&self) -> &str {
        match self {
            Self::Finished => "finished",
            Self::Interrupted => "interrupted",
            Self::Cancelled => "cancelled",
            Self::Error { .. } => "error",
            Self::Aborted { .. } => "aborted",
            Self::Incomplete => "incomplete",
            Self::Unknown(name) => name,
        }
    }

    pub(super) fn of_finished(event: &Event) -> Self {
        match outcome(event) {
            None => Self::Finished,
            Some((name, _)) => match name.as_str() {
                "success" => Self::Finished,
                "interrupt" => Self::Interrupted,
                "cancelled" => Self::Cancelled,
                _ => Self::Unknown(name),
            },
        }
    }

    pub(super) fn of_error(event: &Event) -> Self {
        let said = event.get(&key::ERROR_MESSAGE).ok();
        let inner = said.and_then(Raw::object);
        let message = said
            .and_then(|raw| raw.text().ok())
            .map(|t| t.into_owned())
            .or_else(|| inner.as_ref()?.owned(&key::MESSAGE));
        let code = event
            .text(&key::CODE)
            .ok()
            .map(|t| t.into_owned())
            .or_else(|| inner.as_ref()?.owned(&key::CODE));
        if code.as_deref() == Some("abort") {
            Self::Aborted { message }
        } else {
            Self::Error { code, message }
        }
    }
}

/// Tokens of one model, as one entry of `usage` says (facts/agui §1.2). Absent is not zero.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The members are the specification's own.
pub struct TokenUsage {
    pub provider: Option<String>,
    pub model: Option<String>,
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub total: Option<u64>,
    pub reasoning: Option<u64>,
    pub cached_input: Option<u64>,
    pub cache_write_input: Option<u64>,
}

/// Most entries of `usage` that are read of one event.
const MAX_USAGE_ENTRIES: usize = 100;

impl TokenUsage {
    /// Reads `usage` of RUN_FINISHED or RUN_ERROR: a list, or one object as some servers send.
    pub(crate) fn of(event: &Event) -> Vec<Self> {
        let Some(raw) = event.get(&key::USAGE).ok() else { return Vec::new() };
        let entries = raw.array().unwrap_or_else(|| vec![raw]);
        entries
            .into_iter()
            .take(MAX_USAGE_ENTRIES)
            .filter_map(Raw::object)
            .map(|o| Self::read(&o))
            .collect()
    }

    fn read(entry: &Object<'_>) -> Self {
        let count = |key: &Key| entry.look(key).ok().and_then(Raw::count);
        Self {
            provider: entry.owned(&key::PROVIDER),
            model: entry.owned(&key::MODEL),
            input: count(&key::INPUT_TOKENS),
            output: count(&key::OUTPUT_TOKENS),
            total: count(&key::TOTAL_TOKENS),
            reasoning: count(&key::REASONING_TOKENS),
            cached_input: count(&key::CACHED_INPUT_TOKENS),
            cache_write_input: count(&key::CACHE_WRITE_INPUT_TOKENS),
        }
    }
}
