//! Errors with a kind that a host can act on and a sentence that a person can read.

use std::fmt;

use rusqlite::ErrorCode;

use crate::Instant;

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong. Every `Display` is one whole sentence.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file system or SQLite failed.
    #[error("The archive could not be read or written: {0}.")]
    Storage(String),
    /// Stored bytes are not what was written; the file was left as it is.
    #[error(
        "The archive is damaged: {0}. The file was left as it is; `verify` lists what is damaged."
    )]
    Damaged(String),
    /// Another process writes to the archive.
    #[error("The archive is being written by {0}. Reading works; try again when it is done.")]
    Held(Holder),
    /// The archive was made by a newer version of Recite.
    #[error(
        "The archive has schema version {found}, this version of Recite knows versions up to {known}. Use a newer Recite."
    )]
    Newer {
        /// Version in the file.
        found: i64,
        /// Newest version that this build knows.
        known: i64,
    },
    /// The file is something else.
    #[error("This is not an archive of Recite: {0}.")]
    NotAnArchive(String),
    /// Nothing is there under this name or id.
    #[error("There is no {0}.")]
    NotFound(String),
    /// No space is left.
    #[error("The disk is full. What was stored before is intact; make space and try again.")]
    Full,
    /// Writing is not allowed here.
    #[error("The archive cannot be written: {0}.")]
    ReadOnly(String),
    /// A source's bytes were not the same the second time.
    #[error(
        "The file changed while it was read; nothing of it was taken. Import it again when it is complete."
    )]
    Changed,
    /// A cursor that was not made by this archive, or a row that breaks the schema's rules.
    #[error("The request cannot be carried out: {0}.")]
    BadInput(String),
    /// The caller asked to stop.
    #[error("Stopped on request.")]
    Cancelled,
}

/// Kinds of [`Error`], for hosts that decide by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// File system or SQLite.
    Storage,
    /// Damaged file.
    Damaged,
    /// Another writer.
    Held,
    /// Made by a newer version.
    Newer,
    /// Another kind of file.
    NotAnArchive,
    /// No such thing.
    NotFound,
    /// Disk full.
    Full,
    /// Not writable.
    ReadOnly,
    /// The source changed.
    Changed,
    /// The request makes no sense.
    BadInput,
    /// Stopped.
    Cancelled,
}

impl Error {
    /// Kind of this error.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Storage(_) => Kind::Storage,
            Self::Damaged(_) => Kind::Damaged,
            Self::Held(_) => Kind::Held,
            Self::Newer { .. } => Kind::Newer,
            Self::NotAnArchive(_) => Kind::NotAnArchive,
            Self::NotFound(_) => Kind::NotFound,
            Self::Full => Kind::Full,
            Self::ReadOnly(_) => Kind::ReadOnly,
            Self::Changed => Kind::Changed,
            Self::BadInput(_) => Kind::BadInput,
            Self::Cancelled => Kind::Cancelled,
        }
    }
}

/// Who writes to the archive, as far as it says so.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Holder {
    /// Process id.
    pub pid: Option<u32>,
    /// Program: `Recite` or `recite import`.
    pub program: Option<String>,
    /// Since when.
    pub since: Option<Instant>,
    /// The same instant for people: UTC, RFC 3339, whole seconds.
    pub since_text: Option<String>,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.program {
            Some(program) => write!(f, "{program}")?,
            None => f.write_str("another program")?,
        }
        match (self.pid, &self.since_text) {
            (Some(pid), Some(since)) => write!(f, " (process {pid}, since {since})"),
            (Some(pid), None) => write!(f, " (process {pid})"),
            _ => Ok(()),
        }
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error as Sql;
        match &error {
            Sql::SqliteFailure(failure, message) => {
                of_code(failure, message.as_deref().unwrap_or("no details"))
            }
            Sql::FromSqlConversionFailure(..)
            | Sql::IntegralValueOutOfRange(..)
            | Sql::InvalidColumnType(..)
            | Sql::Utf8Error(..)
            | Sql::QueryReturnedNoRows => {
                Self::Damaged(format!("a row does not fit the schema ({error})"))
            }
            _ => Self::Storage(error.to_string()),
        }
    }
}

/// Sorts SQLite's result codes; extended codes tell a short or torn file from a failing disk.
fn of_code(failure: &rusqlite::ffi::Error, message: &str) -> Error {
    use rusqlite::ffi;
    match failure.code {
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Error::Damaged(message.to_owned()),
        ErrorCode::DiskFull => Error::Full,
        ErrorCode::ReadOnly => Error::ReadOnly(message.to_owned()),
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Error::Held(Holder::default()),
        ErrorCode::OperationInterrupted => Error::Cancelled,
        ErrorCode::ConstraintViolation => Error::BadInput(message.to_owned()),
        _ => match failure.extended_code {
            ffi::SQLITE_IOERR_SHORT_READ | ffi::SQLITE_IOERR_CORRUPTFS | ffi::SQLITE_IOERR_DATA => {
                Error::Damaged(message.to_owned())
            }
            // SQLite tells ENOSPC from other failures of a write, but not EFBIG or EDQUOT.
            ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_TRUNCATE => Error::Storage(format!(
                "writing failed ({message}); the disk may be full, a quota reached, or the file larger than its file system allows. What was stored before is intact"
            )),
            // A missing table or column in a file of our application id and version.
            ffi::SQLITE_ERROR if message.starts_with("no such") => {
                Error::Damaged(message.to_owned())
            }
            _ => Error::Storage(message.to_owned()),
        },
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        use std::io::ErrorKind as Io;
        match error.kind() {
            Io::StorageFull | Io::QuotaExceeded | Io::FileTooLarge => Self::Full,
            Io::ReadOnlyFilesystem | Io::PermissionDenied => Self::ReadOnly(error.to_string()),
            Io::NotFound => Self::NotFound("such file".to_owned()),
            _ => Self::Storage(error.to_string()),
        }
    }
}
