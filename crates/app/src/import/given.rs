//! What is given to an import: files of this machine, or pasted text.

use std::{
    fs::{self, File},
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::contract::{ErrorKind, Failure};

/// Files that one import takes; more are refused before anything is read.
pub(crate) const MAX_FILES: usize = 100_000;

/// Depth of folders that is looked into.
const MAX_DEPTH: usize = 64;

/// One source as given.
#[derive(Debug, Clone)]
pub(crate) enum Given {
    /// A file.
    File(PathBuf),
    /// A folder that holds no file; refused, so that it is told.
    Empty(PathBuf),
    /// Pasted text.
    Text(Arc<[u8]>),
    /// A recording that comes with the program.
    Bundled {
        /// Its name.
        name: &'static str,
        /// Its bytes.
        bytes: &'static [u8],
    },
}

impl Given {
    /// What a person calls it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::File(path) | Self::Empty(path) => path.to_string_lossy().into_owned(),
            Self::Text(_) => "pasted text".to_owned(),
            Self::Bundled { name, .. } => (*name).to_owned(),
        }
    }

    /// Its name in the archive: a file's name without its folders, which may tell more than the user wants kept.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(path) | Self::Empty(path) => path
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            Self::Text(_) | Self::Bundled { .. } => self.shown(),
        }
    }

    /// Opens it at its beginning.
    pub(crate) fn open(&self) -> Result<Box<dyn Read + Send>, Failure> {
        match self {
            Self::File(path) => Ok(Box::new(open_file(path)?)),
            Self::Empty(_) => Err(Failure::new(
                ErrorKind::BadInput,
                "This folder holds no file; recordings were looked for in it and in the folders below.",
            )
            .hint("Hidden files are left out; name one to import it.")),
            Self::Text(text) => Ok(Box::new(Cursor::new(Arc::clone(text)))),
            Self::Bundled { bytes, .. } => Ok(Box::new(*bytes)),
        }
    }
}

/// Opens a regular file; a pipe or device would never end.
fn open_file(path: &Path) -> Result<File, Failure> {
    let kind = fs::metadata(path).map_err(|error| unreachable(path, error))?.file_type();
    if kind.is_dir() {
        // Only a folder that could not be looked into gets here.
        fs::read_dir(path)?;
    }
    if !kind.is_file() {
        return Err(Failure::new(ErrorKind::BadInput, "This is no regular file."));
    }
    Ok(File::open(path)?)
}

/// Why a path leads to no file. Where a name that is no text was made into one on the way here, that is why.
fn unreachable(path: &Path, error: io::Error) -> Failure {
    let failure = Failure::from(error);
    let text = path.to_string_lossy();
    if failure.kind != ErrorKind::NotFound || !text.contains(char::REPLACEMENT_CHARACTER) {
        return failure;
    }
    Failure::new(
        ErrorKind::NotFound,
        "There is no file of just this name: it holds bytes that are no text.",
    )
    .hint("Rename the file, or import it with the `recite` command, which takes any name.")
}

/// The files under the given paths, in a stable order, each once. A path that cannot be read stays in the list, so
/// that its failure is told with it.
pub(crate) fn expand(paths: &[impl AsRef<Path>]) -> Result<Vec<Given>, Failure> {
    let mut all = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for path in paths {
        let path = path.as_ref();
        let mut files = Vec::new();
        add(path, 0, &mut files)?;
        if files.is_empty() {
            all.push(Given::Empty(path.to_owned()));
        }
        files.retain(|file| seen.insert(file.clone()));
        all.extend(files.into_iter().map(Given::File));
        if all.len() > MAX_FILES {
            return Err(too_many());
        }
    }
    Ok(all)
}

fn too_many() -> Failure {
    Failure::new(ErrorKind::BadInput, format!("There are more than {MAX_FILES} files."))
        .hint("Import them in parts.")
}

fn add(path: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if files.len() >= MAX_FILES {
        return Err(too_many());
    }
    let folder = fs::metadata(path).is_ok_and(|data| data.is_dir());
    if !folder {
        files.push(path.to_owned());
        return Ok(());
    }
    let linked = fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink());
    // Links to folders below the one given could lead anywhere, also in a circle.
    if depth > MAX_DEPTH || (linked && depth > 0) {
        return Ok(());
    }
    let Ok(entries) = fs::read_dir(path) else {
        files.push(path.to_owned());
        return Ok(());
    };
    let mut entries: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>().map_err(Failure::from)?;
    entries.retain(|entry| {
        entry.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'))
    });
    entries.sort();
    entries.iter().try_for_each(|entry| add(entry, depth + 1, files))
}
