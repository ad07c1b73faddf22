//! Import: what goes in and what came of it. These types are also the JSON of `recite import --json`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::error::Failure;

/// Files and folders to import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportPaths {
    /// Paths of this machine.
    pub paths: Vec<String>,
    /// How they came: `dialog`, `drop`, `command line`.
    pub via: String,
}

/// Pasted text to import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportText {
    /// The text.
    pub text: String,
}

/// What came of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ImportSummary {
    /// One entry for each file.
    pub sources: Vec<ImportedSource>,
}

/// What happened to one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum ImportStatus {
    /// It is in the archive now.
    Added,
    /// The same bytes were in it before; nothing changed.
    AlreadyHeld,
    /// It is not in the archive.
    Refused,
}

/// One source of an import. Counts are those of the source, whether or not its runs were new.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ImportedSource {
    /// Path or name as given.
    pub path: String,
    /// SHA-256 of the bytes given, hex; none when they could not be read to the end.
    pub sha256: Option<String>,
    /// Detected format; none when refused before that.
    pub format: Option<String>,
    /// What happened.
    pub status: ImportStatus,
    /// AG-UI events in it.
    pub events: u32,
    /// Runs (RUN_STARTED) in it.
    pub runs: u32,
    /// Conversations it has a part in.
    pub conversations: u32,
    /// Messages after folding.
    pub messages: u32,
    /// `moca.citations` events.
    pub citation_events: u32,
    /// Citations in those that were applied or invalid.
    pub citations: u32,
    /// Findings.
    pub findings: u32,
    /// Runs that were new to the archive.
    pub new_runs: u32,
    /// What was left out on purpose: "12 headers, 3 cookies of 4 entries".
    pub left_out: Option<String>,
    /// Conversations it has a part in, at most 20.
    pub conversation_ids: Vec<String>,
    /// Why it was refused.
    pub error: Option<Failure>,
}

/// Formats of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum ExportFormat {
    /// Each event's bytes as received, one a line.
    Events,
    /// `.agui.jsonl` for AG-UI DevTools.
    AguiJsonl,
    /// Markdown with sources, times and states.
    Markdown,
    /// One HTML file without script.
    Html,
}

/// Export of one conversation to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExportRequest {
    /// Conversation row id.
    pub conversation: String,
    /// Format.
    pub format: ExportFormat,
    /// File to write; an existing one is replaced only when whole.
    pub path: String,
}

/// An export that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExportDone {
    /// The file.
    pub path: String,
    /// Its size.
    pub bytes: String,
}
