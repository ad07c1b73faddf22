//! First axis: whose bytes the answer rests on.

use super::basis::{AsOf, AsOfTime, Basis, CheckOutcome};
use super::model::{IntegrityKind, State, Tone};
use crate::record::Record;
use crate::text::{names_someone, quoted, shown};

pub(super) fn state(record: &Record, basis: &Basis, as_of: &AsOf) -> State<IntegrityKind> {
    if let [first, ..] = record.contradictions.as_slice() {
        let sentence = "The record contradicts itself about which node it is of, so its flags cannot be tied to one.";
        return State::new(
            IntegrityKind::Contradiction,
            Tone::Bad,
            "Contradicts itself".to_owned(),
            sentence.to_owned(),
            as_of,
        )
        .detail(Some(first.clone()));
    }
    let stated = record.package.digest.as_str();
    match basis {
        Basis::Service { .. } => {
            signature(record, as_of).detail(Some(format!("Package digest {stated}, as stated, not compared.")))
        }
        Basis::Check(check) => match &check.outcome {
            CheckOutcome::SameBytes => signature(record, as_of)
                .detail(Some(format!("Package digest {stated}, equal to the package held here."))),
            CheckOutcome::DifferentBytes { held } => State::new(
                IntegrityKind::DigestDiffers,
                Tone::Bad,
                "Digest differs".to_owned(),
                "The package held here under this id and version has other bytes than the one cited.".to_owned(),
                as_of,
            )
            .detail(Some(format!("Cited {stated}, held {held}."))),
            CheckOutcome::NotHeld => {
                could_not(as_of, "this package version is not held here")
            }
            CheckOutcome::CouldNotCheck { reason } => could_not(as_of, &shown(reason)),
        },
    }
}

fn could_not(as_of: &AsOf, why: &str) -> State<IntegrityKind> {
    State::new(
        IntegrityKind::CouldNotCheck,
        Tone::Unknown,
        "Could not check".to_owned(),
        format!("Could not check the bytes: {why}."),
        as_of,
    )
}

fn signature(record: &Record, as_of: &AsOf) -> State<IntegrityKind> {
    let signers: Vec<String> =
        record.package.signers.iter().filter(|s| names_someone(s)).map(|s| quoted(s)).collect();
    let by = as_of.by.words();
    let (kind, tone, badge, sentence) = match (record.package.signed, signers.as_slice()) {
        (true, [first, rest @ ..]) => (
            IntegrityKind::Signed,
            good_at(&as_of.time),
            if rest.is_empty() {
                format!("Signed by {first}")
            } else {
                format!("Signed by {first} and {} more", rest.len())
            },
            format!("The package is signed by {}, says {by}.", signers.join(", ")),
        ),
        (true, []) => (
            IntegrityKind::SignedByUnnamed,
            Tone::Unknown,
            "Signed, signer not named".to_owned(),
            format!("The package is signed, says {by}, but the record does not name by whom."),
        ),
        (false, []) => (
            IntegrityKind::NotSigned,
            Tone::Neutral,
            "Not signed".to_owned(),
            format!("The package has no signature that {by} accepts."),
        ),
        (false, _) => (
            IntegrityKind::SignersContradict,
            Tone::Caution,
            "Not signed, yet signers named".to_owned(),
            format!(
                "The record says that the package is not signed, and names {} as signers.",
                signers.join(", ")
            ),
        ),
    };
    State::new(kind, tone, badge, sentence, as_of)
}

/// Good only at a time that is known: what held at no known time is unknown now.
pub(super) fn good_at(time: &AsOfTime) -> Tone {
    match time {
        AsOfTime::Stated { .. } | AsOfTime::Known { .. } => Tone::Good,
        AsOfTime::Uncertain { .. } => Tone::Neutral,
        AsOfTime::Unusable { .. } | AsOfTime::NotStated => Tone::Unknown,
    }
}
