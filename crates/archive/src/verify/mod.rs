//! Checks an archive as a whole: read-only, complete, with a bounded report; it never repairs.

mod bytes;
mod derived;
mod structure;
mod touched;

#[cfg(test)]
pub(crate) use {bytes::ALL as BYTES_ALL, touched::ALL as TOUCHED_ALL};

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;

use crate::migrate::{self, MIGRATIONS};
pub use touched::MAX_TOUCHED;

use crate::{ConversationId, Error, Result, SourceId, archive};

/// Most damages listed one by one; further ones are counted.
pub const MAX_DAMAGES: usize = 200;

/// How many instructions of SQLite pass between two looks at the request to stop: some milliseconds.
const STEPS_BETWEEN_LOOKS: i32 = 10_000;

/// Takes the carrier (gzip, UTF-16) off a source, as the importer does: the given bytes in, the content out.
pub type Decode<'a> = &'a (dyn Fn(Box<dyn Read + Send>) -> io::Result<Box<dyn Read>> + Sync);

/// Whether the check is still wanted; asked from inside long statements too.
pub type Wanted = Arc<dyn Fn() -> bool + Send + Sync>;

/// What was checked, and what is damaged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Schema version of the file; `None` when it could not be read.
    pub schema_version: Option<i64>,
    /// Sources, segments and messages read.
    pub sources: u64,
    /// See `sources`.
    pub segments: u64,
    /// See `sources`.
    pub messages: u64,
    /// Distinct records read.
    pub records: u64,
    /// Original bytes whose hashes were checked.
    pub bytes: u64,
    /// What is damaged, at most [`MAX_DAMAGES`].
    pub damages: Vec<Damage>,
    /// Damages beyond those.
    pub more: u64,
}

/// One damage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// What it is, as a sentence.
    pub what: String,
    /// What it hits: sources and runs by their names, as far as known.
    pub hits: Vec<String>,
    /// The sources and conversations it touches, as far as the archive can still tell; empty when it cannot.
    pub touched: Vec<Touched>,
}

/// A source that a damage touches, with its conversations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// The source.
    pub source: SourceId,
    /// Its name.
    pub name: String,
    /// Conversations that the damage touches, at most [`MAX_TOUCHED`]: row and title.
    pub conversations: Vec<(ConversationId, String)>,
}

/// How far the check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is being checked.
    pub doing: Part,
    /// Original bytes read so far, and in all.
    pub done: u64,
    /// See `done`.
    pub total: u64,
}

/// The parts of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Pages, indexes and references.
    Structure,
    /// Original bytes.
    Bytes,
    /// Texts, records, full text and counters.
    Derived,
}

impl Report {
    /// Nothing is damaged.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.damages.is_empty()
    }

    /// Whether a further damage is listed, and not only counted.
    fn lists(&self) -> bool {
        self.damages.len() < MAX_DAMAGES
    }

    fn damage(&mut self, what: impl Into<String>) {
        self.damage_touching(what, Vec::new(), Vec::new());
    }

    fn damage_touching(
        &mut self,
        what: impl Into<String>,
        hits: Vec<String>,
        touched: Vec<Touched>,
    ) {
        if self.lists() {
            self.damages.push(Damage { what: what.into(), hits, touched });
        } else {
            self.more += 1;
        }
    }

    /// Notes that a part could not be read to its end, unless the caller stopped it.
    fn note(&mut self, part: &str, result: Result<()>) -> Result<()> {
        match result {
            Err(Error::Cancelled) => Err(Error::Cancelled),
            Err(error) => {
                self.damage(format!("{part} could not be read to the end: {error}"));
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }
}

/// Checks the archive at `path`. `progress` is called at each step forward; once `wanted` gives `false`, the check
/// stops within some milliseconds.
///
/// Nothing is written, and the file is never repaired.
///
/// # Errors
/// Not found; not an archive; newer; storage, when the file cannot be opened; cancelled. Damage is no error but in
/// the [`Report`].
pub fn verify(
    path: &Path,
    decode: Decode<'_>,
    wanted: &Wanted,
    progress: &mut dyn FnMut(Progress),
) -> Result<Report> {
    archive::check_magic(path)?;
    let mut report = Report::default();
    let mut conn = match archive::connect(path) {
        Err(Error::Damaged(what)) => {
            report.damage(what);
            return Ok(report);
        }
        other => other?,
    };
    let still = Arc::clone(wanted);
    conn.progress_handler(STEPS_BETWEEN_LOOKS, Some(move || !still()))?;
    match migrate::check(&conn, MIGRATIONS) {
        Ok(version) => report.schema_version = Some(version),
        Err(error @ (Error::NotAnArchive(_) | Error::Newer { .. } | Error::Cancelled)) => {
            return Err(error);
        }
        Err(error) => report.damage(error.to_string()),
    }
    // One view of the archive for the whole check, even while someone writes.
    conn.execute_batch("BEGIN")?;
    let mut check = Check { conn: &conn, wanted, progress, report: &mut report, done: 0, total: 0 };
    check.structure()?;
    check.bytes(decode)?;
    check.derived()?;
    Ok(report)
}

/// A check under way.
struct Check<'c> {
    conn: &'c Connection,
    wanted: &'c Wanted,
    progress: &'c mut dyn FnMut(Progress),
    report: &'c mut Report,
    done: u64,
    total: u64,
}

impl Check<'_> {
    /// Says how far it is, and stops when asked to.
    fn step(&mut self, doing: Part) -> Result<()> {
        if !(self.wanted)() {
            return Err(Error::Cancelled);
        }
        (self.progress)(Progress { doing, done: self.done, total: self.total });
        Ok(())
    }
}
