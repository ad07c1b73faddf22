//! The `recite` command: the same archive and the same use cases as the desktop app, for scripts and servers.
//!
//! A library, so that the tests run the very command in a process of its own with a clock that stands still.

mod arguments;
mod export;
mod findings;
mod import;
mod inspect;
mod list;
mod maintain;
mod output;
mod show;

use std::{path::PathBuf, process::ExitCode};

use app::{
    App, Host,
    contract::{ErrorKind, Failure},
    package::Inspection,
};
use clap::Parser;
use time::OffsetDateTime;

use crate::{
    arguments::{Arguments, Command, OnArchive},
    output::Output,
};

/// What the command line takes from its surroundings beside its arguments.
pub struct Surroundings {
    /// The present time.
    pub clock: Box<dyn Fn() -> OffsetDateTime + Send + Sync>,
    /// See [`Host::batch_bytes`].
    pub batch_bytes: u64,
}

/// Does what the arguments of this process ask for. Exit 0: done; 1: failed; 2: wrong arguments, or some sources of
/// an import were refused.
#[must_use]
pub fn run(surroundings: Surroundings) -> ExitCode {
    let arguments = Arguments::parse();
    let mut output = Output::new(arguments.json);
    match obey(arguments, surroundings, &mut output) {
        Ok(exit) => exit,
        Err(failure) => {
            output.failure(&failure);
            ExitCode::from(1)
        }
    }
}

fn obey(
    arguments: Arguments,
    surroundings: Surroundings,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    match arguments.command {
        Command::Inspect { package, trust_root, members, with, at, strict } => {
            let at = at.unwrap_or_else(|| rfc3339((surroundings.clock)()));
            inspect::run(&Inspection { package, trust_root, members, with, at, strict }, output)
        }
        Command::Digest { packages } => inspect::digest(&packages, output),
        Command::Archive(command) => on_archive(arguments.archive, command, surroundings, output),
    }
}

/// Commands that work on an archive.
fn on_archive(
    archive: Option<PathBuf>,
    command: OnArchive,
    surroundings: Surroundings,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let path = match archive {
        Some(path) => path,
        None => own_archive()?,
    };
    let host = Host {
        program: "recite",
        clock: surroundings.clock,
        on_job: import::progress(),
        sample: false,
        create: matches!(command, OnArchive::Import { .. }),
        batch_bytes: surroundings.batch_bytes,
    };
    let app = App::open(&path, host);
    match command {
        OnArchive::Import { paths } => import::run(&app, &paths, output),
        OnArchive::List { limit, cursor } => list::run(&app, limit, cursor, output),
        OnArchive::Show { conversation } => show::run(&app, &conversation, output),
        OnArchive::Findings { code, conversation, limit, cursor } => {
            findings::run(&app, code, conversation, limit, cursor, output)
        }
        OnArchive::Export { conversation, format, output: file } => {
            export::run(&app, &conversation, format.into(), file.as_deref(), output)
        }
        OnArchive::Rebuild => maintain::rebuild(&app, output),
        OnArchive::Verify => maintain::verify(&app, output),
    }
}

/// The desktop app's archive.
fn own_archive() -> Result<PathBuf, Failure> {
    let data = dirs::data_dir().ok_or_else(|| {
        Failure::new(ErrorKind::NotFound, "This user has no data folder.")
            .hint("Name an archive with --archive PATH.")
    })?;
    Ok(data.join(app::DATA_FOLDER).join(app::ARCHIVE_FILE))
}

fn rfc3339(at: OffsetDateTime) -> String {
    use time::format_description::well_known::Rfc3339;
    // Formatting fails only beyond the year 9999.
    at.format(&Rfc3339).unwrap_or_default()
}
