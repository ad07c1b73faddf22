//! Findings: what is wrong or noteworthy in a stream, by stable code.

use std::ops::Range;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// A rule is broken; the content is usable.
    Warning,
    /// Content could not be used.
    Error,
}

/// One line of the code table; `docs/findings.md` is made from [`CODES`].
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable name, `agui.<subject>.<fault>`.
    pub id: &'static str,
    /// Severity of every finding with this code.
    pub severity: Severity,
    /// One sentence that says what the code means.
    pub meaning: &'static str,
    /// The rule it stands for (`facts/agui §3.1`).
    pub rule: &'static str,
}

/// One thing found, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The code.
    pub code: &'static Code,
    /// One sentence about this occurrence; text of the source in it is quoted and bounded.
    pub message: String,
    /// Index of the event over the whole source (from 0), when the finding is about an event.
    pub event: Option<u64>,
    /// Bytes of the content it is about.
    pub at: Option<Range<u64>>,
}

/// Every code of this crate.
pub const CODES: &[&Code] = &joined::<{ count(TABLES) }>(TABLES);

/// One table for each room.
const TABLES: &[&[&Code]] =
    &[crate::container::codes::CODES, crate::event::CODES, crate::runs::CODES, crate::fold::CODES];

const fn count(tables: &[&[&Code]]) -> usize {
    let (mut total, mut table) = (0, 0);
    while table < tables.len() {
        total += tables[table].len();
        table += 1;
    }
    total
}

const fn joined<const N: usize>(tables: &'static [&'static [&'static Code]]) -> [&'static Code; N] {
    let mut all = [tables[0][0]; N];
    let (mut next, mut table) = (0, 0);
    while table < tables.len() {
        let mut row = 0;
        while row < tables[table].len() {
            all[next] = tables[table][row];
            next += 1;
            row += 1;
        }
        table += 1;
    }
    all
}
