//! The `recite` command: the same archive and the same use cases as the desktop app, for scripts and servers.

mod arguments;
mod export;
mod findings;
mod import;
mod list;
mod maintain;
mod output;
mod show;

use std::{path::PathBuf, process::ExitCode};

use app::{
    App, Host,
    contract::{ErrorKind, Failure},
};
use clap::Parser;

use crate::{
    arguments::{Arguments, Command},
    output::Output,
};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut output = Output::new(arguments.json);
    match run(arguments, &mut output) {
        Ok(exit) => exit,
        Err(failure) => {
            output.failure(&failure);
            ExitCode::from(1)
        }
    }
}

fn run(arguments: Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let path = match arguments.archive {
        Some(path) => path,
        None => own_archive()?,
    };
    let create = matches!(arguments.command, Command::Import { .. });
    let host =
        Host { program: "recite", clock: Box::new(now), on_job: import::progress(), sample: false, create };
    let app = App::open(&path, host);
    match arguments.command {
        Command::Import { paths } => import::run(&app, &paths, output),
        Command::List { limit, cursor } => list::run(&app, limit, cursor, output),
        Command::Show { conversation } => show::run(&app, conversation, output),
        Command::Findings { code, conversation, limit, cursor } => {
            findings::run(&app, code, conversation, limit, cursor, output)
        }
        Command::Export { conversation, format, output: file } => {
            export::run(&app, &conversation, format.into(), file.as_deref(), output)
        }
        Command::Rebuild => maintain::rebuild(&app, output),
        Command::Verify => maintain::verify(&app, output),
    }
}

/// The desktop app's archive.
fn own_archive() -> Result<PathBuf, Failure> {
    let data = dirs::data_dir().ok_or_else(|| {
        Failure::new(ErrorKind::NotFound, "This user has no data folder.").hint("Name an archive with --archive PATH.")
    })?;
    Ok(data.join(app::DATA_FOLDER).join(app::ARCHIVE_FILE))
}

/// The one place where the command line asks the clock.
#[allow(clippy::disallowed_methods, reason = "hosts ask the clock; the core takes it as an argument")]
fn now() -> time::OffsetDateTime {
    time::OffsetDateTime::now_utc()
}
