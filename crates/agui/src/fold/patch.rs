//! JSON patches of states and activities (facts/agui §1.5, §3.0), within limits.

use json_patch::PatchOperation;
use serde_json::Value;

use super::codes;
use crate::event::note::quote;
use crate::event::{JsonType, Raw};
use crate::finding::Code;

/// Largest value that is held for patches, as JSON text, in bytes.
pub const MAX_VALUE_BYTES: usize = 16 << 20;

/// Most lists, objects and plain values in one value.
pub const MAX_NODES: usize = 1_000_000;

/// Most operations of one patch.
pub const MAX_OPERATIONS: usize = 10_000;

/// Most `copy` and `move` operations of one patch; each makes the value be measured again.
pub const MAX_COPIES: usize = 256;

/// Most parts of a JSON pointer, so that values nest no deeper than twice this.
pub const MAX_POINTER_PARTS: usize = 128;

/// The operations of RFC 6902.
const OPERATIONS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// What came of a patch, beside the value.
#[derive(Debug, Default)]
pub(super) struct Patched {
    /// Operations that are in no enumeration.
    pub unknown: Vec<String>,
    /// Why nothing was applied.
    pub failed: Option<(&'static Code, String)>,
}

/// Reads a value that patches may follow; `None` when it is larger than is held.
pub(super) fn value(json: &str) -> Option<Value> {
    // Values hold many times their text's size; separators tell how many there are.
    if json.len() > MAX_VALUE_BYTES
        || memchr::memchr3_iter(b',', b'[', b'{', json.as_bytes()).count() > MAX_NODES
    {
        return None;
    }
    serde_json::from_str(json).ok()
}

/// Applies a patch: all of it or nothing. From 1.0 on unknown operations are dropped, before they make it fail.
pub(super) fn apply(value: &mut Value, patch: Raw<'_>, drops_unknown: bool) -> Patched {
    let mut patched = Patched::default();
    patched.failed = operations(patch, &mut patched.unknown)
        .and_then(|operations| {
            if !patched.unknown.is_empty() && !drops_unknown {
                return Err((&codes::PATCH_FAILED, "An operation is unknown.".to_owned()));
            }
            run(value, &operations, patch.json().len())
        })
        .err();
    patched
}

type Failure = (&'static Code, String);

fn operations(patch: Raw<'_>, unknown: &mut Vec<String>) -> Result<Vec<PatchOperation>, Failure> {
    let failed = |why: String| (&codes::PATCH_FAILED, why);
    // Some servers send one operation instead of a list (facts/agui §1.5).
    let elements = match patch.kind() {
        JsonType::Object => vec![patch],
        _ => patch
            .array()
            .ok_or_else(|| failed(format!("A patch should be a list, not {}.", patch.kind())))?,
    };
    if elements.len() > MAX_OPERATIONS {
        let why = format!("{} operations; {MAX_OPERATIONS} are worked out.", elements.len());
        return Err((&codes::PATCH_TOO_LARGE, why));
    }
    let mut operations = Vec::with_capacity(elements.len());
    for (n, raw) in elements.iter().enumerate() {
        let name = raw.object().and_then(|o| o.get("op")?.text().ok().map(|t| t.into_owned()));
        if let Some(name) = name.filter(|name| !OPERATIONS.contains(&name.as_str())) {
            unknown.push(name);
            continue;
        }
        let operation: PatchOperation = serde_json::from_str(raw.json()).map_err(|error| {
            failed(format!("Operation {n} cannot be read: {}.", quote(&error.to_string())))
        })?;
        let parts = operation.path().as_str().bytes().filter(|b| *b == b'/').count();
        if parts > MAX_POINTER_PARTS {
            return Err((
                &codes::PATCH_TOO_LARGE,
                format!("Operation {n} points {parts} levels deep."),
            ));
        }
        operations.push(operation);
    }
    Ok(operations)
}

fn run(value: &mut Value, operations: &[PatchOperation], bytes: usize) -> Result<(), Failure> {
    let too_large =
        || (&codes::PATCH_TOO_LARGE, format!("The value would have more than {MAX_NODES} parts."));
    let copies = operations
        .iter()
        .filter(|o| matches!(o, PatchOperation::Copy(_) | PatchOperation::Move(_)))
        .count();
    if copies > MAX_COPIES {
        return Err((
            &codes::PATCH_TOO_LARGE,
            format!("{copies} copies and moves; {MAX_COPIES} are worked out."),
        ));
    }
    let failed = |error: json_patch::PatchError| (&codes::PATCH_FAILED, quote(&error.to_string()));
    if copies == 0 {
        if measure(value).is_none_or(|nodes| nodes + bytes / 2 > MAX_NODES) {
            return Err(too_large());
        }
        return json_patch::patch(value, operations).map_err(failed);
    }
    // A copy can double the value, so that thirty of them make it anything.
    let mut copy = value.clone();
    for operation in operations {
        json_patch::patch(&mut copy, std::slice::from_ref(operation)).map_err(failed)?;
        if matches!(operation, PatchOperation::Copy(_) | PatchOperation::Move(_))
            && measure(&copy).is_none()
        {
            return Err(too_large());
        }
    }
    if measure(&copy).is_none() {
        return Err(too_large());
    }
    *value = copy;
    Ok(())
}

/// Deepest nesting of a value after a patch.
const MAX_VALUE_DEPTH: usize = 2 * MAX_POINTER_PARTS;

/// Number of parts; `None` when there are too many, too deep or too long.
fn measure(value: &Value) -> Option<usize> {
    let (mut nodes, mut bytes) = (0, 0);
    let mut stack = vec![(value, 0)];
    while let Some((value, depth)) = stack.pop() {
        nodes += 1;
        bytes += match value {
            Value::String(text) => text.len(),
            Value::Object(members) => members.keys().map(String::len).sum(),
            _ => 1,
        };
        if nodes > MAX_NODES || bytes > MAX_VALUE_BYTES || depth > MAX_VALUE_DEPTH {
            return None;
        }
        match value {
            Value::Array(elements) => stack.extend(elements.iter().map(|e| (e, depth + 1))),
            Value::Object(members) => stack.extend(members.values().map(|e| (e, depth + 1))),
            _ => {}
        }
    }
    Some(nodes)
}

#[cfg(test)]
mod tests {
    use super::{Patched, apply};
    use crate::event::Raw;
    use serde_json::{Value, json};

    fn patched(mut value: Value, patch: &Value, drops_unknown: bool) -> (Value, Patched) {
        let text = patch.to_string();
        let patched = apply(&mut value, Raw::new(&text), drops_unknown);
        (value, patched)
    }

    #[test]
    fn a_patch_applies_whole_or_not_at_all() {
        let patch = json!([{"op":"replace","path":"/a","value":2},{"op":"replace","path":"/b/c","value":1}]);
        let (value, outcome) = patched(json!({"a":1}), &patch, true);
        assert_eq!(value, json!({"a":1}));
        assert_eq!(outcome.failed.unwrap().0.id, "agui.patch.failed");
    }

    #[test]
    fn unknown_operations_are_dropped_from_1_0_on_and_fail_before() {
        let patch = json!([{"op":"increment","path":"/a"},{"op":"replace","path":"/a","value":5,"more":true}]);
        let (value, outcome) = patched(json!({"a":1}), &patch, true);
        assert_eq!((value, outcome.unknown), (json!({"a":5}), vec!["increment".to_owned()]));
        let (value, outcome) = patched(json!({"a":1}), &patch, false);
        assert_eq!(
            (value, outcome.unknown.len(), outcome.failed.is_some()),
            (json!({"a":1}), 1, true)
        );
    }

    #[test]
    fn copies_that_double_and_nest_end_at_the_limit() {
        let double = json!({"op":"copy","from":"","path":"/a"});
        let (value, outcome) = patched(json!({"a":"x","b":"y"}), &json!(vec![double; 200]), true);
        assert_eq!(value, json!({"a":"x","b":"y"}));
        assert_eq!(outcome.failed.unwrap().0.id, "agui.patch.too-large");
    }
}
