//! Why a source is refused as a whole.

use std::io;

use crate::carrier::CarrierError;

/// What ends the reading of a source.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The bytes could not be read.
    #[error("the source could not be read: {0}")]
    Io(io::Error),
    /// The carrier (gzip, UTF-16) is damaged or goes beyond its limits.
    #[error(transparent)]
    Carrier(CarrierError),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.downcast::<CarrierError>() {
            Ok(carrier) => Self::Carrier(carrier),
            Err(io) => Self::Io(io),
        }
    }
}

/// No container was recognised.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no AG-UI recording was recognised: {found}. Looked for {}", .looked_for.join(", "))]
pub struct NotRecognised {
    /// The containers that were looked for, in plain words.
    pub looked_for: Vec<&'static str>,
    /// What was found, in plain words, safe to print and bounded.
    pub found: String,
    /// What the user can do about it.
    pub hint: Option<&'static str>,
    /// A longer head may decide.
    pub more_may_help: bool,
}

/// Why a source cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// See [`ReadError`].
    #[error(transparent)]
    Read(ReadError),
    /// See [`NotRecognised`].
    #[error(transparent)]
    NotRecognised(NotRecognised),
}
