//! What a record's own dates say at an instant (`facts/moca-reader §7.4`).

use crate::record::Trust;
use crate::time::{Instant, StatedTime};

/// `staleAfter` against an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StaleDate<'a> {
    /// The record has none.
    Absent,
    /// Not reached: stale from that time on.
    Ahead(&'a StatedTime),
    /// Reached; the start is inclusive.
    Reached(&'a StatedTime),
    /// Cannot be read.
    Unreadable(&'a StatedTime),
}

/// `validFrom` and `validUntil` against an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Window<'a> {
    /// Inside, or no window at all.
    Within,
    /// Before the inclusive start.
    Before(&'a StatedTime),
    /// At or after the exclusive end.
    After(&'a StatedTime),
    /// Neither is certain, since this date cannot be read.
    Unreadable(&'a StatedTime),
}

pub(crate) fn stale_date(trust: &Trust, at: Instant) -> StaleDate<'_> {
    let Some(after) = &trust.stale_after else { return StaleDate::Absent };
    match after.instant() {
        None => StaleDate::Unreadable(after),
        Some(instant) if at >= instant => StaleDate::Reached(after),
        Some(_) => StaleDate::Ahead(after),
    }
}

pub(crate) fn window(trust: &Trust, at: Instant) -> Window<'_> {
    let instant = |time: &Option<StatedTime>| time.as_ref().and_then(StatedTime::instant);
    // A readable end decides even when the other one cannot be read.
    if let (Some(until), Some(end)) = (&trust.valid_until, instant(&trust.valid_until))
        && at >= end
    {
        return Window::After(until);
    }
    if let (Some(from), Some(start)) = (&trust.valid_from, instant(&trust.valid_from))
        && at < start
    {
        return Window::Before(from);
    }
    let unreadable = [&trust.valid_from, &trust.valid_until]
        .into_iter()
        .flatten()
        .find(|time| time.instant().is_none());
    unreadable.map_or(Window::Within, Window::Unreadable)
}

/// The day its author wrote; the text itself where it cannot be read.
pub(crate) fn day(time: &StatedTime) -> String {
    time.day().unwrap_or_else(|| crate::text::quoted(time.text()))
}

/// The moment its author wrote, in full.
pub(crate) fn moment(time: &StatedTime) -> String {
    time.moment().unwrap_or_else(|| crate::text::quoted(time.text()))
}
