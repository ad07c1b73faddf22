//! What is remembered of a run while it is open.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::model::{CallKey, MessageKey, NamedEvents, Role, RoleClass, Run, RunKey};
use crate::finding::Finding;
use crate::runs::{Bound, RunEvent, RunHead};

/// Most bytes of events that are held back until a run is known to be no replay.
pub const MAX_REPLAY_BYTES: usize = 32 << 20;

/// An open run: folded as it comes, or held back because an earlier run of the thread has its id.
#[derive(Debug)]
pub(super) enum Open {
    Folding(Box<Folding>),
    HeldBack(Box<HeldBack>),
}

/// A run that may be a replay.
#[derive(Debug)]
pub(super) struct HeldBack {
    pub head: RunHead,
    pub later: Vec<Later>,
    pub offered: Option<String>,
    pub bytes: usize,
}

/// What came of a run that is held back, in order.
#[derive(Debug)]
pub(super) enum Later {
    Event(RunEvent),
    Finding(Finding),
}

/// A run being folded.
#[derive(Debug)]
pub(super) struct Folding {
    pub key: RunKey,
    pub run: Run,
    pub changed: bool,
    /// Whether its producer speaks 1.0 or later.
    pub speaks_1_0: bool,
    /// Whether its end was told.
    pub over: bool,
    pub bound: Bound,
    /// Messages of this run by class and id.
    pub messages: HashMap<(RoleClass, String), MessageKey>,
    /// Open messages with class and id.
    pub open_messages: HashMap<MessageKey, (RoleClass, String)>,
    /// The message that was opened last and is still open.
    pub last_opened: Option<(RoleClass, MessageKey)>,
    pub calls: HashMap<String, CallKey>,
    pub open_calls: HashMap<String, CallKey>,
    pub last_call: Option<CallKey>,
    pub spans: BTreeSet<String>,
    pub steps: HashSet<(Option<String>, String)>,
    pub subagents: BTreeMap<String, SubagentState>,
    pub chunks: BTreeMap<Option<String>, Chunk>,
    /// The last message that came as chunks, by owner.
    pub last_chunked: BTreeMap<Option<String>, Chunk>,
    pub thinking: Thinking,
    /// How many ids were made here.
    pub derived: u64,
    pub names: BTreeMap<(String, String), NamedEvents>,
    /// Sources in other forms that were told.
    pub foreign: HashSet<Told>,
    /// The question as the container has it, for want of a better one.
    pub offered: Option<String>,
    /// How often the state was searched for sources.
    pub state_searches: usize,
    /// The last result of each assistant message.
    pub last_results: HashMap<MessageKey, MessageKey>,
    pub pieces: Pieces,
    pub pending_named: Vec<String>,
}

/// A source in another form: title, address, message, message id.
pub(super) type Told = (Option<String>, Option<String>, Option<MessageKey>, Option<String>);

/// A sub-agent's place in the list of the run, and whether it works.
#[derive(Debug)]
pub(super) struct SubagentState {
    pub place: usize,
    pub open: bool,
    pub started: bool,
}

/// An open chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chunk {
    pub id: String,
    pub of: Chunked,
}

/// What a chunk is a piece of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Chunked {
    Message(RoleClass, MessageKey),
    Call(CallKey),
}

/// The retired THINKING events, which have no ids.
#[derive(Debug, Default)]
pub(super) struct Thinking {
    pub open: bool,
    pub title: Option<String>,
    /// Whether the span has a message.
    pub spoke: bool,
    pub message: Option<MessageKey>,
    pub count: u64,
}

/// By which a compacted run is known: each text in one piece, no times.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub last: Option<String>,
    pub in_a_row: bool,
    pub longest: usize,
    pub timed: bool,
}

impl Folding {
    pub(super) fn new(key: RunKey, run: Run) -> Self {
        let speaks_1_0 = run.protocol_version.as_deref().is_some_and(|v| {
            v.split('.')
                .next()
                .and_then(|major| major.parse::<u64>().ok())
                .is_some_and(|major| major >= 1)
        });
        Self {
            key,
            run,
            changed: true,
            speaks_1_0,
            over: false,
            bound: Bound::default(),
            messages: HashMap::new(),
            open_messages: HashMap::new(),
            last_opened: None,
            calls: HashMap::new(),
            open_calls: HashMap::new(),
            last_call: None,
            spans: BTreeSet::new(),
            steps: HashSet::new(),
            subagents: BTreeMap::new(),
            chunks: BTreeMap::new(),
            last_chunked: BTreeMap::new(),
            thinking: Thinking::default(),
            derived: 0,
            names: BTreeMap::new(),
            foreign: HashSet::new(),
            offered: None,
            state_searches: 0,
            last_results: HashMap::new(),
            pieces: Pieces::default(),
            pending_named: Vec::new(),
        }
    }

    /// An id for something that the source gives none, made of what it is and the run.
    pub(super) fn derive_id(&mut self, what: &str) -> String {
        self.derived += 1;
        let run = self.run.run_id.clone().unwrap_or_else(|| self.key.0.to_string());
        format!("{what}:{run}:{}", self.derived)
    }

    pub(super) fn is_open(&self, key: MessageKey) -> bool {
        self.open_messages.contains_key(&key)
    }

    pub(super) fn opened(&mut self, role: &Role, id: &str, key: MessageKey) {
        self.messages.insert((role.class(), id.to_owned()), key);
        self.open_messages.insert(key, (role.class(), id.to_owned()));
        self.last_opened = Some((role.class(), key));
    }

    /// Forgets that a message is open.
    pub(super) fn closed(&mut self, key: MessageKey) {
        self.open_messages.remove(&key);
        self.chunks.retain(|_, chunk| !matches!(chunk.of, Chunked::Message(_, of) if of == key));
        if self.last_opened.is_some_and(|(_, last)| last == key) {
            self.last_opened = None;
        }
    }
}
