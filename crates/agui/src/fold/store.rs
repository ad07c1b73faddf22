//! What is held of a thread beside its open runs.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::calls::Calls;
use super::codes;
use super::context::{Context, RunStub};
use super::log::Log;
use super::measure::CopyWork;
use super::model::*;
use super::open::{Folding, HeldBack, Later, Open};
use super::state::{Activities, State};
use super::text::Digest;
use super::{Fold, lifecycle};
use crate::finding::{Code, Finding};
use crate::runs::{Bound, Ending, RunEnd, RunHead, RunNo};

#[derive(Debug, Default)]
pub(super) struct Store {
    pub log: Log,
    pub calls: Calls,
    pub runs: Vec<RunStub>,
    run_ids: HashMap<String, Vec<RunKey>>,
    aliases: Vec<Alias>,
    /// Places in `aliases`.
    by_alias: HashMap<(RoleClass, String), Vec<usize>>,
    pub state: State,
    pub activities: Activities,
    /// For the state and every activity, whatever replaces them.
    pub copy_work: CopyWork,
    /// Citations events of messages of open runs that had ended: event and place.
    cited: HashMap<MessageKey, Vec<Place>>,
    pub open_interrupts: Vec<String>,
    pub changes: Changes,
    /// The last other text that a list gave for a message.
    pub edits: HashMap<MessageKey, Digest>,
    /// Bounds the findings of messages-only lists.
    pub bound: Bound,
}

/// Index of an event and the bytes of the content that it stands in.
pub(super) type Place = (u64, Range<u64>);

/// What an id names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Message(Resolved),
    /// Several messages of one run: which one is meant is not to be guessed.
    Several,
    Nothing,
}

impl Named {
    pub(super) fn message(self) -> Option<Resolved> {
        match self {
            Self::Message(found) => Some(found),
            Self::Several | Self::Nothing => None,
        }
    }
}

impl Store {
    pub(super) fn restore(context: Context) -> Self {
        let mut store = Self {
            log: Log::restore(context.messages),
            calls: Calls::restore(context.calls),
            state: State::restore(context.state),
            activities: Activities::restore(context.activities),
            open_interrupts: context.open_interrupts,
            ..Self::default()
        };
        for (n, stub) in context.runs.into_iter().enumerate() {
            // A run that ended without a hash is a replay; see `replay`.
            if stub.open || stub.hash.is_some() {
                store.add_run(RunKey(n as u64), stub);
            } else {
                store.runs.push(stub);
            }
        }
        for alias in context.aliases {
            store.keep_alias(alias);
        }
        store
    }

    pub(super) fn context(&self) -> Context {
        Context {
            runs: self.runs.clone(),
            messages: self.log.stubs(),
            calls: self.calls.stubs(),
            aliases: self.aliases.clone(),
            state: self.state.value().cloned(),
            activities: self.activities.stubs(),
            open_interrupts: self.open_interrupts.clone(),
        }
    }

    fn add_run(&mut self, key: RunKey, stub: RunStub) {
        if let Some(id) = &stub.run_id {
            self.run_ids.entry(id.clone()).or_default().push(key);
        }
        self.runs.push(stub);
    }

    /// Begins a run: folded at once, or held back when an earlier run has its id.
    pub(super) fn begin(&mut self, head: &RunHead, open: &BTreeMap<RunNo, Open>) -> Open {
        if self.with_run_id(head.run_id.as_deref()).is_empty() {
            return Open::Folding(Box::new(self.start(head, None, open)));
        }
        Open::HeldBack(Box::new(HeldBack {
            head: head.clone(),
            later: Vec::new(),
            offered: None,
            bytes: 0,
        }))
    }

    fn with_run_id(&self, id: Option<&str>) -> &[RunKey] {
        id.and_then(|id| self.run_ids.get(id)).map_or(&[], Vec::as_slice)
    }

    /// Folds what was held back of a run that is no replay, or too long to be compared.
    pub(super) fn fold_held_back(
        &mut self,
        held: HeldBack,
        code: &'static Code,
        open: &BTreeMap<RunNo, Open>,
    ) -> Folding {
        let earlier = self.with_run_id(held.head.run_id.as_deref()).last().copied();
        let mut run = self.start(&held.head, earlier, open);
        run.offered = held.offered;
        let at = Some(held.head.at.clone());
        Fold { store: self, run: &mut run, ev: None }.note_at(
            code,
            code.meaning.to_owned(),
            Some(held.head.first_event),
            at,
        );
        for later in held.later {
            match later {
                Later::Event(event) => {
                    Fold { store: self, run: &mut run, ev: Some(&event) }.event();
                }
                Later::Finding(finding) => self.finding(Some(run.key), finding),
            }
        }
        run
    }

    /// The earlier run with the same id and the same events.
    pub(super) fn original(&self, head: &RunHead, hash: &[u8; 32]) -> Option<RunKey> {
        let earlier = self.with_run_id(head.run_id.as_deref());
        earlier.iter().copied().find(|key| self.run_stub(*key).hash.as_ref() == Some(hash))
    }

    pub(super) fn run_stub(&self, key: RunKey) -> &RunStub {
        &self.runs[usize::try_from(key.0).unwrap_or(usize::MAX)]
    }

    /// Records a replay without folding anything of it.
    pub(super) fn replay(&mut self, head: &RunHead, end: &RunEnd, original: RunKey) {
        let key = RunKey(self.runs.len() as u64);
        let mut run = lifecycle::record(key, head);
        run.replay_of = Some(original);
        lifecycle::finish(&mut run, end);
        // A replay is not indexed: what follows is compared with the original.
        self.runs.push(RunStub {
            run_id: run.run_id.clone(),
            hash: None,
            open: false,
            interrupted: false,
        });
        self.changes.runs.push(run);
        let code = &codes::REPLAY;
        let message = code.meaning.to_owned();
        let finding =
            Finding { code, message, event: Some(head.first_event), at: Some(head.at.clone()) };
        self.finding(Some(key), finding);
    }

    fn start(
        &mut self,
        head: &RunHead,
        variant_of: Option<RunKey>,
        open: &BTreeMap<RunNo, Open>,
    ) -> Folding {
        let key = RunKey(self.runs.len() as u64);
        let mut run = lifecycle::record(key, head);
        run.variant_of = variant_of;
        run.parent = head.parent_run_id.as_deref().map(|parent| {
            let is_open = |open: &Open| match open {
                Open::Folding(run) => run.run.run_id.as_deref() == Some(parent) && !run.over,
                Open::HeldBack(held) => held.head.run_id.as_deref() == Some(parent),
            };
            match self.with_run_id(Some(parent)) {
                [] => Parent::NotHeld,
                _ if open.values().any(is_open) => Parent::CalledBy,
                _ => Parent::Continues,
            }
        });
        let stub =
            RunStub { run_id: head.run_id.clone(), hash: None, open: true, interrupted: false };
        self.add_run(key, stub);
        let mut run = Folding::new(key, run);
        if let Some(request) = &head.request {
            Fold { store: self, run: &mut run, ev: None }.request(request);
        }
        run
    }

    /// Ends a run: nothing of it follows.
    pub(super) fn end(&mut self, mut run: Folding, end: &RunEnd) {
        Fold { store: self, run: &mut run, ev: None }.end(end);
        let stub = &mut self.runs[usize::try_from(run.key.0).unwrap_or(usize::MAX)];
        stub.open = false;
        stub.hash = Some(end.hash);
        stub.interrupted = end.ending == Ending::Interrupted;
        let key = run.key;
        self.cited.retain(|message, _| self.log.stub(*message).run != Some(key));
        for finding in std::mem::take(&mut run.bound).rest() {
            self.finding(Some(key), finding);
        }
        self.changes.runs.push(run.run);
    }

    /// Remembers a citations event of a message to which text may still be added.
    pub(super) fn cite(&mut self, message: MessageKey, place: Place) {
        if self.log.stub(message).run.is_some_and(|run| self.run_stub(run).open) {
            self.cited.entry(message).or_default().push(place);
        }
    }

    /// The citations events that spoke of less than the message is now; each is told once.
    pub(super) fn take_cited(&mut self, message: MessageKey) -> Vec<Place> {
        self.cited.remove(&message).unwrap_or_default()
    }

    pub(super) fn finding(&mut self, run: Option<RunKey>, finding: Finding) {
        self.changes.findings.push(RunFinding { run, finding });
    }

    pub(super) fn add_alias(&mut self, alias: Alias) {
        self.changes.aliases.push(alias.clone());
        self.keep_alias(alias);
    }

    fn keep_alias(&mut self, alias: Alias) {
        let class = self.log.stub(alias.message).role.class();
        self.by_alias.entry((class, alias.id.clone())).or_default().push(self.aliases.len());
        self.aliases.push(alias);
    }

    /// Where messages have this as a further id.
    pub(super) fn with_alias(&self, class: RoleClass, id: &str) -> impl Iterator<Item = &Alias> {
        let places = self.by_alias.get(&(class, id.to_owned())).map_or(&[][..], Vec::as_slice);
        places.iter().map(|place| &self.aliases[*place])
    }

    pub(super) fn find_assistant(&self, id: &str, run: Option<RunKey>) -> Named {
        let own = self.log.with_id(RoleClass::Text, id).iter().map(|key| (*key, Via::Id));
        match self.best(own, run) {
            // A list can give a message another one's id: its word counts in the run that it came in, for the messages
            // of that run.
            Named::Nothing => {
                let aliases = self.with_alias(RoleClass::Text, id).filter(|alias| {
                    let of = self.log.stub(alias.message).run;
                    run.is_none() || of == run || of == alias.run
                });
                self.best(aliases.map(|alias| (alias.message, Via::Alias(alias.reason))), run)
            }
            named => named,
        }
    }

    /// The message of the run itself, else the latest of an earlier one, else the first of a later one; none where that
    /// run has several.
    fn best(&self, found: impl Iterator<Item = (MessageKey, Via)>, run: Option<RunKey>) -> Named {
        let found: Vec<_> =
            found.filter(|(key, _)| self.log.stub(*key).role == Role::Assistant).collect();
        let of = |key: MessageKey| self.log.stub(key).run;
        let best = found.iter().copied().max_by_key(|(key, _)| match (of(*key), run) {
            (Some(of), Some(run)) if of == run => (2, i128::from(key.0)),
            (Some(of), Some(run)) if of > run => (0, -i128::from(key.0)),
            _ => (1, i128::from(key.0)),
        });
        let Some((message, via)) = best else { return Named::Nothing };
        if found.iter().any(|(other, _)| *other != message && of(*other) == of(message)) {
            return Named::Several;
        }
        Named::Message(Resolved { message, via })
    }

    pub(super) fn state_text(&self) -> String {
        self.state.text()
    }

    pub(super) fn take(&mut self, is_open: impl Fn(RunKey) -> bool) -> Changes {
        let (messages, orders) = self.log.take(&is_open);
        let tool_calls = self.calls.take(&is_open);
        Changes {
            messages,
            orders,
            tool_calls,
            activities: self.activities.take(),
            state: self.state.take(),
            ..std::mem::take(&mut self.changes)
        }
    }
}
