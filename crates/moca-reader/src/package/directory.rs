//! A package in a folder.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::listing::{FileEntry, Listing, is_hidden};
use crate::diagnostic::Code;

/// A folder; files are opened below it without following a link in the last place.
pub(super) struct Directory {
    root: PathBuf,
}

impl Directory {
    /// Walks the folder. A link, special file or unreadable folder stops the digest, not the walk.
    pub(super) fn open(root: &Path) -> (Self, Listing) {
        let mut listing = Listing::default();
        let mut pending = vec![String::new()];
        while let Some(folder) = pending.pop() {
            if let Err(e) = walk(root, &folder, &mut listing, &mut pending) {
                let name = if folder.is_empty() { "." } else { &folder };
                listing.refuse(Code::UnreadableEntry, name, e.to_string());
            }
        }
        (Self { root: root.to_owned() }, listing)
    }

    /// Bytes of a listed file, as its folder says.
    pub(super) fn size(&self, file: &FileEntry) -> Option<u64> {
        fs::symlink_metadata(self.root.join(file.raw_path())).ok().map(|metadata| metadata.len())
    }

    /// Opens a listed file. What was swapped for a link or a special file since the walk is an
    /// error.
    pub(super) fn open_file(&self, file: &FileEntry) -> io::Result<File> {
        let opened = open_no_follow(&self.root.join(file.raw_path()))?;
        if !opened.metadata()?.is_file() {
            return Err(io::Error::other("no longer a regular file"));
        }
        Ok(opened)
    }
}

fn walk(
    root: &Path,
    folder: &str,
    listing: &mut Listing,
    pending: &mut Vec<String>,
) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            let shown = join(folder, &name.to_string_lossy());
            if !is_hidden(&shown) {
                listing.refuse(Code::UnreadableEntry, &shown, "the name is not Unicode");
            }
            continue;
        };
        if is_hidden(name) {
            continue;
        }
        let path = join(folder, name);
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => pending.push(path),
            Ok(kind) if kind.is_file() => listing.file(path, None, 0),
            Ok(kind) if kind.is_symlink() => {
                listing.refuse(Code::UnsupportedEntry, &path, "a symbolic link");
            }
            Ok(_) => listing.refuse(Code::UnsupportedEntry, &path, "not a regular file"),
            Err(e) => listing.refuse(Code::UnreadableEntry, &path, e.to_string()),
        }
    }
    Ok(())
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

#[cfg(unix)]
fn open_no_follow(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    // NONBLOCK: a pipe put in the file's place must not hang the Reader.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty()).map(File::from)?)
}

#[cfg(not(unix))]
fn open_no_follow(path: &Path) -> io::Result<File> {
    File::open(path)
}
