//! From protobuf to the JSON text of an event, in the order of the wire.

use super::schema::{self, Kind, Message, Shape};
use super::wire::{Content, Fields, NoMessage};
use crate::json::push_quoted;
use crate::limits::MAX_DEPTH;

/// Why a frame does not decode.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Failure {
    #[error("the bytes are no protobuf message")]
    NoMessage,
    #[error("an event of kind {0} that is not known")]
    UnknownEvent(u64),
    #[error("an event of no kind")]
    NoEvent,
    #[error("{0} is not of the type it should have")]
    WrongType(&'static str),
    /// Readers merge, take the first or take the last: what it says cannot be told.
    #[error("{0} is there more than once")]
    Twice(&'static str),
    #[error("a text that is no UTF-8")]
    NotUtf8,
    #[error("nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

impl From<NoMessage> for Failure {
    fn from(_: NoMessage) -> Self {
        Self::NoMessage
    }
}

/// The JSON text of the event that a frame holds.
pub(super) fn event(bytes: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut found = None;
    for field in Fields::of(bytes) {
        if found.replace(field?).is_some() {
            return Err(Failure::Twice("the event"));
        }
    }
    let (number, content) = found.ok_or(Failure::NoEvent)?;
    let (name, message) = schema::event(number).ok_or(Failure::UnknownEvent(number))?;
    let Content::Bytes(bytes) = content else { return Err(Failure::WrongType("the event")) };
    let mut members = vec![Member::new("type", format!("\"{name}\"").into_bytes())];
    decode(bytes, message, 1, &mut members)?;
    Ok(object(&members))
}

/// One member of the object that a message becomes.
#[derive(Debug)]
struct Member {
    name: &'static str,
    /// Its JSON text; of a list, the elements.
    text: Vec<u8>,
    list: bool,
}

impl Member {
    fn new(name: &'static str, text: Vec<u8>) -> Self {
        Self { name, text, list: false }
    }
}

fn decode(
    bytes: &[u8],
    message: &Message,
    depth: usize,
    members: &mut Vec<Member>,
) -> Result<(), Failure> {
    if depth > MAX_DEPTH {
        return Err(Failure::TooDeep);
    }
    let first = members.len();
    let mut seen = Vec::new();
    let mut variant = false;
    for field in Fields::of(bytes) {
        let (number, content) = field?;
        let known = message.fields.iter().find(|(known, _, _)| *known == number);
        let Some(&(_, name, kind)) = known else { continue };
        if !matches!(kind, Kind::Many(_) | Kind::Texts) {
            if seen.contains(&number) {
                return Err(Failure::Twice(if name.is_empty() { "a member" } else { name }));
            }
            seen.push(number);
        }
        match kind {
            Kind::Inline(inner) => decode(payload(content, "an event")?, inner, depth, members)?,
            Kind::Variant(inner) => {
                if std::mem::replace(&mut variant, true) {
                    return Err(Failure::Twice("a member"));
                }
                members.push(Member::new("type", format!("\"{name}\"").into_bytes()));
                decode(payload(content, name)?, inner, depth, members)?;
            }
            Kind::Many(_) | Kind::Texts => {
                let element = single(content, name, kind, depth)?;
                match members[first..].iter_mut().find(|member| member.name == name) {
                    Some(list) => {
                        list.text.push(b',');
                        list.text.extend_from_slice(&element);
                    }
                    None => members.push(Member { name, text: element, list: true }),
                }
            }
            _ => members.push(Member::new(name, single(content, name, kind, depth)?)),
        }
    }
    match message.shape {
        Shape::Plain => {}
        Shape::Outcome => take_in_outcome(members, first),
        Shape::Parts => {
            if let Some(parts) = members.iter().position(|member| member.name == "contentParts") {
                let mut parts = members.remove(parts);
                parts.name = "content";
                members.retain(|member| member.name != "content");
                members.push(parts);
            }
        }
    }
    for &(name, empty) in message.required {
        if !members[first..].iter().any(|member| member.name == name) {
            members.push(Member::new(name, empty.as_bytes().to_vec()));
        }
    }
    Ok(())
}

/// One value of a field.
fn single(
    content: Content<'_>,
    name: &'static str,
    kind: Kind,
    depth: usize,
) -> Result<Vec<u8>, Failure> {
    const OPERATIONS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];
    let mut out = Vec::new();
    match (kind, content) {
        (Kind::Text | Kind::Texts, Content::Bytes(bytes)) => text(bytes, &mut out)?,
        // A negative number is its two's complement on the wire.
        (Kind::Integer, Content::Varint(value)) => {
            out.extend_from_slice(value.cast_signed().to_string().as_bytes());
        }
        (Kind::Boolean, Content::Varint(value)) => {
            out.extend_from_slice(if value == 0 { b"false" } else { b"true" });
        }
        (Kind::Operation, Content::Varint(value)) => {
            let operation = usize::try_from(value).ok().and_then(|index| OPERATIONS.get(index));
            match operation {
                Some(operation) => push_quoted(&mut out, operation),
                None => push_quoted(&mut out, &format!("operation {value}")),
            }
        }
        (Kind::Value, Content::Bytes(bytes)) => value(bytes, depth, &mut out)?,
        (Kind::Struct, Content::Bytes(bytes)) => structure(bytes, depth, &mut out)?,
        (
            Kind::One(message)
            | Kind::Many(message)
            | Kind::Inline(message)
            | Kind::Variant(message),
            Content::Bytes(bytes),
        ) => {
            let mut members = Vec::new();
            decode(bytes, message, depth + 1, &mut members)?;
            out = object(&members);
        }
        _ => return Err(Failure::WrongType(name)),
    }
    Ok(out)
}

fn payload<'a>(content: Content<'a>, name: &'static str) -> Result<&'a [u8], Failure> {
    match content {
        Content::Bytes(bytes) => Ok(bytes),
        _ => Err(Failure::WrongType(name)),
    }
}

fn text(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Failure> {
    push_quoted(out, std::str::from_utf8(bytes).map_err(|_| Failure::NotUtf8)?);
    Ok(())
}

fn object(members: &[Member]) -> Vec<u8> {
    let mut out = b"{".to_vec();
    for member in members {
        if out.len() > 1 {
            out.push(b',');
        }
        push_quoted(&mut out, member.name);
        out.push(b':');
        if member.list {
            out.push(b'[');
        }
        out.extend_from_slice(&member.text);
        if member.list {
            out.push(b']');
        }
    }
    out.push(b'}');
    out
}

/// `outcome` is a word on the wire and an object in JSON.
fn take_in_outcome(members: &mut Vec<Member>, first: usize) {
    let Some(outcome) = members.iter().skip(first).position(|member| member.name == "outcome")
    else {
        return;
    };
    let place = first + outcome;
    let mut outcome = members.remove(place);
    let mut inner = vec![Member::new("type", outcome.text)];
    for name in ["interrupts", "pendingToolCallIds", "interruptIds"] {
        if let Some(belonging) = members.iter().position(|member| member.name == name) {
            inner.push(members.remove(belonging));
        }
    }
    outcome.text = object(&inner);
    members.insert(place.min(members.len()), outcome);
}

/// A `google.protobuf.Value`; without any field it is null.
fn value(bytes: &[u8], depth: usize, out: &mut Vec<u8>) -> Result<(), Failure> {
    if depth > MAX_DEPTH {
        return Err(Failure::TooDeep);
    }
    let mut only = None;
    for field in Fields::of(bytes) {
        let field = field?;
        if (1..=6).contains(&field.0) && only.replace(field).is_some() {
            return Err(Failure::Twice("a value"));
        }
    }
    match only {
        None | Some((1, Content::Varint(_))) => out.extend_from_slice(b"null"),
        Some((2, Content::Fixed64(bits))) => number(f64::from_bits(bits), out),
        Some((3, Content::Bytes(bytes))) => text(bytes, out)?,
        Some((4, Content::Varint(truth))) => {
            out.extend_from_slice(if truth == 0 { b"false" } else { b"true" });
        }
        Some((5, Content::Bytes(bytes))) => structure(bytes, depth, out)?,
        Some((6, Content::Bytes(bytes))) => {
            out.push(b'[');
            let mut any = false;
            for field in Fields::of(bytes) {
                if let (1, Content::Bytes(element)) = field? {
                    if std::mem::replace(&mut any, true) {
                        out.push(b',');
                    }
                    value(element, depth + 1, out)?;
                }
            }
            out.push(b']');
        }
        Some(_) => return Err(Failure::WrongType("a value")),
    }
    Ok(())
}

/// A `google.protobuf.Struct`.
fn structure(bytes: &[u8], depth: usize, out: &mut Vec<u8>) -> Result<(), Failure> {
    out.push(b'{');
    let mut any = false;
    for field in Fields::of(bytes) {
        let (1, Content::Bytes(entry)) = field? else { continue };
        if std::mem::replace(&mut any, true) {
            out.push(b',');
        }
        let (mut key, mut element) = (None, None);
        for field in Fields::of(entry) {
            let before = match field? {
                (1, Content::Bytes(bytes)) => key.replace(bytes),
                (2, Content::Bytes(bytes)) => element.replace(bytes),
                _ => None,
            };
            if before.is_some() {
                return Err(Failure::Twice("a name or its value"));
            }
        }
        text(key.unwrap_or_default(), out)?;
        out.push(b':');
        value(element.unwrap_or_default(), depth + 1, out)?;
    }
    out.push(b'}');
    Ok(())
}

/// A number as JSON writes it: whole numbers without a point.
fn number(value: f64, out: &mut Vec<u8>) {
    let text = if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() }
    } else if value != 0.0 && (value.abs() >= 1e21 || value.abs() < 1e-6) {
        format!("{value:e}")
    } else {
        format!("{value}")
    };
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, u8::try_from(bytes.len()).unwrap()], bytes].concat()
    }

    #[test]
    fn numbers_are_written_as_json_writes_them() {
        for (value, expected) in [
            (753.0, "753"),
            (-0.0, "-0"),
            (0.1, "0.1"),
            (1e21, "1e21"),
            (123456789012345680000.0, "123456789012345680000"),
            (1e-7, "1e-7"),
            (f64::INFINITY, "Infinity"),
        ] {
            let mut out = Vec::new();
            number(value, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn an_empty_text_is_there_all_the_same() {
        let content = field(2, &field(2, b"m1"));
        assert_eq!(
            event(&content).unwrap(),
            br#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":""}"#
        );
    }

    #[test]
    fn an_outcome_becomes_an_object() {
        let interrupt = [field(1, b"i1"), field(2, b"approval")].concat();
        let finished =
            [field(2, b"t"), field(3, b"r"), field(5, b"interrupt"), field(6, &interrupt)].concat();
        assert_eq!(
            String::from_utf8(event(&field(13, &finished)).unwrap()).unwrap(),
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"approval"}]}}"#
        );
    }

    #[test]
    fn what_does_not_decode_is_named() {
        assert_eq!(event(b""), Err(Failure::NoEvent));
        assert_eq!(event(&[0xff]), Err(Failure::NoMessage));
        // Field 47, which is no event of this version.
        assert_eq!(event(&[0xfa, 0x02, 0x00]), Err(Failure::UnknownEvent(47)));
        assert_eq!(event(&field(3, &field(2, b"\xff"))), Err(Failure::NotUtf8));
        let deep = (0..200).fold(Vec::new(), |inner: Vec<u8>, _| {
            let mut list = vec![0x32];
            let element = [&[0x0a][..], &varint(inner.len()), &inner].concat();
            list.extend(varint(element.len()));
            list.extend(element);
            list
        });
        let snapshot = [&[0x12][..], &varint(deep.len()), &deep].concat();
        let framed = [&[0x3a][..], &varint(snapshot.len()), &snapshot].concat();
        assert_eq!(event(&framed), Err(Failure::TooDeep));
    }

    #[test]
    fn what_may_be_there_once_and_is_there_twice_is_never_read() {
        let name = |text: &[u8]| field(2, text);
        let null = [8, 0];
        let entry = field(1, &[field(1, b"a"), field(2, &null)].concat());
        let twice = |what: &[u8]| [what, what].concat();
        let custom = |inner: &[u8]| event(&field(11, inner));
        assert!(custom(&[name(b"n"), field(3, &field(5, &entry))].concat()).is_ok());
        for bytes in [
            twice(&name(b"n")),
            twice(&field(1, b"")),
            twice(&field(3, &null)),
            field(3, &twice(&null)),
            field(3, &[&null[..], &[32, 1]].concat()),
            field(3, &field(5, &field(1, &twice(&field(1, b"a"))))),
            field(3, &field(5, &field(1, &twice(&field(2, &null))))),
            field(3, &field(6, &field(1, &twice(&null)))),
        ] {
            assert!(matches!(custom(&bytes), Err(Failure::Twice(_))), "{bytes:?}");
        }
        assert_eq!(event(&twice(&field(11, &name(b"n")))), Err(Failure::Twice("the event")));
    }

    fn varint(mut value: usize) -> Vec<u8> {
        let mut out = Vec::new();
        while value >= 0x80 {
            out.push(u8::try_from(value & 0x7f).unwrap() | 0x80);
            value >>= 7;
        }
        out.push(u8::try_from(value).unwrap());
        out
    }
}
