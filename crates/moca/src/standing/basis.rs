//! Who says it, and when it was true: the second half of every flag.

use serde::Serialize;

use crate::name::Digest;
use crate::text::{quoted, shown};
use crate::time::{CLOCK_SKEW_MILLIS, Instant, StatedTime, TimeReading};

/// What a standing rests on.
#[derive(Debug, Clone, PartialEq)]
pub enum Basis {
    /// The record as the service sent it; its flags are true at `computedAt` and at no other time (`seed §2`).
    Service {
        /// `value.computedAt` of the event.
        computed_at: Option<StatedTime>,
        /// When the event was received, where the recording says so. Never passed off as the time of computing.
        received_at: Option<Instant>,
        /// When the recording was imported. Never passed off as the time of computing.
        imported_at: Option<Instant>,
    },
    /// The record as a Reader on this machine computed it.
    Check(Check),
}

/// A check on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Name of the Reader.
    pub reader: String,
    /// Its version.
    pub version: String,
    /// When it checked.
    pub at: Instant,
    /// What came of it.
    pub outcome: CheckOutcome,
}

/// What came of comparing the cited package with the one held here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckOutcome {
    /// The same bytes; the record under judgement is the Reader's own.
    SameBytes,
    /// Under the same id and version, other bytes are held.
    DifferentBytes {
        /// Digest of the package held.
        held: Digest,
    },
    /// This package version is not held here.
    NotHeld,
    /// The check could not be made.
    CouldNotCheck {
        /// Why, as one clause.
        reason: String,
    },
}

impl Basis {
    /// Time and speaker of the flags on this basis.
    pub(super) fn as_of(&self, now: Instant) -> AsOf {
        match self {
            Self::Service { computed_at, received_at, imported_at } => {
                // Held since its import at the latest: a time after that was not in the past when it came.
                let held = received_at.or(*imported_at);
                let time = service_time(computed_at.as_ref(), held, now);
                AsOf::new(Whom::Service, time, *received_at, *imported_at)
            }
            Self::Check(check) => {
                let by =
                    Whom::Check { reader: check.reader.clone(), version: check.version.clone() };
                AsOf::new(by, AsOfTime::Known { at: check.at }, None, None)
            }
        }
    }

    /// Whether it says anything about the record; a check that could not compare does not.
    pub(super) fn speaks(&self) -> bool {
        match self {
            Self::Service { .. } => true,
            Self::Check(check) => match check.outcome {
                CheckOutcome::SameBytes | CheckOutcome::DifferentBytes { .. } => true,
                CheckOutcome::NotHeld | CheckOutcome::CouldNotCheck { .. } => false,
            },
        }
    }
}

fn service_time(
    computed_at: Option<&StatedTime>,
    held_since: Option<Instant>,
    now: Instant,
) -> AsOfTime {
    let Some(stated) = computed_at else { return AsOfTime::NotStated };
    let text = stated.text().to_owned();
    match stated.reading() {
        TimeReading::Unreadable => AsOfTime::Unusable { text, why: "cannot be read".to_owned() },
        TimeReading::Exact { at, .. }
        | TimeReading::DateOnly { at }
        | TimeReading::NoOffset { at }
            if at > held_since.map_or(now, |held| held.min(now)).plus(CLOCK_SKEW_MILLIS) =>
        {
            AsOfTime::Unusable { text, why: "lies after the event was received".to_owned() }
        }
        TimeReading::Exact { at, .. } => AsOfTime::Stated { text, at },
        TimeReading::DateOnly { at } => AsOfTime::Uncertain {
            text,
            at,
            why: "no time of day stated, read as midnight UTC".to_owned(),
        },
        TimeReading::NoOffset { at } => {
            AsOfTime::Uncertain { text, at, why: "no offset stated, read as UTC".to_owned() }
        }
    }
}

/// When a flag is true and by whom it is said: “as of TIME · by WHOM”.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AsOf {
    /// Who says it.
    pub by: Whom,
    /// When it was true.
    pub time: AsOfTime,
    /// When the event was received, beside the time and never for it.
    pub received_at: Option<Instant>,
    /// When the recording was imported, beside the time and never for it.
    pub imported_at: Option<Instant>,
    /// Both in words.
    pub line: String,
}

/// Who says a flag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Whom {
    /// The service's Reader.
    Service,
    /// A check on this machine.
    Check {
        /// Name of the Reader.
        reader: String,
        /// Its version.
        version: String,
    },
    /// The record's own dates, compared with the clock.
    OwnDates,
}

/// When a flag was true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum AsOfTime {
    /// `computedAt`, with an offset.
    Stated {
        /// As received.
        text: String,
        /// The instant meant.
        at: Instant,
    },
    /// `computedAt` without offset or time of day: off by up to a day.
    Uncertain {
        /// As received.
        text: String,
        /// The instant if it is UTC.
        at: Instant,
        /// What is missing.
        why: String,
    },
    /// `computedAt` that cannot be a time of computing.
    Unusable {
        /// As received.
        text: String,
        /// Why not.
        why: String,
    },
    /// The service did not say when: a state of its own.
    NotStated,
    /// The clock of this machine.
    Known {
        /// The instant.
        at: Instant,
    },
}

impl AsOfTime {
    /// Known to the second, so that “when the answer was given” can be told by it.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self, Self::Stated { .. } | Self::Known { .. })
    }

    /// The instant to compare dates with; `None` when none can be trusted.
    pub(super) fn instant(&self) -> Option<Instant> {
        match self {
            Self::Stated { at, .. } | Self::Uncertain { at, .. } | Self::Known { at } => Some(*at),
            Self::Unusable { .. } | Self::NotStated => None,
        }
    }
}

impl AsOf {
    /// What the record's own dates say at `now`.
    pub(super) fn own_dates(now: Instant) -> Self {
        Self::new(Whom::OwnDates, AsOfTime::Known { at: now }, None, None)
    }

    /// The same without when the recording came, for several recordings.
    pub(super) fn of_several(&self) -> Self {
        Self::new(self.by.clone(), self.time.clone(), None, None)
    }

    /// From this time to a later one, said by the same.
    pub(super) fn line_until(&self, last: &Self) -> String {
        let (first, _) = when(&self.time);
        let (until, _) = when(&last.time);
        let until = until.strip_prefix("as of ").unwrap_or(&until);
        format!("{first} to {until} · by {}", self.by.words())
    }

    fn new(
        by: Whom,
        time: AsOfTime,
        received_at: Option<Instant>,
        imported_at: Option<Instant>,
    ) -> Self {
        let line = line(&by, &time, received_at, imported_at);
        Self { by, time, received_at, imported_at, line }
    }
}

impl Whom {
    /// The speaker in words, for a sentence.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Service => "the service’s Reader".to_owned(),
            Self::Check { reader, version } => {
                format!("a check on this machine ({} {})", shown(reader), shown(version))
            }
            Self::OwnDates => "the record’s own dates".to_owned(),
        }
    }
}

/// “as of TIME”, and whether that names an instant.
fn when(time: &AsOfTime) -> (String, bool) {
    match time {
        AsOfTime::Stated { text, at } => {
            let moment = StatedTime::parse(text.as_str()).moment();
            (format!("as of {}", moment.unwrap_or_else(|| at.moment())), true)
        }
        AsOfTime::Known { at } => (format!("as of {}", at.moment()), true),
        AsOfTime::Uncertain { text, why, .. } => (format!("as of {} ({why})", quoted(text)), false),
        AsOfTime::Unusable { text, why } => {
            (format!("as of an unknown time: {} {why}", quoted(text)), false)
        }
        AsOfTime::NotStated => ("the service did not say when".to_owned(), false),
    }
}

fn line(
    by: &Whom,
    time: &AsOfTime,
    received_at: Option<Instant>,
    imported_at: Option<Instant>,
) -> String {
    let (when, stated) = when(time);
    let mut line = format!("{when} · by {}", by.words());
    if !stated {
        let beside = received_at
            .map(|at| format!(" · received {}", at.moment()))
            .or_else(|| imported_at.map(|at| format!(" · imported {}", at.moment())));
        line.extend(beside);
    }
    line
}
