//! JSON patches of states and activities (facts/agui §1.5, §3.0), within limits.

use json_patch::PatchOperation;
use serde_json::{Value, json};

use super::codes;
use crate::event::note::quote;
use crate::event::{JsonType, Raw, lenient};
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

/// Most parts that patches with copies of one value go through before its next snapshot.
const MAX_COPY_WORK: usize = 100 * MAX_NODES;

/// The operations of RFC 6902.
const OPERATIONS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// A value that patches change.
#[derive(Debug, Clone)]
pub(super) struct Patchable {
    value: Value,
    /// At most this many parts.
    parts: usize,
    /// Bytes of patches since it was measured: measuring again has to be earned.
    since: usize,
    copy_work: usize,
}

/// What came of a patch, beside the value.
#[derive(Debug, Default)]
pub(super) struct Patched {
    /// Operations that are in no enumeration.
    pub unknown: Vec<String>,
    /// Why nothing was applied.
    pub failed: Option<Failure>,
}

/// The code and the reason.
pub(super) type Failure = (&'static Code, String);

impl Default for Patchable {
    fn default() -> Self {
        Self::of(json!({}))
    }
}

impl Patchable {
    pub(super) fn of(value: Value) -> Self {
        let parts = measure(&value).unwrap_or(MAX_NODES);
        Self { value, parts, since: 0, copy_work: 0 }
    }

    /// Reads a value; `None` when it is larger than is held.
    pub(super) fn read(json: &str) -> Option<Self> {
        read(json).map(Self::of)
    }

    pub(super) fn value(&self) -> &Value {
        &self.value
    }

    /// Applies a patch: all of it or nothing. From 1.0 on unknown operations are dropped, before they make it fail.
    pub(super) fn apply(&mut self, patch: Raw<'_>, drops_unknown: bool) -> Patched {
        let mut patched = Patched::default();
        patched.failed = operations(patch, &mut patched.unknown)
            .and_then(|operations| {
                if !patched.unknown.is_empty() && !drops_unknown {
                    return Err((&codes::PATCH_FAILED, "An operation is unknown.".to_owned()));
                }
                self.run(&operations, patch.json().len())
            })
            .err();
        patched
    }

    fn run(&mut self, operations: &[PatchOperation], bytes: usize) -> Result<(), Failure> {
        let is_copy =
            |o: &&PatchOperation| matches!(o, PatchOperation::Copy(_) | PatchOperation::Move(_));
        let copies = operations.iter().filter(is_copy).count();
        if copies > MAX_COPIES {
            let why = format!("{copies} copies and moves; {MAX_COPIES} are worked out.");
            return Err((&codes::PATCH_TOO_LARGE, why));
        }
        if copies > 0 {
            return self.run_copies(operations);
        }
        // A part takes two characters at least, with its separator.
        let more = bytes / 2;
        self.since += bytes;
        if self.parts + more > MAX_NODES && self.since >= self.parts / 16 {
            self.parts = measure(&self.value).unwrap_or(MAX_NODES);
            self.since = 0;
        }
        if self.parts + more > MAX_NODES {
            return Err(too_large());
        }
        json_patch::patch(&mut self.value, operations).map_err(|error| failed(&error))?;
        self.parts += more;
        Ok(())
    }

    /// A copy can double the value, so that thirty of them make it anything: measured after each.
    fn run_copies(&mut self, operations: &[PatchOperation]) -> Result<(), Failure> {
        let mut copy = self.value.clone();
        let mut parts = self.parts;
        for operation in operations {
            json_patch::patch(&mut copy, std::slice::from_ref(operation))
                .map_err(|error| failed(&error))?;
            if matches!(operation, PatchOperation::Copy(_) | PatchOperation::Move(_)) {
                self.copy_work += parts;
                if self.copy_work > MAX_COPY_WORK {
                    return Err(too_large());
                }
                parts = measure(&copy).ok_or_else(too_large)?;
            }
        }
        self.parts = measure(&copy).ok_or_else(too_large)?;
        self.value = copy;
        Ok(())
    }
}

fn too_large() -> Failure {
    (
        &codes::PATCH_TOO_LARGE,
        format!("The value would have more than {MAX_NODES} parts, or take too long."),
    )
}

fn failed(error: &json_patch::PatchError) -> Failure {
    (&codes::PATCH_FAILED, format!("The patch does not apply: {}.", quote(&error.to_string())))
}

/// Reads a value; `None` when it is larger than is held.
pub(super) fn read(json: &str) -> Option<Value> {
    // Values hold many times their text's size; separators tell how many there are.
    let separators = memchr::memchr3_iter(b',', b'[', b'{', json.as_bytes());
    if json.len() > MAX_VALUE_BYTES || separators.count() > MAX_NODES {
        return None;
    }
    lenient::value(json).ok()
}

fn operations(patch: Raw<'_>, unknown: &mut Vec<String>) -> Result<Vec<PatchOperation>, Failure> {
    let failed = |why: String| (&codes::PATCH_FAILED, why);
    // Some servers send one operation instead of a list (facts/agui §1.5).
    let elements = match patch.kind() {
        JsonType::Object => vec![patch],
        kind => {
            patch.array().ok_or_else(|| failed(format!("A patch should be a list, not {kind}.")))?
        }
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
        let operation: PatchOperation = lenient::value(raw.json()).map_err(|error| {
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

/// Deepest nesting of a value after a patch.
const MAX_VALUE_DEPTH: usize = 2 * MAX_POINTER_PARTS;

/// Number of parts; `None` when there are too many, too deep or too long.
fn measure(value: &Value) -> Option<usize> {
    let (mut parts, mut bytes) = (0, 0);
    let mut stack = vec![(value, 0)];
    while let Some((value, depth)) = stack.pop() {
        parts += 1;
        bytes += match value {
            Value::String(text) => text.len(),
            Value::Object(members) => members.keys().map(String::len).sum(),
            _ => 1,
        };
        if parts > MAX_NODES || bytes > MAX_VALUE_BYTES || depth > MAX_VALUE_DEPTH {
            return None;
        }
        match value {
            Value::Array(elements) => stack.extend(elements.iter().map(|e| (e, depth + 1))),
            Value::Object(members) => stack.extend(members.values().map(|e| (e, depth + 1))),
            _ => {}
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{MAX_NODES, Patchable, Patched};
    use crate::event::Raw;

    fn patched(value: Value, patch: &Value, drops_unknown: bool) -> (Value, Patched) {
        let mut value = Patchable::of(value);
        let text = patch.to_string();
        let patched = value.apply(Raw::new(&text), drops_unknown);
        (value.value, patched)
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
        let double = json!({"op":"copy","from":"/a","path":"/a/-"});
        let (value, outcome) = patched(json!({"a":["x"]}), &json!(vec![double; 200]), true);
        assert_eq!(value, json!({"a":["x"]}));
        assert_eq!(outcome.failed.unwrap().0.id, "agui.patch.too-large");
        let mut nested = Patchable::of(json!({"b":1}));
        let nest = json!(vec![json!({"op":"copy","from":"","path":"/a"}); 200]).to_string();
        assert!(nested.apply(Raw::new(&nest), true).failed.is_none());
        let deeper = nested.apply(Raw::new(&nest), true).failed.unwrap();
        assert_eq!(deeper.0.id, "agui.patch.too-large");
    }

    #[test]
    fn a_value_grows_to_its_limit_and_shrinks_again() {
        let mut value = Patchable::default();
        let text = json!([{"op":"add","path":"/a","value":vec![0; 200_000]}]).to_string();
        let other = text.replace("/a", "/b");
        assert!(value.apply(Raw::new(&text), true).failed.is_none());
        for _ in 0..6 {
            assert!(value.apply(Raw::new(&text), true).failed.is_none(), "replaced, not added");
        }
        for key in ["/b", "/c", "/d"] {
            assert!(value.apply(Raw::new(&other.replace("/b", key)), true).failed.is_none());
        }
        let five = value.apply(Raw::new(&other.replace("/b", "/e")), true);
        assert_eq!(five.failed.unwrap().0.id, "agui.patch.too-large");
        assert!(value.parts <= MAX_NODES);
        assert!(
            value
                .apply(
                    Raw::new(r#"[{"op":"remove","path":"/a"},{"op":"remove","path":"/b"}]"#),
                    true
                )
                .failed
                .is_none()
        );
        assert!(value.apply(Raw::new(&other), true).failed.is_none());
    }
}
