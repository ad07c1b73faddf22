//! The archive that the window shows: the user's own, or a copy of the sample.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use app::{App, contract::JobState};

/// Hears of every job.
type OnJob = Arc<dyn Fn(&JobState) + Send + Sync>;

/// The open archive; commands read it, opening the sample replaces it.
pub(crate) struct OpenArchive {
    own: PathBuf,
    on_job: OnJob,
    current: RwLock<Arc<App>>,
    startup_files: Mutex<Vec<PathBuf>>,
}

impl OpenArchive {
    /// Opens the user's archive, or a copy of the sample.
    pub(crate) fn new(
        own: PathBuf,
        sample: bool,
        startup_files: Vec<PathBuf>,
        on_job: OnJob,
    ) -> Self {
        let first = if sample { open_sample(&own, &on_job) } else { open(&own, false, &on_job) };
        Self { own, on_job, current: RwLock::new(first), startup_files: Mutex::new(startup_files) }
    }

    /// What is open now.
    pub(crate) fn app(&self) -> Arc<App> {
        // Nothing panics while the lock is held, and a poisoned value would still be whole.
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Shows a fresh copy of the sample archive.
    pub(crate) fn show_sample(&self) {
        self.replace(open_sample(&self.own, &self.on_job));
    }

    /// Shows the user's own archive again.
    pub(crate) fn show_own(&self) {
        self.replace(open(&self.own, false, &self.on_job));
    }

    /// Recordings that the app was started with; given once, since a window may load its page again.
    pub(crate) fn take_startup_files(&self) -> Vec<PathBuf> {
        std::mem::take(&mut self.startup_files.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn replace(&self, next: Arc<App>) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

fn open(path: &Path, sample: bool, on_job: &OnJob) -> Arc<App> {
    let on_job = Arc::clone(on_job);
    let host = app::Host {
        program: "Recite",
        clock: Box::new(now),
        on_job: Box::new(move |state| on_job(state)),
        sample,
        create: true,
        batch_bytes: app::BATCH_BYTES,
    };
    App::open(path, host)
}

fn open_sample(own: &Path, on_job: &OnJob) -> Arc<App> {
    let folder = own.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    let path = folder.join(app::SAMPLE_FILE);
    // A fresh copy each time: whatever was done to the last one is gone, as its name promises.
    for suffix in ["", "-wal", "-shm"] {
        let mut file = path.clone().into_os_string();
        file.push(suffix);
        if let Err(error) = std::fs::remove_file(file)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            eprintln!("recite: the last sample copy could not be removed: {error}");
        }
    }
    let app = open(&path, true, on_job);
    if let Err(failure) = app.fill_with_sample() {
        eprintln!("recite: {}", failure.message);
    }
    app
}

/// The one place where the desktop app asks the clock.
#[allow(
    clippy::disallowed_methods,
    reason = "hosts ask the clock; the core takes it as an argument"
)]
fn now() -> time::OffsetDateTime {
    time::OffsetDateTime::now_utc()
}
