//! Request bodies in archives and sessions without what can hold a secret.

use super::{LeftOut, http, sse_reduce};
use crate::json::{self, Kind};

/// The string token of a request body, whose text is `text`, as it may be kept; `None` when it may not: forms and
/// texts with header lines are left out, and of a JSON object the members beside the run's input that hold headers.
pub(super) fn token(token: &[u8], text: &[u8], left_out: &mut LeftOut) -> Option<Vec<u8>> {
    let json = json::check(text).is_ok_and(|checked| checked.kind != Kind::Scalar);
    if !json {
        left_out.others += u64::from(!text.is_empty());
        return text.is_empty().then(|| token.to_vec());
    }
    let Some(reduced) = object(text, left_out) else { return Some(token.to_vec()) };
    let mut quoted = Vec::new();
    json::push_quoted(&mut quoted, &String::from_utf8_lossy(&reduced));
    Some(quoted)
}

/// A JSON object without its members that hold headers or secrets; `None` when it has none.
pub(super) fn object(text: &[u8], left_out: &mut LeftOut) -> Option<Vec<u8>> {
    if !json::members(text).any(|member| is_left_out(&member.key)) {
        return None;
    }
    let mut reduced = b"{".to_vec();
    for member in json::members(text) {
        if is_left_out(&member.key) {
            left_out.count_member(&member.key, member.value);
            continue;
        }
        if reduced.len() > 1 {
            reduced.push(b',');
        }
        json::push_quoted(&mut reduced, &String::from_utf8_lossy(&member.key));
        reduced.push(b':');
        reduced.extend_from_slice(member.value);
    }
    reduced.push(b'}');
    Some(reduced)
}

/// Whether a member by this name holds headers, cookies or a secret.
pub(super) fn is_left_out(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 9] = [
        b"headers",
        b"cookies",
        b"authorization",
        b"cookie",
        b"apikey",
        b"secret",
        b"password",
        b"credentials",
        b"accesstoken",
    ];
    let name: Vec<u8> =
        name.to_ascii_lowercase().into_iter().filter(u8::is_ascii_alphanumeric).collect();
    NAMES.iter().any(|known| name.ends_with(known))
}

/// Whether a string token is no JSON and has lines that look like headers or as if they held a secret.
pub(super) fn is_header_text(token: &[u8]) -> bool {
    json::string_value(token).is_some_and(|text| {
        !matches!(json::trim(&text).first(), Some(b'{' | b'[' | b'"'))
            && (sse_reduce::has_headers(&text) || http::names_a_secret(&text))
    })
}
