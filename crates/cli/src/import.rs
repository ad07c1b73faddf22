//! `recite import`.

use std::{path::PathBuf, process::ExitCode};

use app::{
    App, OnJob,
    contract::{Failure, ImportStatus, ImportSummary, ImportedSource, JobState},
};

use crate::output::{self, Output, counted};

/// Takes recordings in. Exit 0 when none was refused, 2 when some were.
pub(crate) fn run(app: &App, paths: &[PathBuf], output: &Output) -> Result<ExitCode, Failure> {
    let summary = app.import_files(paths, "command line")?;
    if output::shows_progress() {
        eprint!("\r\x1b[K");
    }
    output.print(&summary, human)?;
    let refused = summary.sources.iter().any(|source| source.status == ImportStatus::Refused);
    Ok(ExitCode::from(if refused { 2 } else { 0 }))
}

/// Draws how an import stands, when standard error is a terminal.
pub(crate) fn progress() -> OnJob {
    if !output::shows_progress() {
        return Box::new(|_| ());
    }
    Box::new(|state: &JobState| {
        let counts = &state.counts;
        eprint!(
            "\r\x1b[K{}  {} of {} files, {} events, {} runs",
            render::terminal_line(&state.doing),
            counts.files,
            counts.files_total,
            counts.events,
            counts.runs
        );
    })
}

fn human(summary: &ImportSummary) -> String {
    let mut text = String::new();
    for source in &summary.sources {
        text.push_str(&render::terminal_line(&source.path));
        text.push_str("\n  ");
        text.push_str(&sentence(source));
        text.push('\n');
        if let Some(left_out) = &source.left_out {
            text.push_str(&format!("  Left out on purpose: {left_out}\n"));
        }
    }
    text
}

fn sentence(source: &ImportedSource) -> String {
    match source.status {
        ImportStatus::Refused => match &source.error {
            Some(failure) => {
                let hint =
                    failure.hint.as_deref().map(|hint| format!(" {hint}")).unwrap_or_default();
                render::terminal_line(&format!("Refused: {}{hint}", failure.message))
            }
            None => "Refused.".to_owned(),
        },
        ImportStatus::AlreadyHeld => {
            "Already held: the same bytes are in the archive. Nothing was added.".to_owned()
        }
        ImportStatus::Added => format!(
            "Added ({}): {}, {} ({} new), {}, {}, {} with {}, {}.",
            source.format.as_deref().unwrap_or("unknown format"),
            counted(source.conversations, "conversation"),
            counted(source.runs, "run"),
            source.new_runs,
            counted(source.messages, "message"),
            counted(source.events, "event"),
            counted(source.citation_events, "citation event"),
            counted(source.citations, "citation"),
            counted(source.findings, "finding"),
        ),
    }
}
