//! Packages loaded together (`facts/moca-reader §5.2, §7.6`).

use std::sync::Arc;

use crate::digest::Digest;
use crate::reader::ReadResult;

/// Valid packages loaded together; relations between them decide `superseded` and `contested`.
#[derive(Clone, Debug, Default)]
pub struct Library {
    packages: Vec<Arc<ReadResult>>,
}

impl Library {
    /// The packages in load order, members behind the package that composes them.
    pub fn packages(&self) -> &[Arc<ReadResult>] {
        &self.packages
    }
}

/// What a record should hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CitationOptions {
    /// Wanted locale (`facts/moca-reader §2.6`).
    pub locale: Option<String>,
    /// Put the body into `text`.
    pub include_text: bool,
}

/// Why a package was not loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddError {
    /// It has errors, or no digest.
    #[error("the package is not valid, so nothing can be cited from it")]
    Invalid,
    /// Other bytes under the same id and version are loaded; re-checking could use the wrong ones.
    #[error("{key} is already loaded with digest {loaded}; this one has {offered}")]
    OtherDigest {
        /// `<id>@<version>`.
        key: String,
        /// Digest of the package held.
        loaded: Digest,
        /// Digest of the package offered.
        offered: Digest,
    },
}
