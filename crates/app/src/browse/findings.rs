//! Findings, by code, with the bytes they are about.

use archive::{ConversationId, Cursor, Finding, FindingFilter, FindingId, Severity, SourceId};

use super::{PAGE_ROWS, count, not_held, raw::raw_text, row};
use crate::{
    App, codes,
    contract::{CodeCount, ErrorKind, Failure, FindingPage, FindingQuery, FindingRow, RawText},
    failure::Storage,
};

impl App {
    pub(super) fn read_findings(&self, query: &FindingQuery) -> Result<FindingPage, Failure> {
        let severity =
            match query.severity.as_deref() {
                None => None,
                Some(word) => Some(Severity::from_word(word).ok_or_else(|| {
                    Failure::new(ErrorKind::BadInput, "There is no such severity.")
                })?),
            };
        let filter = FindingFilter {
            code: query.code.clone(),
            severity,
            source: query.recording.as_deref().map(row).transpose()?.map(SourceId),
            conversation: query.conversation.as_deref().map(row).transpose()?.map(ConversationId),
            ..FindingFilter::default()
        };
        let cursor = query.cursor.as_deref().map(Cursor::from_text);
        let limit = query.limit.unwrap_or(PAGE_ROWS).clamp(1, PAGE_ROWS);
        self.read(|reader| {
            // A filter that names nothing would look like an all-clear.
            if let Some(id) = filter.conversation
                && reader.conversation(id).storage()?.is_none()
            {
                return Err(not_held("conversation"));
            }
            if let Some(code) =
                filter.code.as_deref().filter(|code| codes::meaning(code).is_empty())
            {
                return Err(Failure::new(
                    ErrorKind::BadInput,
                    format!("There is no code {}.", codes::quote(code)),
                )
                .hint("docs/findings.md lists all codes."));
            }
            let page = reader.findings(&filter, cursor.as_ref(), limit).storage()?;
            // Counts are of the query without its code, so that one code can be chosen after the other.
            let totals = reader
                .finding_totals(&FindingFilter { code: None, severity: None, ..filter.clone() })
                .storage()?;
            let codes = totals
                .into_iter()
                .map(|total| CodeCount {
                    meaning: codes::meaning(&total.code).to_owned(),
                    severity: total.severity.word().to_owned(),
                    count: count(total.findings),
                    code: total.code,
                })
                .collect();
            Ok(FindingPage {
                findings: page.rows.into_iter().map(finding_row).collect(),
                codes,
                next: page.next.map(|next| next.to_string()),
            })
        })
    }

    pub(super) fn read_finding_raw(&self, id: FindingId) -> Result<RawText, Failure> {
        self.read(|reader| {
            let finding = reader.finding(id).storage()?.ok_or_else(|| not_held("finding"))?;
            match finding.at {
                Some(at) => raw_text(reader, finding.source, at),
                None => Err(not_held("raw text; this finding is about no single event")),
            }
        })
    }
}

/// A finding as it crosses to a host.
pub(super) fn finding_row(finding: Finding) -> FindingRow {
    FindingRow {
        id: finding.id.to_string(),
        meaning: codes::meaning(&finding.code).to_owned(),
        code: finding.code,
        severity: finding.severity.word().to_owned(),
        message: render::plain_line(&finding.text),
        recording: Some(finding.source.to_string()),
        recording_name: Some(render::plain_line(&finding.source_name)),
        conversation: finding.conversation.map(|id| id.to_string()),
        conversation_title: finding.conversation_title,
        run: finding.run.map(|id| id.to_string()),
        event: finding.event.map(|event| event.to_string()),
        has_raw: finding.at.is_some(),
    }
}
