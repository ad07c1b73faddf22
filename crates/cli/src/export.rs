//! `recite export`.

use std::{path::Path, process::ExitCode, sync::Arc};

use app::{
    App,
    contract::{ExportFormat, Failure},
};

use crate::output::{Output, StandardOutput};

/// Writes a conversation to a file, or to standard output.
pub(crate) fn run(
    app: &Arc<App>,
    conversation: &str,
    format: ExportFormat,
    file: Option<&Path>,
    output: &Output,
) -> Result<ExitCode, Failure> {
    match file {
        Some(file) => {
            output.print(&app.export_to_file(conversation, format, file)?, |done| {
                format!("{} ({} bytes)\n", render::terminal_line(&done.path), done.bytes)
            })?;
        }
        None => app.export_to(conversation, format, &mut StandardOutput)?,
    }
    Ok(ExitCode::SUCCESS)
}
