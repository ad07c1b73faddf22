//! Attestations: who signed or reviewed a package (`facts/moca-reader §4`).
//!
//! Files under `attestations/` hold in-toto statements in DSSE envelopes. They are judged by the
//! keys of a [`TrustRoot`] that the host gives; a package cannot vouch for itself. Sigstore bundles
//! are recognised and reported as not checked (`A003`): this Reader does not implement them.

mod envelope;
mod statement;
mod trust_root;

use std::collections::BTreeMap;

use serde::Serialize;

use self::envelope::Parsed;
use self::statement::Claim;
pub use self::trust_root::{Role, TrustRoot, TrustRootError};
use crate::diagnostic::{Code, Diagnostics};
use crate::digest::{Digest, FileDigests};
use crate::manifest::Manifest;
use crate::time::Instant;

/// One attestation file with its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attestation {
    /// Package-relative path.
    pub file: String,
    /// What became of it.
    pub outcome: Outcome,
    /// `predicateType` of the statement, unless the file is malformed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicate_type: Option<String>,
    /// The role a key needs for it, unless the file is malformed or ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// How the statement is wrapped; like `role`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// Identity of the key whose signature verified. Present on an *invalid* one too, if only the
    /// statement does not match: the signer signed something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signer: Option<String>,
    /// Of a valid review: subjects that are the package's current files, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<Vec<String>>,
    /// Of a valid review: subjects that changed or are gone, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outdated: Option<Vec<String>>,
}

/// What became of an attestation (`facts/moca-reader §4.7`). Only valid ones count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A trusted key signed it for its role, and it speaks of this package.
    Valid,
    /// No trusted key signed it for its role, or it speaks of something else.
    Invalid,
    /// Not an envelope with an in-toto statement.
    Malformed,
    /// There is nothing to check it against, or this Reader cannot.
    Unverifiable,
    /// A statement of a kind that says nothing to a MOCA Reader.
    Ignored,
}

/// How a statement is wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// `*.dsse.json`: a DSSE envelope.
    Dsse,
    /// `*.sigstore.json`: a Sigstore bundle around one.
    Sigstore,
}

/// A review of one file, signed by a trusted key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AttestedReview {
    /// OKF actor who reviewed.
    pub reviewer: String,
    /// When, as written.
    #[serde(rename = "reviewedAt")]
    pub reviewed_at: String,
    /// `accurate`, `needs-change` or `inaccurate`.
    pub outcome: String,
    /// Identity of the key, by the trust root.
    pub signer: String,
    /// What was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

/// What all attestations of a package come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attested {
    /// Every attestation file, in path order.
    pub(crate) results: Vec<Attestation>,
    /// Signer of each valid package attestation, in file order.
    pub(crate) signers: Vec<String>,
    /// Valid reviews of current files, by NFC path, in file order.
    pub(crate) reviews_by_file: BTreeMap<String, Vec<AttestedReview>>,
}

/// True for the files of `attestations/` that are looked at; anything else there is ignored.
pub(crate) fn is_attestation_path(path: &str) -> bool {
    path.starts_with("attestations/") && Format::of_path(path).is_some()
}

/// Judges every attestation file of a package whose digest is known.
///
/// `files` are those of [`is_attestation_path`] in path order, without bytes where the file is
/// larger than [`Limits::max_attestation_bytes`](crate::Limits::max_attestation_bytes).
pub(crate) fn verify(
    manifest: &Manifest,
    digest: &Digest,
    file_digests: &FileDigests,
    files: &[(String, Option<Vec<u8>>)],
    trust_root: Option<&TrustRoot>,
    now: Instant,
    found: &mut Diagnostics,
) -> Attested {
    let mut attested = Attested::default();
    for (file, bytes) in files {
        let mut judged = Judged::new(file);
        let parsed = match bytes {
            Some(bytes) => envelope::parse(file, bytes),
            None => Err("it is larger than the limit for attestations"),
        };
        match parsed {
            Ok(parsed) => judged.judge(&parsed, trust_root, now, |claim| {
                statement::check(claim, &parsed, manifest, digest, file_digests)
            }),
            Err(reason) => judged.say(Outcome::Malformed, Code::AttestationMalformed, reason),
        }
        judged.hand_over(&mut attested, found);
    }
    attested
}

impl Format {
    /// The format a file name stands for; case matters, and nothing else of the name does.
    fn of_path(path: &str) -> Option<Self> {
        if path.ends_with(".dsse.json") {
            Some(Self::Dsse)
        } else if path.ends_with(".sigstore.json") {
            Some(Self::Sigstore)
        } else {
            None
        }
    }
}

/// One file on its way through the checks, in their order: form, kind, signature, statement.
struct Judged {
    result: Attestation,
    finding: Option<(Code, String)>,
    review: Option<statement::Review>,
}

impl Judged {
    fn new(file: &str) -> Self {
        let result = Attestation {
            file: file.to_owned(),
            outcome: Outcome::Ignored,
            predicate_type: None,
            role: None,
            format: None,
            signer: None,
            current: None,
            outdated: None,
        };
        Self { result, finding: None, review: None }
    }

    fn judge(
        &mut self,
        parsed: &Parsed,
        trust_root: Option<&TrustRoot>,
        now: Instant,
        check: impl FnOnce(Claim) -> Result<Option<statement::Review>, String>,
    ) {
        self.result.predicate_type = Some(parsed.predicate_type.clone());
        let Some(claim) = Claim::of_predicate_type(&parsed.predicate_type) else { return };
        self.result.role = Some(claim.role());
        self.result.format = Some(parsed.format);
        let unverifiable = Code::AttestationUnverifiable;
        let Some(trust_root) = trust_root else {
            return self.say(Outcome::Unverifiable, unverifiable, "no trust root was given");
        };
        if parsed.format == Format::Sigstore {
            let reason = "this Reader does not implement Sigstore verification";
            return self.say(Outcome::Unverifiable, unverifiable, reason);
        }
        let Some(signer) = parsed.signer(trust_root, claim.role(), now) else {
            let reason = "no signature is by a key that is trusted for it";
            return self.say(Outcome::Invalid, Code::AttestationInvalid, reason);
        };
        self.result.signer = Some(signer);
        match check(claim) {
            Ok(review) => {
                self.result.outcome = Outcome::Valid;
                self.review = review;
            }
            Err(reason) => self.say(Outcome::Invalid, Code::AttestationInvalid, &reason),
        }
    }

    fn say(&mut self, outcome: Outcome, code: Code, reason: &str) {
        self.result.outcome = outcome;
        self.finding = Some((code, reason.to_owned()));
    }

    fn hand_over(mut self, attested: &mut Attested, found: &mut Diagnostics) {
        let file = self.result.file.clone();
        if let Some((code, reason)) = self.finding {
            found.file(code, &file, reason);
        }
        if self.result.outcome == Outcome::Valid {
            // A valid one always has a signer: `judge` sets it before it checks the statement.
            let signer = self.result.signer.clone().unwrap_or_default();
            match self.review {
                None => attested.signers.push(signer),
                Some(review) => {
                    for path in review.current_files() {
                        let reviews = attested.reviews_by_file.entry(path).or_default();
                        reviews.push(review.by(&signer));
                    }
                    for name in &review.outdated {
                        let message = format!("{name} has changed since this review, or is gone");
                        found.file(Code::ReviewOutdated, &file, message);
                    }
                    self.result.current = Some(review.current);
                    self.result.outdated = Some(review.outdated);
                }
            }
        }
        attested.results.push(self.result);
    }
}
