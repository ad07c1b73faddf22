//! Trust roots: the keys a host relies on (`facts/moca-reader §4.5, §4.6`).

use std::collections::HashMap;

use ed25519_dalek::pkcs8::DecodePublicKey;
use ed25519_dalek::{Signature, VerifyingKey};
use serde::Serialize;

use crate::time::{Instant, is_date_time};
use crate::value::Value;

/// Keys the host trusts, each for roles and up to an instant.
///
/// Members that this Reader does not know are accepted and ignored: trust roots of later versions
/// of the contract have more than those of 0.4.
#[derive(Clone, Debug, Default)]
pub struct TrustRoot {
    keys: HashMap<String, TrustedKey>,
}

/// What a key is trusted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Publishing packages.
    Package,
    /// Reviewing files.
    Review,
}

/// A trust root that breaks its schema. This is the host's mistake, not the package's.
#[derive(Debug, thiserror::Error)]
pub enum TrustRootError {
    /// The document is not UTF-8 JSON.
    #[error("the trust root is not JSON: {0}")]
    NotJson(#[from] serde_json::Error),
    /// Some member is missing or has a value that is not allowed.
    #[error("trust root: {at} must be {expected}")]
    Schema {
        /// Where, as a path from the top: `keys[2].roles`.
        at: String,
        /// What should be there.
        expected: &'static str,
    },
}

/// One key of a trust root.
#[derive(Clone, Debug)]
pub(super) struct TrustedKey {
    identity: String,
    /// `Err` says why signatures of this key cannot be checked.
    key: Result<VerifyingKey, &'static str>,
    expires: Option<Instant>,
    package: bool,
    review: bool,
}

impl TrustRoot {
    /// Reads a trust root document.
    ///
    /// Of a repeated `keyid` the last entry counts. A `publicKey` that is not an Ed25519 key in PEM
    /// is no error: its signatures are never valid, and [`unusable_keys`](Self::unusable_keys)
    /// names it.
    ///
    /// # Errors
    /// [`TrustRootError`] if it is not JSON or breaks the trust root schema of the contract.
    pub fn parse(json: &[u8]) -> Result<Self, TrustRootError> {
        let document: Value = serde_json::from_slice(json)?;
        if document.as_map().is_none() {
            return Err(schema("the document", "an object"));
        }
        check_sigstore(&document)?;
        let mut keys = HashMap::new();
        for (n, entry) in list(&document, "keys", "keys")?.iter().enumerate() {
            let (keyid, key) = read_key(entry, &format!("keys[{n}]"))?;
            keys.insert(keyid, key);
        }
        Ok(Self { keys })
    }

    /// Keys whose signatures this Reader cannot check, by `keyid`, with the reason, sorted.
    pub fn unusable_keys(&self) -> Vec<(&str, &'static str)> {
        let mut keys: Vec<_> = self
            .keys
            .iter()
            .filter_map(|(keyid, key)| key.key.as_ref().err().map(|why| (keyid.as_str(), *why)))
            .collect();
        keys.sort_unstable();
        keys
    }

    /// The key `keyid`, if it is trusted for `role` at `now`. At the instant `expires` it still is.
    pub(super) fn key(&self, keyid: &str, role: Role, now: Instant) -> Option<&TrustedKey> {
        let key = self.keys.get(keyid)?;
        let allowed = match role {
            Role::Package => key.package,
            Role::Review => key.review,
        };
        (allowed && key.expires.is_none_or(|expires| now <= expires)).then_some(key)
    }
}

impl TrustedKey {
    /// Name of the key's holder, or else the `keyid`.
    pub(super) fn identity(&self) -> &str {
        &self.identity
    }

    /// Strict Ed25519: exactly 64 bytes, S below the group order, no small-order point.
    pub(super) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        let (Ok(key), Ok(signature)) = (&self.key, Signature::from_slice(signature)) else {
            return false;
        };
        key.verify_strict(message, &signature).is_ok()
    }
}

fn read_key(entry: &Value, at: &str) -> Result<(String, TrustedKey), TrustRootError> {
    if entry.as_map().is_none() {
        return Err(schema(at, "an object"));
    }
    let required = |name| match entry.get(name).and_then(Value::as_str) {
        Some(text) if !text.is_empty() => Ok(text),
        _ => Err(schema(&format!("{at}.{name}"), "text that is not empty")),
    };
    let keyid = required("keyid")?;
    let key = read_public_key(required("publicKey")?);
    let identity = match entry.get("identity") {
        None => None,
        Some(Value::String(identity)) => Some(identity).filter(|name| !name.trim().is_empty()),
        Some(_) => return Err(schema(&format!("{at}.identity"), "text")),
    };
    let expires = match entry.get("expires") {
        None => None,
        Some(Value::String(text)) if is_date_time(text) => Instant::parse(text),
        Some(_) => return Err(schema(&format!("{at}.expires"), "a date-time with an offset")),
    };
    if entry.get("expires").is_some() && expires.is_none() {
        return Err(schema(&format!("{at}.expires"), "an instant this Reader can tell"));
    }
    let (package, review) = read_roles(entry, at, true)?;
    let identity = identity.map_or(keyid, |identity| identity.as_str()).to_owned();
    Ok((keyid.to_owned(), TrustedKey { identity, key, expires, package, review }))
}

fn read_public_key(pem: &str) -> Result<VerifyingKey, &'static str> {
    let key = VerifyingKey::from_public_key_pem(pem.trim())
        .map_err(|_| "publicKey is not an Ed25519 key in PEM")?;
    if key.is_weak() { Err("publicKey is a point of small order") } else { Ok(key) }
}

/// Whether an entry is for packages and for reviews; without `roles` it is for both.
fn read_roles(entry: &Value, at: &str, unique: bool) -> Result<(bool, bool), TrustRootError> {
    let Some(roles) = entry.get("roles") else { return Ok((true, true)) };
    let wrong = || schema(&format!("{at}.roles"), "a list of `package` and `review`, each once");
    let (mut package, mut review) = (false, false);
    for role in roles.as_seq().ok_or_else(wrong)? {
        let allowed = match role.as_str() {
            Some("package") => &mut package,
            Some("review") => &mut review,
            _ => return Err(wrong()),
        };
        if *allowed && unique {
            return Err(wrong());
        }
        *allowed = true;
    }
    Ok((package, review))
}

/// Checks the form of the Sigstore part. This Reader has no other use for it.
fn check_sigstore(document: &Value) -> Result<(), TrustRootError> {
    let Some(sigstore) = document.get("sigstore") else { return Ok(()) };
    if sigstore.as_map().is_none() {
        return Err(schema("sigstore", "an object"));
    }
    for (n, identity) in list(sigstore, "identities", "sigstore.identities")?.iter().enumerate() {
        let at = format!("sigstore.identities[{n}]");
        for name in ["issuer", "subject"] {
            if identity.get(name).and_then(Value::as_str).is_none() {
                return Err(schema(&format!("{at}.{name}"), "text"));
            }
        }
        read_roles(identity, &at, false)?;
    }
    Ok(())
}

fn list<'a>(holder: &'a Value, name: &str, at: &str) -> Result<&'a [Value], TrustRootError> {
    match holder.get(name) {
        None => Ok(&[]),
        Some(value) => value.as_seq().ok_or_else(|| schema(at, "a list")),
    }
}

fn schema(at: &str, expected: &'static str) -> TrustRootError {
    TrustRootError::Schema { at: at.to_owned(), expected }
}

#[cfg(test)]
mod tests {
    use super::{Role, TrustRoot};
    use crate::time::Instant;

    const KEY: &str = "-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEAV7oSvpgKWeRJP+wg5aoP04bxrq2ZzOiT+NPhHsW1W4g=\\n-----END PUBLIC KEY-----\\n";
    const NOW: Instant = Instant(1_790_812_800_000);

    fn root(members: &str) -> TrustRoot {
        let json = format!(r#"{{"keys":[{{"keyid":"k","publicKey":"{KEY}"{members}}}]}}"#);
        TrustRoot::parse(json.as_bytes()).unwrap()
    }

    fn error(json: &str) -> String {
        TrustRoot::parse(json.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn key_without_roles_is_for_both_and_without_any_role_for_none() {
        assert!(root("").key("k", Role::Package, NOW).is_some());
        assert!(root("").key("k", Role::Review, NOW).is_some());
        assert!(root(r#","roles":["review"]"#).key("k", Role::Package, NOW).is_none());
        assert!(root(r#","roles":["review"]"#).key("k", Role::Review, NOW).is_some());
        assert!(root(r#","roles":[]"#).key("k", Role::Review, NOW).is_none());
        assert!(root("").key("other", Role::Review, NOW).is_none());
    }

    #[test]
    fn key_is_named_by_identity_or_else_by_keyid() {
        let name =
            |members| root(members).key("k", Role::Package, NOW).unwrap().identity().to_owned();
        assert_eq!(name(r#","identity":"Publisher""#), "Publisher");
        assert_eq!(name(""), "k");
        assert_eq!(name(r#","identity":" ""#), "k");
    }

    #[test]
    fn last_entry_of_a_repeated_keyid_counts() {
        let json = format!(
            r#"{{"keys":[{{"keyid":"k","publicKey":"{KEY}"}},{{"keyid":"k","publicKey":"x"}}]}}"#
        );
        let root = TrustRoot::parse(json.as_bytes()).unwrap();
        assert_eq!(root.unusable_keys(), [("k", "publicKey is not an Ed25519 key in PEM")]);
    }

    #[test]
    fn small_order_keys_are_unusable() {
        // The neutral element: 01 00 … 00.
        let pem = "-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\\n-----END PUBLIC KEY-----";
        let json = format!(r#"{{"keys":[{{"keyid":"k","publicKey":"{pem}"}}]}}"#);
        let root = TrustRoot::parse(json.as_bytes()).unwrap();
        assert_eq!(root.unusable_keys(), [("k", "publicKey is a point of small order")]);
    }

    #[test]
    fn broken_trust_roots_are_errors_that_say_where() {
        assert!(error("{").starts_with("the trust root is not JSON"));
        assert_eq!(error("[]"), "trust root: the document must be an object");
        assert_eq!(error(r#"{"keys":{}}"#), "trust root: keys must be a list");
        assert_eq!(error(r#"{"keys":[1]}"#), "trust root: keys[0] must be an object");
        assert_eq!(
            error(r#"{"keys":[{"keyid":"x"}]}"#),
            "trust root: keys[0].publicKey must be text that is not empty"
        );
        let with = |members: &str| {
            error(&format!(r#"{{"keys":[{{"keyid":"k","publicKey":"x",{members}}}]}}"#))
        };
        assert_eq!(with(r#""identity":1"#), "trust root: keys[0].identity must be text");
        assert_eq!(
            with(r#""expires":"2026-01-01""#),
            "trust root: keys[0].expires must be a date-time with an offset"
        );
        assert_eq!(
            with(r#""roles":["review","review"]"#),
            "trust root: keys[0].roles must be a list of `package` and `review`, each once"
        );
        assert_eq!(
            error(r#"{"sigstore":{"identities":[{"issuer":"i"}]}}"#),
            "trust root: sigstore.identities[0].subject must be text"
        );
    }

    #[test]
    fn members_of_later_versions_are_accepted() {
        let json = r#"{"keys":[],"sigstore":{"trustedRoot":{}},"newer":1}"#;
        assert!(TrustRoot::parse(json.as_bytes()).unwrap().unusable_keys().is_empty());
    }
}
