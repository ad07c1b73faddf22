//! CUSTOM, RAW and other named events, `moca.citations` first of all (seed §2, §3; facts/agui §1.9).

use super::Fold;
use super::codes;
use super::item::id_of;
use super::model::*;
use super::store::Named;
use crate::event::note::quote;
use crate::event::{Event, Got, Raw, key};
use crate::runs::Place;

/// The name of the event that MOCA's binding to AG-UI defines (seed §2).
pub const CITATIONS: &str = "moca.citations";

/// Most different names of one run that are listed.
const MAX_NAMES: usize = 200;

impl Fold<'_> {
    pub(super) fn custom(&mut self, event: &Event) {
        let name = event.text(&key::NAME).ok().unwrap_or_default().into_owned();
        let value = event.get(&key::VALUE).ok();
        self.named("CUSTOM", &name);
        match name.as_str() {
            CITATIONS => self.citations(event),
            // LangGraph's adapter tells interrupts so unless it is asked for the outcome (facts/agui §1.2).
            "on_interrupt" => {
                if let Some(value) = value {
                    self.interrupt(value);
                }
            }
            _ => {
                if let Some(value) = value {
                    self.foreign_in_custom(&name, value);
                }
            }
        }
    }

    pub(super) fn raw(&mut self, event: &Event) {
        let source = event.text(&key::SOURCE).ok().map(|s| s.into_owned());
        self.named("RAW", source.as_deref().unwrap_or_default());
        if let Some(raw) = event.get(&key::EVENT).ok() {
            self.foreign_in_raw(&ForeignOrigin::Raw(source), raw);
        }
    }

    /// Keeps a citations event with what was known of its message when it arrived.
    fn citations(&mut self, event: &Event) {
        let Some(ev) = self.ev else { return };
        let value = event.get(&key::VALUE).ok().and_then(Raw::object);
        let message_id = value
            .and_then(|value| value.get(key::MESSAGE_ID.name)?.text().ok().map(|id| id_of(&id)));
        let named = message_id
            .as_deref()
            .map_or(Named::Nothing, |id| self.store.find_assistant(id, Some(self.run.key)));
        let message = named.message();
        let ended = message.is_some_and(|m| self.store.log.stub(m.message).ended.is_ended());
        let late = ev.place == Place::AfterEnd;
        if let Some(id) = message_id.as_deref().filter(|_| !ended) {
            let id = quote(id);
            match named {
                Named::Message(_) => self
                    .note(&codes::CITATION_EARLY, format!("The message {id} has not ended here.")),
                Named::Nothing => self
                    .note(&codes::CITATION_EARLY, format!("The message {id} is not known here.")),
                Named::Several => self.note(
                    &codes::CITATION_AMBIGUOUS,
                    format!("Several messages of the run have the id {id}."),
                ),
            }
        }
        if let Some(found) = message.filter(|_| ended) {
            self.store.cite(found.message, (ev.index, ev.at.clone()));
        }
        if late {
            self.note(&codes::CITATION_LATE, codes::CITATION_LATE.meaning.to_owned());
        }
        self.store.changes.citations.push(HeldCitation {
            run: self.run.key,
            event: ev.index,
            at: ev.at.clone(),
            timestamp: event.timestamp().map(str::to_owned),
            arrival: ev.arrival.clone(),
            value: citation_value(event),
            message_id,
            message_known: message.is_some(),
            message_ended: ended,
            run_finished: late,
        });
    }

    /// Counts an event by its name.
    pub(super) fn named(&mut self, kind: &str, name: &str) {
        let at = (id_of(kind), id_of(name));
        if let Some(named) = self.run.names.get_mut(&at) {
            named.count += 1;
        } else if self.run.names.len() < MAX_NAMES {
            let first_event = self.index().unwrap_or(self.run.run.first_event);
            let (kind, name) = at.clone();
            self.run.names.insert(at, NamedEvents { kind, name, count: 1, first_event });
        }
    }
}

/// The value as received, unless two readers could take two values for it.
fn citation_value(event: &Event) -> CitationValue {
    if [&key::TYPE, &key::NAME, &key::VALUE].iter().any(|key| event.repeats(key)) {
        return CitationValue::Unsure("the event has its type, name or value twice");
    }
    if let Some(doubt) = event.doubt() {
        return CitationValue::Unsure(doubt);
    }
    match event.get(&key::VALUE) {
        Got::Missing | Got::Wrong(_) => CitationValue::Missing,
        Got::Null => CitationValue::Exact("null".to_owned()),
        Got::Ok(raw) if event.is_as_received(raw) => CitationValue::Exact(raw.json().to_owned()),
        Got::Ok(_) => CitationValue::Unsure("its bytes are no JSON text"),
    }
}
