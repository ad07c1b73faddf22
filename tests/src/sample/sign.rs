//! DSSE attestations by the development keys (`facts/moca-reader §4`). The keys are in the repository: they prove nothing to anybody.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::pkcs8::DecodePrivateKey;
use ed25519_dalek::{Signer, SigningKey};
use moca_reader::{FileDigest, Limits, Value, digest_package};

use super::json::{line, object, text};
use super::{Failure, Made};

const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// Packages that their publisher signs.
const SIGNED: &[&str] = &["handbook-3.2.0", "tariffs-1.9.0", "tariffs-2.0.0"];

/// What reviewers found.
const REVIEWS: &[Review] = &[
    Review {
        package: "handbook-3.2.0",
        file: "content/returns.md",
        name: "returns",
        reviewer: "human:m.lindqvist",
        at: "2026-08-20T09:30:00+02:00",
        outcome: "accurate",
        note: "Compared with the rules at the counter.",
    },
    Review {
        package: "handbook-3.2.0",
        file: "content/opening-hours.de.md",
        name: "opening-hours-de",
        reviewer: "human:k.brandt",
        at: "2026-09-15T14:05:00+02:00",
        outcome: "inaccurate",
        note: "In winter stations close at 18, not at 19.",
    },
    Review {
        package: "tariffs-1.9.0",
        file: "content/transfer-fee.md",
        name: "transfer-fee",
        reviewer: "human:m.lindqvist",
        at: "2026-10-05T11:20:00+02:00",
        outcome: "needs-change",
        note: "Say what riders with a yearly pass pay.",
    },
];

struct Review {
    package: &'static str,
    file: &'static str,
    name: &'static str,
    reviewer: &'static str,
    at: &'static str,
    outcome: &'static str,
    note: &'static str,
}

/// Every attestation of the sample packages.
pub(super) fn attestations(folder: &Path) -> Result<Vec<Made>, Failure> {
    let publisher = Key::open(folder, "publisher")?;
    let board = Key::open(folder, "review")?;
    let mut made = Vec::new();
    for name in SIGNED {
        let statement = package_statement(&folder.join("packages").join(name))?;
        made.push((attestation(name, "package"), publisher.envelope(&statement)?));
    }
    for review in REVIEWS {
        let statement = review_statement(folder, review)?;
        let path = attestation(review.package, &format!("review-{}", review.name));
        made.push((path, board.envelope(&statement)?));
    }
    Ok(made)
}

fn attestation(package: &str, name: &str) -> PathBuf {
    Path::new("packages").join(package).join("attestations").join(format!("{name}.dsse.json"))
}

fn package_statement(package: &Path) -> Result<Value, Failure> {
    let (id, version) = identity(package)?;
    let (digest, found) = digest_package(package, &Limits::default());
    let digest = digest.ok_or_else(|| format!("no digest of {}: {found:?}", package.display()))?;
    let subject = subject(format!("{id}@{version}"), digest.hex());
    Ok(statement(subject, "package", object([])))
}

fn review_statement(folder: &Path, review: &Review) -> Result<Value, Failure> {
    let package = folder.join("packages").join(review.package);
    let (id, _) = identity(&package)?;
    let bytes = fs::read(package.join(review.file))?;
    let predicate = object([
        ("package", text(id)),
        ("reviewer", text(review.reviewer)),
        ("reviewedAt", text(review.at)),
        ("outcome", text(review.outcome)),
        ("note", text(review.note)),
    ]);
    Ok(statement(
        subject(review.file.to_owned(), FileDigest::of(&bytes).to_string()),
        "review",
        predicate,
    ))
}

fn identity(package: &Path) -> Result<(String, String), Failure> {
    let manifest: Value = serde_json::from_slice(&fs::read(package.join("moca.json"))?)?;
    let member = |name| manifest.get(name).and_then(Value::as_str).map(str::to_owned);
    member("id").zip(member("version")).ok_or_else(|| "a manifest without id or version".into())
}

fn subject(name: String, sha256: String) -> Value {
    object([("name", text(name)), ("digest", object([("sha256", text(sha256))]))])
}

fn statement(subject: Value, predicate: &str, value: Value) -> Value {
    object([
        ("_type", text("https://in-toto.io/Statement/v1")),
        ("subject", Value::seq([subject])),
        ("predicateType", text(format!("https://w3id.org/moca/attestation/{predicate}/v1"))),
        ("predicate", value),
    ])
}

/// A development key and the name under which the trust root lists it.
struct Key {
    keyid: String,
    key: SigningKey,
}

impl Key {
    fn open(folder: &Path, name: &str) -> Result<Self, Failure> {
        let path = folder.join(format!("keys/harbour-bikes-{name}-DEVELOPMENT-ONLY.pem"));
        let key = SigningKey::from_pkcs8_pem(&fs::read_to_string(path)?)?;
        Ok(Self { keyid: format!("harbour-bikes-{name}-development-only"), key })
    }

    fn envelope(&self, statement: &Value) -> Result<Vec<u8>, Failure> {
        let payload = line(statement)?;
        let (kind, length) = (PAYLOAD_TYPE.len(), payload.len());
        // The pre-authentication encoding of DSSE.
        let signed = format!("DSSEv1 {kind} {PAYLOAD_TYPE} {length} {payload}");
        let signature = self.key.sign(signed.as_bytes()).to_bytes();
        let envelope = object([
            ("payload", text(STANDARD.encode(&payload))),
            ("payloadType", text(PAYLOAD_TYPE)),
            (
                "signatures",
                Value::seq([object([
                    ("keyid", text(&self.keyid)),
                    ("sig", text(STANDARD.encode(signature))),
                ])]),
            ),
        ]);
        Ok(format!("{}\n", serde_json::to_string_pretty(&envelope)?).into_bytes())
    }
}
