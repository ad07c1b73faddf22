//! Texts and records against their hashes, full text against what it must cover, counters against rows.

use super::{Check, Part};
use crate::table::total;
use crate::value::unsigned;
use crate::{Result, Sha256};

/// Rows between two steps of progress.
const ROWS_BETWEEN_STEPS: u64 = 1000;

const MESSAGES: &str =
    "SELECT m.id, m.text, m.text_sha256, m.text_size, m.class NOT IN ('tool', 'activity'),
    EXISTS (SELECT 1 FROM message_fts_docsize d WHERE d.id = m.id) FROM message m ORDER BY m.id";
const RECORDS: &str =
    "SELECT r.id, r.json, r.sha256, EXISTS (SELECT 1 FROM record_fts_docsize d WHERE d.id = r.id)
    FROM record r ORDER BY r.id";

/// Counters that a conversation keeps, against the rows they count.
const COUNTERS: &[(&str, &str)] = &[
    (
        "runs",
        "SELECT (SELECT coalesce(sum(runs), 0) FROM conversation), (SELECT count(*) FROM run)",
    ),
    (
        "messages",
        "SELECT (SELECT coalesce(sum(messages), 0) FROM conversation), (SELECT count(*) FROM message)",
    ),
    (
        "citation events",
        "SELECT (SELECT coalesce(sum(citation_events), 0) FROM conversation), (SELECT count(*) FROM citation_event)",
    ),
    (
        "citations",
        "SELECT (SELECT coalesce(sum(citations), 0) FROM conversation), (SELECT count(*) FROM citation)",
    ),
    (
        "findings",
        "SELECT (SELECT coalesce(sum(findings), 0) FROM conversation),
            (SELECT count(*) FROM finding WHERE conversation_id IS NOT NULL)",
    ),
    (
        "full-text rows of messages",
        "SELECT (SELECT count(*) FROM message_fts_docsize),
            (SELECT count(*) FROM message WHERE text <> '' AND class NOT IN ('tool', 'activity'))",
    ),
    (
        "full-text rows of records",
        "SELECT (SELECT count(*) FROM record_fts_docsize), (SELECT count(*) FROM record)",
    ),
];

impl Check<'_> {
    pub(super) fn derived(&mut self) -> Result<()> {
        self.step(Part::Derived)?;
        let result = self.messages();
        self.report.note("the messages", result)?;
        let result = self.records();
        self.report.note("the records", result)?;
        for (name, sql) in COUNTERS {
            let result = self.counter(name, sql);
            self.report.note("the counters", result)?;
        }
        let result = self.totals();
        self.report.note("the totals", result)
    }

    fn messages(&mut self) -> Result<()> {
        let conn = self.conn;
        let mut statement = conn.prepare(MESSAGES)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            let text = row.get_ref(1)?.as_bytes().map_err(rusqlite::Error::from)?;
            let (sha256, size): (Sha256, i64) = (row.get(2)?, row.get(3)?);
            if Sha256::of(text) != sha256 || text.len() as u64 != unsigned(size) {
                self.of_message(
                    id,
                    format!("the text of message {id} has another hash; a rebuild makes it again"),
                );
            }
            let (wanted, indexed): (bool, bool) = (row.get(4)?, row.get(5)?);
            if (wanted && !text.is_empty()) != indexed {
                self.of_message(
                    id,
                    format!(
                        "full text does not cover message {id} rightly; a rebuild makes it again"
                    ),
                );
            }
            self.report.messages += 1;
            if self.report.messages.is_multiple_of(ROWS_BETWEEN_STEPS) {
                self.step(Part::Derived)?;
            }
        }
        Ok(())
    }

    fn records(&mut self) -> Result<()> {
        let conn = self.conn;
        let mut statement = conn.prepare(RECORDS)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            let json = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            if Sha256::of(json) != row.get(2)? {
                self.of_record(
                    id,
                    format!("the bytes of record {id} have another hash; a rebuild makes it again"),
                );
            }
            if !row.get::<_, bool>(3)? {
                self.of_record(
                    id,
                    format!("full text does not cover record {id}; a rebuild makes it again"),
                );
            }
            self.report.records += 1;
            if self.report.records.is_multiple_of(ROWS_BETWEEN_STEPS) {
                self.step(Part::Derived)?;
            }
        }
        Ok(())
    }

    fn of_message(&mut self, id: i64, what: String) {
        let touched = if self.report.lists() { self.touched_by_message(id) } else { Vec::new() };
        self.report.damage_touching(what, Vec::new(), touched);
    }

    fn of_record(&mut self, id: i64, what: String) {
        let touched = if self.report.lists() { self.touched_by_record(id) } else { Vec::new() };
        self.report.damage_touching(what, Vec::new(), touched);
    }

    fn counter(&mut self, name: &str, sql: &str) -> Result<()> {
        let (kept, counted): (i64, i64) =
            self.conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if kept != counted {
            self.report.damage(format!(
                "{kept} {name} are noted, {counted} are there; a rebuild counts them again"
            ));
        }
        Ok(())
    }

    fn totals(&mut self) -> Result<()> {
        for (name, sql) in total::COUNTED {
            let counted: i64 = self.conn.query_row(sql, [], |row| row.get(0))?;
            let kept: i64 = self.conn.query_row(
                "SELECT coalesce((SELECT value FROM total WHERE name = ?1), 0)",
                [name],
                |row| row.get(0),
            )?;
            if kept != counted {
                self.report.damage(format!(
                    "{kept} {name} are noted in all, {counted} are there; a rebuild counts them again"
                ));
            }
        }
        Ok(())
    }
}
