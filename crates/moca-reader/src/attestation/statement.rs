//! In-toto statements: what they say of a package (`facts/moca-reader §4.4`).

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use super::envelope::Parsed;
use super::{AttestedReview, Role};
use crate::digest::{Digest, FileDigest, FileDigests};
use crate::manifest::{Manifest, is_absolute_iri};
use crate::text::Text;
use crate::time::is_date_time;
use crate::value::Value;

/// What a statement claims, told by its predicate type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// "This exact package is published by the signer."
    Package,
    /// "The reviewer looked at these exact files."
    Review,
}

impl Claim {
    pub(super) fn of_predicate_type(predicate_type: &str) -> Option<Self> {
        match predicate_type {
            "https://w3id.org/moca/attestation/package/v1" => Some(Self::Package),
            "https://w3id.org/moca/attestation/review/v1" => Some(Self::Review),
            _ => None,
        }
    }

    pub(super) fn role(self) -> Role {
        match self {
            Self::Package => Role::Package,
            Self::Review => Role::Review,
        }
    }
}

/// A review whose statement fits the package.
#[derive(Debug)]
pub(super) struct Review {
    reviewer: String,
    reviewed_at: String,
    outcome: String,
    scope: Option<String>,
    /// Subjects that are current files, as written.
    pub(super) current: Vec<String>,
    /// Subjects that changed or are gone, as written.
    pub(super) outdated: Vec<String>,
}

impl Review {
    /// The current files by their NFC paths, each once.
    pub(super) fn current_files(&self) -> BTreeSet<String> {
        self.current.iter().map(|name| name.nfc().collect()).collect()
    }

    /// The review as it is shown for each of its files.
    pub(super) fn by(&self, signer: &str) -> AttestedReview {
        AttestedReview {
            reviewer: self.reviewer.clone(),
            reviewed_at: self.reviewed_at.clone(),
            outcome: self.outcome.clone(),
            signer: signer.to_owned(),
            scope: self.scope.clone(),
        }
    }
}

/// Checks a statement, whose signature is verified, against the package. The review, if it is one;
/// the error says what does not fit.
pub(super) fn check(
    claim: Claim,
    parsed: &Parsed,
    manifest: &Manifest,
    digest: &Digest,
    files: &FileDigests,
) -> Result<Option<Review>, String> {
    let subjects = parsed.statement.get("subject").and_then(Value::as_seq).unwrap_or_default();
    match claim {
        Claim::Package => package(subjects, manifest, digest).map(|()| None),
        Claim::Review => review(&parsed.statement, subjects, manifest, files).map(Some),
    }
}

fn package(subjects: &[Value], manifest: &Manifest, digest: &Digest) -> Result<(), String> {
    let [subject] = subjects else {
        return Err(format!("it has {} subjects instead of one", subjects.len()));
    };
    let (name, sha256) = subject_parts(subject).ok_or("its subject has no name or no sha256")?;
    let key = manifest.key();
    if name != key {
        return Err(format!("it is for {name}, not for {key}"));
    }
    if sha256 != digest.hex() {
        return Err("it is for other bytes of this package".to_owned());
    }
    Ok(())
}

fn review(
    statement: &Value,
    subjects: &[Value],
    manifest: &Manifest,
    files: &FileDigests,
) -> Result<Review, String> {
    let predicate = statement.get("predicate").and_then(Value::as_map).unwrap_or_default();
    let mut review = read_predicate(predicate, &manifest.id)?;
    for subject in subjects {
        let (name, sha256) = subject_parts(subject).ok_or("a subject has no name or no sha256")?;
        let path: String = name.nfc().collect();
        let current =
            sha256.parse::<FileDigest>().is_ok_and(|hash| files.get(path.as_str()) == Some(&hash));
        let list = if current { &mut review.current } else { &mut review.outdated };
        list.push(name.to_owned());
    }
    Ok(review)
}

fn subject_parts(subject: &Value) -> Option<(&str, &str)> {
    Some((subject.get("name")?.as_str()?, subject.path(&["digest", "sha256"])?.as_str()?))
}

/// Reads the closed review predicate.
fn read_predicate(members: &[(Text, Value)], package_id: &str) -> Result<Review, String> {
    let (mut package, mut reviewer, mut reviewed_at, mut outcome, mut scope) =
        (None, None, None, None, None);
    for (name, value) in members {
        let text = value.as_str().ok_or_else(|| format!("{name} is not text"))?;
        match name.as_str() {
            "package" if is_absolute_iri(text) => package = Some(text),
            "reviewer" if !text.is_empty() => reviewer = Some(text),
            "reviewedAt" if is_date_time(text) => reviewed_at = Some(text),
            "outcome" if matches!(text, "accurate" | "needs-change" | "inaccurate") => {
                outcome = Some(text);
            }
            "scope" => scope = Some(text),
            "note" => {}
            "package" | "reviewer" | "reviewedAt" | "outcome" => {
                return Err(format!("its {name} is not allowed"));
            }
            _ => return Err(format!("{name} is not a member of a review")),
        }
    }
    let missing = |name: &str| format!("its {name} is missing");
    let package = package.ok_or_else(|| missing("package"))?;
    if package != package_id {
        return Err(format!("it is for {package}, not for {package_id}"));
    }
    Ok(Review {
        reviewer: reviewer.ok_or_else(|| missing("reviewer"))?.to_owned(),
        reviewed_at: reviewed_at.ok_or_else(|| missing("reviewedAt"))?.to_owned(),
        outcome: outcome.ok_or_else(|| missing("outcome"))?.to_owned(),
        scope: scope.map(str::to_owned),
        current: Vec::new(),
        outdated: Vec::new(),
    })
}
