//! The standing of a cited source: every trust word of the product comes from [`standing`] (`design/product.md`, Trust display).
//!
//! Two axes are kept apart, integrity and currency; each state carries its time and who said it. What the record's own
//! dates say now stands beside what a Reader said then, never in its place. Hosts draw the result and add no word.

mod basis;
mod currency;
mod forecast;
mod integrity;
mod model;
mod reviews;
mod strip;
pub(crate) mod window;

pub use basis::{AsOf, AsOfTime, Basis, Check, CheckOutcome, Whom};
pub use model::{
    CurrencyKind, DeclaredVerification, FailedStanding, ForecastKind, IntegrityKind,
    InvalidStanding, ReadStanding, ReviewKind, Standing, State, Summary, Tone, WrittenTime,
};
pub use strip::{Strip, StripPart, strip};

use crate::record::{InvalidRecord, Reading, Record};
use crate::time::{Instant, StatedTime, TimeReading};

/// The standing of one citation record on one basis, seen at `now`.
///
/// An invalid record has reasons and no state at all; a record whose integrity fails has that one state and none that
/// depends on it: both by type, so that no host can show more (`seed §3` second MUST, `seed §4` second MUST).
#[must_use]
pub fn standing(reading: &Reading, basis: &Basis, now: Instant) -> Standing {
    let as_of = basis.as_of(now);
    match reading {
        Reading::Invalid(record) => Standing::Invalid(Box::new(invalid(record, as_of))),
        Reading::Valid(record) => {
            let integrity = integrity::state(record, basis, &as_of);
            if integrity.kind.failed() {
                let worst = Summary::of(&integrity, integrity.kind.word());
                Standing::Failed(Box::new(FailedStanding { integrity, worst, as_of }))
            } else {
                Standing::Read(Box::new(read(record, basis, now, integrity, as_of)))
            }
        }
    }
}

fn read(
    record: &Record,
    basis: &Basis,
    now: Instant,
    integrity: State<IntegrityKind>,
    as_of: AsOf,
) -> ReadStanding {
    let forecast = forecast::states(record, basis, now);
    // A check that could not be made says nothing about the record: its flags are the service's, not the check's.
    let (mut currency, reviews, declared) = if basis.speaks() {
        (
            currency::states(record, basis, now, &as_of),
            reviews::attested(record, &as_of),
            reviews::declared(record, &as_of),
        )
    } else {
        (vec![currency::could_not_check(&as_of)], Vec::new(), Vec::new())
    };
    let adverse = |tone: Tone| tone >= Tone::Caution;
    if currency.iter().any(|s| adverse(s.tone))
        || forecast.iter().any(|s| adverse(s.tone))
        || reviews.iter().any(|s| adverse(s.tone))
    {
        for good in currency.iter_mut().filter(|s| s.tone == Tone::Good) {
            good.tone = Tone::Neutral;
        }
    }
    let worst = worst(&integrity, &currency, &forecast, &reviews);
    let times = times(record, basis);
    ReadStanding { integrity, currency, forecast, reviews, declared, worst, as_of, times }
}

/// The times that sentences about this record can write out: those it dates itself by, and that of its flags.
fn times(record: &Record, basis: &Basis) -> Vec<WrittenTime> {
    let trust = &record.trust;
    let stated = match basis {
        Basis::Service { computed_at, .. } => computed_at.as_ref(),
        Basis::Check(_) => None,
    };
    [stated, trust.stale_after.as_ref(), trust.valid_from.as_ref(), trust.valid_until.as_ref()]
        .into_iter()
        .flatten()
        .filter_map(written)
        .collect()
}

/// What has no time of day or no offset is shown as its author wrote it, since it names no one instant.
fn written(stated: &StatedTime) -> Option<WrittenTime> {
    let TimeReading::Exact { at, .. } = stated.reading() else { return None };
    Some(WrittenTime { written: stated.moment()?, at, text: stated.text().to_owned() })
}

/// The state for a strip. What is merely told (a day to come, an approving review) never covers anything.
fn worst(
    integrity: &State<IntegrityKind>,
    currency: &[State<CurrencyKind>],
    forecast: &[State<ForecastKind>],
    reviews: &[State<ReviewKind>],
) -> Summary {
    let told = |tone: Tone| tone > Tone::Neutral;
    let currency = currency.iter().map(|s| Summary::of(s, s.kind.word(s.tone)));
    let forecast = forecast.iter().filter(|s| told(s.tone)).map(|s| Summary::of(s, s.kind.word()));
    let reviews = reviews.iter().filter(|s| told(s.tone)).map(|s| Summary::of(s, s.kind.word()));
    // Currency first: of equally bad states the first is the one to tell.
    currency
        .chain(forecast)
        .chain(reviews)
        .fold(None, |worst: Option<Summary>, next| match worst {
            Some(worst) if worst.tone >= next.tone => Some(worst),
            _ => Some(next),
        })
        .filter(|worst| worst.tone >= integrity.tone)
        .unwrap_or_else(|| Summary::of(integrity, integrity.kind.word()))
}

fn invalid(record: &InvalidRecord, as_of: AsOf) -> InvalidStanding {
    let reasons: Vec<String> = record.violations.iter().map(ToString::to_string).collect();
    let sentence = match reasons.as_slice() {
        [one] => format!("The service sent a record that is invalid: {one}."),
        [first, rest @ ..] => {
            format!("The service sent a record that is invalid: {first}, and {} more.", rest.len())
        }
        [] => "The service sent a record that is invalid.".to_owned(),
    };
    let word = "with an invalid record";
    let line = format!("Invalid record · {}", as_of.line);
    let worst = Summary {
        tone: Tone::Bad,
        word,
        sentence: sentence.clone(),
        as_of: as_of.clone(),
        line: line.clone(),
    };
    InvalidStanding { sentence, reasons, line, worst, as_of }
}
