//! Use cases of Recite and the command contract that its hosts implement.
//!
//! A host opens an [`App`] on an archive and hands every command of [`contract::Commands`] on to it. Time, and who
//! listens to jobs, are given by the host.

mod answer;
mod browse;
mod codes;
#[cfg(test)]
mod codes_doc;
pub mod contract;
mod derive;
mod failure;
mod import;
mod jobs;
mod judged;
mod maintain;
pub mod package;
pub mod report;
mod sample;
mod stored;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use archive::{Archive, Mode, Reader, Writer};
use time::OffsetDateTime;

use self::{
    contract::{ErrorKind, Failure},
    derive::when,
    failure::Storage,
    jobs::Jobs,
    judged::Judged,
};

pub use self::import::BATCH_BYTES;
pub use self::jobs::OnJob;

/// Folder of the user's data in which Recite keeps its archive.
pub const DATA_FOLDER: &str = "recite";

/// File name of the user's archive.
pub const ARCHIVE_FILE: &str = "archive.recite";

/// File name of the copy of the sample archive.
pub const SAMPLE_FILE: &str = "sample.recite";

/// What a host gives.
pub struct Host {
    /// Its name, for others that want to write to the same archive.
    pub program: &'static str,
    /// The present time.
    pub clock: Box<dyn Fn() -> OffsetDateTime + Send + Sync>,
    /// Hears of every job.
    pub on_job: OnJob,
    /// The archive is a copy of the sample.
    pub sample: bool,
    /// Make the archive when there is none.
    pub create: bool,
    /// Bytes of a source after which what was read is made durable, at the next border between runs:
    /// [`BATCH_BYTES`], unless less work may be lost to a kill.
    pub batch_bytes: u64,
}

/// An archive that is open, or the reason why it is not.
pub struct App {
    path: PathBuf,
    program: &'static str,
    clock: Box<dyn Fn() -> OffsetDateTime + Send + Sync>,
    sample: bool,
    batch_bytes: u64,
    archive: Result<Archive, Failure>,
    readers: Mutex<Vec<Reader>>,
    judged: Mutex<Judged>,
    jobs: Result<Jobs, Failure>,
}

impl App {
    /// Opens an archive. Whatever is wrong with it is told by every command, so that a host can show it.
    #[must_use]
    pub fn open(path: &Path, host: Host) -> Arc<Self> {
        let Host { program, clock, on_job, sample, create, batch_bytes } = host;
        let now = when::instant(clock());
        let archive = open_archive(path, program, now, create);
        let jobs = Jobs::new(on_job).map_err(Failure::from);
        Arc::new(Self {
            path: path.to_owned(),
            program,
            clock,
            sample,
            batch_bytes,
            archive,
            readers: Mutex::default(),
            judged: Mutex::default(),
            jobs,
        })
    }

    /// The present time, as the host's clock says.
    pub(crate) fn now(&self) -> OffsetDateTime {
        (self.clock)()
    }

    pub(crate) fn archive(&self) -> Result<&Archive, Failure> {
        self.archive.as_ref().map_err(Clone::clone)
    }

    pub(crate) fn jobs(&self) -> Result<&Jobs, Failure> {
        self.jobs.as_ref().map_err(Clone::clone)
    }

    /// Reads with a connection of its own; connections are kept for the next reader.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Reader) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let kept = self.readers().pop();
        let reader = match kept {
            Some(reader) => reader,
            None => self.archive()?.reader().storage()?,
        };
        let result = read(&reader);
        self.readers().push(reader);
        result
    }

    /// The writer; held for as long as one piece of work takes.
    pub(crate) fn writer(&self) -> Result<Writer, Failure> {
        self.archive()?.writer(self.program, when::instant(self.now())).storage()
    }

    /// Records that were read before.
    pub(crate) fn judged_records(&self) -> MutexGuard<'_, Judged> {
        // What is kept is whole at every moment.
        self.judged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn readers(&self) -> MutexGuard<'_, Vec<Reader>> {
        // A reader is whole at every moment.
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An instant of the contract (RFC 3339) as sentences write it: `30 Nov 2026, 09:42:11 UTC`.
#[must_use]
pub fn moment(instant: &str) -> String {
    moca::StatedTime::parse(instant).moment().unwrap_or_else(|| instant.to_owned())
}

fn open_archive(
    path: &Path,
    program: &str,
    now: archive::Instant,
    create: bool,
) -> Result<Archive, Failure> {
    if !path.exists() {
        if !create {
            return Err(Failure::new(
                ErrorKind::NotFound,
                format!("There is no archive at {}.", path.display()),
            )
            .hint("Import a recording to begin one, or name another with --archive PATH."));
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        return Archive::create(path, program, now).storage();
    }
    match Archive::open(path, Mode::ReadWrite { program, now }) {
        // What cannot be migrated here can still be a readable archive of this version.
        Err(archive::Error::ReadOnly(_)) => Archive::open(path, Mode::ReadOnly).storage(),
        opened => opened.storage(),
    }
}
