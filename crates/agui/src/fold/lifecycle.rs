//! Beginning and end of runs, steps, sub-agents, interrupts (facts/agui §2.5, §3.0, §3.1).

use super::codes;
use super::item::id_of;
use super::log::{Detail, Spot};
use super::model::*;
use super::open::SubagentState;
use super::{Fold, lists};
use crate::event::note::quote;
use crate::event::{Event, EventType, Got, Object, Raw, key};
use crate::runs::{Ending, Request, RunEnd, RunHead, TokenUsage, outcome};

/// Most interrupts, answers to interrupts or pending tool calls that are read of one event.
const MAX_INTERRUPTS: usize = 100;

/// Most sub-agents of a run that are listed.
const MAX_SUBAGENTS: usize = 1_000;

/// Shortest text that, in one piece and without times, makes a run look compacted.
const COMPACTED_PIECE: usize = 40;

/// The record of a run that begins.
pub(super) fn record(key: RunKey, head: &RunHead) -> Run {
    Run {
        key,
        no: head.run,
        connection: head.connection,
        thread_id: head.thread_id.clone(),
        run_id: head.run_id.clone(),
        parent_run_id: head.parent_run_id.clone(),
        parent: None,
        protocol_version: head.protocol_version.clone(),
        started: head.started,
        first_event: head.first_event,
        last_event: None,
        at: head.at.clone(),
        timestamp: head.timestamp.clone(),
        arrival: head.arrival.clone(),
        ending: None,
        hash: None,
        events: 0,
        has_request: head.request.is_some(),
        question: Question::NotRecorded,
        replay_of: None,
        variant_of: None,
        compacted: false,
        usage: Vec::new(),
        interrupts: Vec::new(),
        resumes: Vec::new(),
        pending_tool_calls: Vec::new(),
        result: None,
        names: Vec::new(),
        subagents: Vec::new(),
    }
}

/// Fills in what is known when a run has ended.
pub(super) fn finish(run: &mut Run, end: &RunEnd) {
    run.ending = Some(end.ending.clone());
    run.hash = Some(end.hash);
    run.events = end.events;
    run.last_event = end.last_event;
    run.at.end = end.end;
}

impl Fold<'_> {
    /// Takes a recorded request: state, history and question of the run.
    pub(super) fn request(&mut self, request: &Request) {
        let text = String::from_utf8_lossy(&request.text);
        let Some(input) = Object::parse(&text) else { return };
        if let Got::Ok(state) = input.look(&key::STATE) {
            self.store.state.set(state.json());
        }
        self.input(&input, Origin::Request);
    }

    pub(super) fn run_started(&mut self, event: &Event) {
        let Some(input) = event.get(&key::INPUT).ok().and_then(Raw::object) else {
            return self.check_interrupts();
        };
        // The client's state is the request's; the echo only counts where nothing else is known.
        if !self.run.run.has_request
            && !self.store.state.is_known()
            && let Got::Ok(state) = input.look(&key::STATE)
        {
            self.store.state.set(state.json());
        }
        self.input(&input, Origin::Input);
        self.check_interrupts();
    }

    fn input(&mut self, input: &Object<'_>, origin: Origin) {
        if let Some(list) = input.look(&key::MESSAGES).ok() {
            lists::merge_list(self, list, origin);
        }
        let resumes = input.look(&key::RESUME).ok();
        let resumes =
            resumes.map(|raw| raw.array().unwrap_or_else(|| vec![raw])).unwrap_or_default();
        for entry in resumes.into_iter().take(MAX_INTERRUPTS).filter_map(Raw::object) {
            let resume = Resume {
                interrupt: entry.owned(&key::INTERRUPT_ID).unwrap_or_default(),
                status: entry.owned(&key::STATUS),
                payload: entry.look(&key::PAYLOAD).ok().map(|raw| raw.json().to_owned()),
            };
            if self.run.run.resumes.iter().any(|r| r.interrupt == resume.interrupt) {
                continue;
            }
            self.store.open_interrupts.retain(|open| *open != resume.interrupt);
            self.run.run.resumes.push(resume);
        }
        if !self.run.run.resumes.is_empty() && self.run.run.question == Question::NotRecorded {
            self.run.run.question = Question::Resumes;
        }
    }

    pub(super) fn run_finished(&mut self, event: &Event) {
        self.check_nothing_open();
        self.run.over = true;
        self.run.run.usage.extend(TokenUsage::of(event));
        if let Got::Ok(result) = event.get(&key::RESULT) {
            self.run.run.result = Some(result.json().to_owned());
        }
        let inside = outcome(event).and_then(|(_, object)| object);
        let look =
            |key| inside.as_ref().and_then(|o| o.look(key).ok()).or_else(|| event.get(key).ok());
        if let Some(raw) = look(&key::INTERRUPTS) {
            let interrupts = raw.array().unwrap_or_else(|| vec![raw]);
            for raw in interrupts.into_iter().take(MAX_INTERRUPTS) {
                self.interrupt(raw);
            }
        }
        let pending = look(&key::PENDING_TOOL_CALL_IDS).and_then(Raw::array).unwrap_or_default();
        let pending = pending.into_iter().take(MAX_INTERRUPTS).filter_map(|raw| raw.text().ok());
        self.run.pending_named.extend(pending.map(|id| id_of(&id)));
    }

    /// Adds an interrupt, whatever its shape.
    pub(super) fn interrupt(&mut self, raw: Raw<'_>) {
        let object = raw.object();
        let text = |key| object.as_ref().and_then(|o| o.owned(key));
        let interrupt = Interrupt {
            id: text(&key::ID).unwrap_or_default(),
            reason: text(&key::REASON),
            message: text(&key::MESSAGE).or_else(|| raw.text().ok().map(|t| t.into_owned())),
            tool_call_id: text(&key::TOOL_CALL_ID),
            response_schema: object
                .as_ref()
                .and_then(|o| o.look(&key::RESPONSE_SCHEMA).ok())
                .map(|raw| raw.json().to_owned()),
            expires_at: text(&key::EXPIRES_AT),
            subagent: text(&key::SUBAGENT_RUN_ID),
        };
        if self.run.run.interrupts.len() < MAX_INTERRUPTS {
            self.run.run.interrupts.push(interrupt);
        }
    }

    pub(super) fn run_error(&mut self, event: &Event) {
        self.run.over = true;
        self.run.run.usage.extend(TokenUsage::of(event));
    }

    /// RUN_FINISHED closes nothing that was opened with a START (facts/agui §3.1, rule 7).
    fn check_nothing_open(&mut self) {
        let mut open: Vec<String> = Vec::new();
        let messages = self.run.open_messages.values();
        // 0.x does not check reasoning.
        let counts = |class: RoleClass| class != RoleClass::Reasoning || self.run.speaks_1_0;
        open.extend(
            messages
                .filter(|(class, _)| counts(*class))
                .map(|(_, id)| format!("message {}", quote(id))),
        );
        open.extend(self.run.open_calls.keys().map(|id| format!("tool call {}", quote(id))));
        open.extend(self.run.steps.iter().map(|(_, name)| format!("step {}", quote(name))));
        if self.run.thinking.open || self.run.thinking.message.is_some() {
            open.push("a span of thinking".to_owned());
        }
        if self.run.speaks_1_0 {
            open.extend(self.run.spans.iter().map(|id| format!("span of reasoning {}", quote(id))));
            let working = self.run.subagents.iter().filter(|(_, s)| s.open && s.started);
            open.extend(working.map(|(id, _)| format!("sub-agent {}", quote(id))));
        }
        open.sort_unstable();
        for what in open {
            self.note(&codes::OPEN_AT_END, format!("The run finished while {what} was open."));
        }
    }

    /// The run's end, when nothing of it follows.
    pub(super) fn end(&mut self, end: &RunEnd) {
        self.end_thinking();
        self.offered_question();
        if self.run.run.question == Question::NotRecorded {
            let (event, at) = (Some(self.run.run.first_event), Some(self.run.run.at.clone()));
            self.note_at(&codes::NO_QUESTION, codes::NO_QUESTION.meaning.to_owned(), event, at);
        }
        let waits = matches!(end.ending, Ending::Finished | Ending::Interrupted);
        let mut pending: Vec<CallKey> =
            self.run.calls.values().copied().filter(|_| waits).collect();
        pending.retain(|key| self.store.calls.get(*key).result.is_none());
        for id in std::mem::take(&mut self.run.pending_named) {
            let call = self.run.calls.get(&id).or_else(|| self.store.calls.with_id(&id).last());
            pending.extend(call.filter(|key| self.store.calls.get(**key).result.is_none()));
        }
        pending.sort_unstable();
        pending.dedup();
        self.run.run.pending_tool_calls = pending;
        if end.ending == Ending::Interrupted {
            let ids =
                self.run.run.interrupts.iter().map(|i| i.id.clone()).filter(|id| !id.is_empty());
            self.store.open_interrupts.extend(ids);
        }
        let pieces = &self.run.pieces;
        self.run.run.compacted =
            pieces.longest >= COMPACTED_PIECE && !pieces.in_a_row && !pieces.timed;
        if self.run.run.compacted {
            let (event, at) = (Some(self.run.run.first_event), Some(self.run.run.at.clone()));
            self.note_at(&codes::COMPACTED, codes::COMPACTED.meaning.to_owned(), event, at);
        }
        self.run.run.names = std::mem::take(&mut self.run.names).into_values().collect();
        self.run.run.names.sort_by_key(|n| n.first_event);
        finish(&mut self.run.run, end);
    }

    /// Puts the question that the container has before what the run said.
    fn offered_question(&mut self) {
        let Some(text) = self.run.offered.take() else { return };
        if self.run.run.question == Question::Recorded {
            return;
        }
        self.run.run.question = Question::Recorded;
        let run = Some(self.run.key);
        let log = &mut self.store.log;
        let first = log.in_order().find(|key| log.stub(*key).run == run);
        let spot = first.map_or(Spot::End, Spot::Before);
        let id = self.run.derive_id("question");
        let detail = Detail { id_derived: true, ..Detail::default() };
        let key = log.create(&id, Role::User, run, Origin::Container, spot, detail);
        log.set_ended(key, Ended::Whole, None);
        self.say(key, &text);
    }

    /// Says so when a run begins with interrupts of the thread unanswered; once for each.
    fn check_interrupts(&mut self) {
        for id in std::mem::take(&mut self.store.open_interrupts) {
            self.note(
                &codes::INTERRUPT_UNANSWERED,
                format!("The interrupt {} was not answered.", quote(&id)),
            );
        }
    }

    pub(super) fn step(&mut self, kind: EventType, event: &Event) {
        let owner = event.subagent().map(|s| s.into_owned());
        let name = event.text(&key::STEP_NAME).ok().unwrap_or_default().into_owned();
        let shown = quote(&name);
        if kind == EventType::StepStarted {
            if !self.run.steps.insert((owner, name)) {
                self.note(
                    &codes::STEP_STARTED_TWICE,
                    format!("The step {shown} was started while it was open."),
                );
            }
        } else if !self.run.steps.remove(&(owner, name)) {
            self.note(
                &codes::STEP_NOT_OPEN,
                format!("The step {shown} was finished, but not open."),
            );
        }
    }

    pub(super) fn subagent(&mut self, kind: EventType, event: &Event) {
        let Some(id) = event.subagent().map(|id| id_of(&id)) else { return };
        let shown = quote(&id);
        if kind == EventType::SubagentStarted {
            if self.run.subagents.get(&id).is_some_and(|state| state.started) {
                self.note(
                    &codes::SUBAGENT_REUSED,
                    format!("The sub-agent {shown} was started again."),
                );
            }
            let Some(place) = self.name_subagent(&id) else { return };
            self.run.subagents.insert(id, SubagentState { place, open: true, started: true });
            let text = |key| event.text(key).ok().map(|t| t.into_owned());
            let listed = &mut self.run.run.subagents[place];
            listed.name = text(&key::NAME);
            listed.description = text(&key::DESCRIPTION);
            listed.parent = text(&key::PARENT_SUBAGENT_RUN_ID);
            listed.tool_call_id = text(&key::PARENT_TOOL_CALL_ID);
            listed.outcome = None;
            return;
        }
        if !self.run.subagents.get(&id).is_some_and(|state| state.open && state.started) {
            self.note(
                &codes::SUBAGENT_NOT_OPEN,
                format!("The sub-agent {shown} ended, but was not started."),
            );
        }
        let Some(place) = self.name_subagent(&id) else { return };
        if let Some(state) = self.run.subagents.get_mut(&id) {
            state.open = false;
        }
        let told = if kind == EventType::SubagentError {
            "error".to_owned()
        } else {
            outcome(event).map_or_else(|| "success".to_owned(), |(name, _)| name)
        };
        self.run.run.subagents[place].outcome = Some(told);
    }

    /// The place of a sub-agent in the run's list; tags may come without any start (facts/agui §3.0).
    pub(super) fn name_subagent(&mut self, id: &str) -> Option<usize> {
        if let Some(state) = self.run.subagents.get(id) {
            return Some(state.place);
        }
        let place = self.run.run.subagents.len();
        if place >= MAX_SUBAGENTS {
            return None;
        }
        self.run.run.subagents.push(Subagent {
            id: id.to_owned(),
            name: None,
            description: None,
            parent: None,
            tool_call_id: None,
            outcome: None,
            first_event: self.ev.map_or(self.run.run.first_event, |ev| ev.index),
        });
        self.run
            .subagents
            .insert(id.to_owned(), SubagentState { place, open: true, started: false });
        Some(place)
    }
}
