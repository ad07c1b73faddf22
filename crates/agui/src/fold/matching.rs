//! Which messages of a list are held already.

use std::collections::{HashMap, HashSet, VecDeque};

use super::codes;
use super::item::Listed;
use super::lists::Merge;
use super::model::{AliasReason, MessageKey, Origin, Role, RoleClass};
use super::text::{Digest, json_value, trimmed};
use crate::event::note::quote;

/// Most tool calls with one id among which the one of a list is looked for: the latest.
const MAX_SAME_CALLS: usize = 64;

/// Most messages that are looked at for the neighbour of one.
const MAX_STEPS: usize = 64;

/// Messages of a list and held ones with the same role and text.
struct Pairs {
    role: Role,
    list: Vec<usize>,
    keys: Vec<MessageKey>,
}

/// A message of a list that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    pub key: MessageKey,
    /// Why its other id names the same message.
    pub alias: Option<AliasReason>,
    /// False when only the number of messages with this text is known to agree.
    pub certain: bool,
}

/// What is found for each message of a list.
#[derive(Debug, Default)]
pub(super) struct Matching {
    pub found: Vec<Option<Match>>,
    pub taken: HashSet<MessageKey>,
}

impl Matching {
    fn take(&mut self, n: usize, key: MessageKey, alias: Option<AliasReason>, certain: bool) {
        self.taken.insert(key);
        self.found[n] = Some(Match { key, alias, certain });
    }

    fn is_free(&self, key: MessageKey) -> bool {
        !self.taken.contains(&key)
    }
}

/// Role and digest of the trimmed text.
type Said = (Role, Digest);

impl Merge<'_> {
    pub(super) fn matched(&mut self, items: &[Listed]) -> Matching {
        let digests: Vec<_> = items.iter().map(|item| trimmed(&item.content.text)).collect();
        let mut matching = Matching { found: vec![None; items.len()], taken: HashSet::new() };
        self.by_id(items, &digests, &mut matching);
        self.by_tool_call(items, &digests, &mut matching);
        self.by_text(items, &digests, &mut matching);
        matching
    }

    /// By id within the role class; of several with one id first those with the same text, then in order.
    fn by_id(&mut self, items: &[Listed], digests: &[Option<Digest>], matching: &mut Matching) {
        let mut same: HashMap<(RoleClass, &str), VecDeque<MessageKey>> = HashMap::new();
        let mut same_text: HashMap<(RoleClass, &str, Option<Digest>), VecDeque<MessageKey>> =
            HashMap::new();
        for item in items {
            let Some(id) = item.id.as_deref() else { continue };
            let class = item.role.class();
            if same.contains_key(&(class, id)) {
                continue;
            }
            let log = &self.store.log;
            let own = log.with_id(class, id).iter().copied();
            // A further id was given to a text: under another text it names another message.
            let aliases = self.store.with_alias(class, id).map(|alias| alias.message);
            for key in own.clone().chain(aliases) {
                same_text.entry((class, id, log.digest(key))).or_default().push_back(key);
            }
            same.insert((class, id), own.collect());
        }
        for (n, item) in items.iter().enumerate() {
            let Some(id) = item.id.as_deref() else { continue };
            let keys = same_text.get_mut(&(item.role.class(), id, digests[n]));
            if let Some(key) = keys.and_then(|keys| next_free(keys, matching)) {
                matching.take(n, key, None, true);
            }
        }
        for (n, item) in items.iter().enumerate() {
            let Some(id) = item.id.as_deref() else { continue };
            if matching.found[n].is_some() {
                continue;
            }
            let Some(key) =
                same.get_mut(&(item.role.class(), id)).and_then(|keys| next_free(keys, matching))
            else {
                continue;
            };
            // Clients that count from 1 give every question the same id.
            if item.role == Role::User
                && matches!(self.origin, Origin::Request | Origin::Input)
                && digests[n].is_some()
            {
                self.note(
                    &codes::ID_REUSED,
                    format!("The id {} was used for another question.", quote(id)),
                );
                continue;
            }
            matching.take(n, key, None, true);
        }
    }

    /// By a tool call that both have, unless their texts say that they are two: ids of calls are used again.
    fn by_tool_call(
        &mut self,
        items: &[Listed],
        digests: &[Option<Digest>],
        matching: &mut Matching,
    ) {
        for (n, item) in items.iter().enumerate() {
            if matching.found[n].is_some() {
                continue;
            }
            let calls = &self.store.calls;
            let latest = |id: &str| {
                calls.with_id(id).iter().rev().take(MAX_SAME_CALLS).copied().collect::<Vec<_>>()
            };
            let mut keys: Vec<MessageKey> = Vec::new();
            let mut exact: Vec<MessageKey> = Vec::new();
            if item.role == Role::Tool {
                let digest = digests[n];
                for call in item.tool_call_id.as_deref().map(latest).unwrap_or_default() {
                    let Some(result) = calls.get(call).result else { continue };
                    keys.push(result);
                    exact.extend((self.store.log.digest(result) == digest).then_some(result));
                }
            } else if item.role == Role::Assistant {
                for listed in &item.calls {
                    let digest = json_value(&listed.arguments);
                    for call in listed.id.as_deref().map(latest).unwrap_or_default() {
                        keys.push(calls.get(call).message);
                        exact.extend(
                            (digest.is_some() && calls.digest(call) == digest)
                                .then(|| calls.get(call).message),
                        );
                    }
                }
            }
            let agrees = |key: &MessageKey| {
                let held = self.store.log.digest(*key);
                held.is_none() || digests[n].is_none() || held == digests[n]
            };
            keys.retain(agrees);
            exact.retain(agrees);
            if let Some(key) = only(keys, matching).or_else(|| only(exact, matching)) {
                matching.take(n, key, Some(AliasReason::ToolCallId), true);
            }
        }
    }

    /// By role and equal text, in the place that the neighbours leave.
    fn by_text(&mut self, items: &[Listed], digests: &[Option<Digest>], matching: &mut Matching) {
        let said = |n: usize| -> Option<Said> { Some((items[n].role.clone(), digests[n]?)) };
        let open = |n: &usize| matching.found[*n].is_none() && self.is_compared(&items[*n]);
        let wanted: HashSet<Said> = (0..items.len()).filter(open).filter_map(said).collect();
        if wanted.is_empty() {
            return;
        }
        let mut held: HashMap<Said, Vec<MessageKey>> = HashMap::new();
        for key in self.store.log.in_order() {
            let Some(digest) = self.store.log.digest(key).filter(|_| matching.is_free(key)) else {
                continue;
            };
            let said = (self.store.log.stub(key).role.clone(), digest);
            if wanted.contains(&said) {
                held.entry(said).or_default().push(key);
            }
        }
        self.without_id(items, &said, &held, matching);
        let mut named: HashMap<Said, Vec<usize>> = HashMap::new();
        for n in (0..items.len()).filter(|n| matching.found[*n].is_none() && items[*n].id.is_some())
        {
            if let Some(said) = said(n) {
                named.entry(said).or_default().push(n);
            }
        }
        let bounds = self.neighbours(matching);
        let mut named: Vec<_> = named.into_iter().collect();
        named.sort_unstable_by_key(|(_, list)| list[0]);
        let mut pairs: Vec<Pairs> = Vec::with_capacity(named.len());
        let mut likely: Vec<Option<MessageKey>> =
            matching.found.iter().map(|found| found.map(|found| found.key)).collect();
        for (said, list) in named {
            let keys = held.get(&said).into_iter().flatten().copied();
            let keys: Vec<MessageKey> = keys
                .filter(|key| matching.is_free(*key) && self.may_be_renamed(&said.0, *key))
                .collect();
            if list.len() == keys.len() {
                list.iter().zip(&keys).for_each(|(n, key)| likely[*n] = Some(*key));
            }
            pairs.push(Pairs { role: said.0, list, keys });
        }
        for Pairs { role, list, keys } in pairs {
            match (list.as_slice(), keys.as_slice()) {
                (_, []) => {}
                ([n], [key]) => {
                    let (after, before) = bounds[*n];
                    let order = self.store.log.stub(*key).order;
                    if after < order && order < before && self.is_in_place(items, *n, *key, &likely)
                    {
                        matching.take(*n, *key, Some(AliasReason::EqualText), true);
                    }
                }
                (list, keys) => {
                    let message = format!(
                        "{} messages of the list and {} held ones of the role {} have the same text.",
                        list.len(),
                        keys.len(),
                        quote(role.name())
                    );
                    self.note(&codes::LIST_AMBIGUOUS, message);
                    if list.len() == keys.len() {
                        for (n, key) in list.iter().zip(keys) {
                            if self.is_in_place(items, *n, *key, &likely) {
                                matching.take(*n, *key, None, false);
                            }
                        }
                        continue;
                    }
                    // Of several the latest are those that this run can have brought.
                    let own = keys.iter().rev().filter(|key| self.is_of_this_run(**key));
                    for (n, key) in list.iter().rev().zip(own) {
                        matching.take(*n, *key, None, false);
                    }
                }
            }
        }
    }

    fn is_of_this_run(&self, key: MessageKey) -> bool {
        // What a client sends is what was said before: there is nothing new in it but questions.
        self.asks() || self.store.log.stub(key).run == self.run.as_ref().map(|run| run.key)
    }

    /// Whether a message of an earlier run stands in the list beside the one that it stands beside here: the same words
    /// alone may be said again, and then they are another message.
    fn is_in_place(
        &self,
        items: &[Listed],
        n: usize,
        key: MessageKey,
        likely: &[Option<MessageKey>],
    ) -> bool {
        if self.is_of_this_run(key) {
            return true;
        }
        let log = &self.store.log;
        let beside = |list: &mut dyn Iterator<Item = usize>| {
            // Questions are often not recorded, so one that is not held says nothing.
            let is_silent = |n: &usize| likely[*n].is_none() && !speaks(&items[*n]);
            list.take(MAX_STEPS).find(|n| !is_silent(n)).and_then(|n| likely[n])
        };
        let reaches = |from: Option<MessageKey>,
                       step: &dyn Fn(MessageKey) -> Option<MessageKey>| {
            let Some(wanted) = from else { return false };
            let mut at = step(key);
            for _ in 0..MAX_STEPS {
                match at {
                    Some(key) if key == wanted => return true,
                    Some(key) if !self.is_heard(key) => at = step(key),
                    _ => return false,
                }
            }
            false
        };
        reaches(beside(&mut (0..n).rev()), &|key| log.previous(key))
            || reaches(beside(&mut (n + 1..items.len())), &|key| log.next(key))
    }

    /// Whether a held message is one that every list would have.
    fn is_heard(&self, key: MessageKey) -> bool {
        let class = self.store.log.stub(key).role.class();
        matches!(class, RoleClass::Text | RoleClass::User) && self.store.log.digest(key).is_some()
    }

    /// Messages without an id are matched one after the other, as histories repeat them; there is nothing to rename.
    fn without_id(
        &self,
        items: &[Listed],
        said: &impl Fn(usize) -> Option<Said>,
        held: &HashMap<Said, Vec<MessageKey>>,
        matching: &mut Matching,
    ) {
        let log = &self.store.log;
        let last_answer = log.in_order().rfind(|key| log.stub(*key).role == Role::Assistant);
        let last_answer = last_answer.map_or(i64::MIN, |key| log.stub(key).order);
        let last_other = items
            .iter()
            .rposition(|item| matches!(item.role.class(), RoleClass::Text | RoleClass::Tool));
        let mut behind = i64::MIN;
        for (n, item) in items.iter().enumerate() {
            if let Some(found) = matching.found[n] {
                behind = behind.max(log.stub(found.key).order);
                continue;
            }
            if item.id.is_some() {
                continue;
            }
            let is_question = item.role == Role::User && last_other.is_none_or(|last| last < n);
            let Some(keys) = said(n).and_then(|said| held.get(&said)) else { continue };
            let from = keys.partition_point(|key| log.stub(*key).order <= behind);
            let free = keys[from..].iter().copied().find(|key| matching.is_free(*key));
            // What stands at the end of a list is asked now, even when it was asked and answered before.
            if let Some(key) = free.filter(|key| !is_question || log.stub(*key).order > last_answer)
            {
                behind = log.stub(key).order;
                matching.take(n, key, None, true);
            }
        }
    }

    /// Whether a message of the list is looked for by its text at all, which takes a look at the whole thread.
    fn is_compared(&self, item: &Listed) -> bool {
        let echo = self.run.as_ref().is_some_and(|run| run.run.has_request);
        item.role != Role::User
            || item.id.is_none()
            || !self.asks()
            || (self.origin == Origin::Input && echo)
    }

    /// Whether the list is what the client sent.
    fn asks(&self) -> bool {
        matches!(self.origin, Origin::Request | Origin::Input)
    }

    /// Questions keep the ids that the client gave them: one with another id in a request is another question,
    /// unless the same run's request brought it.
    fn may_be_renamed(&self, role: &Role, key: MessageKey) -> bool {
        let stub = self.store.log.stub(key);
        let here = self.run.as_ref().map(|run| run.key);
        !self.asks() || *role != Role::User || (stub.origin == Origin::Request && stub.run == here)
    }

    /// For each message of the list the places between which its neighbours that are held leave room.
    fn neighbours(&self, matching: &Matching) -> Vec<(i64, i64)> {
        let order = |found: &Option<Match>| found.map(|found| self.store.log.stub(found.key).order);
        let mut bounds = vec![(i64::MIN, i64::MAX); matching.found.len()];
        let mut after = i64::MIN;
        for (n, found) in matching.found.iter().enumerate() {
            bounds[n].0 = after;
            after = order(found).unwrap_or(after);
        }
        let mut before = i64::MAX;
        for (n, found) in matching.found.iter().enumerate().rev() {
            bounds[n].1 = before;
            before = order(found).unwrap_or(before);
        }
        bounds
    }
}

/// Whether a message of a list is part of an answer.
fn speaks(item: &Listed) -> bool {
    item.role.class() == RoleClass::Text && !item.content.text.trim().is_empty()
}

fn next_free(keys: &mut VecDeque<MessageKey>, matching: &Matching) -> Option<MessageKey> {
    while let Some(key) = keys.pop_front() {
        if matching.is_free(key) {
            return Some(key);
        }
    }
    None
}

/// The one free key, if there is exactly one.
fn only(mut keys: Vec<MessageKey>, matching: &Matching) -> Option<MessageKey> {
    keys.retain(|key| matching.is_free(*key));
    keys.sort_unstable();
    keys.dedup();
    match keys.as_slice() {
        [key] => Some(*key),
        _ => None,
    }
}
