//! An agui-inspector session without what can hold headers, cookies or tokens.

use std::io::{self, Write};

use super::body_reduce;
use super::reduce::bare_url_token;
use super::window::Window;
use super::{Content, LeftOut, request_reduce};
use crate::json;
use crate::json::cursor::{Cursor, Element, Entry, Raw, Whole};
use crate::limits::{MAX_EXCERPT_BYTES, MAX_FRAME_BYTES};

/// Members of an exchange that are kept (facts/agui §4.6).
const KEPT: [&[u8]; 16] = [
    b"id",
    b"kind",
    b"runId",
    b"method",
    b"path",
    b"requestBody",
    b"requestBodyJson",
    b"status",
    b"statusText",
    b"responseBody",
    b"startedAt",
    b"elapsedMs",
    b"transport",
    b"transportError",
    b"encoding",
    b"frameIds",
];

/// Writes the session byte for byte but for those members; a session without them is written as it is.
pub(super) fn reduce(content: Content, out: &mut dyn Write) -> io::Result<LeftOut> {
    let mut cursor = Cursor::new(Window::new(content, 0));
    let mut left_out = LeftOut::default();
    cursor.window().keep_passed(true);
    cursor.window().skip_byte_order_mark()?;
    if cursor.enter(b'{')? {
        each_member(&mut cursor, out, |cursor, key, out| {
            if key != b"session" || !cursor.enter(b'{')? {
                return Ok(false);
            }
            each_member(cursor, out, |cursor, key, out| {
                match key {
                    b"exchanges" if cursor.enter(b'[')? => {
                        each_element(cursor, out, |raw| exchange(raw, &mut left_out))?;
                    }
                    b"frames" if cursor.enter(b'[')? => {
                        each_element(cursor, out, |raw| frame(raw, &mut left_out))?;
                    }
                    _ => put(cursor, out, |raw| other(raw, &mut left_out))?,
                }
                Ok(true)
            })?;
            Ok(true)
        })?;
    }
    while cursor.peek()?.is_some() {
        copy_value(&mut cursor, out)?;
    }
    let rest = cursor.window().keep_passed(false);
    out.write_all(&rest)?;
    Ok(left_out)
}

/// Copies the members of an object, but for those that `take` takes.
fn each_member(
    cursor: &mut Cursor,
    out: &mut dyn Write,
    mut take: impl FnMut(&mut Cursor, &[u8], &mut dyn Write) -> io::Result<bool>,
) -> io::Result<()> {
    loop {
        let taken = match cursor.entry(MAX_EXCERPT_BYTES)? {
            Entry::Key(key) => take(cursor, &key, out)?,
            Entry::Junk => false,
            Entry::End | Entry::Cut => return Ok(()),
        };
        if !taken {
            copy_value(cursor, out)?;
        }
    }
}

fn copy_value(cursor: &mut Cursor, out: &mut dyn Write) -> io::Result<()> {
    cursor.peek()?;
    let before = cursor.window().keep_passed(false);
    out.write_all(&before)?;
    cursor.copy(out)?;
    cursor.window().keep_passed(true);
    Ok(())
}

fn each_element(
    cursor: &mut Cursor,
    out: &mut dyn Write,
    mut reduce: impl FnMut(&Raw) -> io::Result<Vec<u8>>,
) -> io::Result<()> {
    while cursor.element()? == Element::Value {
        put(cursor, out, &mut reduce)?;
    }
    Ok(())
}

/// Writes what `reduce` makes of the next value.
fn put(
    cursor: &mut Cursor,
    out: &mut dyn Write,
    reduce: impl FnOnce(&Raw) -> io::Result<Vec<u8>>,
) -> io::Result<()> {
    cursor.peek()?;
    let before = cursor.window().keep_passed(false);
    out.write_all(&before)?;
    let raw = cursor.value(MAX_FRAME_BYTES)?;
    out.write_all(&reduce(&raw)?)?;
    cursor.window().keep_passed(true);
    Ok(())
}

/// A value that is not looked into by the reader.
fn other(raw: &Raw, left_out: &mut LeftOut) -> io::Result<Vec<u8>> {
    if matches!(raw.whole, Whole::TooLong | Whole::TooDeep) {
        left_out.others += 1;
        return Ok(b"null".to_vec());
    }
    Ok(scrubbed(&raw.bytes, left_out)?.unwrap_or_else(|| raw.bytes.clone()))
}

/// A value without headers, cookies, secrets and header lines at any depth, conversations apart; `None` when there
/// is nothing of the kind. No deeper than [`crate::limits::MAX_DEPTH`].
fn scrubbed(value: &[u8], left_out: &mut LeftOut) -> io::Result<Option<Vec<u8>>> {
    let mut changed = false;
    let mut reduced = Vec::new();
    match value.first() {
        Some(b'{') => {
            reduced.push(b'{');
            for member in json::members(value) {
                if request_reduce::is_left_out(&member.key) {
                    left_out.count_member(&member.key, member.value);
                    changed = true;
                    continue;
                }
                if reduced.len() > 1 {
                    reduced.push(b',');
                }
                json::push_quoted(&mut reduced, &String::from_utf8_lossy(&member.key));
                reduced.push(b':');
                let kept = match &*member.key {
                    b"messages" => None,
                    key if is_url(key) && member.value.starts_with(b"\"") => {
                        Some(bare_url_token(member.value, left_out))
                    }
                    _ => scrubbed(member.value, left_out)?,
                };
                let kept = kept.unwrap_or_else(|| member.value.to_vec());
                changed |= kept != member.value;
                reduced.extend_from_slice(&kept);
            }
            reduced.push(b'}');
        }
        Some(b'[') => {
            reduced.push(b'[');
            for (element, _) in json::elements(value) {
                if reduced.len() > 1 {
                    reduced.push(b',');
                }
                let kept = scrubbed(element, left_out)?;
                changed |= kept.is_some();
                reduced.extend_from_slice(kept.as_deref().unwrap_or(element));
            }
            reduced.push(b']');
        }
        Some(b'"') if request_reduce::is_header_text(value) => {
            reduced = body_reduce::text_token(value, left_out)?.0;
            changed = reduced != value;
        }
        _ => {}
    }
    Ok(changed.then_some(reduced))
}

fn is_url(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    [&b"url"[..], b"uri", b"path", b"endpoint"].iter().any(|end| name.ends_with(end))
}

/// Members of a frame that are kept (facts/agui §4.6).
const KEPT_OF_FRAME: [&[u8]; 14] = [
    b"id",
    b"exchangeId",
    b"index",
    b"classification",
    b"envelope",
    b"data",
    b"bytes",
    b"offsetMs",
    b"eventType",
    b"summary",
    b"jsonVerdict",
    b"schemaVerdict",
    b"parsed",
    b"provenance",
];

fn frame(raw: &Raw, left_out: &mut LeftOut) -> io::Result<Vec<u8>> {
    if raw.whole != Whole::Yes || !raw.bytes.starts_with(b"{") {
        return Ok(raw.bytes.clone());
    }
    members_of(raw, left_out, |key, value, left_out| {
        if !KEPT_OF_FRAME.contains(&key) {
            left_out.count_member(key, value);
            return Ok(None);
        }
        if request_reduce::is_header_text(value) {
            return Ok(Some(body_reduce::text_token(value, left_out)?.0));
        }
        Ok(Some(value.to_vec()))
    })
}

fn exchange(raw: &Raw, left_out: &mut LeftOut) -> io::Result<Vec<u8>> {
    if raw.whole == Whole::TooLong {
        left_out.entries += 1;
        return Ok(b"null".to_vec());
    }
    members_of(raw, left_out, |key, value, left_out| {
        Ok(match key {
            b"path" => Some(bare_url_token(value, left_out)),
            b"requestBody" if raw.whole == Whole::Yes => match json::string_value(value) {
                Some(text) => request_reduce::token(value, &text, left_out),
                None => Some(value.to_vec()),
            },
            b"requestBodyJson" => {
                Some(request_reduce::object(value, left_out).unwrap_or_else(|| value.to_vec()))
            }
            b"responseBody" if raw.whole == Whole::Yes => {
                Some(body_reduce::text_token(value, left_out)?.0)
            }
            b"transportError" if has_address(value) || request_reduce::is_header_text(value) => {
                left_out.others += 1;
                None
            }
            key if KEPT.contains(&key) => Some(value.to_vec()),
            key => {
                left_out.count_member(key, value);
                None
            }
        })
    })
}

fn has_address(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"://").is_some()
}

/// An object with what `keep` makes of its members; as it stands when it makes nothing else of them.
fn members_of(
    raw: &Raw,
    left_out: &mut LeftOut,
    mut keep: impl FnMut(&[u8], &[u8], &mut LeftOut) -> io::Result<Option<Vec<u8>>>,
) -> io::Result<Vec<u8>> {
    let mut reduced = b"{".to_vec();
    let mut changed = false;
    for member in json::members(&raw.bytes) {
        let Some(value) = keep(&member.key, member.value, left_out)? else {
            changed = true;
            continue;
        };
        changed |= value != member.value;
        if reduced.len() > 1 {
            reduced.push(b',');
        }
        json::push_quoted(&mut reduced, &String::from_utf8_lossy(&member.key));
        reduced.push(b':');
        reduced.extend_from_slice(&value);
    }
    if !changed {
        return Ok(raw.bytes.clone());
    }
    reduced.push(b'}');
    Ok(reduced)
}
