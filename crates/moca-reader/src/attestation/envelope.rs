//! DSSE envelopes: reading one and verifying who signed it (`facts/moca-reader §4.2, §4.3, §4.5`).

use super::Format;
use super::trust_root::{Role, TrustRoot};
use crate::time::Instant;
use crate::value::Value;

/// The only payload type of a MOCA attestation.
const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";
/// The only statement type.
const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
/// Signatures looked at per envelope; later ones are not, since each costs a verification.
const MAX_SIGNATURES: usize = 64;

/// An envelope whose payload is an in-toto statement. Nothing of it is trusted yet.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) format: Format,
    pub(super) predicate_type: String,
    pub(super) statement: Value,
    /// The payload as it was received: the signature is over these bytes.
    payload: Vec<u8>,
    signatures: Vec<Signature>,
}

#[derive(Debug)]
struct Signature {
    keyid: String,
    bytes: Vec<u8>,
}

/// Reads an attestation file. The error says why it is malformed.
pub(super) fn parse(path: &str, bytes: &[u8]) -> Result<Parsed, &'static str> {
    let format = Format::of_path(path).ok_or("its name does not tell its format")?;
    let container: Value = serde_json::from_slice(bytes).map_err(|_| "it is not JSON")?;
    let envelope = match format {
        Format::Dsse => &container,
        Format::Sigstore => container.get("dsseEnvelope").ok_or("it has no dsseEnvelope")?,
    };
    let text = |name| envelope.get(name).and_then(Value::as_str);
    let (Some(payload), Some(payload_type)) = (text("payload"), text("payloadType")) else {
        return Err("it is not a DSSE envelope");
    };
    if payload_type != PAYLOAD_TYPE {
        return Err("its payload is of another type than an in-toto statement");
    }
    let payload = decode_base64(payload);
    let statement: Value =
        serde_json::from_slice(&payload).map_err(|_| "its payload is not JSON")?;
    let has_type = statement.get("_type").and_then(Value::as_str) == Some(STATEMENT_TYPE);
    let has_subjects = statement.get("subject").and_then(Value::as_seq).is_some();
    let predicate_type = statement.get("predicateType").and_then(Value::as_str);
    let (true, true, Some(predicate_type)) = (has_type, has_subjects, predicate_type) else {
        return Err("its payload is not an in-toto v1 statement");
    };
    let predicate_type = predicate_type.to_owned();
    Ok(Parsed { format, predicate_type, statement, payload, signatures: signatures(envelope) })
}

impl Parsed {
    /// Identity of the first key that signed this envelope and is trusted for `role` at `now`.
    pub(super) fn signer(&self, root: &TrustRoot, role: Role, now: Instant) -> Option<String> {
        let message = pre_authentication_encoding(&self.payload);
        self.signatures.iter().find_map(|signature| {
            let key = root.key(&signature.keyid, role, now)?;
            key.verifies(&message, &signature.bytes).then(|| key.identity().to_owned())
        })
    }
}

/// The signatures that name a key; entries of another shape are skipped.
fn signatures(envelope: &Value) -> Vec<Signature> {
    let listed = envelope.get("signatures").and_then(Value::as_seq).unwrap_or_default();
    let named = listed.iter().filter_map(|entry| {
        let keyid = entry.get("keyid")?.as_str()?.to_owned();
        Some(Signature { keyid, bytes: decode_base64(entry.get("sig")?.as_str()?) })
    });
    named.take(MAX_SIGNATURES).collect()
}

/// The bytes a DSSE signature is over: payload and type with their lengths.
fn pre_authentication_encoding(payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {PAYLOAD_TYPE} {} ", PAYLOAD_TYPE.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

/// Decodes base64 of both alphabets as leniently as the reference Reader: other characters are
/// skipped, and the first `=` ends the text.
///
/// That is safe, since what is verified and then read are the decoded bytes, never the text.
fn decode_base64(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let mut bits = 0_u32;
    let mut held = 0_u32;
    for digit in text.bytes().take_while(|&b| b != b'=').filter_map(base64_digit) {
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held & 0xff) as u8);
        }
    }
    out
}

fn base64_digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{decode_base64, parse, pre_authentication_encoding};

    #[test]
    fn encoding_counts_bytes() {
        assert_eq!(
            pre_authentication_encoding("é".as_bytes()),
            "DSSEv1 28 application/vnd.in-toto+json 2 é".as_bytes()
        );
    }

    #[test]
    fn base64_is_read_in_both_alphabets_padded_or_not() {
        for text in ["-_8=", "+/8=", "+/8", "+ /\n8=", "+/8=AAAA", "!+/8"] {
            assert_eq!(decode_base64(text), [0xfb, 0xff], "{text:?}");
        }
        assert_eq!(decode_base64("aGk="), b"hi");
        assert_eq!(decode_base64("A"), b"");
        assert_eq!(decode_base64(""), b"");
    }

    #[test]
    fn malformed_files_say_why() {
        let malformed =
            |text: &str| parse("attestations/a.dsse.json", text.as_bytes()).unwrap_err();
        assert_eq!(malformed("x"), "it is not JSON");
        assert_eq!(malformed("\u{feff}{}"), "it is not JSON");
        assert_eq!(malformed("[]"), "it is not a DSSE envelope");
        assert_eq!(
            malformed(r#"{"payload":"","payloadType":"application/json"}"#),
            "its payload is of another type than an in-toto statement"
        );
        // The payload is `null`.
        assert_eq!(
            malformed(r#"{"payload":"bnVsbA==","payloadType":"application/vnd.in-toto+json"}"#),
            "its payload is not an in-toto v1 statement"
        );
        assert_eq!(
            parse("attestations/a.sigstore.json", b"{}").unwrap_err(),
            "it has no dsseEnvelope"
        );
    }
}
