//! Attestations: who signed or reviewed a package (`facts/moca-reader §4`).

use serde::Serialize;

/// Keys the host trusts.
#[derive(Clone, Debug, Default)]
pub struct TrustRoot;

/// One attestation file with its outcome.
#[derive(Clone, Debug)]
pub struct Attestation;

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
