//! The fold: runs of one thread to messages, tool calls and the rest (facts/agui §3).

pub mod context;
pub mod model;

pub use context::Context;
pub use model::*;

use crate::runs::Step;

/// One thread being folded.
///
/// Steps of its runs go in, in arrival order; [`Self::take_changes`] hands out what came of them.
#[derive(Debug, Default)]
pub struct Thread {
    changes: Changes,
}

impl Thread {
    /// A thread of which nothing is held yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A thread of which an archive holds something: what follows goes on from there.
    pub fn restore(_context: Context) -> Self {
        Self::default()
    }

    /// What [`Self::restore`] needs to go on from here; none while a run is open.
    pub fn context(&self) -> Option<Context> {
        Some(Context::default())
    }

    /// Takes the next step of one of its runs, or a message list.
    pub fn apply(&mut self, _step: &Step) {}

    /// Hands out what is new or changed and lets go of the texts of runs that ended.
    pub fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// The assistant message that an id names for a run: one of the run itself, else the latest of an
    /// earlier run, else of a later one; its own ids count before aliases.
    pub fn find_assistant(&self, _id: &str, _run: Option<RunKey>) -> Option<Resolved> {
        None
    }
}
