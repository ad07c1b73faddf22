//! JSON whose members stay in the order in which they are written, whatever features `serde_json` was built with.

use moca_reader::Value;

use super::Failure;

/// An object.
pub(super) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A text.
pub(super) fn text(text: impl Into<String>) -> Value {
    Value::String(text.into())
}

/// JSON written by hand in a script.
pub(super) fn parsed(json: &str) -> Result<Value, Failure> {
    serde_json::from_str(json).map_err(|why| format!("{why} in {json}").into())
}

/// One line of JSON.
pub(super) fn line(value: &Value) -> Result<String, Failure> {
    Ok(serde_json::to_string(value)?)
}

/// Adds a member at the end of an object.
pub(super) fn push(value: &mut Value, name: &str, member: Value) {
    if let Value::Map(members) = value {
        members.push((name.to_owned(), member));
    }
}

/// Takes a member out of the object at `place`.
pub(super) fn remove(value: &mut Value, place: &[&str], name: &str) {
    if let Some(Value::Map(members)) = at(value, place) {
        members.retain(|(known, _)| known != name);
    }
}

/// Gives a member of the object at `place` another value.
pub(super) fn set(value: &mut Value, place: &[&str], name: &str, member: Value) {
    if let Some(Value::Map(members)) = at(value, place) {
        match members.iter_mut().find(|(known, _)| known == name) {
            Some((_, held)) => *held = member,
            None => members.push((name.to_owned(), member)),
        }
    }
}

fn at<'v>(value: &'v mut Value, place: &[&str]) -> Option<&'v mut Value> {
    let [first, rest @ ..] = place else { return Some(value) };
    match value {
        Value::Map(members) => members
            .iter_mut()
            .find(|(name, _)| name == first)
            .and_then(|(_, inner)| at(inner, rest)),
        _ => None,
    }
}
