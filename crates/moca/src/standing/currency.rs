//! Second axis: whether it may be relied on, as the basis says.

use super::basis::{AsOf, Basis};
use super::integrity::good_at;
use super::model::{CurrencyKind, State, Tone};
use super::window::{StaleDate, Window, day, moment, stale_date, window};
use crate::record::{Record, Status, Trust};
use crate::text::quoted;
use crate::time::Instant;

/// Every state that holds, worst first. Good ones are stated as well, after the others.
pub(super) fn states(
    record: &Record,
    basis: &Basis,
    now: Instant,
    as_of: &AsOf,
) -> Vec<State<CurrencyKind>> {
    let trust = &record.trust;
    let then = as_of.time.instant();
    let by = as_of.by.words();
    let mut states: Vec<_> = [
        superseded(trust, as_of),
        contested(trust, as_of),
        (!trust.in_force).then(|| out_of_force(trust, then, now, as_of)),
        trust.stale.then(|| stale(trust, basis, now, as_of)),
        status(trust.status, as_of),
        evidence(record, as_of),
    ]
    .into_iter()
    .flatten()
    .collect();
    let good = |kind, badge: &str, sentence: String, tone| {
        State::new(kind, tone, badge.to_owned(), sentence, as_of)
    };
    match (trust.in_force, trust.stale) {
        (true, false) => states.push(
            good(
                CurrencyKind::InForceNotStale,
                "In force, not stale",
                format!("In force and not stale, says {by}."),
                good_at(&as_of.time),
            )
            .detail(quiet(trust)),
        ),
        (true, true) => states.push(good(
            CurrencyKind::InForce,
            "In force",
            format!("In force, says {by}."),
            Tone::Neutral,
        )),
        (false, false) => states.push(good(
            CurrencyKind::NotStale,
            "Not stale",
            format!("Not stale, says {by}."),
            Tone::Neutral,
        )),
        (false, true) => {}
    }
    states.sort_by_key(|state| (std::cmp::Reverse(state.tone), state.kind));
    states
}

/// For a check that could not be made.
pub(super) fn could_not_check(as_of: &AsOf) -> State<CurrencyKind> {
    State::new(
        CurrencyKind::CouldNotCheck,
        Tone::Unknown,
        "Could not check".to_owned(),
        "Whether it is in force, stale, superseded or contested could not be checked.".to_owned(),
        as_of,
    )
}

fn quiet(trust: &Trust) -> Option<String> {
    let calm = trust.status == Status::Stable
        && !trust.superseded
        && trust.superseded_by.is_empty()
        && !trust.contested
        && trust.contested_by.is_empty();
    calm.then(|| "Status stable, not superseded, not contested.".to_owned())
}

fn status(status: Status, as_of: &AsOf) -> Option<State<CurrencyKind>> {
    let (kind, badge, sentence) = match status {
        Status::Stable => return None,
        Status::Draft => (CurrencyKind::Draft, "Draft", "Its author calls it a draft."),
        Status::Deprecated => {
            (CurrencyKind::Deprecated, "Deprecated", "Its author has deprecated it.")
        }
    };
    Some(State::new(kind, Tone::Caution, badge.to_owned(), sentence.to_owned(), as_of))
}

/// A passage that the node rests on and that a Reader looked for in vain. One that was found says only that it is there.
fn evidence(record: &Record, as_of: &AsOf) -> Option<State<CurrencyKind>> {
    let missing = record.evidence.iter().filter(|evidence| evidence.matched == Some(false)).count();
    if missing == 0 {
        return None;
    }
    let whom = as_of.by.words();
    let sentence = match missing {
        1 => format!("A passage that it rests on is not in the file it names, says {whom}."),
        n => format!("{n} passages that it rests on are not in the files they name, says {whom}."),
    };
    let badge = "Evidence not found".to_owned();
    let state = State::new(CurrencyKind::EvidenceNotFound, Tone::Caution, badge, sentence, as_of);
    Some(state.detail(Some(format!("{missing} of {} passages.", record.evidence.len()))))
}

fn superseded(trust: &Trust, as_of: &AsOf) -> Option<State<CurrencyKind>> {
    related(
        (CurrencyKind::Superseded, Tone::Bad, "Superseded", "superseded"),
        trust.superseded,
        &trust.superseded_by,
        as_of,
    )
}

fn contested(trust: &Trust, as_of: &AsOf) -> Option<State<CurrencyKind>> {
    related(
        (CurrencyKind::Contested, Tone::Caution, "Contested", "contested"),
        trust.contested,
        &trust.contested_by,
        as_of,
    )
}

/// A flag with its list. A list without the flag contradicts it, and is shown all the same.
fn related(
    (kind, tone, badge, word): (CurrencyKind, Tone, &str, &str),
    flag: bool,
    by: &[String],
    as_of: &AsOf,
) -> Option<State<CurrencyKind>> {
    if !flag && by.is_empty() {
        return None;
    }
    let whom = as_of.by.words();
    let (badge, mut sentence) = match by {
        [] => (badge.to_owned(), format!("It is {word}, says {whom}, without saying by what.")),
        [one] => {
            let one = quoted(one);
            (format!("{badge} by {one}"), format!("It is {word} by {one}, says {whom}."))
        }
        [first, rest @ ..] => {
            let names: Vec<_> = by.iter().take(MOST_NAMED).map(|name| quoted(name)).collect();
            let more = if by.len() > MOST_NAMED { ", …" } else { "" };
            (
                format!("{badge} by {} and {} more", quoted(first), rest.len()),
                format!("It is {word} by {}{more}, says {whom}.", names.join(", ")),
            )
        }
    };
    if !flag {
        sentence.push_str(" The record’s own flag says that it is not.");
    }
    Some(State::new(kind, tone, badge, sentence, as_of))
}

/// Names told one by one in a sentence; the record itself has them all.
const MOST_NAMED: usize = 5;

fn stale(trust: &Trust, basis: &Basis, now: Instant, as_of: &AsOf) -> State<CurrencyKind> {
    let by = as_of.by.words();
    let then = as_of.time.instant();
    // The day is told only where the record's date bears the flag out.
    let badge = match stale_date(trust, then.unwrap_or(now)) {
        StaleDate::Reached(after) => format!("Stale since {}", day(after)),
        StaleDate::Absent | StaleDate::Ahead(_) | StaleDate::Unreadable(_) => "Stale".to_owned(),
    };
    let with_answer = matches!(basis, Basis::Service { .. }) && as_of.time.is_exact();
    let detail = match then.map(|then| stale_date(trust, then)) {
        Some(StaleDate::Reached(after)) if with_answer => Some(format!(
            "Already stale when the answer was given: its own date is {}.",
            moment(after)
        )),
        Some(StaleDate::Ahead(after)) => Some(format!(
            "By its own dates it was not stale then: its own date is {}.",
            moment(after)
        )),
        Some(StaleDate::Absent) => Some("The record has no date that makes it stale.".to_owned()),
        _ => None,
    };
    State::new(CurrencyKind::Stale, Tone::Caution, badge, format!("It is stale, says {by}."), as_of)
        .detail(detail)
}

/// Which way it is out of force is told by the record's dates at the time of the flag; with no time, now.
fn out_of_force(
    trust: &Trust,
    then: Option<Instant>,
    now: Instant,
    as_of: &AsOf,
) -> State<CurrencyKind> {
    let by = as_of.by.words();
    let (kind, badge, detail) = match window(trust, then.unwrap_or(now)) {
        Window::Before(from) => (
            CurrencyKind::NotYetInForce,
            format!("Not yet in force (from {})", day(from)),
            format!("In force from {} by its own dates.", moment(from)),
        ),
        Window::After(until) => (
            CurrencyKind::NoLongerInForce,
            format!("No longer in force (since {})", day(until)),
            format!("In force until {} by its own dates.", moment(until)),
        ),
        Window::Unreadable(date) => (
            CurrencyKind::NotInForce,
            "Not in force".to_owned(),
            format!("Its window cannot be read: {}.", quoted(date.text())),
        ),
        Window::Within => (
            CurrencyKind::NotInForce,
            "Not in force".to_owned(),
            "The record’s own dates do not say why.".to_owned(),
        ),
    };
    State::new(kind, Tone::Bad, badge, format!("It is not in force, says {by}."), as_of)
        .detail(Some(detail))
}
