//! `recite list`.

use std::{process::ExitCode, sync::Arc};

use app::{
    App,
    contract::{Commands, ConversationPage, ConversationQuery, ConversationRow, Failure},
};

use crate::output::{self, Output};

/// Lists conversations, newest first.
pub(crate) fn run(
    app: &Arc<App>,
    limit: u32,
    cursor: Option<String>,
    output: &Output,
) -> Result<ExitCode, Failure> {
    let query = ConversationQuery { limit: Some(limit), cursor, ..ConversationQuery::default() };
    output.print(&app.list_conversations(query)?, human)?;
    Ok(ExitCode::SUCCESS)
}

/// When something last happened; a time of import is called one.
fn last(row: &ConversationRow) -> String {
    let at = row.last_at.as_deref().unwrap_or_default();
    let moment = app::moment(at);
    match row.times_are_import {
        true => format!("no stated time, imported {moment}"),
        false => moment,
    }
}

fn human(page: &ConversationPage) -> String {
    if page.conversations.is_empty() {
        return "The archive holds no conversation yet. Try: recite import FILE\n".to_owned();
    }
    // The states of the sources come last, where they are never cut: a state without its time says nothing.
    let rows: Vec<[String; 6]> = page
        .conversations
        .iter()
        .map(|row| {
            [
                row.id.clone(),
                row.title.clone(),
                row.service.clone().unwrap_or_default(),
                row.answers.to_string(),
                last(row),
                row.strip.label.clone(),
            ]
        })
        .collect();
    let mut text = output::table(["ID", "TITLE", "SERVICE", "ANSWERS", "LAST", "SOURCES"], &rows);
    if let Some(next) = &page.next {
        text.push_str(&format!("More: recite list --cursor {next}\n"));
    }
    text
}
