//! What the record's own dates say now, with no Reader at hand: beyond the basis, or against it.
//!
//! A flag of the basis and its contrary by the record's dates are both shown, each with its time. What the dates merely
//! repeat is left out: the flag itself names the day.

use super::basis::{AsOf, Basis};
use super::model::{ForecastKind, State, Tone};
use super::window::{StaleDate, Window, day, moment, stale_date, window};
use crate::record::{Record, Trust};
use crate::text::quoted;
use crate::time::{Instant, StatedTime};

/// The states, worst first.
pub(super) fn states(record: &Record, basis: &Basis, now: Instant) -> Vec<State<ForecastKind>> {
    let view = View {
        trust: &record.trust,
        speaks: basis.speaks(),
        said: Said::of(basis, now),
        now,
        as_of: AsOf::own_dates(now),
    };
    let mut states: Vec<_> = [view.stale(), view.window()].into_iter().flatten().collect();
    states.sort_by_key(|state| (std::cmp::Reverse(state.tone), state.kind));
    states
}

/// When and how the flags of the basis were said.
struct Said {
    /// At which instant, if at one that can be trusted.
    at: Option<Instant>,
    /// With the answer itself and at an exact time, so that “when the answer was given” is the word.
    with_answer: bool,
    /// “the service’s Reader, as of …”.
    line: String,
}

impl Said {
    fn of(basis: &Basis, now: Instant) -> Self {
        let as_of = basis.as_of(now);
        let with_answer = matches!(basis, Basis::Service { .. }) && as_of.time.is_exact();
        Self { at: as_of.time.instant(), with_answer, line: as_of.line }
    }
}

struct View<'r> {
    trust: &'r Trust,
    speaks: bool,
    said: Said,
    now: Instant,
    as_of: AsOf,
}

impl View<'_> {
    fn stale(&self) -> Option<State<ForecastKind>> {
        let said_stale = self.speaks && self.trust.stale;
        let said_fresh = self.speaks && !self.trust.stale;
        match stale_date(self.trust, self.now) {
            StaleDate::Unreadable(date) => Some(self.unreadable(
                ForecastKind::StaleDateUnreadable,
                "Stale date unreadable",
                "The day from which it is stale",
                date,
            )),
            StaleDate::Reached(_) if said_stale => None,
            StaleDate::Reached(after) => {
                let then = self.said.at.map(|at| stale_date(self.trust, at));
                let early = said_fresh
                    && self.said.with_answer
                    && matches!(then, Some(StaleDate::Reached(_)));
                let (kind, badge, sentence) = if early {
                    (
                        ForecastKind::StaleWhenAnswered,
                        format!("Stale since {}, before the answer", day(after)),
                        format!(
                            "By its own dates, already stale when the answer was given: since {}.",
                            moment(after)
                        ),
                    )
                } else {
                    (
                        ForecastKind::Stale,
                        format!("Stale since {}", day(after)),
                        format!("By its own dates, stale since {}.", moment(after)),
                    )
                };
                let against = said_fresh.then(|| self.against("not stale"));
                Some(self.state(kind, Tone::Caution, badge, sentence, against))
            }
            StaleDate::Ahead(after) if said_stale => Some(self.state(
                ForecastKind::NotStale,
                Tone::Neutral,
                format!("Not stale before {}", day(after)),
                format!("By its own dates, not stale before {}.", moment(after)),
                Some(self.against("stale")),
            )),
            StaleDate::Ahead(after) => Some(self.state(
                ForecastKind::GoesStale,
                Tone::Neutral,
                format!("Goes stale on {}", day(after)),
                format!("By its own dates, it goes stale on {}.", moment(after)),
                None,
            )),
            StaleDate::Absent if said_stale => Some(self.state(
                ForecastKind::NotStale,
                Tone::Neutral,
                "No stale date".to_owned(),
                "The record has no date that makes it stale.".to_owned(),
                Some(self.against("stale")),
            )),
            StaleDate::Absent => None,
        }
    }

    fn window(&self) -> Option<State<ForecastKind>> {
        let said_in = self.speaks && self.trust.in_force;
        let said_out = self.speaks && !self.trust.in_force;
        let then = window(self.trust, self.said.at.unwrap_or(self.now));
        let now = window(self.trust, self.now);
        // What the flag's own badge tells by the dates at its time is not told again.
        let told = said_out && std::mem::discriminant(&then) == std::mem::discriminant(&now);
        let early = said_in
            && self.said.with_answer
            && self.said.at.is_some()
            && matches!(then, Window::Before(_) | Window::After(_));
        let against = || said_in.then(|| self.against("in force"));
        match now {
            Window::Unreadable(date) => Some(self.unreadable(
                ForecastKind::WindowUnreadable,
                "Window unreadable",
                "The window in which it is in force",
                date,
            )),
            Window::Before(_) | Window::After(_) if told => None,
            Window::Before(from) if early => Some(self.state(
                ForecastKind::OutOfForceWhenAnswered,
                Tone::Bad,
                format!("Not yet in force (from {}), nor at the answer", day(from)),
                format!(
                    "By its own dates, not in force when the answer was given, nor now: from {}.",
                    moment(from)
                ),
                against(),
            )),
            Window::Before(from) => Some(self.state(
                ForecastKind::NotYetInForce,
                Tone::Bad,
                format!("Not yet in force (from {})", day(from)),
                format!("By its own dates, not yet in force: from {}.", moment(from)),
                against(),
            )),
            Window::After(until) if early => Some(self.state(
                ForecastKind::OutOfForceWhenAnswered,
                Tone::Bad,
                format!("No longer in force (since {}), nor at the answer", day(until)),
                format!(
                    "By its own dates, not in force when the answer was given, nor now: until {}.",
                    moment(until)
                ),
                against(),
            )),
            Window::After(until) => Some(self.state(
                ForecastKind::NoLongerInForce,
                Tone::Bad,
                format!("No longer in force (since {})", day(until)),
                format!("By its own dates, no longer in force since {}.", moment(until)),
                against(),
            )),
            Window::Within if early => Some(
                self.state(
                    ForecastKind::OutOfForceWhenAnswered,
                    Tone::Bad,
                    "Not in force at the answer".to_owned(),
                    "By its own dates, not yet in force when the answer was given; it is now."
                        .to_owned(),
                    against(),
                ),
            ),
            Window::Within if said_out => Some(self.state(
                ForecastKind::InForce,
                Tone::Neutral,
                "In force by its dates".to_owned(),
                "By its own dates, in force now.".to_owned(),
                Some(self.against("not in force")),
            )),
            Window::Within => self.trust.valid_until.as_ref().map(|until| {
                self.state(
                    ForecastKind::GoesOutOfForce,
                    Tone::Neutral,
                    format!("In force until {}", day(until)),
                    format!("By its own dates, in force until {}.", moment(until)),
                    None,
                )
            }),
        }
    }

    fn state(
        &self,
        kind: ForecastKind,
        tone: Tone,
        badge: String,
        sentence: String,
        detail: Option<String>,
    ) -> State<ForecastKind> {
        State::new(kind, tone, badge, sentence, &self.as_of).detail(detail)
    }

    fn unreadable(
        &self,
        kind: ForecastKind,
        badge: &str,
        what: &str,
        date: &StatedTime,
    ) -> State<ForecastKind> {
        let sentence = format!("{what} cannot be read: {}.", quoted(date.text()));
        self.state(kind, Tone::Unknown, badge.to_owned(), sentence, None)
    }

    /// The flag that the dates speak against, with its own time and speaker.
    fn against(&self, flag: &str) -> String {
        format!("Flag of the record: {flag} · {}", self.said.line)
    }
}
