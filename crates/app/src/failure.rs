//! Errors of the crates below as failures that a person can read.

use std::io;

use agui::{
    carrier::CarrierError,
    container::{NotRecognised, OpenError, ReadError, ReduceError},
};

use crate::contract::{ErrorKind, Failure};

/// Turns the archive's errors into failures.
pub(crate) trait Storage<T> {
    /// The value, or the failure.
    fn storage(self) -> Result<T, Failure>;
}

impl<T> Storage<T> for archive::Result<T> {
    fn storage(self) -> Result<T, Failure> {
        self.map_err(Failure::from)
    }
}

impl From<archive::Error> for Failure {
    fn from(error: archive::Error) -> Self {
        use archive::Kind;
        let kind = match error.kind() {
            Kind::Held => ErrorKind::Busy,
            Kind::Damaged => ErrorKind::Damaged,
            Kind::Newer => ErrorKind::UnsupportedVersion,
            Kind::NotFound => ErrorKind::NotFound,
            Kind::NotAnArchive | Kind::BadInput | Kind::Changed => ErrorKind::BadInput,
            Kind::Cancelled => ErrorKind::Cancelled,
            Kind::Storage | Kind::Full | Kind::ReadOnly => ErrorKind::Storage,
        };
        let hint = match error.kind() {
            Kind::Held => Some("Close the other program, or wait for it; reading works meanwhile."),
            Kind::Damaged => Some(
                "Run `recite verify` to see what is damaged. The file is left as it is; keep a copy.",
            ),
            Kind::Newer => Some("Install the newer version of Recite, or choose another archive."),
            Kind::NotAnArchive => Some("Choose another file; this one was left as it is."),
            Kind::Full => {
                Some("Make space and try again; what was in the archive before is intact.")
            }
            Kind::ReadOnly => {
                Some("Reading works. To import, move the archive to a place that can be written.")
            }
            Kind::Changed => Some("Import it again when nothing writes to it any more."),
            _ => None,
        };
        let failure = Self::new(kind, sentence(&error.to_string()));
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => error.into(),
            ReadError::Carrier(error) => error.into(),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Read(error) => error.into(),
            OpenError::NotRecognised(error) => error.into(),
        }
    }
}

impl From<ReduceError> for Failure {
    fn from(error: ReduceError) -> Self {
        match error {
            ReduceError::Read(error) => error.into(),
            ReduceError::Write(error) => Self::new(
                ErrorKind::Storage,
                format!(
                    "What may be kept of the file could not be written to a scratch file: {error}."
                ),
            ),
        }
    }
}

impl From<NotRecognised> for Failure {
    fn from(error: NotRecognised) -> Self {
        let failure = Self::new(ErrorKind::BadInput, sentence(&error.to_string()));
        match error.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl From<CarrierError> for Failure {
    fn from(error: CarrierError) -> Self {
        let failure = Self::new(ErrorKind::BadInput, sentence(&error.to_string()));
        match error {
            CarrierError::OtherKind { hint, .. } => failure.hint(hint),
            CarrierError::TruncatedGzip => {
                failure.hint("Fetch or copy the file again; nothing of it was kept.")
            }
            _ => failure,
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::new(ErrorKind::NotFound, "There is no such file."),
            io::ErrorKind::PermissionDenied => {
                Self::new(ErrorKind::Storage, "This file may not be read.")
                    .hint("Give yourself permission to read it, or copy it.")
            }
            _ => Self::new(
                ErrorKind::Storage,
                sentence(&format!("the file could not be read: {error}")),
            ),
        }
    }
}

/// A library's message as a sentence: capital letter, full stop.
fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if message.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}
