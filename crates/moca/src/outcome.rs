//! Then and now: what a Reader's answer of today says about a record of some day (`facts/moca-reader §13.3`).
//!
//! A pure function: the saved record, the answer, and what is known of the two moments in; one outcome and every
//! change with its possible causes out. Where the two records alone cannot tell causes apart, all of them are named.

mod cause;
mod fields;
mod words;

pub use cause::Cause;

use serde::Serialize;

use crate::name::Digest;
use crate::record::Record;
use crate::time::Instant;

/// What a Reader answered when it was asked for a saved record.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// It holds the node: its own record of it.
    Record(Box<Record>),
    /// It holds the id and version with other bytes.
    OtherBytes {
        /// Digest of what it holds.
        held: Digest,
        /// The package is of a version whose digests were made by an older algorithm (`facts/moca-reader §3.8`), so
        /// that the bytes may be the same all the same.
        older_algorithm: bool,
    },
    /// It holds the package, and no such node in it.
    NoSuchNode,
    /// It holds other versions of the package only, in the order in which they were loaded.
    OtherVersions(Vec<OtherVersion>),
    /// It holds nothing of the package's id.
    NotHeld,
    /// It holds the package, which is not valid.
    PackageInvalid {
        /// What is wrong with it, a line each.
        diagnostics: Vec<String>,
    },
    /// It could not answer: failed, took too long, was stopped, said what is no answer.
    Failed {
        /// Why, as one clause.
        reason: String,
    },
}

/// Another version of the package that a Reader holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OtherVersion {
    /// Its version.
    pub version: String,
    /// It says that it supersedes the cited one.
    pub supersedes: bool,
}

/// What is known of the moments of the two records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moments {
    /// When the saved record was computed; `None` where no exact time is known (`seed §2` `computedAt`).
    pub then: Option<Instant>,
    /// The clock of the check.
    pub now: Instant,
    /// Whether the Reader was given a trust root. `None`: nobody knows, as of a Reader of another maker.
    pub trust_root: Option<bool>,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Same bytes, same facts, same flags.
    Unchanged,
    /// Same bytes; flags or reviews differ.
    Changed,
    /// Same digest, and yet something differs that the bytes determine.
    RecordDiffers,
    /// The id and version are held with another digest.
    OtherBytes,
    /// The package is held, the node is not in it.
    NodeGone,
    /// Only other versions of the package are held.
    OtherVersionsHeld,
    /// Nothing of the package's id is held.
    PackageNotHeld,
    /// The package is held and not valid.
    PackageInvalid,
    /// No usable answer.
    CouldNotCheck,
}

impl Outcome {
    /// All, in the order in which a summary lists them.
    pub const ALL: [Self; 9] = [
        Self::RecordDiffers,
        Self::OtherBytes,
        Self::NodeGone,
        Self::PackageInvalid,
        Self::Changed,
        Self::OtherVersionsHeld,
        Self::PackageNotHeld,
        Self::CouldNotCheck,
        Self::Unchanged,
    ];

    /// Whether the flags of the answer take the place of the saved ones: only the same bytes with the same facts do.
    #[must_use]
    pub fn refreshes_flags(self) -> bool {
        matches!(self, Self::Unchanged | Self::Changed)
    }

    /// Its name in JSON.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Changed => "changed",
            Self::RecordDiffers => "record-differs",
            Self::OtherBytes => "other-bytes",
            Self::NodeGone => "node-gone",
            Self::OtherVersionsHeld => "other-versions-held",
            Self::PackageNotHeld => "package-not-held",
            Self::PackageInvalid => "package-invalid",
            Self::CouldNotCheck => "could-not-check",
        }
    }
}

/// One field that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Its place in the record, such as `trust.stale`.
    pub field: &'static str,
    /// JSON text of the saved record; `null` where it has none.
    pub from: String,
    /// JSON text of the answer; `null` where it has none.
    pub to: String,
    /// What can have changed it; more than one where the records cannot tell.
    pub cause: Vec<Cause>,
    /// The same for people, one sentence.
    pub sentence: String,
}

/// Outcome and changes of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// What came of it.
    pub outcome: Outcome,
    /// The same for people, one sentence.
    pub sentence: String,
    /// What differs, in the order of a record's members.
    pub changes: Vec<Change>,
    /// What could not be compared, as a clause each.
    pub not_compared: Vec<String>,
}

/// Compares a saved record with a Reader's answer.
#[must_use]
pub fn check(saved: &Record, answer: &Answer, moments: &Moments) -> Checked {
    let without_changes = |outcome| Checked {
        outcome,
        sentence: words::outcome(outcome, saved, answer),
        changes: Vec::new(),
        not_compared: Vec::new(),
    };
    match answer {
        Answer::Record(record) => with_record(saved, record, answer, moments),
        Answer::OtherBytes { .. } => without_changes(Outcome::OtherBytes),
        Answer::NoSuchNode => without_changes(Outcome::NodeGone),
        Answer::OtherVersions(_) => without_changes(Outcome::OtherVersionsHeld),
        Answer::NotHeld => without_changes(Outcome::PackageNotHeld),
        Answer::PackageInvalid { .. } => without_changes(Outcome::PackageInvalid),
        Answer::Failed { .. } => without_changes(Outcome::CouldNotCheck),
    }
}

fn with_record(saved: &Record, record: &Record, answer: &Answer, moments: &Moments) -> Checked {
    // A record that contradicts itself, on either side, can be tied to no node, so there is nothing to compare.
    let nonsense = if let Some(why) = saved.contradictions.first() {
        Some(format!("the saved record contradicts itself: {why}"))
    } else if let Some(why) = record.contradictions.first() {
        Some(format!("the answer contradicts itself: {why}"))
    } else if (&record.package.id, &record.package.version, &record.node.path)
        != (&saved.package.id, &saved.package.version, &saved.node.path)
    {
        Some("the Reader answered for another node".to_owned())
    } else {
        None
    };
    if let Some(reason) = nonsense {
        return check(saved, &Answer::Failed { reason }, moments);
    }
    if record.package.digest != saved.package.digest {
        let held = record.package.digest.clone();
        return check(saved, &Answer::OtherBytes { held, older_algorithm: false }, moments);
    }
    let compared = fields::compare(saved, record);
    let facts_differ = compared.differences.iter().any(|difference| difference.of_bytes());
    let changes: Vec<Change> = compared
        .differences
        .into_iter()
        .map(|difference| {
            let cause = cause::of(&difference, saved, moments);
            let sentence = words::change(&difference, &cause, saved);
            Change {
                field: difference.field,
                from: difference.from,
                to: difference.to,
                cause,
                sentence,
            }
        })
        .collect();
    let outcome = match (changes.is_empty(), facts_differ) {
        (true, _) => Outcome::Unchanged,
        (false, true) => Outcome::RecordDiffers,
        (false, false) => Outcome::Changed,
    };
    let sentence = words::outcome(outcome, saved, answer);
    Checked { outcome, sentence, changes, not_compared: compared.not_compared }
}
