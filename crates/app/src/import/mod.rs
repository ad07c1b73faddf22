//! Import: files, folders and pasted text into the archive, one source after the other.

mod given;
mod note;
mod source;
mod tee;

use std::{path::Path, sync::Arc};

use self::source::Arrival;
use crate::{
    App,
    contract::{
        ErrorKind, Failure, ImportPaths, ImportStatus, ImportSummary, ImportText, JobKind,
        JobOutcome, JobRef,
    },
    derive::{order, when},
    jobs::Job,
};

pub(crate) use given::Given;

pub use source::BATCH_BYTES;

impl App {
    /// Imports what a request names and waits for the end.
    ///
    /// # Errors
    /// As [`App::import_files`].
    pub fn import_now(&self, request: &ImportPaths) -> Result<ImportSummary, Failure> {
        self.import_files(&request.paths, &request.via)
    }

    /// Imports files and folders and waits for the end; for hosts that have paths as the system names them, which need
    /// not be text.
    ///
    /// # Errors
    /// When the archive cannot be written. What is wrong with single sources stands in the summary.
    pub fn import_files(
        &self,
        paths: &[impl AsRef<Path>],
        via: &str,
    ) -> Result<ImportSummary, Failure> {
        self.jobs()?.run(JobKind::Import, |job| self.import(|| given::expand(paths), via, job))
    }

    pub(crate) fn start_import_paths(
        self: &Arc<Self>,
        request: ImportPaths,
    ) -> Result<JobRef, Failure> {
        let app = Arc::clone(self);
        Ok(self.jobs()?.start(JobKind::Import, move |job| {
            let summary = app.import(|| given::expand(&request.paths), &request.via, job)?;
            Ok(JobOutcome::Imported { summary })
        }))
    }

    pub(crate) fn start_import_text(
        self: &Arc<Self>,
        request: ImportText,
    ) -> Result<JobRef, Failure> {
        let app = Arc::clone(self);
        Ok(self.jobs()?.start(JobKind::Import, move |job| {
            let text = Given::Text(request.text.into_bytes().into());
            Ok(JobOutcome::Imported { summary: app.import(|| Ok(vec![text]), "paste", job)? })
        }))
    }

    pub(crate) fn import(
        &self,
        given: impl FnOnce() -> Result<Vec<Given>, Failure>,
        via: &str,
        job: &Job,
    ) -> Result<ImportSummary, Failure> {
        job.tell(|state| "Looking for recordings".clone_into(&mut state.doing));
        let all = given()?;
        let mut writer = self.writer()?;
        let files = u32::try_from(all.len()).unwrap_or(u32::MAX);
        job.tell(|state| state.counts.files_total = files);
        let mut summary = ImportSummary::default();
        for given in &all {
            if job.cancelled() && !summary.sources.is_empty() {
                break;
            }
            job.check()?;
            let arrival = Arrival {
                app: self,
                via,
                now: when::instant(self.now()),
                batch_bytes: self.batch_bytes,
            };
            let told = source::take_in(&mut writer, given, &arrival, job);
            job.tell(|state| state.counts.files += 1);
            summary.sources.push(told);
        }
        match order::settle(self, &mut writer, job) {
            // What is not settled is noted, and settled by the next import.
            Err(failure) if failure.kind == ErrorKind::Cancelled => {}
            settled => settled?,
        }
        drop(writer);
        for told in &mut summary.sources {
            if told.status != ImportStatus::Refused {
                told.conversation_ids = self.conversations_of(told.sha256.as_deref())?;
            }
        }
        Ok(summary)
    }
}
