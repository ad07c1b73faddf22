//! Attestations: only a trusted key over exactly these bytes makes a package signed or reviewed.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use moca_reader::attestation::Outcome;
use moca_reader::{Capability, Instant, Options, ReadResult};
use serde_json::{Value, json};

use crate::fixture::{
    Key, NOW, Package, codes, envelope, package_statement, pae, review_statement, trusting,
};

const ID: &str = "https://example.com/firm/policy";
const FILE: &str = "attestations/a.dsse.json";

fn package() -> Package {
    Package::new(ID, "1.0.0").node("a.md", "title: A", "\nRefunds take 30 days.\n")
}

fn statement() -> Value {
    package_statement(&format!("{ID}@1.0.0"), &package().digest())
}

/// The package with one attestation, read with the given trust.
fn attested(envelope: &Value, options: &Options) -> ReadResult {
    package().file(FILE, envelope.to_string()).read(options)
}

fn outcome(result: &ReadResult) -> Outcome {
    assert_eq!(result.attestations.len(), 1);
    result.attestations[0].outcome
}

#[test]
fn trusted_signature_over_this_package_names_its_signer() {
    let key = Key::new("pub", 1);
    let result = attested(&key.envelope(&statement()), &key.trusted(json!({ "identity": "Firm" })));
    assert_eq!(
        (codes(&result), result.signers.as_slice()),
        (vec![], ["Firm".to_owned()].as_slice())
    );
    assert!(result.capabilities.contains(&Capability::Signed));
    assert_eq!(result.attestations[0].signer.as_deref(), Some("Firm"));
}

#[test]
fn package_cannot_vouch_for_itself() {
    let key = Key::new("pub", 1);
    let result = attested(&key.envelope(&statement()), &Options::at(NOW));
    assert_eq!((outcome(&result), codes(&result)), (Outcome::Unverifiable, vec!["A003"]));
    assert!(result.valid && result.signers.is_empty());
    let stranger = Key::new("pub", 2);
    let result = attested(&key.envelope(&statement()), &stranger.trusted(json!({})));
    assert_eq!((outcome(&result), codes(&result)), (Outcome::Invalid, vec!["A002"]));
}

#[test]
fn signature_is_over_the_bytes_received() {
    let key = Key::new("pub", 1);
    let spaced = serde_json::to_string_pretty(&statement()).unwrap();
    let signed = envelope(spaced.as_bytes(), &[key.sign(&pae(spaced.as_bytes()))]);
    assert_eq!(outcome(&attested(&signed, &key.trusted(json!({})))), Outcome::Valid);
    // The same statement, written otherwise than it was signed.
    let compact = statement().to_string();
    let rewritten = envelope(compact.as_bytes(), &[key.sign(&pae(spaced.as_bytes()))]);
    assert_eq!(outcome(&attested(&rewritten, &key.trusted(json!({})))), Outcome::Invalid);
}

#[test]
fn signature_over_the_bare_payload_is_not_one() {
    let key = Key::new("pub", 1);
    let payload = statement().to_string();
    let bare = envelope(payload.as_bytes(), &[key.sign(payload.as_bytes())]);
    assert_eq!(codes(&attested(&bare, &key.trusted(json!({})))), ["A002"]);
    let one_byte_off = [pae(payload.as_bytes()), b" ".to_vec()].concat();
    let off = envelope(payload.as_bytes(), &[key.sign(&one_byte_off)]);
    assert_eq!(codes(&attested(&off, &key.trusted(json!({})))), ["A002"]);
}

#[test]
fn changed_package_is_no_longer_signed() {
    let key = Key::new("pub", 1);
    let signed = package().file(FILE, key.envelope(&statement()).to_string());
    let changed = signed.node("a.md", "title: A", "\nRefunds take 31 days.\n");
    let result = changed.read(&key.trusted(json!({})));
    assert_eq!((outcome(&result), codes(&result)), (Outcome::Invalid, vec!["A002"]));
    assert!(result.valid && result.signers.is_empty());
    // Who signed the other bytes is told, but counts for nothing.
    assert_eq!(result.attestations[0].signer.as_deref(), Some("pub"));
}

#[test]
fn key_counts_up_to_the_instant_it_expires() {
    let key = Key::new("pub", 1);
    let at =
        |now| Options { now, ..key.trusted(json!({ "expires": "2026-10-01T02:00:00+02:00" })) };
    let signed = key.envelope(&statement());
    assert_eq!(outcome(&attested(&signed, &at(NOW))), Outcome::Valid);
    assert_eq!(outcome(&attested(&signed, &at(Instant(NOW.0 + 1)))), Outcome::Invalid);
}

#[test]
fn key_counts_only_for_its_roles() {
    let key = Key::new("k", 1);
    let signed = key.envelope(&statement());
    assert_eq!(
        outcome(&attested(&signed, &key.trusted(json!({ "roles": ["review"] })))),
        Outcome::Invalid
    );
    assert_eq!(outcome(&attested(&signed, &key.trusted(json!({ "roles": [] })))), Outcome::Invalid);
    assert_eq!(
        outcome(&attested(&signed, &key.trusted(json!({ "roles": ["package"] })))),
        Outcome::Valid
    );
}

#[test]
fn first_good_signature_of_several_names_the_signer() {
    let (one, two) = (Key::new("one", 1), Key::new("two", 2));
    let payload = statement().to_string();
    let good = |key: &Key| key.sign(&pae(payload.as_bytes()));
    let both = trusting(&[one.entry(json!({})), two.entry(json!({}))]);
    let signatures =
        [one.sign(b"something else"), json!({ "sig": "AA==" }), good(&two), good(&one)];
    let result = attested(&envelope(payload.as_bytes(), &signatures), &both);
    assert_eq!(result.signers, ["two"]);
    let none = attested(&envelope(payload.as_bytes(), &[]), &both);
    assert_eq!((outcome(&none), codes(&none)), (Outcome::Invalid, vec!["A002"]));
}

#[test]
fn base64_of_both_alphabets_is_read() {
    let key = Key::new("pub", 1);
    let mut signed = key.envelope(&statement());
    let url_safe = |text: &Value| {
        Value::from(URL_SAFE_NO_PAD.encode(STANDARD.decode(text.as_str().unwrap()).unwrap()))
    };
    signed["payload"] = url_safe(&signed["payload"]);
    signed["signatures"][0]["sig"] = url_safe(&signed["signatures"][0]["sig"]);
    assert_eq!(outcome(&attested(&signed, &key.trusted(json!({})))), Outcome::Valid);
}

#[test]
fn signature_with_a_second_spelling_is_refused() {
    // S + L verifies wherever S < L is not checked: a second signature that nobody made.
    const L: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
        0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let key = Key::new("pub", 1);
    let mut signed = key.envelope(&statement());
    let sig = signed["signatures"][0]["sig"].as_str().unwrap();
    let mut bytes = STANDARD.decode(sig).unwrap();
    let mut carry = 0;
    for (byte, order) in bytes[32..].iter_mut().zip(L) {
        let sum = u16::from(*byte) + u16::from(order) + carry;
        *byte = (sum & 0xff) as u8;
        carry = sum >> 8;
    }
    assert_eq!(carry, 0);
    signed["signatures"][0]["sig"] = STANDARD.encode(&bytes).into();
    assert_eq!(outcome(&attested(&signed, &key.trusted(json!({})))), Outcome::Invalid);
    // And one that is not 64 bytes long.
    signed["signatures"][0]["sig"] = STANDARD.encode(&bytes[..63]).into();
    assert_eq!(outcome(&attested(&signed, &key.trusted(json!({})))), Outcome::Invalid);
}

#[test]
fn review_counts_for_the_files_it_names_as_they_are() {
    let key = Key::new("rev", 1);
    let two = package().node("b.md", "", "B\n");
    let subjects = [
        ("content/a.md", two.sha256("content/a.md")),
        ("content/a.md", two.sha256("content/a.md")),
        ("content/b.md", two.sha256("content/b.md").to_uppercase()),
        ("content/gone.md", two.sha256("content/a.md")),
    ];
    let review = key.envelope(&review_statement(ID, "accurate", &subjects));
    let result = two.file(FILE, review.to_string()).read(&key.trusted(json!({})));
    assert_eq!((outcome(&result), codes(&result)), (Outcome::Valid, vec!["A006", "A006"]));
    let reviewed: Vec<_> =
        result.reviews_by_file.iter().map(|(f, r)| (f.as_str(), r.len())).collect();
    assert_eq!(reviewed, [("content/a.md", 1)]);
    assert!(result.capabilities.contains(&Capability::Reviewed));
}

#[test]
fn tampered_review_counts_for_nothing() {
    let key = Key::new("rev", 1);
    let files = [("content/a.md", package().sha256("content/a.md"))];
    let honest = key.envelope(&review_statement(ID, "inaccurate", &files));
    let mut forged = honest.clone();
    let flattering = review_statement(ID, "accurate", &files).to_string();
    forged["payload"] = STANDARD.encode(flattering).into();
    let result = attested(&forged, &key.trusted(json!({})));
    assert_eq!((outcome(&result), codes(&result)), (Outcome::Invalid, vec!["A002"]));
    assert!(result.reviews_by_file.is_empty());
}

#[test]
fn unfavourable_review_is_listed_with_its_outcome() {
    let key = Key::new("rev", 1);
    let files = [("content/a.md", package().sha256("content/a.md"))];
    let review = key.envelope(&review_statement(ID, "inaccurate", &files));
    let result = attested(&review, &key.trusted(json!({ "identity": "Reviewer" })));
    let listed = &result.reviews_by_file["content/a.md"][0];
    assert_eq!((listed.outcome.as_str(), listed.signer.as_str()), ("inaccurate", "Reviewer"));
    assert!(result.capabilities.contains(&Capability::Reviewed));
}

#[test]
fn review_must_be_of_this_package_and_of_the_closed_schema() {
    let key = Key::new("rev", 1);
    let files = [("content/a.md", package().sha256("content/a.md"))];
    let judged = |change: &dyn Fn(&mut Value)| {
        let mut statement = review_statement(ID, "accurate", &files);
        change(&mut statement);
        let result = attested(&key.envelope(&statement), &key.trusted(json!({})));
        assert!(result.reviews_by_file.is_empty());
        (outcome(&result), codes(&result))
    };
    let invalid = (Outcome::Invalid, vec!["A002"]);
    assert_eq!(
        judged(&|s| s["predicate"]["package"] = json!("https://example.com/other")),
        invalid
    );
    assert_eq!(judged(&|s| s["predicate"]["outcome"] = json!("fine")), invalid);
    assert_eq!(judged(&|s| s["predicate"]["reviewedAt"] = json!("2026-09-01")), invalid);
    assert_eq!(judged(&|s| s["predicate"]["reviewer"] = json!("")), invalid);
    assert_eq!(judged(&|s| s["predicate"]["more"] = json!("x")), invalid);
    assert_eq!(judged(&|s| s["predicate"] = json!({})), invalid);
    assert_eq!(judged(&|s| s["subject"][0]["digest"] = json!({})), invalid);
}

#[test]
fn sigstore_bundles_are_named_as_not_checked() {
    let key = Key::new("pub", 1);
    let bundle = json!({ "dsseEnvelope": key.envelope(&statement()) });
    let result = package()
        .file("attestations/a.sigstore.json", bundle.to_string())
        .read(&key.trusted(json!({})));
    assert_eq!((outcome(&result), codes(&result)), (Outcome::Unverifiable, vec!["A003"]));
    assert!(result.signers.is_empty());
    assert!(result.diagnostics[0].message.contains("does not implement Sigstore"));
}

#[test]
fn only_the_top_level_folder_and_the_two_endings_are_attestations() {
    let key = Key::new("pub", 1);
    let signed = key.envelope(&statement()).to_string();
    let elsewhere = package()
        .file("attestations/readme.txt", signed.clone())
        .file("attestations/a.DSSE.json", signed.clone())
        .file("content/attestations/a.dsse.json", signed.clone());
    let result = elsewhere.read(&key.trusted(json!({})));
    assert!(result.attestations.is_empty() && codes(&result).is_empty());
    let deep = package().file("attestations/2026/by/a.dsse.json", signed);
    assert_eq!(outcome(&deep.read(&key.trusted(json!({})))), Outcome::Valid);
}

#[test]
fn bad_attestation_leaves_the_package_valid_even_in_strict_mode() {
    let strict = Options { strict: true, ..Options::at(NOW) };
    let result = package().file(FILE, "not an envelope").read(&strict);
    assert_eq!((outcome(&result), codes(&result)), (Outcome::Malformed, vec!["A001"]));
    assert!(result.valid);
}

#[test]
fn attestation_over_the_limit_is_malformed() {
    let key = Key::new("pub", 1);
    let mut options = key.trusted(json!({}));
    options.limits.max_attestation_bytes = 100;
    let result = attested(&key.envelope(&statement()), &options);
    assert_eq!((outcome(&result), codes(&result)), (Outcome::Malformed, vec!["A001"]));
}
