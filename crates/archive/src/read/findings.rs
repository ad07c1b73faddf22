//! Findings, newest first, and how many there are of each code.

use std::ops::Range;

use rusqlite::{Row, ToSql};

use crate::page::bounded;
use crate::table::total;
use crate::value::{range, unsigned};
use crate::{
    CitationEventId, ConversationId, Cursor, FindingId, MessageId, Page, Reader, Result, RunId,
    Severity, SourceId,
};

/// Columns of a finding with the names of what it is in.
pub(crate) const COLUMNS: &str = "SELECT f.id, f.source_id, s.name, f.conversation_id, c.title, f.run_id, f.message_id,
    f.citation_event_id, f.code, f.severity, f.message, f.event, f.content_start, f.content_end, f.excerpt, f.times
    FROM finding f JOIN source s ON s.id = f.source_id LEFT JOIN conversation c ON c.id = f.conversation_id";

const LIST: &str = "findings";

/// Which findings to list; all conditions hold together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FindingFilter {
    /// Only this code.
    pub code: Option<String>,
    /// Only this severity.
    pub severity: Option<Severity>,
    /// Only of this source.
    pub source: Option<SourceId>,
    /// Only of this conversation.
    pub conversation: Option<ConversationId>,
    /// Only of this message.
    pub message: Option<MessageId>,
    /// Only of this citation event.
    pub citation_event: Option<CitationEventId>,
}

/// A finding as held; fields as in [`crate::NewFinding`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // Said once, at NewFinding.
pub struct Finding {
    pub id: FindingId,
    pub source: SourceId,
    /// Name of the source.
    pub source_name: String,
    pub conversation: Option<ConversationId>,
    /// Title of the conversation.
    pub conversation_title: Option<String>,
    pub run: Option<RunId>,
    pub message: Option<MessageId>,
    pub citation_event: Option<CitationEventId>,
    pub code: String,
    pub severity: Severity,
    pub text: String,
    pub event: Option<u64>,
    pub at: Option<Range<u64>>,
    pub excerpt: Option<String>,
    pub times: u64,
}

/// How many findings there are of one code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingTotal {
    /// The code.
    pub code: String,
    /// Its severity.
    pub severity: Severity,
    /// How many.
    pub findings: u64,
}

impl Finding {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let at: (Option<i64>, Option<i64>) = (row.get(12)?, row.get(13)?);
        Ok(Self {
            id: row.get(0)?,
            source: row.get(1)?,
            source_name: row.get(2)?,
            conversation: row.get(3)?,
            conversation_title: row.get(4)?,
            run: row.get(5)?,
            message: row.get(6)?,
            citation_event: row.get(7)?,
            code: row.get(8)?,
            severity: row.get(9)?,
            text: row.get(10)?,
            event: row.get::<_, Option<i64>>(11)?.map(unsigned),
            at: at.0.zip(at.1).map(|(start, end)| range(start, end)),
            excerpt: row.get(14)?,
            times: unsigned(row.get(15)?),
        })
    }
}

impl FindingFilter {
    /// The condition and its values.
    pub(crate) fn condition(&self) -> (String, Vec<(&'static str, &dyn ToSql)>) {
        let mut sql = String::from("f.id < :before");
        let mut values: Vec<(&'static str, &dyn ToSql)> = Vec::new();
        let mut add = |name, column, value| {
            sql.push_str(column);
            values.push((name, value));
        };
        if let Some(value) = &self.code {
            add(":code", " AND f.code = :code", value);
        }
        if let Some(value) = &self.severity {
            add(":severity", " AND f.severity = :severity", value);
        }
        if let Some(value) = &self.source {
            add(":source", " AND f.source_id = :source", value);
        }
        if let Some(value) = &self.conversation {
            add(":conversation", " AND f.conversation_id = :conversation", value);
        }
        if let Some(value) = &self.message {
            add(":message", " AND f.message_id = :message", value);
        }
        if let Some(value) = &self.citation_event {
            add(":event", " AND f.citation_event_id = :event", value);
        }
        (sql, values)
    }
}

/// The statement for one page.
pub(crate) fn page_sql(condition: &str) -> String {
    format!("{COLUMNS} WHERE {condition} ORDER BY f.id DESC LIMIT :rows")
}

/// The statement that counts what a filter gives by code; only with a source, conversation, message or event, whose
/// findings are few beside the archive's.
pub(crate) fn totals_sql(condition: &str) -> String {
    format!(
        "SELECT f.code, f.severity, count(*) FROM finding f WHERE {condition} GROUP BY f.code, f.severity ORDER BY f.code"
    )
}

impl Reader {
    /// Findings, newest first.
    ///
    /// # Errors
    /// Bad input, when the cursor is of another list; storage; damaged; cancelled.
    pub fn findings(
        &self,
        filter: &FindingFilter,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Finding>> {
        let limit = bounded(limit);
        let [before, _] =
            after.map(|cursor| cursor.key(LIST)).transpose()?.unwrap_or([i64::MAX, 0]);
        let (condition, mut values) = filter.condition();
        let rows = limit + 1;
        values.push((":before", &before));
        values.push((":rows", &rows));
        let rows = self.rows(&page_sql(&condition), values.as_slice(), Finding::from_row)?;
        Ok(Page::cut(rows, limit, |row| Cursor::of(LIST, [row.id.0, 0])))
    }

    /// One finding.
    ///
    /// # Errors
    /// Storage; damaged.
    pub fn finding(&self, id: FindingId) -> Result<Option<Finding>> {
        self.row(&format!("{COLUMNS} WHERE f.id = ?1"), [id], Finding::from_row)
    }

    /// How many findings of each code a filter gives.
    ///
    /// # Errors
    /// Storage; damaged; cancelled.
    pub fn finding_totals(&self, filter: &FindingFilter) -> Result<Vec<FindingTotal>> {
        let read = |row: &Row<'_>| {
            Ok(FindingTotal {
                code: row.get(0)?,
                severity: row.get(1)?,
                findings: unsigned(row.get(2)?),
            })
        };
        let narrow = filter.source.is_some()
            || filter.conversation.is_some()
            || filter.message.is_some()
            || filter.citation_event.is_some();
        if narrow {
            let (condition, mut values) = filter.condition();
            values.push((":before", &i64::MAX));
            return self.rows(&totals_sql(&condition), values.as_slice(), read);
        }
        let mut all = self.rows(total::GET_FINDINGS, [], read)?;
        all.retain(|row| {
            filter.code.as_ref().is_none_or(|code| *code == row.code)
                && filter.severity.is_none_or(|severity| severity == row.severity)
        });
        Ok(all)
    }
}
