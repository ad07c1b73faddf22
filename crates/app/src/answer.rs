//! The sources of an answer and how they stand: the one way from rows to trust words.

use std::collections::BTreeMap;

use archive::{CitationEvent, CitationState, Message, MessageId, Reader, Record, RecordId};
use moca::{
    StatedTime,
    record::{CitationKey, Reading},
    sources,
    standing::{Basis, Standing, Strip, standing, strip},
};

use crate::{
    contract::{self, Failure, SourcesState},
    derive::record::moca_instant,
    failure::Storage,
};

/// Rows read at a time.
const PAGE: u32 = 200;

/// Citations of one event that are judged: as many as `moca` reads of one. A state is told of all of them, however few
/// are shown, so that none hides a bad one.
const MAX_JUDGED: usize = moca::event::MAX_CITATIONS;

/// What is known of the sources of one answer.
pub(crate) struct Answer {
    /// In words.
    pub(crate) known: sources::AnswerSources,
    /// The event that is shown, or the newest of those that are not.
    pub(crate) event: Option<CitationEvent>,
    /// Events for the same answer that a later one replaced.
    pub(crate) replaced: u32,
    /// Its citations, each with its standing.
    pub(crate) cited: Vec<Cited>,
}

/// One citation with its standing.
pub(crate) struct Cited {
    pub(crate) citation: archive::Citation,
    pub(crate) reading: Reading,
    pub(crate) standing: Standing,
    /// Number of the first citation of the same source, when the event lists it again (`seed §3`, seventh duty).
    pub(crate) repeats: Option<u32>,
}

/// What makes two citations one source: node and span; of an invalid record, its row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SourceKey {
    /// A part of a node.
    Part(CitationKey, Option<(u64, u64)>),
    /// A record that cannot be tied to a node.
    Record(i64),
}

impl SourceKey {
    pub(crate) fn of(reading: &Reading, record: RecordId) -> Self {
        match reading.valid() {
            Some(record) => {
                Self::Part(record.key(), record.span.map(|span| (span.start, span.end)))
            }
            None => Self::Record(record.0),
        }
    }
}

/// Each source once, with the worst that is said of it, so that no bad flag hides behind a good one.
pub(crate) fn distinct<'s>(
    sources: impl Iterator<Item = (SourceKey, &'s Standing)>,
) -> Vec<&'s Standing> {
    let mut worst: BTreeMap<SourceKey, &Standing> = BTreeMap::new();
    for (key, standing) in sources {
        worst
            .entry(key)
            .and_modify(|held| {
                if standing.worst().tone > held.worst().tone {
                    *held = standing;
                }
            })
            .or_insert(standing);
    }
    worst.into_values().collect()
}

impl Answer {
    /// Reads the sources of a message, as they stand at `now`.
    pub(crate) fn read(
        reader: &Reader,
        message: MessageId,
        messages_only: bool,
        now: moca::Instant,
    ) -> Result<Self, Failure> {
        let (event, replaced) = shown(reader, message)?;
        let Some(event) = event else {
            let known = if messages_only {
                sources::AnswerSources::MessagesOnly
            } else {
                sources::AnswerSources::NoEvent
            };
            return Ok(Self { known, event: None, replaced: 0, cited: Vec::new() });
        };
        let known = known(&event);
        let cited = match event.state {
            CitationState::UnknownVersion | CitationState::UnknownMessage => Vec::new(),
            _ => cited(reader, &event, now)?,
        };
        Ok(Self { known, event: Some(event), replaced, cited })
    }

    /// The state as it crosses to a host.
    pub(crate) fn state(&self) -> SourcesState {
        match self.known {
            sources::AnswerSources::Listed { .. } => SourcesState::Applied,
            sources::AnswerSources::EmptyList => SourcesState::Empty,
            sources::AnswerSources::UnknownVersion { .. } => SourcesState::UnknownVersion,
            sources::AnswerSources::Invalid => SourcesState::Invalid,
            sources::AnswerSources::NoEvent
            | sources::AnswerSources::MessagesOnly
            | sources::AnswerSources::UnknownMessage { .. } => SourcesState::None,
        }
    }

    /// Its sources rolled up, each counted once.
    pub(crate) fn strip(&self) -> Strip {
        strip(distinct(self.cited.iter().filter_map(|cited| Some((cited.key()?, &cited.standing)))))
    }

    /// The sentence of the state, and how the event was tied to the answer where that was not by its id.
    pub(crate) fn state_sentence(&self) -> String {
        format!("{}{}", self.known.sentence(), self.matched())
    }

    /// Whether the event names the answer by an id that a snapshot changed (facts/agui §3.4).
    fn matched(&self) -> &'static str {
        match self.event.as_ref().and_then(|event| event.found_by.as_deref()) {
            Some("equal-text") => " The event was matched to this answer by its equal text.",
            Some("tool-call-id") => " The event was matched to this answer by its tool call.",
            _ => "",
        }
    }

    /// One line: the count of each state, or the sentence of the state there is.
    pub(crate) fn sentence(&self) -> String {
        if self.cited.is_empty() {
            return self.state_sentence();
        }
        let counts = self.strip().sentence;
        let again = self.cited.iter().filter(|cited| cited.repeats.is_some()).count();
        let counts = match again {
            0 => counts,
            n => format!("{counts} · {n} listed again"),
        };
        match self.matched() {
            "" => counts,
            matched => format!("{counts}.{matched}"),
        }
    }

    /// “as of TIME · by WHOM”, where there are flags to say it of.
    pub(crate) fn basis(&self) -> Option<String> {
        let line = self.strip().line;
        (!line.is_empty()).then_some(line)
    }

    /// `computedAt` as sent, and what is odd about it.
    pub(crate) fn computed_at(&self) -> Option<contract::StatedTime> {
        self.event.as_ref().and_then(computed_at)
    }
}

impl Cited {
    fn key(&self) -> Option<SourceKey> {
        Some(SourceKey::of(&self.reading, self.citation.record.as_ref()?.id))
    }
}

/// What an event says, in words.
pub(crate) fn known(event: &CitationEvent) -> sources::AnswerSources {
    match event.state {
        CitationState::Applied => sources::AnswerSources::Listed {
            count: u32::try_from(event.citations).unwrap_or(u32::MAX),
        },
        CitationState::Empty => sources::AnswerSources::EmptyList,
        CitationState::UnknownVersion => sources::AnswerSources::UnknownVersion {
            version: event.version.clone().unwrap_or_default(),
        },
        CitationState::UnknownMessage => sources::AnswerSources::UnknownMessage {
            message_id: event.stated_message_id.clone().unwrap_or_default(),
        },
        CitationState::Invalid => sources::AnswerSources::Invalid,
    }
}

/// `computedAt` of an event as it crosses to a host.
pub(crate) fn computed_at(event: &CitationEvent) -> Option<contract::StatedTime> {
    let text = event.computed.clone()?;
    let read = StatedTime::parse(text.as_str());
    let received = event.received_at.unwrap_or(event.imported_at);
    let instant = read.instant();
    let note = match read.reading() {
        moca::time::TimeReading::Unreadable => Some("not a time that can be read".to_owned()),
        moca::time::TimeReading::NoOffset { .. } => {
            Some("no offset stated; read as UTC".to_owned())
        }
        moca::time::TimeReading::DateOnly { .. } => {
            Some("no time of day stated; read as midnight UTC".to_owned())
        }
        moca::time::TimeReading::Exact { at, .. } if at > moca_instant(received) => {
            Some(format!("lies after the event was received ({})", moca_instant(received).moment()))
        }
        moca::time::TimeReading::Exact { .. } => None,
    };
    Some(contract::StatedTime { text, instant: instant.map(moca::Instant::rfc3339), note })
}

/// The event that a message shows, else the last of those that it does not, and how many others there are.
fn shown(reader: &Reader, message: MessageId) -> Result<(Option<CitationEvent>, u32), Failure> {
    let (mut shown, mut last, mut all, mut after) = (None, None, 0_u32, None);
    loop {
        let page = reader.citation_events_of_message(message, after.as_ref(), PAGE).storage()?;
        for event in page.rows {
            all = all.saturating_add(1);
            if event.shown {
                shown = Some(event);
            } else {
                last = Some(event);
            }
        }
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok((shown.or(last), all.saturating_sub(1))),
        }
    }
}

/// Citations of an event, each with its standing at `now`.
fn cited(
    reader: &Reader,
    event: &CitationEvent,
    now: moca::Instant,
) -> Result<Vec<Cited>, Failure> {
    let basis = basis(event);
    let mut seen: BTreeMap<SourceKey, u32> = BTreeMap::new();
    let mut read = |citation: archive::Citation| {
        let reading = reading(citation.record.as_ref()?);
        let standing = standing(&reading, &basis, now);
        let mut cited = Cited { citation, reading, standing, repeats: None };
        let number = cited.citation.number;
        let first = *seen.entry(cited.key()?).or_insert(number);
        cited.repeats = (first != number).then_some(first);
        Some(cited)
    };
    let (mut cited, mut after) = (Vec::new(), None);
    loop {
        let page = reader.citations(event.id, after.as_ref(), PAGE).storage()?;
        cited.extend(page.rows.into_iter().filter_map(&mut read));
        match page.next {
            Some(next) if cited.len() < MAX_JUDGED => after = Some(next),
            _ => return Ok(cited),
        }
    }
}

/// A record as `moca` reads it, from its bytes as received.
pub(crate) fn reading(record: &Record) -> Reading {
    moca::record::read_bytes(&record.json).reading
}

/// On what the flags of an event rest: the service's word, at the time it says.
pub(crate) fn basis(event: &CitationEvent) -> Basis {
    Basis::Service {
        computed_at: event.computed.as_deref().map(StatedTime::parse),
        received_at: event.received_at.map(moca_instant),
        imported_at: Some(moca_instant(event.imported_at)),
    }
}

/// Whether a message is an answer: the assistant's words.
pub(crate) fn is_answer(message: &Message) -> bool {
    message.role == "assistant" && message.class == "text" && !message.text.trim().is_empty()
}
