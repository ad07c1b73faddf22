//! `total` and `finding_total`: what the archive holds, kept by each batch, so that the start screen counts nothing.

use std::collections::BTreeMap;

use rusqlite::params;

use super::conversation::Counts;
use crate::{Batch, Result, Severity};

statements! {
    ADD = "INSERT INTO total (name, value) VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET value = value + excluded.value";
    SET = "INSERT INTO total (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    ADD_FINDINGS = "INSERT INTO finding_total (code, severity, findings) VALUES (?1, ?2, ?3)
        ON CONFLICT (code) DO UPDATE SET findings = findings + excluded.findings";
    /// One row a kind of thing.
    GET = "SELECT name, value FROM total";
    /// One row a code; there are as many as the code table has lines.
    GET_FINDINGS = "SELECT code, severity, findings FROM finding_total ORDER BY code";
    /// Sources are not derived.
    CLEAR = "DELETE FROM total WHERE name <> 'sources'";
    CLEAR_FINDINGS = "DELETE FROM finding_total";
}

/// Where each total can be counted: the names in `total`, and the statement that counts. For `verify`, and after a
/// source was taken out.
pub(crate) const COUNTED: &[(&str, &str)] = &[
    ("sources", "SELECT count(*) FROM source WHERE state = 'complete'"),
    ("conversations", "SELECT count(*) FROM conversation"),
    ("runs", "SELECT count(*) FROM run"),
    ("messages", "SELECT count(*) FROM message"),
    ("answers", "SELECT coalesce(sum(answers), 0) FROM conversation"),
    ("citation-events", "SELECT count(*) FROM citation_event"),
    ("citations", "SELECT count(*) FROM citation"),
    ("records", "SELECT count(*) FROM record"),
    ("findings", "SELECT count(*) FROM finding"),
];

/// Counts findings by code again from the rows.
pub(crate) const COUNT_FINDINGS: &str = "INSERT INTO finding_total (code, severity, findings)
    SELECT code, min(severity), count(*) FROM finding GROUP BY code";

/// What a batch adds to the totals.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    pub(crate) sources: i64,
    pub(crate) conversations: i64,
    pub(crate) records: i64,
    pub(crate) findings: BTreeMap<(String, Severity), i64>,
}

impl Batch {
    /// Writes what the batch added; `counts` are those of its conversations.
    pub(crate) fn write_totals<'a>(
        &mut self,
        counts: impl Iterator<Item = &'a Counts>,
    ) -> Result<()> {
        let totals = std::mem::take(&mut self.totals);
        let mut sum = Counts::default();
        for each in counts {
            sum.runs += each.runs;
            sum.messages += each.messages;
            sum.answers += each.answers;
            sum.citation_events += each.citation_events;
            sum.citations += each.citations;
        }
        let rows = [
            ("sources", totals.sources),
            ("conversations", totals.conversations),
            ("runs", sum.runs),
            ("messages", sum.messages),
            ("answers", sum.answers),
            ("citation-events", sum.citation_events),
            ("citations", sum.citations),
            ("records", totals.records),
            ("findings", totals.findings.values().sum()),
        ];
        for (name, value) in rows.into_iter().filter(|(_, value)| *value != 0) {
            self.execute(ADD, params![name, value])?;
        }
        for ((code, severity), findings) in totals.findings {
            self.execute(ADD_FINDINGS, params![code, severity, findings])?;
        }
        Ok(())
    }

    /// Counts everything again, when rows went.
    pub(crate) fn count_again(&self) -> Result<()> {
        self.execute(CLEAR, [])?;
        for (name, count) in COUNTED {
            let value: i64 = self.statement(count)?.query_row([], |row| row.get(0))?;
            self.execute(SET, params![name, value])?;
        }
        self.execute(CLEAR_FINDINGS, [])?;
        self.execute(COUNT_FINDINGS, []).map(drop)
    }
}
