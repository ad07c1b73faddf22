//! An agui-inspector session without members of its exchanges that can hold headers, cookies or tokens.

use std::io::{self, Write};

use super::body_reduce;
use super::reduce::bare_url_token;
use super::window::Window;
use super::{Content, LeftOut};
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
                if key != b"exchanges" || !cursor.enter(b'[')? {
                    return Ok(false);
                }
                exchanges(cursor, out, &mut left_out).map(|()| true)
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

fn exchanges(cursor: &mut Cursor, out: &mut dyn Write, left_out: &mut LeftOut) -> io::Result<()> {
    while cursor.element()? == Element::Value {
        let before = cursor.window().keep_passed(false);
        out.write_all(&before)?;
        let raw = cursor.value(MAX_FRAME_BYTES)?;
        out.write_all(&exchange(&raw, left_out)?)?;
        cursor.window().keep_passed(true);
    }
    Ok(())
}

fn exchange(raw: &Raw, left_out: &mut LeftOut) -> io::Result<Vec<u8>> {
    if raw.whole == Whole::TooLong {
        left_out.entries += 1;
        return Ok(b"null".to_vec());
    }
    let mut reduced = b"{".to_vec();
    let mut changed = false;
    for member in json::members(&raw.bytes) {
        let value = match &*member.key {
            b"path" => bare_url_token(member.value, left_out),
            b"requestBody" | b"responseBody" if !member.cut => {
                body_reduce::text_token(member.value, left_out)?.0
            }
            key if KEPT.contains(&key) => member.value.to_vec(),
            b"cookies" => {
                left_out.cookies += json::elements(member.value).count() as u64;
                left_out.cookies += json::members(member.value).count() as u64;
                changed = true;
                continue;
            }
            _ => {
                left_out.count_headers(member.value);
                changed = true;
                continue;
            }
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
