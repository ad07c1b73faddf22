//! Packages made in memory, and keys to sign them with.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::pkcs8::EncodePublicKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::{Signer, SigningKey};
use moca_reader::attestation::TrustRoot;
use moca_reader::digest::FileDigest;
use moca_reader::package::ListedFile;
use moca_reader::{Instant, Options, PackageSource, ReadResult, Target, read_package};
use serde_json::{Value, json};

/// 2026-10-01T00:00:00Z, the instant of the corpus's expected conclusions.
pub(crate) const NOW: Instant = Instant(1_790_812_800_000);

/// Files of a package, by path.
#[derive(Clone, Default)]
pub(crate) struct Package {
    files: BTreeMap<String, Vec<u8>>,
}

impl Package {
    /// A package with this manifest; `title` is added.
    pub(crate) fn with_manifest(mut manifest: Value) -> Self {
        manifest["title"] = json!("Fixture");
        Self::default().file("moca.json", manifest.to_string())
    }

    /// A package with nothing but id and version.
    pub(crate) fn new(id: &str, version: &str) -> Self {
        Self::with_manifest(json!({ "id": id, "version": version }))
    }

    /// Adds or replaces a file.
    pub(crate) fn file(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), bytes.into());
        self
    }

    /// Adds a node from its frontmatter lines, `type` included by itself, and its body.
    pub(crate) fn node(self, path: &str, frontmatter: &str, body: &str) -> Self {
        let text = format!("---\ntype: Note\n{frontmatter}\n---\n{body}");
        self.file(&format!("content/{path}"), text)
    }

    pub(crate) fn target(&self) -> Target {
        Target::Source(Arc::new(self.clone()))
    }

    pub(crate) fn read(&self, options: &Options) -> ReadResult {
        read_package(self.target(), options)
    }

    pub(crate) fn read_plainly(&self) -> ReadResult {
        self.read(&Options::at(NOW))
    }

    /// Hash of a file, in hex.
    pub(crate) fn sha256(&self, path: &str) -> String {
        FileDigest::of(&self.files[path]).to_string()
    }

    /// Digest of the package, in hex.
    pub(crate) fn digest(&self) -> String {
        self.read_plainly().digest.unwrap().hex()
    }
}

impl PackageSource for Package {
    fn list(&self) -> io::Result<Vec<ListedFile>> {
        let listed = self
            .files
            .iter()
            .map(|(path, bytes)| ListedFile { path: path.clone(), size: Some(bytes.len() as u64) });
        Ok(listed.collect())
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(self.files[path].as_slice()))
    }
}

/// A key that is made from one byte, so that tests have the same keys every time.
pub(crate) struct Key {
    keyid: String,
    signing: SigningKey,
}

impl Key {
    pub(crate) fn new(keyid: &str, seed: u8) -> Self {
        Self { keyid: keyid.to_owned(), signing: SigningKey::from_bytes(&[seed; 32]) }
    }

    /// Its entry of a trust root, with further members.
    pub(crate) fn entry(&self, more: Value) -> Value {
        let pem = self.signing.verifying_key().to_public_key_pem(LineEnding::LF).unwrap();
        let mut entry = json!({ "keyid": self.keyid, "publicKey": pem });
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        entry
    }

    /// Options that trust this key alone.
    pub(crate) fn trusted(&self, more: Value) -> Options {
        trusting(&[self.entry(more)])
    }

    /// A signature over any bytes, as an entry of an envelope.
    pub(crate) fn sign(&self, message: &[u8]) -> Value {
        let signature = self.signing.sign(message).to_bytes();
        json!({ "keyid": self.keyid, "sig": STANDARD.encode(signature) })
    }

    /// An envelope around a statement, signed properly.
    pub(crate) fn envelope(&self, statement: &Value) -> Value {
        let payload = statement.to_string();
        envelope(payload.as_bytes(), &[self.sign(&pae(payload.as_bytes()))])
    }
}

pub(crate) fn trusting(keys: &[Value]) -> Options {
    let root = json!({ "keys": keys }).to_string();
    let trust_root = Some(Arc::new(TrustRoot::parse(root.as_bytes()).unwrap()));
    Options { trust_root, ..Options::at(NOW) }
}

pub(crate) fn envelope(payload: &[u8], signatures: &[Value]) -> Value {
    json!({
        "payload": STANDARD.encode(payload),
        "payloadType": "application/vnd.in-toto+json",
        "signatures": signatures,
    })
}

/// The bytes that DSSE signs.
pub(crate) fn pae(payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 28 application/vnd.in-toto+json {} ", payload.len());
    [head.as_bytes(), payload].concat()
}

/// The statement that a publisher signs.
pub(crate) fn package_statement(name: &str, digest: &str) -> Value {
    json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{ "name": name, "digest": { "sha256": digest } }],
        "predicateType": "https://w3id.org/moca/attestation/package/v1",
        "predicate": {},
    })
}

/// The statement that a reviewer signs over some files.
pub(crate) fn review_statement(package: &str, outcome: &str, files: &[(&str, String)]) -> Value {
    let subjects: Vec<Value> = files
        .iter()
        .map(|(name, sha256)| json!({ "name": name, "digest": { "sha256": sha256 } }))
        .collect();
    json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://w3id.org/moca/attestation/review/v1",
        "predicate": {
            "package": package,
            "reviewer": "human:reviewer",
            "reviewedAt": "2026-09-01T00:00:00Z",
            "outcome": outcome,
        },
    })
}

/// Codes of a result, in order, without their words.
pub(crate) fn codes(result: &ReadResult) -> Vec<&'static str> {
    result.diagnostics.iter().map(|d| &d.code.as_str()[..4]).collect()
}
