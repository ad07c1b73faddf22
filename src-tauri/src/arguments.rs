//! Command line of the desktop app.

use std::path::PathBuf;

use clap::Parser;
use tauri::Manager;

/// Recite: keeps AI answers with their sources.
#[derive(Debug, Parser)]
#[command(name = "recite-desktop", version)]
pub(crate) struct Arguments {
    /// The archive to open instead of the user's own.
    #[arg(long, value_name = "PATH")]
    archive: Option<PathBuf>,
    /// Open a copy of the sample archive.
    #[arg(long)]
    pub(crate) sample: bool,
    /// Recordings to import.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

impl Arguments {
    /// Where the archive stands: as given, or in the user's data folder, where the command line looks too.
    pub(crate) fn archive_path(&self, shell: &tauri::App) -> tauri::Result<PathBuf> {
        match &self.archive {
            Some(path) => Ok(path.clone()),
            None => Ok(shell.path().data_dir()?.join(app::DATA_FOLDER).join(app::ARCHIVE_FILE)),
        }
    }
}
