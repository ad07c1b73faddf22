//! Work over many files on every core.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::Scratch;

/// More threads than this would only contend for the disk.
const MAX_THREADS: usize = 16;
/// Fewer items than this are not worth a thread.
const MIN_ITEMS_PER_THREAD: usize = 4;

/// Calls `work` for every item, on as many threads as there are cores, and gives the results in
/// the order of the items.
pub(crate) fn for_each<I, T, F>(items: &[I], work: F) -> Vec<T>
where
    I: Sync,
    T: Send,
    F: Fn(&I, &mut Scratch) -> T + Sync,
{
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(MAX_THREADS).min(items.len() / MIN_ITEMS_PER_THREAD).max(1);
    if threads == 1 {
        let mut scratch = Scratch::new();
        return items.iter().map(|item| work(item, &mut scratch)).collect();
    }
    let next = AtomicUsize::new(0);
    let run = || {
        let mut scratch = Scratch::new();
        let mut done = Vec::with_capacity(items.len() / threads + 1);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item, &mut scratch)));
        }
    };
    let mut results: Vec<Option<T>> = Vec::new();
    results.resize_with(items.len(), || None);
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut place = |done: Vec<(usize, T)>| {
            for (index, value) in done {
                results[index] = Some(value);
            }
        };
        place(run());
        for other in others {
            match other.join() {
                Ok(done) => place(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    // Each index was handed out once and its result put in its place.
    results.into_iter().flatten().collect()
}
