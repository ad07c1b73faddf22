//! Carriers of a package: folder, archive, host source (`facts/moca-reader §1.1, §3.1, §3.5`).
//!
//! Whatever the carrier, the rest of the Reader sees a [`Package`]: a sorted list of files under
//! NFC paths, each of which can be loaded and hashed in one pass. Nothing else can be opened, so
//! no path that a package names ever reaches the file system.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

mod directory;
mod host;
mod inflate;
mod listing;
mod load;
mod parallel;
mod zip;
mod zip_bytes;
mod zip_directory;

pub(crate) use listing::FileEntry;
pub(crate) use load::{Loaded, Scratch};
pub(crate) use parallel::for_each;

use crate::diagnostic::{Code, Diagnostics};
use crate::limits::Limits;

/// What to read.
#[derive(Clone)]
pub enum Target {
    /// A folder, or a file whose name ends in `.moca` or `.zip`.
    Path(PathBuf),
    /// The bytes of an archive.
    Archive(Arc<[u8]>),
    /// Files that the host keeps in its own way.
    Source(Arc<dyn PackageSource>),
}

/// A package kept by the host: a list of paths and their bytes.
///
/// The Reader opens only paths that [`list`](Self::list) gave.
pub trait PackageSource: Send + Sync {
    /// Every regular file.
    ///
    /// # Errors
    /// When the list cannot be had; the package then ends as `T003`.
    fn list(&self) -> io::Result<Vec<ListedFile>>;

    /// Opens one listed file, by the path exactly as it was listed.
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

/// An opened package: its files by NFC path, and where their bytes come from.
pub(crate) struct Package {
    /// Regular, not hidden, sorted by the UTF-8 bytes of their paths, free of collisions.
    pub(crate) files: Vec<FileEntry>,
    /// False if an entry was refused (family P), so that no digest can be given.
    pub(crate) complete: bool,
    carrier: Carrier,
}

enum Carrier {
    Directory(directory::Directory),
    Archive(zip::Archive),
    Host(host::Host),
}

/// Opens a target and lists its files; `None` when it is not a package at all (`T001`, `T003`).
pub(crate) fn open(target: &Target, limits: &Limits, found: &mut Diagnostics) -> Option<Package> {
    let opened = match target {
        Target::Path(path) => open_path(path, limits),
        Target::Archive(bytes) => {
            open_archive(zip_bytes::ArchiveBytes::Memory(Arc::clone(bytes)), limits)
        }
        Target::Source(source) => host::Host::open(Arc::clone(source), limits)
            .map(|(host, listing)| (Carrier::Host(host), listing))
            .map_err(Refusal::Rejected),
    };
    match opened {
        Ok((carrier, listing)) => {
            let (files, complete) = listing.finish(found);
            Some(Package { files, complete, carrier })
        }
        Err(Refusal::NotFound(why)) => {
            found.package(Code::TargetNotFound, why);
            None
        }
        Err(Refusal::Rejected(why)) => {
            found.package(Code::ArchiveRejected, why);
            None
        }
    }
}

enum Refusal {
    NotFound(String),
    Rejected(String),
}

fn open_path(
    path: &std::path::Path,
    limits: &Limits,
) -> Result<(Carrier, listing::Listing), Refusal> {
    let metadata = std::fs::metadata(path)
        .map_err(|e| Refusal::NotFound(format!("{}: {e}", path.display())))?;
    if metadata.is_dir() {
        let (directory, listing) = directory::Directory::open(path);
        return Ok((Carrier::Directory(directory), listing));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    if !metadata.is_file() || !(name.ends_with(".moca") || name.ends_with(".zip")) {
        return Err(Refusal::NotFound(format!(
            "{}: neither a folder nor a .moca or .zip file",
            path.display()
        )));
    }
    let bytes = zip_bytes::ArchiveBytes::open(path)
        .map_err(|e| Refusal::Rejected(format!("{}: {e}", path.display())))?;
    open_archive(bytes, limits)
}

fn open_archive(
    bytes: zip_bytes::ArchiveBytes,
    limits: &Limits,
) -> Result<(Carrier, listing::Listing), Refusal> {
    zip::Archive::open(bytes, limits)
        .map(|(archive, listing)| (Carrier::Archive(archive), listing))
        .map_err(|why| Refusal::Rejected(why.to_string()))
}

impl Package {
    /// Index of the file at this NFC path.
    pub(crate) fn find(&self, path: &str) -> Option<usize> {
        self.files.binary_search_by(|file| (*file.path).cmp(path)).ok()
    }

    /// Reads and hashes one file, keeping its bytes if there are at most `keep_up_to`.
    ///
    /// # Errors
    /// When it cannot be read whole, or is not what the listing said (`P002`).
    pub(crate) fn load<'s>(
        &self,
        index: usize,
        keep_up_to: u64,
        scratch: &'s mut Scratch,
    ) -> io::Result<Loaded<'s>> {
        let file = &self.files[index];
        let Scratch { buffer, inflater } = scratch;
        match &self.carrier {
            Carrier::Directory(directory) => {
                load::load(directory.open_file(file)?, keep_up_to, buffer)
            }
            Carrier::Archive(archive) => {
                load::load(archive.open_entry(file, inflater)?, keep_up_to, buffer)
            }
            Carrier::Host(host) => load::load(host.open_file(file)?, keep_up_to, buffer),
        }
    }

    /// Bytes a file has as far as can be told without reading it; `None` if it cannot.
    pub(crate) fn size(&self, index: usize) -> Option<u64> {
        let file = &self.files[index];
        match &self.carrier {
            Carrier::Directory(directory) => directory.size(file),
            Carrier::Archive(_) | Carrier::Host(_) => file.size,
        }
    }

    /// True if the carrier gave more bytes than the limit allows, whatever it had declared.
    pub(crate) fn over_limit(&self) -> bool {
        matches!(&self.carrier, Carrier::Host(host) if host.over_limit())
    }
}

impl From<PathBuf> for Target {
    fn from(path: PathBuf) -> Self {
        Target::Path(path)
    }
}

impl From<&std::path::Path> for Target {
    fn from(path: &std::path::Path) -> Self {
        Target::Path(path.to_owned())
    }
}

impl From<&str> for Target {
    fn from(path: &str) -> Self {
        Target::Path(PathBuf::from(path))
    }
}

impl From<Vec<u8>> for Target {
    fn from(archive: Vec<u8>) -> Self {
        Target::Archive(archive.into())
    }
}
