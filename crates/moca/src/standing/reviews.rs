//! Attested reviews, and declared verifications, which are another thing (`seed §4`, second MUST).

use super::basis::AsOf;
use super::integrity::good_at;
use super::model::{DeclaredVerification, ReviewKind, State, Tone};
use crate::record::{AttestedReview, Outcome, Record};
use crate::text::{names_someone, quoted, shown};
use crate::time::StatedTime;

/// Every attested review, worst outcome first.
pub(super) fn attested(record: &Record, as_of: &AsOf) -> Vec<State<ReviewKind>> {
    let mut reviews: Vec<_> =
        record.trust.reviews.iter().map(|review| attested_review(review, as_of)).collect();
    reviews.sort_by_key(|state| state.kind);
    reviews
}

fn attested_review(review: &AttestedReview, as_of: &AsOf) -> State<ReviewKind> {
    let signer_named = names_someone(&review.signer);
    let later = as_of.time.instant().is_some_and(|at| review.is_after(at));
    // Approval is somebody's, of a day that can have been before the flags were true.
    let approves = signer_named
        && names_someone(&review.reviewer)
        && review.reviewed_at.instant().is_some()
        && !later;
    let (kind, tone, outcome) = match &review.outcome {
        Outcome::Accurate if approves => {
            (ReviewKind::Accurate, good_at(&as_of.time), "accurate".to_owned())
        }
        Outcome::Accurate => (ReviewKind::Accurate, Tone::Unknown, "accurate".to_owned()),
        Outcome::NeedsChange => (ReviewKind::NeedsChange, Tone::Caution, "needs change".to_owned()),
        Outcome::Inaccurate => (ReviewKind::Inaccurate, Tone::Bad, "inaccurate".to_owned()),
        Outcome::Other(word) => (ReviewKind::UnknownOutcome, Tone::Unknown, quoted(word)),
    };
    let (reviewer, mut when) = (quoted(&review.reviewer), on_day(&review.reviewed_at));
    if later {
        when.push_str(", a day after these flags were computed");
    }
    let signature = if signer_named {
        format!("under the signature of {}", quoted(&review.signer))
    } else {
        "the signer is not named".to_owned()
    };
    let sentence = format!("Reviewed by {reviewer}{when}, outcome {outcome}, {signature}.");
    let detail = review.scope.as_deref().filter(|s| !s.is_empty());
    State::new(kind, tone, format!("Attested review: {outcome}"), sentence, as_of)
        .detail(detail.map(|scope| format!("Scope: {}", shown(scope))))
}

/// “ on 14 Aug 2026”, or that the day cannot be read.
fn on_day(at: &StatedTime) -> String {
    match at.day() {
        Some(day) => format!(" on {day}"),
        None => format!(" (day unreadable: {})", quoted(at.text())),
    }
}

/// Every declared verification.
pub(super) fn declared(record: &Record, as_of: &AsOf) -> Vec<DeclaredVerification> {
    record
        .trust
        .declared
        .iter()
        .map(|declared| {
            let when = declared.at.as_ref().map(on_day);
            let badge = "Declared, not checked";
            DeclaredVerification {
                badge,
                sentence: format!(
                    "Declared by {}{}; a declaration is no review.",
                    quoted(&declared.by),
                    when.unwrap_or_default()
                ),
                by: declared.by.clone(),
                at: declared.at.as_ref().map(|at| at.text().to_owned()),
                as_of: as_of.clone(),
                line: format!("{badge} · {}", as_of.line),
            }
        })
        .collect()
}
