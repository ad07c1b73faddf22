//! The archive that is open, and the user's settings.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::error::Failure;

/// What is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Status {
    /// Version of Recite.
    pub version: String,
    /// Path of the archive.
    pub path: String,
    /// Whether it can be written.
    pub access: Access,
    /// Why it cannot be read or written, when it cannot.
    pub failure: Option<Failure>,
    /// It is a copy of the sample archive.
    pub sample: bool,
    /// What it holds.
    pub counts: ArchiveCounts,
}

/// What can be done with the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum Access {
    /// Read and written.
    Full,
    /// Read only: the file or its folder, or another process holds it.
    ReadOnly,
    /// Not at all: damaged, newer, no archive.
    None,
}

/// What an archive holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ArchiveCounts {
    /// Recordings.
    pub recordings: u32,
    /// Conversations.
    pub conversations: u32,
    /// Answers.
    pub answers: u32,
    /// Distinct records.
    pub records: u32,
    /// Findings.
    pub findings: u32,
    /// Size of the archive file.
    pub bytes: String,
}

/// What the user set. Unknown members of an older version keep their default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(export)]
pub struct Settings {
    /// Light, dark, or as the system says.
    pub theme: Theme,
    /// How times are written.
    pub time_format: TimeFormat,
}

impl Default for Settings {
    fn default() -> Self {
        Self { theme: Theme::System, time_format: TimeFormat::Local }
    }
}

/// Theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum Theme {
    /// As the system says.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// How times are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum TimeFormat {
    /// In the user's zone and language.
    Local,
    /// In UTC.
    Utc,
}
