//! Reading and writing side by side: one thread reads, cuts and folds, the other writes what comes of it.
//!
//! Work is written in the order in which it was put, so that the rows are those of one thread doing both. What waits
//! is bounded in bytes, whatever one run holds.

use std::{
    collections::VecDeque,
    ops::DerefMut,
    sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
};

use archive::Batch;

use super::{
    rows::Rows,
    work::{Stored, ThreadNo, Work},
};
use crate::{contract::Failure, failure::Storage};

/// Bytes of work that wait before the reading side does; one piece may be larger.
const MAX_WAITING_BYTES: usize = 4 << 20;

/// Something the reading side must know of what other sources brought.
type Question = Box<dyn FnOnce(&Batch) + Send>;

/// What the two sides share.
#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    work: VecDeque<(Work, usize)>,
    bytes: usize,
    questions: VecDeque<Question>,
    /// What was written, on its way back.
    spent: Vec<Work>,
    /// One of the sides has ended: nothing more comes, or nothing more is taken.
    closed: bool,
}

enum Next {
    Question(Question),
    Work(Work),
}

/// Runs `read` on a thread of its own and writes on this one what it puts into the queue; `store` takes what is no
/// row. Gives what `read` gives, once all of it is written.
///
/// # Errors
/// The first of either side; the other then stops too.
pub(crate) fn side_by_side<B: DerefMut<Target = Batch>, R: Send>(
    batch: &mut B,
    rows: &mut Rows,
    read: impl FnOnce(&Queue) -> Result<R, Failure> + Send,
    mut store: impl FnMut(&mut B, Stored) -> Result<(), Failure>,
) -> Result<R, Failure> {
    let queue = Queue::default();
    thread::scope(|scope| {
        let reading =
            thread::Builder::new().name("reading".to_owned()).spawn_scoped(scope, || {
                let _ends = Ends(&queue);
                read(&queue).inspect_err(|_| queue.give_up())
            })?;
        let written = {
            let _gives_up = GivesUp(&queue);
            queue.write_all(batch, rows, &mut store)
        };
        let read = reading.join().map_err(|_| {
            Failure::internal("The thread that reads a source stopped unexpectedly")
        })?;
        written.and(read)
    })
}

/// Says that nothing more comes when the reading side ends, however it ends.
struct Ends<'q>(&'q Queue);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

/// Says that nothing more is taken when the writing side ends, however it ends.
struct GivesUp<'q>(&'q Queue);

impl Drop for GivesUp<'_> {
    fn drop(&mut self) {
        self.0.give_up();
    }
}

impl Queue {
    /// Hands work to the writing side; waits while much is waiting.
    ///
    /// # Errors
    /// When the writing side has stopped: its own failure counts.
    pub(crate) fn put(&self, work: Work) -> Result<(), Failure> {
        let size = work.size();
        let mut state = self.lock();
        while !state.closed && state.bytes > 0 && state.bytes + size > MAX_WAITING_BYTES {
            state = self.wait(state);
        }
        if state.closed {
            return Err(stopped());
        }
        state.bytes += size;
        state.work.push_back((work, size));
        let spent = std::mem::take(&mut state.spent);
        drop(state);
        self.changed.notify_all();
        // Freed where it was allocated: otherwise both threads wait for one lock of the allocator again and again.
        drop(spent);
        Ok(())
    }

    /// Asks for what is held of other sources, which no waiting work changes: the answer comes before that is written.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Batch) -> archive::Result<T> + Send + 'static,
    ) -> Result<T, Failure> {
        let (reply, answer) = mpsc::sync_channel(1);
        // Nobody waits for the answer only when the asking side has stopped.
        let question = Box::new(move |batch: &Batch| drop(reply.send(question(batch))));
        {
            let mut state = self.lock();
            if state.closed {
                return Err(stopped());
            }
            state.questions.push_back(question);
            self.changed.notify_all();
        }
        answer.recv().map_err(|_| stopped())?.storage()
    }

    /// Takes a thread into memory again, behind all that waits; gives what the archive keeps of it.
    pub(super) fn open(&self, thread: ThreadNo) -> Result<Option<String>, Failure> {
        let (reply, kept) = mpsc::sync_channel(1);
        self.put(Work::Open { thread, reply })?;
        kept.recv().map_err(|_| stopped())
    }

    fn write_all<B: DerefMut<Target = Batch>>(
        &self,
        batch: &mut B,
        rows: &mut Rows,
        store: &mut impl FnMut(&mut B, Stored) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        while let Some(next) = self.next() {
            match next {
                Next::Question(question) => question(batch),
                Next::Work(Work::Stored(stored)) => store(batch, stored)?,
                Next::Work(work) => {
                    rows.write(batch, &work)?;
                    self.lock().spent.push(work);
                }
            }
        }
        Ok(())
    }

    fn next(&self) -> Option<Next> {
        let mut state = self.lock();
        loop {
            if let Some(question) = state.questions.pop_front() {
                return Some(Next::Question(question));
            }
            if let Some((work, size)) = state.work.pop_front() {
                state.bytes -= size;
                self.changed.notify_all();
                return Some(Next::Work(work));
            }
            if state.closed {
                return None;
            }
            state = self.wait(state);
        }
    }

    /// Lets go of all that waits: it will not be written, or nobody waits for its answer.
    fn give_up(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.work.clear();
        state.questions.clear();
        state.bytes = 0;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

fn stopped() -> Failure {
    Failure::internal("The other side of an import stopped")
}

#[cfg(test)]
mod tests {
    use agui::container::Format;
    use archive::{Archive, Carrier, Instant, Kept, NewSource, Sha256};

    use super::*;
    use crate::derive::Facts;

    /// Runs both sides on a source of a new archive.
    fn run(
        read: impl FnOnce(&Queue) -> Result<u32, Failure> + Send,
        store: impl FnMut(&mut archive::Intake<'_>, Stored) -> Result<(), Failure>,
    ) -> Result<u32, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("archive.recite");
        let archive = Archive::create(&path, "test", Instant(0)).unwrap();
        let mut writer = archive.writer("test", Instant(0)).unwrap();
        let new = NewSource {
            sha256: Sha256::of(b""),
            size: 0,
            name: "x",
            format: "jsonl",
            carrier: Carrier::Plain,
            kept: Kept::AsIs,
            via: "test",
            received_at: None,
            imported_at: Instant(0),
            left_out: None,
            derived_version: 1,
        };
        let (mut intake, _) = writer.begin_source(&new).unwrap();
        let facts = Facts { source: intake.source(), format: Format::Har, imported_at: Instant(0) };
        side_by_side(&mut intake, &mut Rows::new(facts), read, store)
    }

    fn new_conversation() -> Work {
        Work::NewConversation { connection: 0, thread_id: Some("t".to_owned()) }
    }

    #[test]
    fn what_is_put_is_written_before_the_answer_is_given() {
        let read = |queue: &Queue| {
            for _ in 0..100 {
                queue.put(new_conversation())?;
            }
            assert_eq!(queue.open(ThreadNo(99))?, None);
            let held = queue.ask(|batch| batch.conversations_of_thread("t"))?;
            Ok(u32::try_from(held.len()).unwrap())
        };
        assert_eq!(run(read, |_, _| Ok(())).unwrap(), 100);
    }

    #[test]
    fn a_failure_of_the_writing_side_stops_the_reading_side_and_is_told() {
        let read = |queue: &Queue| {
            loop {
                queue.put(Work::Save { thread: ThreadNo(7), fold: String::new() })?;
            }
        };
        let failure = run(read, |_, _| Ok(())).unwrap_err();
        assert!(failure.message.contains("does not know"), "{failure:?}");
        let read = |queue: &Queue| {
            queue.put(Work::Save { thread: ThreadNo(7), fold: String::new() })?;
            queue.open(ThreadNo(0)).map(|_| 0)
        };
        let failure = run(read, |_, _| Ok(())).unwrap_err();
        assert!(failure.message.contains("does not know"), "{failure:?}");
    }

    #[test]
    fn a_failure_of_the_reading_side_is_told() {
        let read = |queue: &Queue| {
            queue.put(new_conversation())?;
            Err(Failure::internal("cut off"))
        };
        let failure = run(read, |_, _| Ok(())).unwrap_err();
        assert!(failure.message.contains("cut off"), "{failure:?}");
    }
}
