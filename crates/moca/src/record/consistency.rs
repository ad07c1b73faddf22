//! What a record says twice must agree (`facts/moca-reader §13.3`, step 1).

use super::{Record, Reference};
use crate::finding::{self, Finding};
use crate::text::quoted;
use crate::time::{StatedTime, TimeReading};

/// Contradictions about *which node* the record is of: with one, no flag can be tied to a node.
pub(super) fn identity(record: &Record) -> Vec<String> {
    let (package, node) = (&record.package, &record.node);
    let mut found = Vec::new();
    if node.id != format!("{}#{}", package.id, node.path) {
        found.push(format!(
            "node.id {} is not package.id and node.path {}",
            quoted(&node.id),
            quoted(&format!("{}#{}", package.id, node.path))
        ));
    }
    match &node.reference {
        Reference::Stated(stated) => {
            let expected = format!("{}@{}#{}", package.id, package.version, node.path);
            if stated.as_str() != expected {
                found.push(format!(
                    "node.ref {} is not package, version and path {}",
                    quoted(stated.as_str()),
                    quoted(&expected)
                ));
            }
        }
        Reference::Misshapen(text) => {
            found.push(format!("node.ref {} has not the form of a reference", quoted(text)));
        }
        Reference::Rebuilt(_) | Reference::Absent => {}
    }
    found
}

/// Findings about a valid record.
pub(super) fn findings(record: &Record) -> Vec<Finding> {
    let mut found = Vec::new();
    match &record.node.reference {
        Reference::Rebuilt(built) => found.push(Finding::new(
            &finding::RECORD_REF_REBUILT,
            "/node/ref",
            format!("node.ref is missing and was rebuilt as {}.", quoted(built.as_str())),
        )),
        Reference::Absent => found.push(Finding::new(
            &finding::RECORD_REF_REBUILT,
            "/node/ref",
            "node.ref is missing and cannot be rebuilt; node.id and package.digest stand for it.",
        )),
        Reference::Stated(_) | Reference::Misshapen(_) => {}
    }
    for contradiction in &record.contradictions {
        found.push(Finding::new(
            &finding::RECORD_INCONSISTENT_REF,
            "/node",
            format!("The record contradicts itself: {contradiction}."),
        ));
    }
    if let Some(span) = record.span
        && (span.start > span.end || span.end == u64::MAX)
    {
        let message = if span.start > span.end {
            format!("The span ends at {} before it starts at {}.", span.end, span.start)
        } else {
            "The span lies beyond the end of any file.".to_owned()
        };
        found.push(Finding::new(&finding::RECORD_INCONSISTENT_SPAN, "/span", message));
    }
    found.extend(trust(record));
    found.extend(times(record));
    found
}

fn trust(record: &Record) -> impl Iterator<Item = Finding> {
    let (package, trust) = (&record.package, &record.trust);
    [
        (
            !package.signed && !package.signers.is_empty(),
            "/package/signed",
            "names signers of a package that it calls not signed",
        ),
        (
            !trust.superseded && !trust.superseded_by.is_empty(),
            "/trust/superseded",
            "says not superseded, and by what it is superseded",
        ),
        (
            !trust.contested && !trust.contested_by.is_empty(),
            "/trust/contested",
            "says not contested, and by what it is contested",
        ),
    ]
    .into_iter()
    .filter(|(contradicts, ..)| *contradicts)
    .map(|(_, path, what)| {
        Finding::new(&finding::RECORD_INCONSISTENT_TRUST, path, format!("The record {what}."))
    })
}

fn times(record: &Record) -> Vec<Finding> {
    let trust = &record.trust;
    let fixed = [
        ("/trust/staleAfter", trust.stale_after.as_ref()),
        ("/trust/validFrom", trust.valid_from.as_ref()),
        ("/trust/validUntil", trust.valid_until.as_ref()),
        ("/trust/generated/at", trust.generated.as_ref().and_then(|g| g.at.as_ref())),
    ];
    let declared = trust.declared.iter().enumerate().filter_map(|(i, declared)| {
        Some((format!("/trust/declaredVerified/{i}/at"), declared.at.as_ref()?))
    });
    let reviews =
        trust.reviews.iter().enumerate().map(|(i, review)| {
            (format!("/trust/attestedReviews/{i}/reviewedAt"), &review.reviewed_at)
        });
    fixed
        .into_iter()
        .filter_map(|(path, time)| Some((path.to_owned(), time?)))
        .chain(declared)
        .chain(reviews)
        .filter_map(|(path, time)| of_time(&path, time))
        .collect()
}

fn of_time(path: &str, time: &StatedTime) -> Option<Finding> {
    let (code, how) = match time.reading() {
        TimeReading::Unreadable => (&finding::RECORD_TIME_UNREADABLE, "cannot be read"),
        TimeReading::NoOffset { .. } => {
            (&finding::RECORD_TIME_NO_OFFSET, "has no offset; read as UTC")
        }
        TimeReading::Exact { .. } | TimeReading::DateOnly { .. } => return None,
    };
    Some(Finding::new(code, path, format!("The time {} {how}.", quoted(time.text()))))
}
