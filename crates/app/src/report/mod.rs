//! A conversation as a document: the JSON of `recite show`, and the Markdown and HTML of `recite export`.

mod events;
mod html;
mod markdown;
mod read;
mod states;
mod words;

use moca::{record::Evidence, standing::Standing};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::contract::{OtherSource, SourcesState, StatedTime};

pub use html::html;
pub use markdown::markdown;
pub use states::flags;

/// A whole conversation (`docs/cli.md`, `show`).
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Row id.
    pub id: String,
    /// Title.
    pub title: String,
    /// Service, as far as known.
    pub service: Option<String>,
    /// threadId as sent.
    pub thread_id: Option<String>,
    /// When the report was made (RFC 3339, UTC).
    pub made_at: String,
    /// Sentences about the recording as a whole.
    pub notes: Vec<String>,
    /// The recordings it was read from.
    pub recordings: Vec<Recording>,
    /// Runs in order, with their messages. Messages outside any run stand under a run without id.
    pub runs: Vec<Run>,
    /// Citation events that no message shows.
    pub orphan_citations: Vec<Orphan>,
    /// Findings of the conversation.
    pub findings: Vec<Finding>,
}

/// A file that a conversation was read from.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recording {
    /// Its name when it was imported.
    pub name: String,
    /// SHA-256 of its bytes as given, 64 hexadecimal digits.
    pub sha256: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Container format.
    pub format: String,
    /// When it was imported (RFC 3339, UTC).
    pub imported_at: String,
}

/// One run.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Row id; none for messages that came without a run.
    pub id: Option<String>,
    /// runId as sent.
    pub run_id: Option<String>,
    /// parentRunId as sent.
    pub parent_run_id: Option<String>,
    /// How it ended.
    pub ending: String,
    /// The same in a sentence.
    pub ending_text: String,
    /// When it started, as stated.
    pub started_at: Option<String>,
    /// Whether the user's question is in the recording.
    pub question_recorded: bool,
    /// Its messages in order.
    pub messages: Vec<Message>,
}

/// One message.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Row id.
    pub id: String,
    /// messageId as sent.
    pub message_id: Option<String>,
    /// Role as sent.
    pub role: String,
    /// Text as received.
    pub text: String,
    /// Whether its end came.
    pub ended: bool,
    /// Its tool calls.
    pub tool_calls: Vec<ToolCall>,
    /// For answers: their sources.
    pub citations: Option<Citations>,
}

/// One tool call.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// toolCallId as sent.
    pub tool_call_id: String,
    /// Tool name.
    pub name: String,
    /// Arguments as sent.
    pub arguments: String,
}

/// The sources of an answer.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Citations {
    /// Which of the states.
    pub state: SourcesState,
    /// Its sentence.
    pub sentence: String,
    /// computedAt as sent.
    pub computed_at: Option<String>,
    /// The same with its instant and what is odd about it.
    pub computed_at_read: Option<StatedTime>,
    /// When the recording was received or imported, in words.
    pub held_since: String,
    /// The sources in the order of the event.
    pub items: Vec<Item>,
    /// Sources in other forms than citation records: never with a flag.
    pub others: Vec<OtherSource>,
}

/// One source of an answer.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Marker as sent.
    pub marker: Option<String>,
    /// Title of the node, or its path.
    pub title: String,
    /// node.ref as sent or rebuilt.
    pub node_ref: Option<String>,
    /// SHA-256 of the record in canonical form.
    pub record_sha256: Option<String>,
    /// Its states with their sentences and times.
    pub standing: Standing,
    /// The record as received; null when it is no JSON.
    pub record: Option<Box<RawValue>>,
    /// The cited text, as the record has it; in JSON it stands in the record.
    #[serde(skip)]
    pub text: Option<String>,
    /// What the cited text says it rests on, likewise.
    #[serde(skip)]
    pub evidence: Vec<Evidence>,
}

/// A citation event that no message shows.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Orphan {
    /// `unknown-message`, `unknown-version`, `invalid`.
    pub state: String,
    /// Its sentence.
    pub sentence: String,
    /// messageId as sent.
    pub message_id: Option<String>,
    /// computedAt as sent.
    pub computed_at: Option<String>,
    /// The value as received; null when it is no JSON.
    pub value: Option<Box<RawValue>>,
}

/// One finding.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Stable code.
    pub code: String,
    /// Severity.
    pub severity: String,
    /// Run row id.
    pub run: Option<String>,
    /// Index of the event in its recording.
    pub event: Option<u64>,
    /// One sentence.
    pub message: String,
}
