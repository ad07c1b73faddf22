//! `recite show`.

use std::process::ExitCode;

use app::{App, contract::Failure};

use crate::output::Output;

/// Shows a conversation with the sources of each answer.
pub(crate) fn run(app: &App, conversation: &str, output: &Output) -> Result<ExitCode, Failure> {
    let report = app.report(conversation)?;
    output.print(&report, |report| render::terminal(&app::report::markdown(report)))?;
    Ok(ExitCode::SUCCESS)
}
