//! The desktop shell of Recite: a window, its commands and nothing else.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod arguments;
mod commands;
mod desktop;
mod open_archive;

use std::{process::ExitCode, sync::Arc};

use clap::Parser;
use tauri::{Emitter, Manager};

use crate::{arguments::Arguments, open_archive::OpenArchive};

/// Event that carries the state of a job to the window.
const JOB_EVENT: &str = "job";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(missing) = missing_display() {
        eprintln!("{missing}");
        return ExitCode::FAILURE;
    }
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("recite: the window could not be opened: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> tauri::Result<()> {
    tauri::Builder::default()
        .invoke_handler(commands::handler())
        .setup(move |shell| {
            let window_of = shell.handle().clone();
            let on_job = Arc::new(move |state: &app::contract::JobState| {
                // A window that is closing hears nothing more; the job goes on and keeps its result.
                drop(window_of.emit(JOB_EVENT, state));
            });
            let own = arguments.archive_path(shell)?;
            shell.manage(OpenArchive::new(own, arguments.sample, arguments.files, on_job));
            let config = &shell.config().app.windows[0];
            let mut window = tauri::WebviewWindowBuilder::from_config(shell.handle(), config)?;
            // The page is ours alone: nothing may navigate it elsewhere.
            window = window.on_navigation(|url| {
                matches!(url.scheme(), "tauri") || url.host_str() == Some("tauri.localhost")
            });
            window.build()?;
            Ok(())
        })
        .run(tauri::generate_context!())
}

/// One line for a machine without a screen.
fn missing_display() -> Option<&'static str> {
    let linux = cfg!(target_os = "linux");
    let has = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    (linux && !has("DISPLAY") && !has("WAYLAND_DISPLAY")).then_some(
        "recite: no display (neither DISPLAY nor WAYLAND_DISPLAY is set); use the command line instead: `recite --help`",
    )
}
