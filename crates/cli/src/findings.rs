//! `recite findings`.

use std::{process::ExitCode, sync::Arc};

use app::{
    App,
    contract::{Commands, Failure, FindingPage, FindingQuery, FindingRow},
};
use serde::Serialize;

use crate::output::Output;

/// The JSON of `recite findings --json`.
#[derive(Serialize)]
struct Page {
    findings: Vec<Finding>,
    next: Option<String>,
}

/// One finding as scripts see it.
#[derive(Serialize)]
struct Finding {
    code: String,
    severity: String,
    source: Option<String>,
    conversation: Option<String>,
    run: Option<String>,
    event: Option<u64>,
    message: String,
}

/// Lists findings.
pub(crate) fn run(
    app: &Arc<App>,
    code: Option<String>,
    conversation: Option<String>,
    limit: u32,
    cursor: Option<String>,
    output: &Output,
) -> Result<ExitCode, Failure> {
    let query =
        FindingQuery { code, conversation, cursor, limit: Some(limit), ..FindingQuery::default() };
    output.print(&Page::from(app.list_findings(query)?), human)?;
    Ok(ExitCode::SUCCESS)
}

impl From<FindingPage> for Page {
    fn from(page: FindingPage) -> Self {
        Self { findings: page.findings.into_iter().map(Finding::from).collect(), next: page.next }
    }
}

impl From<FindingRow> for Finding {
    fn from(row: FindingRow) -> Self {
        Self {
            code: row.code,
            severity: row.severity,
            source: row.recording_name,
            conversation: row.conversation,
            run: row.run,
            event: row.event.and_then(|event| event.parse().ok()),
            message: row.message,
        }
    }
}

fn human(page: &Page) -> String {
    if page.findings.is_empty() {
        return "No findings.\n".to_owned();
    }
    let mut text = String::new();
    for finding in &page.findings {
        let mut place: Vec<String> = Vec::new();
        place.extend(finding.source.clone());
        place.extend(finding.conversation.as_ref().map(|id| format!("conversation {id}")));
        place.extend(finding.event.map(|event| format!("event {event}")));
        text.push_str(&format!("{:<8}{}\n", finding.severity, finding.code));
        text.push_str(&format!("        {}\n", render::terminal_line(&finding.message)));
        text.push_str(&format!("        {}\n", render::terminal_line(&place.join(" · "))));
    }
    if let Some(next) = &page.next {
        text.push_str(&format!("More: recite findings --cursor {next}\n"));
    }
    text
}
