//! Long work: import, verify, rebuild. One job at a time writes; each tells how it stands at most ten times a second.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::runtime::{Builder, Runtime};

use crate::contract::{ErrorKind, Failure, JobCounts, JobKind, JobOutcome, JobRef, JobState};

/// Shortest time between two progress events (architecture: at most ten a second).
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// How long work that was asked to stop is waited for.
const LAST_WAIT: Duration = Duration::from_secs(10);

/// Finished jobs whose results are kept.
const KEPT_RESULTS: usize = 64;

/// Hears of every job.
pub type OnJob = Box<dyn Fn(&JobState) + Send + Sync>;

/// All jobs of an open archive.
pub(crate) struct Jobs {
    runtime: Option<Runtime>,
    on_job: Arc<OnJob>,
    jobs: Mutex<BTreeMap<u64, Arc<Job>>>,
}

/// One job as the work itself sees it.
pub(crate) struct Job {
    state: Mutex<JobState>,
    changed: AtomicBool,
    cancelled: Arc<AtomicBool>,
}

impl Jobs {
    /// No job yet.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub(crate) fn new(on_job: OnJob) -> std::io::Result<Self> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_time().build()?;
        Ok(Self { runtime: Some(runtime), on_job: Arc::new(on_job), jobs: Mutex::default() })
    }

    /// Starts `work` on a thread of its own.
    pub(crate) fn start(
        &self,
        kind: JobKind,
        work: impl FnOnce(&Job) -> Result<JobOutcome, Failure> + Send + 'static,
    ) -> JobRef {
        let (id, job) = self.add(kind);
        let Some(runtime) = &self.runtime else { return JobRef { id } };
        let working = Arc::clone(&job);
        let done = runtime.spawn_blocking(move || {
            let outcome = work(&working).unwrap_or_else(|failure| JobOutcome::Failed { failure });
            working.finish(outcome);
        });
        let on_job = Arc::clone(&self.on_job);
        runtime.spawn(async move {
            let mut tick = tokio::time::interval(PROGRESS_EVERY);
            let mut done = std::pin::pin!(done);
            loop {
                tokio::select! {
                    ended = &mut done => {
                        if ended.is_err() {
                            job.finish(JobOutcome::Failed { failure: Failure::internal("The job stopped unexpectedly") });
                        }
                        on_job(&job.state());
                        return;
                    }
                    _ = tick.tick() => {
                        if job.changed.swap(false, Ordering::AcqRel) {
                            on_job(&job.state());
                        }
                    }
                }
            }
        });
        JobRef { id }
    }

    /// Runs `work` on this thread, for hosts that wait for it anyway; progress is told all the same.
    pub(crate) fn run<T>(
        &self,
        kind: JobKind,
        work: impl FnOnce(&Job) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let (_, job) = self.add(kind);
        let watched = Arc::clone(&job);
        let on_job = Arc::clone(&self.on_job);
        let ticker = self.runtime.as_ref().map(|runtime| {
            runtime.spawn(async move {
                let mut tick = tokio::time::interval(PROGRESS_EVERY);
                loop {
                    tick.tick().await;
                    if watched.changed.swap(false, Ordering::AcqRel) {
                        on_job(&watched.state());
                    }
                }
            })
        });
        let result = work(&job);
        if let Some(ticker) = ticker {
            ticker.abort();
        }
        result
    }

    /// How a job stands.
    pub(crate) fn state(&self, job: &JobRef) -> Result<JobState, Failure> {
        self.find(job).map(|job| job.state())
    }

    /// Whether a job has not ended yet.
    pub(crate) fn running(&self) -> bool {
        lock(&self.jobs).values().any(|job| lock(&job.state).outcome.is_none())
    }

    /// Asks a job to stop; it does so within 200 ms.
    pub(crate) fn cancel(&self, job: &JobRef) -> Result<(), Failure> {
        self.find(job).map(|job| job.cancelled.store(true, Ordering::Release))
    }

    fn add(&self, kind: JobKind) -> (String, Arc<Job>) {
        let mut jobs = lock(&self.jobs);
        let number = jobs.last_key_value().map_or(1, |(last, _)| last + 1);
        while jobs.len() >= KEPT_RESULTS {
            let Some(finished) = jobs.iter().find(|(_, job)| lock(&job.state).outcome.is_some())
            else {
                break;
            };
            let finished = *finished.0;
            jobs.remove(&finished);
        }
        let id = number.to_string();
        let state = JobState {
            id: id.clone(),
            kind,
            doing: String::new(),
            done: "0".to_owned(),
            total: None,
            counts: Default::default(),
            outcome: None,
        };
        let job = Arc::new(Job {
            state: Mutex::new(state),
            changed: AtomicBool::new(true),
            cancelled: Arc::new(AtomicBool::new(false)),
        });
        jobs.insert(number, Arc::clone(&job));
        (id, job)
    }

    fn find(&self, job: &JobRef) -> Result<Arc<Job>, Failure> {
        let number = job.id.parse::<u64>().ok();
        number.and_then(|number| lock(&self.jobs).get(&number).cloned()).ok_or_else(|| {
            Failure::new(ErrorKind::NotFound, format!("There is no job {}.", job.id))
        })
    }
}

impl Drop for Jobs {
    /// Work that still runs is asked to stop and waited for, so that no write is cut by the end of the process.
    fn drop(&mut self) {
        for job in lock(&self.jobs).values() {
            job.cancelled.store(true, Ordering::Release);
        }
        if let Some(runtime) = self.runtime.take() {
            // A host may drop this inside a runtime of its own, where waiting for another one is not allowed.
            let ending = std::thread::spawn(move || runtime.shutdown_timeout(LAST_WAIT));
            // It ends within its wait; should it have panicked, there is nobody left to tell.
            drop(ending.join());
        }
    }
}

impl Job {
    /// Changes what the job tells of itself.
    pub(crate) fn tell(&self, change: impl FnOnce(&mut JobState)) {
        change(&mut lock(&self.state));
        self.changed.store(true, Ordering::Release);
    }

    /// Counts so far.
    pub(crate) fn counts(&self) -> JobCounts {
        lock(&self.state).counts.clone()
    }

    /// Whether the user asked to stop.
    pub(crate) fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// Asked by work of other crates: whether to go on.
    pub(crate) fn wanted(&self) -> Arc<dyn Fn() -> bool + Send + Sync> {
        let cancelled = Arc::clone(&self.cancelled);
        Arc::new(move || !cancelled.load(Ordering::Acquire))
    }

    /// Stops the work when the user asked for it.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.cancelled() {
            return Err(Failure::new(ErrorKind::Cancelled, "Stopped as asked.".to_owned()));
        }
        Ok(())
    }

    fn state(&self) -> JobState {
        lock(&self.state).clone()
    }

    fn finish(&self, outcome: JobOutcome) {
        self.tell(|state| {
            state.outcome.get_or_insert(outcome);
        });
    }
}

/// A value behind these locks is whole at every moment, so a panic elsewhere does not spoil it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_can_be_dropped_inside_the_runtime_of_a_host() {
        let host = Builder::new_current_thread().build().unwrap();
        host.block_on(async { drop(Jobs::new(Box::new(|_| ())).unwrap()) });
    }
}
