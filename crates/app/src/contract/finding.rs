//! Findings.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Which findings to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(export)]
pub struct FindingQuery {
    /// Only this code.
    pub code: Option<String>,
    /// Only this severity: `error`, `warning`, `info`.
    pub severity: Option<String>,
    /// Only this conversation.
    pub conversation: Option<String>,
    /// Only this recording.
    pub recording: Option<String>,
    /// Where the last page ended.
    pub cursor: Option<String>,
    /// Rows wanted, at most 200.
    pub limit: Option<u32>,
}

/// A page of findings with the counts by code of the whole query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct FindingPage {
    /// The findings, newest first.
    pub findings: Vec<FindingRow>,
    /// How many there are of each code.
    pub codes: Vec<CodeCount>,
    /// Hand this back for the next page.
    pub next: Option<String>,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct FindingRow {
    /// Row id.
    pub id: String,
    /// Stable code.
    pub code: String,
    /// `error`, `warning`, `info`.
    pub severity: String,
    /// What the code means.
    pub meaning: String,
    /// This occurrence in a sentence.
    pub message: String,
    /// Recording it stands in.
    pub recording: Option<String>,
    /// Name of that recording.
    pub recording_name: Option<String>,
    /// Conversation it belongs to.
    pub conversation: Option<String>,
    /// Title of that conversation.
    pub conversation_title: Option<String>,
    /// Row id of the run.
    pub run: Option<String>,
    /// Index of the event in the recording, from 0.
    pub event: Option<String>,
    /// Whether the bytes it is about can be shown.
    pub has_raw: bool,
}

/// How many findings of one code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct CodeCount {
    /// The code.
    pub code: String,
    /// Its severity.
    pub severity: String,
    /// What it means.
    pub meaning: String,
    /// How many.
    pub count: u32,
}

/// Names one finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FindingRef {
    /// Row id.
    pub id: String,
}

/// Bytes as text: controls made visible, invalid UTF-8 replaced, at most 64 KiB.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RawText {
    /// The text.
    pub text: String,
    /// There is more than is shown.
    pub cut: bool,
}

/// What conversations can be filtered by, with what the archive holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Filters {
    /// Services: id and name.
    pub services: Vec<FilterValue>,
    /// Package ids.
    pub packages: Vec<FilterValue>,
    /// Trust states that can be asked for.
    pub trust: Vec<FilterValue>,
    /// Codes of findings that occur.
    pub findings: Vec<FilterValue>,
}

/// One value of a filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FilterValue {
    /// What goes into the query.
    pub value: String,
    /// What a person reads.
    pub label: String,
}
