//! Carriers of a package: folder, archive, host source (`facts/moca-reader §1.1, §3.5`).

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

/// What to read.
#[derive(Clone)]
pub enum Target {
    /// A folder, or a file that ends in `.moca` or `.zip`.
    Path(PathBuf),
    /// The bytes of an archive.
    Archive(Arc<[u8]>),
    /// Files that the host keeps in its own way.
    Source(Arc<dyn PackageSource>),
}

/// A package kept by the host: a list of paths and their bytes.
///
/// The Reader opens only paths that [`list`](Self::list) gave, each at most twice.
pub trait PackageSource: Send + Sync {
    /// Every regular file.
    ///
    /// # Errors
    /// When the list cannot be had; the package then ends as `T003`.
    fn list(&self) -> io::Result<Vec<ListedFile>>;

    /// Opens one listed file.
    ///
    /// # Errors
    /// When it cannot be read; that file then ends as `P002`.
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + '_>>;
}

/// One file of a [`PackageSource`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// Path with `/` between its parts, no leading `/`.
    pub path: String,
    /// Bytes, where the host knows.
    pub size: Option<u64>,
}
