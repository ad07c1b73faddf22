//! The messages of a thread: found by id, kept in order, their texts held only until they are handed out.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::context::MessageStub;
use super::model::{Ended, Message, MessageKey, Origin, Role, RoleClass, RunKey};
use super::text::{Digest, Trimmed};
use crate::frame::Arrival;

/// Longest text of one message that is shown, in bytes. The events are kept whole.
pub const MAX_MESSAGE_TEXT: usize = 16 << 20;

/// Distance between the places of messages one behind the other.
const GAP: i64 = 1 << 32;

/// Distance to the message before, for one that is put between two.
const STEP: i64 = 1 << 16;

#[derive(Debug, Default)]
pub(super) struct Log {
    slots: Vec<Slot>,
    by_id: HashMap<(RoleClass, Box<str>), Vec<MessageKey>>,
    order: BTreeMap<i64, MessageKey>,
    /// Messages whose texts are still held.
    live: Vec<MessageKey>,
    moved: HashSet<MessageKey>,
}

#[derive(Debug)]
struct Slot {
    stub: MessageStub,
    live: Option<Box<Live>>,
}

/// What is told of a message beside its text, until it is handed out and its run has ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Detail {
    pub id_derived: bool,
    pub first_event: Option<u64>,
    pub end_event: Option<u64>,
    pub after_end: bool,
    pub timestamp: Option<String>,
    pub arrival: Option<Arrival>,
    pub segments: u32,
    pub parts: Option<String>,
    pub name: Option<String>,
    pub tool_call_id: Option<String>,
    pub error: Option<String>,
    pub activity_type: Option<String>,
    pub title: Option<String>,
    pub subagent: Option<String>,
    pub metadata: Option<String>,
}

#[derive(Debug)]
struct Live {
    detail: Detail,
    text: String,
    text_at: u64,
    digest: Trimmed,
    changed: bool,
}

/// Where a new message goes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Spot {
    End,
    After(MessageKey),
    Before(MessageKey),
}

impl Log {
    pub(super) fn restore(stubs: Vec<MessageStub>) -> Self {
        let mut log = Self::default();
        for (n, stub) in stubs.into_iter().enumerate() {
            let key = MessageKey(n as u64);
            log.by_id.entry((stub.role.class(), stub.id.clone())).or_default().push(key);
            log.order.insert(stub.order, key);
            log.slots.push(Slot { stub, live: None });
        }
        log
    }

    /// The memory of every message.
    pub(super) fn stubs(&self) -> Vec<MessageStub> {
        self.keys()
            .map(|key| MessageStub { text: self.digest(key), ..self.stub(key).clone() })
            .collect()
    }

    pub(super) fn create(
        &mut self,
        id: &str,
        role: Role,
        run: Option<RunKey>,
        origin: Origin,
        spot: Spot,
        detail: Detail,
    ) -> MessageKey {
        let key = MessageKey(self.slots.len() as u64);
        let order = self.place(spot);
        self.order.insert(order, key);
        self.by_id.entry((role.class(), id.into())).or_default().push(key);
        let stub = MessageStub {
            id: id.into(),
            role,
            run,
            order,
            origin,
            ended: Ended::No,
            text: None,
            call: None,
            calls: Vec::new(),
            encrypted: false,
        };
        let live = Live {
            detail,
            text: String::new(),
            text_at: 0,
            digest: Trimmed::default(),
            changed: true,
        };
        self.slots.push(Slot { stub, live: Some(Box::new(live)) });
        self.live.push(key);
        key
    }

    /// Every message in the order in which they were met.
    pub(super) fn keys(&self) -> impl ExactSizeIterator<Item = MessageKey> + use<> {
        (0..self.slots.len()).map(|n| MessageKey(n as u64))
    }

    /// Every message in reading order.
    pub(super) fn in_order(&self) -> impl DoubleEndedIterator<Item = MessageKey> {
        self.order.values().copied()
    }

    /// The memory of a message. Its `text` is only filled in by [`Self::digest`].
    pub(super) fn stub(&self, key: MessageKey) -> &MessageStub {
        &self.slots[index(key)].stub
    }

    /// The memory of a message, to be changed in what is not handed out with the message itself.
    pub(super) fn stub_mut(&mut self, key: MessageKey) -> &mut MessageStub {
        &mut self.slots[index(key)].stub
    }

    /// What is still held of a message, to be changed: it will be handed out again.
    pub(super) fn detail_mut(&mut self, key: MessageKey) -> Option<&mut Detail> {
        let live = self.slots[index(key)].live.as_deref_mut()?;
        live.changed = true;
        Some(&mut live.detail)
    }

    pub(super) fn detail(&self, key: MessageKey) -> Option<&Detail> {
        self.slots[index(key)].live.as_deref().map(|live| &live.detail)
    }

    /// Messages with this id in a class, in the order in which they were met.
    pub(super) fn with_id(&self, class: RoleClass, id: &str) -> &[MessageKey] {
        self.by_id.get(&(class, Box::from(id))).map_or(&[], Vec::as_slice)
    }

    /// Digest of the trimmed text, none when there is none.
    pub(super) fn digest(&self, key: MessageKey) -> Option<Digest> {
        let slot = &self.slots[index(key)];
        match &slot.live {
            Some(live) => live.digest.digest(),
            None => slot.stub.text,
        }
    }

    /// Appends to a message's text; whether all of it had room.
    pub(super) fn append(&mut self, key: MessageKey, piece: &str) -> bool {
        let Some(live) = self.slots[index(key)].live.as_deref_mut() else { return true };
        live.changed = true;
        let held =
            usize::try_from(live.text_at).unwrap_or(usize::MAX).saturating_add(live.text.len());
        let room = MAX_MESSAGE_TEXT.saturating_sub(held);
        let fits =
            if piece.len() <= room { piece } else { &piece[..piece.floor_char_boundary(room)] };
        live.text.push_str(fits);
        live.digest.push(fits);
        fits.len() == piece.len()
    }

    pub(super) fn set_ended(&mut self, key: MessageKey, ended: Ended, event: Option<u64>) {
        let slot = &mut self.slots[index(key)];
        slot.stub.ended = ended;
        if let Some(live) = &mut slot.live {
            live.changed = true;
            live.detail.end_event = event;
        }
    }

    /// The next message in reading order.
    pub(super) fn next(&self, key: MessageKey) -> Option<MessageKey> {
        self.order.range(self.stub(key).order + 1..).next().map(|(_, next)| *next)
    }

    /// The message before in reading order.
    pub(super) fn previous(&self, key: MessageKey) -> Option<MessageKey> {
        self.order.range(..self.stub(key).order).next_back().map(|(_, before)| *before)
    }

    fn place(&mut self, spot: Spot) -> i64 {
        let between = match spot {
            Spot::End => None,
            Spot::After(key) => self.next(key).map(|next| (key, next)),
            Spot::Before(key) => match self.previous(key) {
                Some(before) => Some((before, key)),
                None => return self.stub(key).order - GAP,
            },
        };
        let Some((before, after)) = between else {
            return self.order.last_key_value().map_or(GAP, |(last, _)| last + GAP);
        };
        let room = |log: &Self| (log.stub(after).order - log.stub(before).order) / 2;
        if room(self) == 0 {
            self.spread();
        }
        self.stub(before).order + room(self).min(STEP)
    }

    /// Gives all messages new places with full gaps.
    fn spread(&mut self) {
        let keys: Vec<MessageKey> = self.order.values().copied().collect();
        self.order.clear();
        for (n, key) in keys.into_iter().enumerate() {
            let order = (i64::try_from(n).unwrap_or(i64::MAX / GAP) + 1) * GAP;
            self.order.insert(order, key);
            self.stub_mut(key).order = order;
            self.moved.insert(key);
        }
    }

    /// Hands out what is new, and lets go of messages that no open run can add to.
    pub(super) fn take(
        &mut self,
        is_open: impl Fn(RunKey) -> bool,
    ) -> (Vec<Message>, Vec<(MessageKey, i64)>) {
        let mut messages = Vec::new();
        let mut orders = Vec::new();
        for key in std::mem::take(&mut self.live) {
            let slot = &mut self.slots[index(key)];
            let Some(mut live) = slot.live.take() else { continue };
            if live.changed {
                live.changed = false;
                self.moved.remove(&key);
                let text = std::mem::take(&mut live.text);
                let text_at = live.text_at;
                live.text_at += text.len() as u64;
                messages.push(message(key, &slot.stub, &live.detail, text_at, text));
            }
            if slot.stub.run.is_some_and(&is_open) {
                slot.live = Some(live);
                self.live.push(key);
            } else {
                slot.stub.text = live.digest.digest();
            }
        }
        for key in std::mem::take(&mut self.moved) {
            orders.push((key, self.stub(key).order));
        }
        orders.sort_unstable();
        (messages, orders)
    }

    /// What is held of every message, in reading order.
    pub(super) fn messages(&self) -> Vec<Message> {
        let held = |key: MessageKey| {
            let slot = &self.slots[index(key)];
            let live = slot.live.as_deref()?;
            Some(message(key, &slot.stub, &live.detail, live.text_at, live.text.clone()))
        };
        self.in_order().filter_map(held).collect()
    }
}

fn message(
    key: MessageKey,
    stub: &MessageStub,
    detail: &Detail,
    text_at: u64,
    text: String,
) -> Message {
    Message {
        key,
        id: stub.id.to_string(),
        id_derived: detail.id_derived,
        role: stub.role.clone(),
        run: stub.run,
        order: stub.order,
        origin: stub.origin,
        first_event: detail.first_event,
        end_event: detail.end_event,
        after_end: detail.after_end,
        timestamp: detail.timestamp.clone(),
        arrival: detail.arrival.clone(),
        ended: stub.ended,
        segments: detail.segments,
        text_at,
        text,
        parts: detail.parts.clone(),
        name: detail.name.clone(),
        tool_call_id: detail.tool_call_id.clone(),
        error: detail.error.clone(),
        activity_type: detail.activity_type.clone(),
        title: detail.title.clone(),
        subagent: detail.subagent.clone(),
        metadata: detail.metadata.clone(),
    }
}

/// Keys are places in the list of slots, so they fit.
fn index(key: MessageKey) -> usize {
    usize::try_from(key.0).unwrap_or(usize::MAX)
}
