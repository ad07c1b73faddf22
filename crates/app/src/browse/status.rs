//! What archive is open, and the user's settings.

use crate::{
    App,
    contract::{Access, ArchiveCounts, ErrorKind, Failure, Settings, Status},
    failure::Storage,
};

use super::count;

/// Key of the settings in the archive.
const SETTINGS: &str = "settings";

impl App {
    pub(super) fn read_status(&self) -> Result<Status, Failure> {
        let counts = self.archive().map(|_| ()).and_then(|()| self.counts());
        let (access, failure) = match (&counts, self.can_write()) {
            (Err(failure), _) => (Access::None, Some(failure.clone())),
            (Ok(_), Err(failure)) => (Access::ReadOnly, Some(failure)),
            (Ok(_), Ok(())) => (Access::Full, None),
        };
        Ok(Status {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            path: self.path.to_string_lossy().into_owned(),
            access,
            failure,
            sample: self.sample,
            counts: counts.unwrap_or_default(),
        })
    }

    pub(super) fn read_settings(&self) -> Result<Settings, Failure> {
        self.read(|reader| {
            let stored = reader.setting(SETTINGS).storage()?;
            Ok(stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
        })
    }

    pub(super) fn write_settings(&self, settings: Settings) -> Result<Settings, Failure> {
        let json = serde_json::to_string(&settings)
            .map_err(|_| Failure::internal("The settings could not be written"))?;
        self.writer()?.set_setting(SETTINGS, Some(&json)).storage()?;
        Ok(settings)
    }

    /// Whether this process could write now. While a job of this process writes, it can.
    fn can_write(&self) -> Result<(), Failure> {
        match self.writer() {
            Ok(_) => Ok(()),
            Err(failure)
                if failure.kind == ErrorKind::Busy
                    && self.jobs().is_ok_and(|jobs| jobs.running()) =>
            {
                Ok(())
            }
            Err(failure) => Err(failure),
        }
    }

    fn counts(&self) -> Result<ArchiveCounts, Failure> {
        self.read(|reader| {
            let totals = reader.totals().storage()?;
            Ok(ArchiveCounts {
                recordings: count(totals.sources),
                conversations: count(totals.conversations),
                answers: count(totals.answers),
                records: count(totals.records),
                findings: count(totals.findings),
                bytes: totals.bytes.to_string(),
            })
        })
    }
}
