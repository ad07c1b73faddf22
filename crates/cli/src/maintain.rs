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
        return format!("Sound: {read}; every hash holds.\n");
    }
    let mut text = format!("DAMAGED: {read}.\n");
    for line in &report.damage {
        text.push_str(&format!("  {}\n", render::terminal_line(line)));
    }
    if report.more > 0 {
        text.push_str(&format!("  … and {} more\n", report.more));
    }
    text.push_str("Nothing was changed. Keep this file, and a copy of it, before anything else.\n");
    text
}
