//! Digests of texts and JSON values by which messages and arguments are compared once their texts are gone.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::event::lenient;

/// First half of a SHA-256: enough that nobody finds two texts with one digest.
pub(super) type Digest = [u8; 16];

/// Digest of a text without the white space around it, taken piece by piece.
#[derive(Debug, Clone, Default)]
pub(super) struct Trimmed {
    hash: Sha256,
    begun: bool,
    /// White space that counts only if something follows.
    pending: String,
}

impl Trimmed {
    pub(super) fn push(&mut self, piece: &str) {
        let piece = if self.begun { piece } else { piece.trim_start() };
        if piece.is_empty() {
            return;
        }
        self.begun = true;
        let body = piece.trim_end();
        if !body.is_empty() {
            self.hash.update(self.pending.as_bytes());
            self.pending.clear();
            self.hash.update(body.as_bytes());
        }
        self.pending.push_str(&piece[body.len()..]);
    }

    /// The digest; none for a text that is empty or all white space.
    pub(super) fn digest(&self) -> Option<Digest> {
        self.begun.then(|| half(self.hash.clone()))
    }
}

/// Digest of a whole text.
pub(super) fn trimmed(text: &str) -> Option<Digest> {
    let mut trimmed = Trimmed::default();
    trimmed.push(text);
    trimmed.digest()
}

/// Digest of a JSON text's value: spelling and order of keys do not count. None when it is no JSON.
pub(super) fn json_value(text: &str) -> Option<Digest> {
    let value: Value = lenient::value(text).ok()?;
    let mut hash = Sha256::new();
    digest_value(&value, &mut hash);
    Some(half(hash))
}

fn digest_value(value: &Value, hash: &mut Sha256) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            hash.update(b"{");
            for (name, value) in members {
                hash.update(Value::from(name.as_str()).to_string());
                digest_value(value, hash);
            }
            hash.update(b"}");
        }
        Value::Array(elements) => {
            hash.update(b"[");
            for element in elements {
                digest_value(element, hash);
            }
            hash.update(b"]");
        }
        other => {
            hash.update(other.to_string());
            hash.update(b",");
        }
    }
}

fn half(hash: Sha256) -> Digest {
    let whole = hash.finalize();
    let mut digest = Digest::default();
    digest.copy_from_slice(&whole[..16]);
    digest
}

#[cfg(test)]
mod tests {
    use super::{Trimmed, json_value, trimmed};

    #[test]
    fn pieces_and_surrounding_space_do_not_change_the_digest() {
        let mut pieces = Trimmed::default();
        for piece in [" ", "\n a", " ", "", " b", " \n"] {
            pieces.push(piece);
        }
        assert_eq!(pieces.digest(), trimmed("a  b"));
        assert_ne!(pieces.digest(), trimmed("a b"));
        assert_eq!(trimmed(" \n"), None);
    }

    #[test]
    fn json_values_are_equal_whatever_their_spelling() {
        assert_eq!(
            json_value(r#"{"a":[1,"x"],"b":null}"#),
            json_value("{ \"b\" : null,\n\"a\":[1,\"\\u0078\"]}")
        );
        assert_ne!(json_value(r#"{"a":[1,2]}"#), json_value(r#"{"a":[12]}"#));
        assert_ne!(json_value(r#"{"a":"1"}"#), json_value(r#"{"a":1}"#));
        assert_eq!(json_value("{"), None);
    }
}
