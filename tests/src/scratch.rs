//! An archive of its own for a test.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use app::{
    App, Host,
    contract::{ImportPaths, ImportStatus, ImportSummary, ImportedSource},
};
use tempfile::TempDir;
use time::{OffsetDateTime, macros::datetime};

/// The present of all tests: after every `computedAt` of the corpus, whose services had clocks of their own.
pub const NOW: OffsetDateTime = datetime!(2027-06-01 12:00:00 UTC);

/// An archive in a folder that goes when the test ends.
pub struct Scratch {
    folder: TempDir,
    /// The archive, open.
    pub app: Arc<App>,
}

impl Scratch {
    /// An empty archive.
    ///
    /// # Panics
    /// When there is no scratch folder.
    #[must_use]
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let app = open(folder.path().join("archive.recite"));
        Self { folder, app }
    }

    /// A path in the scratch folder.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Path of the archive.
    #[must_use]
    pub fn archive(&self) -> PathBuf {
        self.path("archive.recite")
    }

    /// Imports one file that must be accepted.
    ///
    /// # Panics
    /// When it is refused.
    #[must_use]
    pub fn import(&self, file: &Path) -> ImportedSource {
        let told = self.try_import(file);
        assert!(told.status != ImportStatus::Refused, "{}: {:?}", file.display(), told.error);
        told
    }

    /// Imports one file.
    ///
    /// # Panics
    /// When the archive cannot be written.
    #[must_use]
    pub fn try_import(&self, file: &Path) -> ImportedSource {
        let mut summary = self.import_all(&[file]);
        assert_eq!(summary.sources.len(), 1, "one file gives one entry");
        summary.sources.remove(0)
    }

    /// Imports files.
    ///
    /// # Panics
    /// When the archive cannot be written.
    #[must_use]
    pub fn import_all(&self, files: &[&Path]) -> ImportSummary {
        let paths = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
        self.app
            .import_now(&ImportPaths { paths, via: "test".to_owned() })
            .expect("the archive can be written")
    }

    /// Writes `bytes` to a file of the scratch folder and imports it.
    ///
    /// # Panics
    /// When the file cannot be written.
    #[must_use]
    pub fn import_bytes(&self, name: &str, bytes: &[u8]) -> ImportedSource {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a scratch file");
        self.try_import(&path)
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

/// Opens an archive, making it when there is none, with the tests' clock.
#[must_use]
#[allow(clippy::needless_pass_by_value, reason = "tests hand over the path they just made")]
pub fn open(path: PathBuf) -> Arc<App> {
    let host = Host {
        program: "test",
        clock: Box::new(|| NOW),
        on_job: Box::new(|_| ()),
        sample: false,
        create: true,
        batch_bytes: app::BATCH_BYTES,
    };
    App::open(&path, host)
}
