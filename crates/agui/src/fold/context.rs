//! What a thread must remember of itself so that a later recording can go on. Texts are not among it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::model::{Alias, CallKey, Ended, MessageKey, Origin, Role, RunKey};
use super::text::Digest;

/// The memory of a thread between recordings. Serialises to JSON for an archive to keep; the numbers of
/// runs, messages and calls are their places in the lists.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Context {
    pub(super) runs: Vec<RunStub>,
    pub(super) messages: Vec<MessageStub>,
    pub(super) calls: Vec<CallStub>,
    pub(super) aliases: Vec<Alias>,
    pub(super) state: Option<Value>,
    pub(super) activities: Vec<(MessageKey, ActivityStub)>,
    pub(super) open_interrupts: Vec<String>,
}

/// What is remembered of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunStub {
    pub run_id: Option<String>,
    /// None while it is open and for replays.
    pub hash: Option<[u8; 32]>,
    pub open: bool,
    pub interrupted: bool,
}

/// What is remembered of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MessageStub {
    pub id: Box<str>,
    pub role: Role,
    pub run: Option<RunKey>,
    pub order: i64,
    pub origin: Origin,
    pub ended: Ended,
    /// Digest of its text, trimmed; none when there is no text.
    pub text: Option<Digest>,
    /// The call whose result it is.
    pub call: Option<CallKey>,
    /// The calls it makes.
    pub calls: Vec<CallKey>,
    pub encrypted: bool,
}

/// What is remembered of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CallStub {
    pub id: String,
    pub id_derived: bool,
    pub name: String,
    pub message: MessageKey,
    pub run: Option<RunKey>,
    /// The run of its last segment.
    pub last_run: Option<RunKey>,
    pub first_event: Option<u64>,
    pub subagent: Option<String>,
    pub result: Option<MessageKey>,
    /// Digest of each segment's arguments as a JSON value.
    pub segments: Vec<Option<Digest>>,
}

/// What is remembered of an activity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ActivityStub {
    pub activity_type: String,
    pub content: Value,
    pub bytes: usize,
}
