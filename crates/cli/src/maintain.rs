//! `recite verify` and `recite rebuild`.

use std::process::ExitCode;

use app::{
    App,
    contract::{Failure, VerifyReport},
};

use crate::output::{Output, counted};

/// Checks every byte; exit 1 when something is damaged.
pub(crate) fn verify(app: &App, output: &Output) -> Result<ExitCode, Failure> {
    let report = app.verify_now()?;
    output.print(&report, human)?;
    Ok(if report.sound { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Makes derived tables again.
pub(crate) fn rebuild(app: &App, output: &Output) -> Result<ExitCode, Failure> {
    let recordings = app.rebuild_now()?;
    output.print(&serde_json::json!({ "recordings": recordings }), |_| {
        format!("Read {} again; every derived table is new.\n", counted(recordings, "recording"))
    })?;
    Ok(ExitCode::SUCCESS)
}

fn human(report: &VerifyReport) -> String {
    let read = format!(
        "{}, {}, {} bytes read",
        counted(report.recordings, "recording"),
        counted(report.segments, "segment"),
        report.bytes
    );
    if report.sound {
        return format!("Sound: {read}; every hash is as it was.\n");
    }
    let mut text = format!("DAMAGED: {read}.\n");
    text.push_str(&concerned(report));
    text.push_str("Damage:\n");
    for line in &report.damage {
        text.push_str(&format!("  {}\n", render::terminal_line(line)));
    }
    if report.more > 0 {
        text.push_str(&format!("  … and {} more\n", report.more));
    }
    text.push_str("Nothing was changed. Keep this file, and a copy of it, before anything else.\n");
    text
}

/// Whom the damage concerns, by the names that people know.
fn concerned(report: &VerifyReport) -> String {
    let mut text = String::new();
    if !report.touched.is_empty() {
        text.push_str("Touched:\n");
    }
    for recording in &report.touched {
        text.push_str(&format!("  {}\n", render::terminal_line(&recording.name)));
        for conversation in &recording.conversations {
            let title = render::terminal_line(&conversation.title);
            text.push_str(&format!("    conversation {}: {title}\n", conversation.id));
        }
        if recording.conversations.is_empty() {
            text.push_str("    which of its conversations cannot be told\n");
        }
    }
    match report.untold {
        0 => {}
        1 => text.push_str("1 damage does not tell whom it concerns.\n"),
        n => text.push_str(&format!("{n} damages do not tell whom they concern.\n")),
    }
    text
}
