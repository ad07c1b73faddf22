//! What only a desktop can do: file dialogs, opening a link outside, showing the sample archive.

#![allow(
    clippy::needless_pass_by_value,
    reason = "the window hands state and arguments over by value"
)]

use std::path::Path;

use app::contract::{Commands, ErrorKind, Failure, LinkText};
use rfd::AsyncFileDialog;
use tauri::State;

use crate::open_archive::OpenArchive;

/// A path as the window takes it. Of a name that is no text the import says so.
fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Recordings the user chose; empty when the dialog was closed.
#[tauri::command]
pub(crate) async fn choose_files() -> Vec<String> {
    let chosen = AsyncFileDialog::new().set_title("Import recordings").pick_files().await;
    chosen.unwrap_or_default().iter().map(|file| shown(file.path())).collect()
}

/// A folder of recordings the user chose.
#[tauri::command]
pub(crate) async fn choose_folder() -> Option<String> {
    let chosen = AsyncFileDialog::new().set_title("Import a folder").pick_folder().await;
    chosen.map(|folder| shown(folder.path()))
}

/// Where to write an export.
#[tauri::command]
pub(crate) async fn choose_export_path(suggested: String) -> Option<String> {
    let dialog = AsyncFileDialog::new().set_title("Export conversation").set_file_name(suggested);
    dialog.save_file().await.map(|file| shown(file.path()))
}

/// Opens a link in the user's browser. The window asked before; the link is checked again here.
#[tauri::command(async)]
pub(crate) fn open_link(open: State<'_, OpenArchive>, url: String) -> Result<(), Failure> {
    let checked = open.app().inspect_link(LinkText { url })?;
    open::that_detached(&checked.url).map_err(|error| Failure {
        kind: ErrorKind::Storage,
        message: format!("The browser could not be started: {error}."),
        hint: Some(format!("Open this address by hand: {}", checked.url)),
    })
}

/// Recordings named on the command line. The window imports them, so that what comes of it is told there.
#[tauri::command]
pub(crate) fn startup_files(open: State<'_, OpenArchive>) -> Vec<String> {
    open.take_startup_files().iter().map(|file| shown(file)).collect()
}

/// Shows a fresh copy of the sample archive.
#[tauri::command(async)]
pub(crate) fn open_sample(open: State<'_, OpenArchive>) {
    open.show_sample();
}

/// Shows the user's own archive again.
#[tauri::command(async)]
pub(crate) fn close_sample(open: State<'_, OpenArchive>) {
    open.show_own();
}
