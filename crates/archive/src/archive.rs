//! An archive: one SQLite file, its readers and its one writer.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::lock::{Lock, beside};
use crate::migrate::{self, MIGRATIONS, Stamp};
use crate::{Error, Instant, Reader, Result, SCHEMA_VERSION, Writer, connect};

/// First bytes of every SQLite database.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// An archive's file, known to be one and of a version that this build can read.
#[derive(Debug, Clone)]
pub struct Archive {
    path: PathBuf,
    backup: Option<PathBuf>,
}

/// What opening may do to the file.
#[derive(Debug, Clone, Copy)]
pub enum Mode<'a> {
    /// Nothing is written.
    ReadOnly,
    /// An archive of an older version is migrated, after a checked copy.
    ReadWrite {
        /// Who opens it, for the schema's log and for others that want to write.
        program: &'a str,
        /// Now.
        now: Instant,
    },
}

impl Archive {
    /// Opens an archive.
    ///
    /// # Errors
    /// Not found; not an archive; newer; held, when it must be migrated and another process writes; damaged;
    /// read-only, when it must be migrated and cannot be written; storage.
    pub fn open(path: &Path, mode: Mode<'_>) -> Result<Self> {
        check_magic(path)?;
        let found = migrate::check(&connect(path)?, MIGRATIONS)?;
        let mut archive = Self { path: path.to_owned(), backup: None };
        if found < SCHEMA_VERSION {
            let Mode::ReadWrite { program, now } = mode else {
                return Err(Error::ReadOnly(format!(
                    "it has schema version {found} and must be migrated to {SCHEMA_VERSION} first; open it for writing once"
                )));
            };
            let _lock = Lock::take(path, program, now)?;
            archive.backup = migrate::migrate(path, MIGRATIONS, Stamp { program, now })?;
        }
        Ok(archive)
    }

    /// Makes a new, empty archive. It appears under its name when it is complete.
    ///
    /// # Errors
    /// Bad input, when something is there already; not found, when the folder is not; read-only; held; storage.
    pub fn create(path: &Path, program: &str, now: Instant) -> Result<Self> {
        let _lock = Lock::take(path, program, now)?;
        if fs::symlink_metadata(path).is_ok() {
            return Err(Error::BadInput(format!("{} is there already", path.display())));
        }
        let unfinished = beside(path, "-unfinished");
        for suffix in ["", "-wal", "-shm"] {
            match fs::remove_file(beside(&unfinished, suffix)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(error.into());
                }
                _ => {}
            }
        }
        File::create_new(&unfinished)?;
        let mut conn = connect::writing(&unfinished)?;
        migrate::apply(&mut conn, MIGRATIONS, 0, Stamp { program, now })?;
        // Closing the last connection moves the log into the file.
        conn.close().map_err(|(_, error)| error)?;
        File::open(&unfinished)?.sync_all()?;
        fs::rename(&unfinished, path)?;
        Ok(Self { path: path.to_owned(), backup: None })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The copy that was made before opening migrated the archive.
    #[must_use]
    pub fn backup(&self) -> Option<&Path> {
        self.backup.as_deref()
    }

    /// A connection that reads; any number may be open, beside a writer too.
    ///
    /// # Errors
    /// Storage; damaged; read-only, when changes lie in a log that cannot be read where the archive is.
    pub fn reader(&self) -> Result<Reader> {
        Ok(Reader::new(connect(&self.path)?))
    }

    /// The connection that writes; one at a time over all processes.
    ///
    /// # Errors
    /// [`Error::Held`] with who writes; read-only; newer; damaged; storage.
    pub fn writer(&self, program: &str, now: Instant) -> Result<Writer> {
        let lock = Lock::take(&self.path, program, now)?;
        if fs::metadata(&self.path)?.permissions().readonly() {
            return Err(Error::ReadOnly("its file is read-only".to_owned()));
        }
        let conn = connect::writing(&self.path)?;
        match migrate::check(&conn, MIGRATIONS)? {
            SCHEMA_VERSION => Ok(Writer::new(conn, lock)),
            found => {
                Err(Error::Damaged(format!("its schema version became {found} while it was open")))
            }
        }
    }
}

/// Opens for reading; where the folder cannot be written and no log is there, as an immutable file.
pub(crate) fn connect(path: &Path) -> Result<Connection> {
    let first = connect::reading(path).and_then(|conn| {
        conn.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(conn)
    });
    let Err(Error::Storage(_) | Error::ReadOnly(_)) = first else { return first };
    match fs::metadata(beside(path, "-wal")) {
        Ok(log) if log.len() > 0 => Err(Error::ReadOnly(
            "its last changes are in a log beside it that cannot be read in a read-only folder; copy both to a folder that can be written".to_owned(),
        )),
        _ => connect::immutable(path),
    }
}

/// Tells other files by their first bytes, before SQLite sees them.
pub(crate) fn check_magic(path: &Path) -> Result<()> {
    let mut head = Vec::new();
    let mut file = File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::NotFound(format!("archive at {}", path.display())),
        std::io::ErrorKind::PermissionDenied => {
            Error::Storage(format!("{} may not be read", path.display()))
        }
        _ => error.into(),
    })?;
    if file.metadata()?.is_dir() {
        return Err(Error::NotAnArchive("it is a folder".to_owned()));
    }
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut head)?;
    match head.as_slice() {
        MAGIC => Ok(()),
        [] => Err(Error::NotAnArchive("the file is empty".to_owned())),
        _ => Err(Error::NotAnArchive("it is no SQLite database".to_owned())),
    }
}
