//! Long work: progress at most ten times a second, cancel within 200 ms, a result that stays.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{error::Failure, import::ImportSummary};

/// Names one job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JobRef {
    /// Job id.
    pub id: String,
}

/// How a job stands; also the payload of the `job` event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct JobState {
    /// Job id.
    pub id: String,
    /// What it does.
    pub kind: JobKind,
    /// What it does now, in a few words: "Reading refund.sse".
    pub doing: String,
    /// Bytes done and in all, when known.
    pub done: String,
    /// See `done`.
    pub total: Option<String>,
    /// Counts so far.
    pub counts: JobCounts,
    /// None while it runs.
    pub outcome: Option<JobOutcome>,
}

/// Counts of an import or check that runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct JobCounts {
    /// Files finished.
    pub files: u32,
    /// Files in all.
    pub files_total: u32,
    /// Events read.
    pub events: u32,
    /// Runs read.
    pub runs: u32,
    /// Citation events read.
    pub citation_events: u32,
}

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum JobKind {
    /// Import.
    Import,
    /// Verify the archive.
    Verify,
    /// Rebuild derived tables.
    Rebuild,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[ts(export)]
pub enum JobOutcome {
    /// An import came to its end.
    Imported {
        /// What came of it.
        summary: ImportSummary,
    },
    /// A verification came to its end.
    Verified {
        /// What it found.
        report: VerifyReport,
    },
    /// Derived tables were made again.
    Rebuilt {
        /// Recordings read again.
        recordings: u32,
    },
    /// It failed or was cancelled.
    Failed {
        /// Why.
        failure: Failure,
    },
}

/// What a verification found; also the JSON of `recite verify --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct VerifyReport {
    /// Nothing is damaged.
    pub sound: bool,
    /// Recordings whose bytes were read.
    pub recordings: u32,
    /// Segments read.
    pub segments: u32,
    /// Bytes read.
    pub bytes: String,
    /// What is damaged and what it hits, at most 200 lines.
    pub damage: Vec<String>,
    /// Damage beyond those lines.
    pub more: u32,
    /// Whom it concerns: the recordings that are touched, with their conversations.
    pub touched: Vec<TouchedRecording>,
    /// Lines of `damage` of which the archive cannot tell whom they concern.
    pub untold: u32,
}

/// A recording that a damage touches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TouchedRecording {
    /// Row id.
    pub id: String,
    /// File name or a description of the capture.
    pub name: String,
    /// Its conversations that are touched, as far as the archive can still tell.
    pub conversations: Vec<TouchedConversation>,
}

/// A conversation that a damage touches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TouchedConversation {
    /// Row id.
    pub id: String,
    /// What it is called.
    pub title: String,
}
