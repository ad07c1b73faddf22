//! What the archive holds as a whole: totals, sources, services, packages, notes.

use rusqlite::params;

use crate::page::bounded;
use crate::table::{note, service, source, total};
use crate::value::unsigned;
use crate::{Cursor, Instant, NoteId, NoteKind, Page, Reader, Result, Service, Source, Subject};

statements! {
    /// One row a package id: the index is walked from id to id.
    PACKAGE_IDS = "WITH RECURSIVE ids (id) AS (
            SELECT * FROM (SELECT stated_id FROM package WHERE stated_id > ?1 ORDER BY stated_id LIMIT 1)
            UNION ALL
            SELECT (SELECT stated_id FROM package WHERE stated_id > ids.id ORDER BY stated_id LIMIT 1)
            FROM ids WHERE ids.id IS NOT NULL)
        SELECT id FROM ids WHERE id IS NOT NULL LIMIT ?2";
}

const SOURCES_LIST: &str = "sources";

/// How much an archive holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Complete sources.
    pub sources: u64,
    /// Conversations, runs and messages.
    pub conversations: u64,
    /// See `conversations`.
    pub runs: u64,
    /// See `conversations`.
    pub messages: u64,
    /// Assistant messages with words in them.
    pub answers: u64,
    /// Citation events and citations.
    pub citation_events: u64,
    /// See `citation_events`.
    pub citations: u64,
    /// Distinct records.
    pub records: u64,
    /// Findings.
    pub findings: u64,
    /// Size of the database in bytes.
    pub bytes: u64,
}

/// A note of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Row id.
    pub id: NoteId,
    /// What it says.
    pub kind: NoteKind,
    /// The words.
    pub text: String,
    /// When it was made.
    pub made_at: Instant,
}

impl Reader {
    /// How much the archive holds, from counters that every batch keeps.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn totals(&self) -> Result<Totals> {
        let mut totals = Totals { bytes: self.bytes()?, ..Totals::default() };
        for (name, value) in
            self.rows(total::GET, [], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?
        {
            let place = match name.as_str() {
                "sources" => &mut totals.sources,
                "conversations" => &mut totals.conversations,
                "runs" => &mut totals.runs,
                "messages" => &mut totals.messages,
                "answers" => &mut totals.answers,
                "citation-events" => &mut totals.citation_events,
                "citations" => &mut totals.citations,
                "records" => &mut totals.records,
                "findings" => &mut totals.findings,
                _ => continue,
            };
            *place = unsigned(value);
        }
        Ok(totals)
    }

    /// Sources in order of import.
    ///
    /// # Errors
    /// Bad input, when the cursor is of another list; storage; damaged.
    pub fn sources(&self, after: Option<&Cursor>, limit: u32) -> Result<Page<Source>> {
        let limit = bounded(limit);
        let [after, _] =
            after.map(|cursor| cursor.key(SOURCES_LIST)).transpose()?.unwrap_or([0, 0]);
        let rows = self.rows(source::PAGE_FROM, params![after, limit + 1], Source::from_row)?;
        Ok(Page::cut(rows, limit, |row| Cursor::of(SOURCES_LIST, [row.id.0, 0])))
    }

    /// Services by name; at most 200.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn services(&self) -> Result<Vec<Service>> {
        self.rows(service::LIST, [], |row| {
            Ok(Service { id: row.get(0)?, key: row.get(1)?, name: row.get(2)? })
        })
    }

    /// Ids of cited packages that follow `after`, in order; at most `limit`.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn package_ids(&self, after: &str, limit: u32) -> Result<Vec<String>> {
        self.rows(PACKAGE_IDS, params![after, bounded(limit)], |row| row.get(0))
    }

    /// Notes on a subject, oldest first; at most 200.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn notes(&self, subject: Subject, key: &str) -> Result<Vec<Note>> {
        self.rows(note::OF_SUBJECT, params![subject, key], |row| {
            Ok(Note { id: row.get(0)?, kind: row.get(1)?, text: row.get(2)?, made_at: row.get(3)? })
        })
    }

    fn bytes(&self) -> Result<u64> {
        let pragma = |sql: &str| self.row(sql, [], |row| row.get::<_, i64>(0));
        let pages = pragma("PRAGMA page_count")?.unwrap_or(0);
        let size = pragma("PRAGMA page_size")?.unwrap_or(0);
        Ok(unsigned(pages).saturating_mul(unsigned(size)))
    }
}
