//! Shared ground of the test binaries: where fixtures, the shared corpora and the built programs stand.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

pub mod generate;
pub mod process;
pub mod scratch;

pub mod sample;

use std::path::{Path, PathBuf};

/// The repository.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// A fixture of the repository.
#[must_use]
pub fn fixture(path: &str) -> PathBuf {
    repository().join("tests/fixtures").join(path)
}

/// Third-party recordings and corpora, which are not part of the repository: `../shared`, or where
/// `RECITE_SHARED` points. Without them the tests over them say that they did not run.
#[must_use]
pub fn shared(path: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("RECITE_SHARED")
        .map(PathBuf::from)
        .or_else(|| repository().parent().map(|parent| parent.join("shared")))?;
    let found = folder.join(path);
    if found.exists() {
        return Some(found);
    }
    eprintln!("not run: {path} of the shared corpora is not on this machine");
    None
}

/// The folder into which cargo builds (`target/debug` as a rule).
///
/// # Panics
/// When a test binary does not stand where cargo puts it.
#[must_use]
pub fn target() -> PathBuf {
    let binary = std::env::current_exe().expect("a running test has a path");
    // target/<profile>/deps/<test>
    binary.ancestors().nth(2).expect("test binaries stand in target/<profile>/deps").to_path_buf()
}

/// A program of the workspace that the scripts built beforehand.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    target().join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
