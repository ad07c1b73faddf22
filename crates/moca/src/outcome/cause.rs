//! Why a field is not as it was.

use serde::Serialize;

use super::Moments;
use super::fields::{By, Difference};
use crate::record::{Record, Trust};
use crate::standing::window::{StaleDate, Window, stale_date, window};
use crate::time::Instant;

/// What can change a field of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Time went by.
    Clock,
    /// Other packages are loaded.
    Library,
    /// Another trust root, or none.
    TrustRoot,
    /// Signatures or reviews were added or removed; they stand outside the digest.
    Attestations,
    /// A Reader with other rules.
    Reader,
    /// The record is not what the bytes give: it was altered on the way.
    Bytes,
}

pub(super) fn of(difference: &Difference, saved: &Record, moments: &Moments) -> Vec<Cause> {
    match difference.by {
        By::Bytes => vec![Cause::Bytes, Cause::Reader],
        By::Library => vec![Cause::Library],
        // Keys expire, so the clock can end a signature too.
        By::Attestations => match moments.trust_root {
            Some(false) => vec![Cause::TrustRoot],
            _ => vec![Cause::TrustRoot, Cause::Attestations, Cause::Clock],
        },
        By::Clock if clock_explains(difference, &saved.trust, moments) => vec![Cause::Clock],
        By::Clock => match moments.then {
            // At the time of computing the dates said what they say now, so one of the two Readers reads them otherwise.
            Some(_) => vec![Cause::Reader, Cause::Bytes],
            None => vec![Cause::Clock, Cause::Reader, Cause::Bytes],
        },
    }
}

/// Whether the record's own dates give the saved flag then and the new one now.
fn clock_explains(difference: &Difference, trust: &Trust, moments: &Moments) -> bool {
    let flag = |at: Instant| match difference.field {
        "trust.stale" => is_stale(trust, at),
        _ => is_in_force(trust, at),
    };
    let Some(then) = moments.then.and_then(flag) else { return false };
    flag(moments.now)
        .is_some_and(|now| difference.from == then.to_string() && difference.to == now.to_string())
}

/// `stale` at an instant by the record's date; `None` when that cannot be read.
fn is_stale(trust: &Trust, at: Instant) -> Option<bool> {
    match stale_date(trust, at) {
        StaleDate::Absent | StaleDate::Ahead(_) => Some(false),
        StaleDate::Reached(_) => Some(true),
        StaleDate::Unreadable(_) => None,
    }
}

/// `inForce` at an instant by the record's dates; `None` when they cannot be read.
fn is_in_force(trust: &Trust, at: Instant) -> Option<bool> {
    match window(trust, at) {
        Window::Within => Some(true),
        Window::Before(_) | Window::After(_) => Some(false),
        Window::Unreadable(_) => None,
    }
}
