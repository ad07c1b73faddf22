//! The tool calls of a thread.

use std::collections::{BTreeSet, HashMap};

use super::context::CallStub;
use super::model::{CallKey, Ended, RunKey, Segment, ToolCall};
use super::text::{Digest, json_value};

/// Longest arguments of one start of a tool call that are shown, in bytes. The events are kept whole.
pub const MAX_ARGUMENTS: usize = 16 << 20;

#[derive(Debug, Default)]
pub(super) struct Calls {
    slots: Vec<Slot>,
    by_id: HashMap<String, Vec<CallKey>>,
    changed: BTreeSet<CallKey>,
    /// Calls whose arguments are still held.
    held: BTreeSet<CallKey>,
}

#[derive(Debug)]
struct Slot {
    call: ToolCall,
    last_run: Option<RunKey>,
    digests: Vec<Option<Digest>>,
    /// Whether each segment is to be handed out.
    changed: Vec<bool>,
}

impl Calls {
    pub(super) fn restore(stubs: Vec<CallStub>) -> Self {
        let mut calls = Self::default();
        for (n, stub) in stubs.into_iter().enumerate() {
            let key = CallKey(n as u64);
            calls.by_id.entry(stub.id.clone()).or_default().push(key);
            let segment = |index: usize| Segment {
                index: u32::try_from(index).unwrap_or(u32::MAX),
                run: stub.run,
                first_event: None,
                arguments: String::new(),
                ended: Ended::Yes,
                same_as: None,
            };
            calls.slots.push(Slot {
                last_run: stub.last_run,
                changed: vec![false; stub.segments.len()],
                call: ToolCall {
                    key,
                    id: stub.id,
                    id_derived: stub.id_derived,
                    name: stub.name,
                    message: stub.message,
                    run: stub.run,
                    first_event: stub.first_event,
                    subagent: stub.subagent,
                    metadata: None,
                    result: stub.result,
                    segments: (0..stub.segments.len()).map(segment).collect(),
                },
                digests: stub.segments,
            });
        }
        calls
    }

    /// The memory of every call.
    pub(super) fn stubs(&self) -> Vec<CallStub> {
        let stub = |slot: &Slot| CallStub {
            id: slot.call.id.clone(),
            id_derived: slot.call.id_derived,
            name: slot.call.name.clone(),
            message: slot.call.message,
            run: slot.call.run,
            last_run: slot.last_run,
            first_event: slot.call.first_event,
            subagent: slot.call.subagent.clone(),
            result: slot.call.result,
            segments: slot.digests.clone(),
        };
        self.slots.iter().map(stub).collect()
    }

    /// Adds a call without segments; `call.key` is set here.
    pub(super) fn create(&mut self, call: ToolCall) -> CallKey {
        let key = CallKey(self.slots.len() as u64);
        self.by_id.entry(call.id.clone()).or_default().push(key);
        self.slots.push(Slot {
            last_run: call.run,
            call: ToolCall { key, ..call },
            digests: Vec::new(),
            changed: Vec::new(),
        });
        self.changed.insert(key);
        key
    }

    pub(super) fn get(&self, key: CallKey) -> &ToolCall {
        &self.slots[index(key)].call
    }

    /// The call, to be changed: it will be handed out again.
    pub(super) fn get_mut(&mut self, key: CallKey) -> &mut ToolCall {
        self.changed.insert(key);
        &mut self.slots[index(key)].call
    }

    /// The run of its last segment.
    pub(super) fn last_run(&self, key: CallKey) -> Option<RunKey> {
        self.slots[index(key)].last_run
    }

    /// Calls with this id, in the order in which they were met.
    pub(super) fn with_id(&self, id: &str) -> &[CallKey] {
        self.by_id.get(id).map_or(&[], Vec::as_slice)
    }

    /// Opens a further segment.
    pub(super) fn open(&mut self, key: CallKey, run: Option<RunKey>, event: Option<u64>) {
        self.changed.insert(key);
        let slot = &mut self.slots[index(key)];
        let number = u32::try_from(slot.call.segments.len()).unwrap_or(u32::MAX);
        slot.last_run = run;
        slot.digests.push(None);
        slot.changed.push(true);
        slot.call.segments.push(Segment {
            index: number,
            run,
            first_event: event,
            arguments: String::new(),
            ended: Ended::No,
            same_as: None,
        });
    }

    /// Appends to the last segment's arguments; whether all of it had room.
    pub(super) fn append(&mut self, key: CallKey, piece: &str) -> bool {
        let Some((last, changed, _)) = self.last_mut(key) else { return true };
        let room = MAX_ARGUMENTS.saturating_sub(last.arguments.len());
        let fits =
            if piece.len() <= room { piece } else { &piece[..piece.floor_char_boundary(room)] };
        last.arguments.push_str(fits);
        *changed = true;
        fits.len() == piece.len()
    }

    /// Ends the last segment and compares it with the earlier ones.
    pub(super) fn end(&mut self, key: CallKey, ended: Ended) {
        let Some((last, changed, digests)) = self.last_mut(key) else { return };
        last.ended = ended;
        *changed = true;
        let digest = json_value(&last.arguments);
        let earlier = digests.len() - 1;
        digests[earlier] = digest;
        last.same_as = digest
            .and_then(|digest| digests[..earlier].iter().position(|d| *d == Some(digest)))
            .and_then(|n| u32::try_from(n).ok());
    }

    /// Digest of the last complete arguments.
    pub(super) fn digest(&self, key: CallKey) -> Option<Digest> {
        self.slots[index(key)].digests.last().copied().flatten()
    }

    fn last_mut(
        &mut self,
        key: CallKey,
    ) -> Option<(&mut Segment, &mut bool, &mut Vec<Option<Digest>>)> {
        self.changed.insert(key);
        let slot = &mut self.slots[index(key)];
        Some((slot.call.segments.last_mut()?, slot.changed.last_mut()?, &mut slot.digests))
    }

    /// Hands out what is new, and lets go of arguments that no open run can add to.
    pub(super) fn take(&mut self, is_open: impl Fn(RunKey) -> bool) -> Vec<ToolCall> {
        let mut calls = Vec::new();
        let changed = std::mem::take(&mut self.changed);
        self.held.extend(&changed);
        for key in &changed {
            let slot = &mut self.slots[index(*key)];
            let segments =
                slot.call.segments.iter().zip(&slot.changed).filter(|(_, changed)| **changed);
            let segments = segments.map(|(segment, _)| segment.clone()).collect();
            calls.push(ToolCall { segments, ..header(&slot.call) });
            slot.call.metadata = None;
            slot.changed.fill(false);
        }
        // What is added to an open segment later is handed out with the arguments from their beginning.
        self.held.retain(|key| {
            let segments = &mut self.slots[index(*key)].call.segments;
            let mut held = false;
            for segment in segments {
                if segment.run.is_some_and(&is_open) {
                    held = true;
                } else {
                    segment.arguments = String::new();
                }
            }
            held
        });
        calls
    }

    /// What is held of every call.
    pub(super) fn calls(&self) -> Vec<ToolCall> {
        self.slots.iter().map(|slot| slot.call.clone()).collect()
    }
}

/// The call without its segments.
fn header(call: &ToolCall) -> ToolCall {
    ToolCall {
        key: call.key,
        id: call.id.clone(),
        id_derived: call.id_derived,
        name: call.name.clone(),
        message: call.message,
        run: call.run,
        first_event: call.first_event,
        subagent: call.subagent.clone(),
        metadata: call.metadata.clone(),
        result: call.result,
        segments: Vec::new(),
    }
}

/// Keys are places in the list of slots, so they fit.
fn index(key: CallKey) -> usize {
    usize::try_from(key.0).unwrap_or(usize::MAX)
}
