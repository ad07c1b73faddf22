//! A citation record as a row: content-addressed by its bytes as received, typed columns beside it.

use archive::{
    Batch, NewNode, NewPackage, NewRecord, NewReview, NewStated, RecordId, RelationKind,
    ReviewKind, Sha256,
};
use moca::{
    StatedTime,
    record::{Outcome, Reading, Record, Reference, Status},
};

use crate::{contract::Failure, failure::Storage};

/// The row of a record; the same bytes are kept once.
pub(super) fn record_row(batch: &mut Batch, reading: &Reading) -> Result<RecordId, Failure> {
    if let Some(held) = batch.find_record(reading.raw().as_bytes()).storage()? {
        return Ok(held);
    }
    match reading {
        Reading::Valid(record) => valid_row(batch, record),
        Reading::Invalid(invalid) => {
            let reasons: Vec<String> = invalid.violations.iter().map(ToString::to_string).collect();
            let reasons = serde_json::to_string(&reasons).unwrap_or_default();
            let row = NewRecord {
                json: invalid.raw.as_bytes(),
                canonical_sha256: invalid.sha256.as_deref().and_then(Sha256::from_hex),
                reasons: Some(&reasons),
                ..NewRecord::default()
            };
            batch.record(&row).storage()
        }
    }
}

fn valid_row(batch: &mut Batch, record: &Record) -> Result<RecordId, Failure> {
    let trust = &record.trust;
    let signers: Vec<&str> = record.package.signers.iter().map(String::as_str).collect();
    let attested = trust.reviews.iter().map(|review| NewReview {
        kind: ReviewKind::Attested,
        reviewer: &review.reviewer,
        stated: stated(Some(&review.reviewed_at)),
        outcome: Some(outcome(&review.outcome)),
        scope: review.scope.as_deref(),
        signer: Some(&review.signer),
    });
    let declared = trust.declared.iter().map(|by| NewReview {
        kind: ReviewKind::Declared,
        reviewer: &by.by,
        stated: stated(by.at.as_ref()),
        outcome: None,
        scope: None,
        signer: None,
    });
    let reviews: Vec<NewReview<'_>> = attested.chain(declared).collect();
    let superseded = trust.superseded_by.iter().map(|by| (RelationKind::SupersededBy, by.as_str()));
    let contested = trust.contested_by.iter().map(|by| (RelationKind::ContestedBy, by.as_str()));
    let relations: Vec<(RelationKind, &str)> = superseded.chain(contested).collect();
    let newer = serde_json::to_string(&record.unknown_members).unwrap_or_default();
    let row = NewRecord {
        json: record.raw.as_bytes(),
        canonical_sha256: Sha256::from_hex(&record.sha256),
        valid: true,
        reasons: None,
        newer: (!record.unknown_members.is_empty()).then_some(newer.as_str()),
        ref_rebuilt: matches!(record.node.reference, Reference::Rebuilt(_)),
        package: Some(NewPackage {
            stated_id: record.package.id.as_str(),
            version: record.package.version.as_str(),
            digest: record.package.digest.as_str(),
        }),
        node: record.node.reference.text().map(|node_ref| NewNode {
            node_ref,
            stated_id: &record.node.id,
            path: record.node.path.as_str(),
            node_type: &record.node.kind,
        }),
        node_digest: record.node.digest.as_ref().map(moca::Digest::as_str),
        locale: record.node.locale.as_deref(),
        title: record.node.title.as_deref(),
        description: record.node.description.as_deref(),
        text: record.text.as_deref(),
        span: record.span.map(|span| (span.start, span.end)),
        signed: Some(record.package.signed),
        signers: &signers,
        status: Some(match trust.status {
            Status::Draft => "draft",
            Status::Stable => "stable",
            Status::Deprecated => "deprecated",
        }),
        stale: Some(trust.stale),
        in_force: Some(trust.in_force),
        superseded: Some(trust.superseded),
        contested: Some(trust.contested),
        stale_after: stated(trust.stale_after.as_ref()),
        valid_from: stated(trust.valid_from.as_ref()),
        valid_until: stated(trust.valid_until.as_ref()),
        reviews: &reviews,
        relations: &relations,
    };
    batch.record(&row).storage()
}

fn stated(time: Option<&StatedTime>) -> NewStated<'_> {
    NewStated {
        text: time.map(StatedTime::text),
        at: time.and_then(StatedTime::instant).map(micros),
    }
}

/// An instant of `moca` as the archive keeps it.
pub(crate) fn micros(at: moca::Instant) -> archive::Instant {
    let micros = at.unix_nanos().div_euclid(1000);
    archive::Instant(i64::try_from(micros).unwrap_or(if micros < 0 { i64::MIN } else { i64::MAX }))
}

/// An instant of the archive as `moca` reads it.
pub(crate) fn moca_instant(at: archive::Instant) -> moca::Instant {
    moca::Instant::from_unix_nanos(i128::from(at.0) * 1000)
}

fn outcome(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Accurate => "accurate",
        Outcome::NeedsChange => "needs-change",
        Outcome::Inaccurate => "inaccurate",
        Outcome::Other(word) => word,
    }
}
