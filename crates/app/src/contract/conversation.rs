//! Conversations, runs and transcripts.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::source::{SourceStrip, SourcesState};

/// Which conversations to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(export)]
pub struct ConversationQuery {
    /// Words that occur in a message or a cited record.
    pub text: Option<String>,
    /// Only this service (its row id).
    pub service: Option<String>,
    /// Only conversations that cite this package id.
    pub package: Option<String>,
    /// Last activity at or after this instant (RFC 3339).
    pub since: Option<String>,
    /// Last activity before this instant (RFC 3339).
    pub until: Option<String>,
    /// Only conversations with a source in this state (`moca` state kind, kebab-case).
    pub trust: Option<String>,
    /// Only conversations with a finding of this code.
    pub finding: Option<String>,
    /// Where the last page ended.
    pub cursor: Option<String>,
    /// Rows wanted, at most 200 (the default).
    pub limit: Option<u32>,
}

/// A page of conversations.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ConversationPage {
    /// The conversations, newest first; those that state no time last.
    pub conversations: Vec<ConversationRow>,
    /// Hand this back for the next page; none at the end.
    pub next: Option<String>,
}

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ConversationRow {
    /// Row id.
    pub id: String,
    /// First words of the user, or what the service calls it.
    pub title: String,
    /// The service it came from, as far as known.
    pub service: Option<String>,
    /// threadId as the service sent it.
    pub thread_id: Option<String>,
    /// Runs held.
    pub runs: u32,
    /// Messages held.
    pub messages: u32,
    /// Assistant messages with text.
    pub answers: u32,
    /// Citations in all its answers.
    pub citations: u32,
    /// First and last stated or received time (RFC 3339).
    pub first_at: Option<String>,
    /// See `first_at`.
    pub last_at: Option<String>,
    /// Whether the times are those of the import, since the recording states none.
    pub times_are_import: bool,
    /// The states of its sources, for the strip.
    pub strip: SourceStrip,
    /// Number of findings.
    pub findings: u32,
}

/// Names one conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ConversationRef {
    /// Row id.
    pub id: String,
}

/// What stands above a transcript.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ConversationHead {
    /// As in the list.
    pub row: ConversationRow,
    /// Events kept for its runs.
    pub events: String,
    /// Its runs in order, at most 200; `row.runs` is the full count.
    pub runs: Vec<RunRow>,
    /// The recordings it came from.
    pub recordings: Vec<Recording>,
    /// Sentences the reader must know: compacted by its producer, messages only, redacted, another recording of the same run.
    pub notes: Vec<String>,
    /// Number of citation events that no message shows.
    pub unplaced_citations: u32,
}

/// A file or capture that was imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Recording {
    /// Row id.
    pub id: String,
    /// File name or a description of the capture.
    pub name: String,
    /// Detected format.
    pub format: String,
    /// SHA-256 of the bytes given, hex.
    pub sha256: String,
    /// Size of the bytes given.
    pub bytes: String,
    /// When it was imported (RFC 3339).
    pub imported_at: String,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct RunRow {
    /// Row id.
    pub id: String,
    /// From 1, in the order of the conversation.
    pub number: u32,
    /// runId as sent.
    pub run_id: Option<String>,
    /// parentRunId as sent, with what it means here.
    pub parent: Option<String>,
    /// `finished`, `interrupted`, `cancelled`, `error`, `aborted`, `incomplete`, or an unknown outcome by its name.
    pub ending: String,
    /// One sentence: "finished", "interrupted, waiting for the application", "ended in an error: …".
    pub ending_text: String,
    /// When it started, as stated (RFC 3339), if stated.
    pub started_at: Option<String>,
    /// Whether the user's question is in the recording.
    pub question_recorded: bool,
}

/// Which part of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TranscriptQuery {
    /// Conversation row id.
    pub conversation: String,
    /// Place of the first message wanted, from 0.
    pub first: u32,
    /// Messages wanted, at most 100.
    pub limit: u32,
}

/// Part of a transcript.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TranscriptPage {
    /// Messages in all.
    pub total: u32,
    /// Messages from `first` on.
    pub items: Vec<TranscriptItem>,
    /// Runs that end the conversation without a message of their own; only on the last page.
    pub runs_after: Vec<RunRow>,
}

/// One message with the runs that begin before it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TranscriptItem {
    /// Place in the transcript, from 0.
    pub place: u32,
    /// Runs that begin here.
    pub runs_before: Vec<RunRow>,
    /// The message.
    pub message: Message,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum Role {
    /// The user's words.
    User,
    /// The assistant.
    Assistant,
    /// A tool's result.
    Tool,
    /// Reasoning.
    Reasoning,
    /// Activity between messages.
    Activity,
    /// System or developer instructions.
    System,
    /// A role AG-UI does not name.
    Other,
}

/// One message as shown.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Message {
    /// Row id.
    pub id: String,
    /// messageId as sent, or the one that stands for it where none was sent.
    pub message_id: Option<String>,
    /// Who speaks.
    pub role: Role,
    /// The role as sent.
    pub role_as_sent: String,
    /// Safe HTML made by `render`; markers are buttons `button.cite[data-citation][data-place]`.
    pub html: String,
    /// The text was longer than is shown; `html` holds its beginning.
    pub cut: bool,
    /// For tool results, reasoning and activity: one line that sums it up (plain text).
    pub summary: Option<String>,
    /// Whether its end came.
    pub ended: bool,
    /// Stated time (RFC 3339), if any.
    pub at: Option<String>,
    /// How it came: `streamed`, `request`, `snapshot`.
    pub origin: String,
    /// Other ids a snapshot gave it, and by what they were joined.
    pub aliases: Vec<Alias>,
    /// Its tool calls.
    pub tool_calls: Vec<ToolCall>,
    /// For an answer (assistant message with text): its sources in brief.
    pub sources: Option<SourcesBrief>,
}

/// Another id of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Alias {
    /// The other id.
    pub message_id: String,
    /// `id`, `tool call id`, `equal text`.
    pub by: String,
}

/// One tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ToolCall {
    /// toolCallId as sent.
    pub tool_call_id: String,
    /// Tool name.
    pub name: String,
    /// Arguments as text, as sent.
    pub arguments: String,
    /// Whether a result is held.
    pub answered: bool,
}

/// The sources of an answer in one line.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct SourcesBrief {
    /// Which of the states.
    pub state: SourcesState,
    /// One sentence for the state, or "3 sources: 1 superseded · 1 stale · 1 in force, not stale".
    pub sentence: String,
    /// How many stand how, worst first, each with the time at which that was so; each source counted once.
    pub parts: Vec<moca::standing::StripPart>,
    /// Citations of a source that is listed before.
    pub repeats: u32,
    /// When and by whom: "as of … by the service's Reader", "the service did not say when · imported …".
    pub basis: Option<String>,
    /// Tone of each citation in order, for the marker buttons.
    pub tones: Vec<moca::standing::Tone>,
}
