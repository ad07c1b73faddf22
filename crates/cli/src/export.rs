//! `recite export`.

use std::{io::Write, path::Path, process::ExitCode, sync::Arc};

use app::{
    App,
    contract::{Commands, ExportFormat, ExportRequest, Failure},
};

use crate::output::{self, Output};

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
            let path = file.to_string_lossy().into_owned();
            let request = ExportRequest { conversation: conversation.to_owned(), format, path };
            output.print(&app.export(request)?, |done| {
                format!("{} ({} bytes)\n", render::terminal_line(&done.path), done.bytes)
            })?;
        }
        None => app.export_to(conversation, format, &mut StandardOutput)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Standard output that takes a closed pipe for an early end.
struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        output::write_out(bytes).map_err(|failure| std::io::Error::other(failure.message))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
