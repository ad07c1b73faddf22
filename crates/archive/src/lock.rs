//! One writer per archive: an operating-system lock beside the file, which dies with its process.

use std::fs::{self, File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::{Error, Holder, Instant, Result};

/// Longest note of a holder that is read.
const MAX_HOLDER_BYTES: u64 = 1024;

/// The lock, held as long as this lives. Two files stand beside the archive: `…-lock`, which is locked and always
/// empty, and `…-holder`, which says who holds it; apart, since a locked file cannot be read everywhere.
pub(crate) struct Lock {
    _locked: File,
    holder: PathBuf,
}

impl Lock {
    /// Takes the lock, or says who has it. A note that a killed process left behind is overwritten: only the
    /// lock itself counts, and the system freed that.
    pub(crate) fn take(archive: &Path, program: &str, now: Instant) -> Result<Self> {
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(beside(archive, "-lock"))
            .map_err(cannot_lock)?;
        let holder = beside(archive, "-holder");
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::Held(read_holder(&holder))),
            Err(TryLockError::Error(error)) => return Err(cannot_lock(error)),
        }
        let note = format!("{}\n{}\n{}\n", std::process::id(), now.0, program.replace('\n', " "));
        fs::write(&holder, note).map_err(cannot_lock)?;
        Ok(Self { _locked: file, holder })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The note is a courtesy: a stale one is never believed while the lock is free.
        drop(fs::remove_file(&self.holder));
    }
}

/// Path of a file beside the archive.
pub(crate) fn beside(archive: &Path, suffix: &str) -> PathBuf {
    let mut name = archive.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn read_holder(path: &Path) -> Holder {
    let mut text = String::new();
    let read =
        File::open(path).and_then(|file| file.take(MAX_HOLDER_BYTES).read_to_string(&mut text));
    let mut lines = text.lines();
    let pid = lines.next().and_then(|line| line.parse().ok());
    let since = lines.next().and_then(|line| line.parse().ok()).map(Instant);
    let program = lines.next().filter(|line| !line.is_empty()).map(str::to_owned);
    match read {
        Ok(_) => Holder { pid, program, since, since_text: since.and_then(text_of) },
        Err(_) => Holder::default(),
    }
}

fn text_of(at: Instant) -> Option<String> {
    OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1_000_000)).ok()?.format(&Rfc3339).ok()
}

fn cannot_lock(error: std::io::Error) -> Error {
    match Error::from(error) {
        Error::ReadOnly(_) => Error::ReadOnly("its folder or file is read-only".to_owned()),
        Error::NotFound(_) => Error::NotFound("folder for the archive".to_owned()),
        other => other,
    }
}
