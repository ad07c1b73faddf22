//! The sample archive made by a command: signed packages of an invented bicycle-rental firm, and recordings whose citation
//! records this workspace's own Reader computes from them (`docs/sample.md`).

mod container;
mod json;
mod play;
mod script;
mod scripts;
mod shelf;
mod sign;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use shelf::Shelf;

/// What went wrong while the sample was made, as one sentence.
pub type Failure = Box<dyn Error + Send + Sync>;

/// A file of the sample: its path below `tests/fixtures/sample`, and its bytes.
pub type Made = (PathBuf, Vec<u8>);

/// The attestations of the packages below `folder`, from the packages' bytes and the development keys. The same bytes every time.
///
/// # Errors
/// When a package or a key cannot be read.
pub fn attestations(folder: &Path) -> Result<Vec<Made>, Failure> {
    sign::attestations(folder)
}

/// The recordings, from the packages below `folder` as they stand there, attestations included. The same bytes every time.
///
/// # Errors
/// When a package is not valid, or a script cites what no package holds.
pub fn recordings(folder: &Path) -> Result<Vec<Made>, Failure> {
    let shelf = Shelf::open(folder)?;
    let made = scripts::all().into_iter().map(|script| {
        let path = Path::new("recordings").join(script.file);
        let connections =
            play::play(&script, &shelf).map_err(|why| format!("{}: {why}", script.file))?;
        Ok((path, container::bytes(&script, &connections)?))
    });
    made.collect()
}

/// Paths below `folder` whose bytes differ from what was made, and files below `recordings/` that were not made.
///
/// # Errors
/// When the folder of recordings cannot be read.
pub fn differences(folder: &Path, made: &[Made]) -> Result<Vec<PathBuf>, Failure> {
    let mut different: Vec<PathBuf> = made
        .iter()
        .filter(|(path, bytes)| fs::read(folder.join(path)).ok().as_ref() != Some(bytes))
        .map(|(path, _)| path.clone())
        .collect();
    if made.iter().any(|(path, _)| path.starts_with("recordings")) {
        different.extend(strays(folder, made)?);
    }
    Ok(different)
}

fn strays(folder: &Path, made: &[Made]) -> Result<Vec<PathBuf>, Failure> {
    let mut strays = Vec::new();
    for entry in fs::read_dir(folder.join("recordings"))? {
        let path = Path::new("recordings").join(entry?.file_name());
        if !made.iter().any(|(known, _)| *known == path) {
            strays.push(path);
        }
    }
    strays.sort();
    Ok(strays)
}
