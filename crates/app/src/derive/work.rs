//! What the reading side hands to the writing side.

use std::{collections::BTreeMap, ops::Range, sync::mpsc::SyncSender};

use agui::{
    container::Connection,
    fold::{Changes, HeldCitation, MessageKey, Resolved, RunKey},
};
use archive::{ConversationId, RunId, Segment, Severity, Taken};
use moca::{duty::ToolRecords, event::Parsed};

/// A thread of the source at hand, in the order in which they were met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ThreadNo(pub(super) usize);

/// One piece of work, written in order.
pub(crate) enum Work {
    /// Bytes of the source.
    Stored(Stored),
    /// The next connection of the source.
    Connection(Box<Connection>),
    /// The next thread is a conversation that is new.
    NewConversation { connection: u32, thread_id: Option<String> },
    /// The next thread goes on in a conversation that is held.
    HeldConversation(ConversationId),
    /// A thread comes into memory again; answered with what is kept of it.
    Open { thread: ThreadNo, reply: SyncSender<Option<String>> },
    /// What is new in a thread.
    Flush { thread: ThreadNo, flush: Box<Flush> },
    /// What a later recording of the thread needs.
    Save { thread: ThreadNo, fold: String },
    /// A thread leaves memory.
    Forget(ThreadNo),
    /// A run that is held was met again.
    Occurrence { run: RunId, connection: u32, first_event: u64, events: u64, at: Range<u64> },
    /// A finding about the source or a thread as a whole.
    Finding(Loose),
}

/// What an import stores beside rows.
pub(crate) enum Stored {
    /// The next segment of a stream.
    Segment(Segment),
    /// A batch ends, with the importer's note.
    BatchEnds { taken: Taken, note: String },
}

/// A finding that belongs to no run.
pub(crate) struct Loose {
    pub(super) thread: Option<ThreadNo>,
    pub(super) code: &'static str,
    pub(super) severity: Severity,
    pub(super) text: String,
    pub(super) event: Option<u64>,
    pub(super) at: Option<Range<u64>>,
}

/// What came of the steps of a thread since the last time.
pub(crate) struct Flush {
    pub(super) changes: Changes,
    /// When the connection of each run began, as far as it is stated.
    pub(super) began: BTreeMap<RunKey, String>,
    pub(super) cited: Vec<Cited>,
    /// What the tools of each run returned, as far as this flush shows it.
    pub(super) tools: BTreeMap<RunKey, ToolRecords>,
    pub(super) without_event: Vec<Uncited>,
}

/// A citation event as read, and the message that it names.
pub(super) struct Cited {
    pub(super) held: HeldCitation,
    pub(super) parsed: Parsed,
    pub(super) found: Option<Resolved>,
}

/// An answer that no citation event names.
pub(super) struct Uncited {
    pub(super) message: MessageKey,
    pub(super) run: RunKey,
    pub(super) id: String,
    pub(super) first_event: u64,
}

/// What one message, call or event takes beside its texts, about.
const ROUGHLY: usize = 512;

impl Work {
    /// About how many bytes it takes in memory.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Stored(Stored::Segment(segment)) => segment.stored_size(),
            Self::Save { fold, .. } => fold.len(),
            Self::Flush { flush, .. } => flush.size(),
            _ => ROUGHLY,
        }
    }
}

impl Flush {
    fn size(&self) -> usize {
        let changes = &self.changes;
        let messages = changes.messages.iter().map(|message| {
            ROUGHLY + message.text.len() + message.parts.as_ref().map_or(0, String::len)
        });
        let calls = changes.tool_calls.iter().flat_map(|call| &call.segments);
        let calls = calls.map(|segment| ROUGHLY + segment.arguments.len());
        // The value as text, and about twice that as read.
        let cited = self.cited.iter().map(|cited| 3 * cited.held.value.json().map_or(0, str::len));
        let others = changes.findings.len() + changes.foreign.len() + changes.edits.len();
        let edits = changes.edits.iter().map(|edit| edit.text.len());
        let activities = changes.activities.iter().map(|activity| activity.content.len());
        let state = changes.state.as_ref().map_or(0, String::len);
        messages.chain(calls).chain(cited).chain(edits).chain(activities).sum::<usize>()
            + others * ROUGHLY
            + state
    }
}
