//! JSON whose members stay in the order in which they are written, whatever features `serde_json` was built with.

use std::sync::Arc;

use moca_reader::{Text, Value};

use super::Failure;

/// An object.
pub(super) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::map(members)
}

/// A text.
pub(super) fn text(text: impl Into<String>) -> Value {
    text.into().into()
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
    change(value, &[], |members| members.push((name.into(), member)));
}

/// Takes a member out of the object at `place`.
pub(super) fn remove(value: &mut Value, place: &[&str], name: &str) {
    change(value, place, |members| members.retain(|(known, _)| *known != *name));
}

/// Gives a member of the object at `place` another value.
pub(super) fn set(value: &mut Value, place: &[&str], name: &str, member: Value) {
    change(value, place, |members| match members.iter_mut().find(|(known, _)| *known == *name) {
        Some((_, held)) => *held = member,
        None => members.push((name.into(), member)),
    });
}

/// Changes the members of the object at `place`, if there is one.
fn change(value: &mut Value, place: &[&str], how: impl FnOnce(&mut Vec<(Text, Value)>)) {
    if let Some(Value::Map(shared)) = at(value, place) {
        let mut members = shared.to_vec();
        how(&mut members);
        *shared = members.into();
    }
}

fn at<'v>(value: &'v mut Value, place: &[&str]) -> Option<&'v mut Value> {
    let [first, rest @ ..] = place else { return Some(value) };
    match value {
        Value::Map(members) => Arc::make_mut(members)
            .iter_mut()
            .find(|(name, _)| *name == **first)
            .and_then(|(_, inner)| at(inner, rest)),
        _ => None,
    }
}
