//! JSON patches of states and activities (facts/agui §1.5, §3.0), within limits.

use json_patch::jsonptr::{Pointer, PointerBuf};
use json_patch::{
    AddOperation, CopyOperation, MoveOperation, PatchOperation, RemoveOperation, ReplaceOperation,
};
use serde_json::{Value, json};

use super::codes;
use super::measure::{CopyWork, MAX_VALUE_DEPTH, Size, measured, too_large};
use crate::event::note::quote;
use crate::event::{JsonType, Raw, lenient};
use crate::finding::Code;

/// Largest value that is held for patches, as JSON text, in bytes.
pub const MAX_VALUE_BYTES: usize = 16 << 20;

/// Most lists, objects and plain values in one value.
pub const MAX_NODES: usize = 1_000_000;

/// Most operations of one patch.
pub const MAX_OPERATIONS: usize = 10_000;

/// Most `copy` and `move` operations of one patch.
pub const MAX_COPIES: usize = 256;

/// Most parts of a JSON pointer, so that values nest no deeper than twice this.
pub const MAX_POINTER_PARTS: usize = 128;

/// The operations of RFC 6902.
const OPERATIONS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// A value that patches change.
#[derive(Debug, Clone)]
pub(super) struct Patchable {
    value: Value,
    /// At most this large.
    size: Size,
    /// Bytes of patches since it was measured: measuring again has to be earned.
    since: usize,
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
        let size = measured(&value);
        Self { value, size, since: 0 }
    }

    /// Reads a value; `None` when it is larger than is held.
    pub(super) fn read(json: &str) -> Option<Self> {
        read(json).map(Self::of)
    }

    pub(super) fn value(&self) -> &Value {
        &self.value
    }

    /// About the bytes of its JSON text, at most.
    pub(super) fn bytes(&self) -> usize {
        self.size.bytes.saturating_add(2 * self.size.parts)
    }

    /// Applies a patch: all of it or nothing. From 1.0 on unknown operations are dropped, before they make it fail.
    pub(super) fn apply(
        &mut self,
        patch: Raw<'_>,
        drops_unknown: bool,
        work: &mut CopyWork,
    ) -> Patched {
        work.earn(patch.json().len());
        let mut patched = Patched::default();
        patched.failed = operations(patch, &mut patched.unknown)
            .and_then(|operations| {
                if !patched.unknown.is_empty() && !drops_unknown {
                    return Err((&codes::PATCH_FAILED, "An operation is unknown.".to_owned()));
                }
                self.run(&operations, patch.json().len(), work)
            })
            .err();
        patched
    }

    fn run(
        &mut self,
        operations: &[PatchOperation],
        bytes: usize,
        work: &mut CopyWork,
    ) -> Result<(), Failure> {
        let copies = operations.iter().filter(|operation| is_copy(operation)).count();
        if copies > MAX_COPIES {
            let why = format!("{copies} copies and moves; {MAX_COPIES} are worked out.");
            return Err((&codes::PATCH_TOO_LARGE, why));
        }
        // A part takes two characters at least, with its separator.
        let more = bytes / 2;
        self.since += bytes;
        let is_full = self.size.parts + more > MAX_NODES || self.size.bytes > MAX_VALUE_BYTES;
        if is_full && self.since >= self.size.parts / 16 {
            self.size = measured(&self.value);
            self.since = 0;
        }
        if self.size.parts + more > MAX_NODES {
            return Err(too_large());
        }
        if copies > 0 {
            self.run_copies(operations, work)?;
        } else {
            json_patch::patch(&mut self.value, operations).map_err(|error| failed(&error))?;
        }
        self.size.parts += more;
        self.size.bytes = self.size.bytes.saturating_add(bytes);
        Ok(())
    }

    /// A copy can double the value, so that thirty of them make it anything: what is copied is measured before. Only
    /// what an operation touches is gone through, and not the whole value, however many patches come.
    fn run_copies(
        &mut self,
        operations: &[PatchOperation],
        work: &mut CopyWork,
    ) -> Result<(), Failure> {
        let before = self.size;
        let mut undo = Vec::new();
        for operation in operations {
            if let Err(failure) = self.run_one(operation, work, &mut undo) {
                for inverse in undo.iter().rev() {
                    // It reverses what was applied to this very value.
                    let _ = json_patch::patch(&mut self.value, std::slice::from_ref(inverse));
                }
                self.size = before;
                return Err(failure);
            }
        }
        Ok(())
    }

    fn run_one(
        &mut self,
        operation: &PatchOperation,
        work: &mut CopyWork,
        undo: &mut Vec<PatchOperation>,
    ) -> Result<(), Failure> {
        let (PatchOperation::Copy(CopyOperation { from, path })
        | PatchOperation::Move(MoveOperation { from, path })) = operation
        else {
            return self.run_reversibly(operation, work, undo);
        };
        let Some(source) = self.value.pointer(from.as_str()) else { return Err(nowhere(from)) };
        let grown = work.measure(source)?;
        if path.count() + grown.depth > MAX_VALUE_DEPTH {
            return Err(too_large());
        }
        let value = source.clone();
        if matches!(operation, PatchOperation::Move(_)) {
            if path != from && path.starts_with(from) {
                let why = format!("{} is moved into itself.", quote(from.as_str()));
                return Err((&codes::PATCH_FAILED, why));
            }
            let remove = PatchOperation::Remove(RemoveOperation { path: from.clone() });
            self.run_reversibly(&remove, work, undo)?;
        }
        let is_over = |size: Size| {
            size.parts + grown.parts > MAX_NODES || size.bytes + grown.bytes > MAX_VALUE_BYTES
        };
        if is_over(self.size) {
            self.size = work.measure(&self.value)?;
        }
        if is_over(self.size) {
            return Err(too_large());
        }
        let add = PatchOperation::Add(AddOperation { path: path.clone(), value });
        self.run_reversibly(&add, work, undo)?;
        self.size.parts += grown.parts;
        self.size.bytes += grown.bytes;
        Ok(())
    }

    fn run_reversibly(
        &mut self,
        operation: &PatchOperation,
        work: &mut CopyWork,
        undo: &mut Vec<PatchOperation>,
    ) -> Result<(), Failure> {
        let mut replaced = Size::default();
        let mut held = |path: &Pointer| -> Result<Option<Value>, Failure> {
            let Some(value) = self.value.pointer(path.as_str()) else { return Ok(None) };
            replaced = work.measure(value)?;
            Ok(Some(value.clone()))
        };
        let replace = |path: &Pointer, value| {
            PatchOperation::Replace(ReplaceOperation { path: path.to_buf(), value })
        };
        let inverse = match operation {
            PatchOperation::Test(_) => None,
            PatchOperation::Replace(ReplaceOperation { path, .. }) => {
                Some(replace(path, held(path)?.ok_or_else(|| nowhere(path))?))
            }
            PatchOperation::Remove(RemoveOperation { path }) => {
                let value = held(path)?.ok_or_else(|| nowhere(path))?;
                Some(PatchOperation::Add(AddOperation { path: path.clone(), value }))
            }
            PatchOperation::Add(AddOperation { path, .. })
            | PatchOperation::Copy(CopyOperation { path, .. })
            | PatchOperation::Move(MoveOperation { path, .. }) => {
                let inserted = self.inserted_at(path);
                let value = if inserted.is_some() { None } else { held(path)? };
                Some(match value {
                    Some(value) => replace(path, value),
                    None => PatchOperation::Remove(RemoveOperation {
                        path: inserted.unwrap_or_else(|| path.clone()),
                    }),
                })
            }
        };
        json_patch::patch(&mut self.value, std::slice::from_ref(operation))
            .map_err(|error| failed(&error))?;
        undo.extend(inverse);
        self.size.parts = self.size.parts.saturating_sub(replaced.parts);
        self.size.bytes = self.size.bytes.saturating_sub(replaced.bytes);
        Ok(())
    }

    /// Where a list gets a new element, when it is a list that does.
    fn inserted_at(&self, path: &Pointer) -> Option<PointerBuf> {
        let (parent, last) = path.split_back()?;
        let length = self.value.pointer(parent.as_str())?.as_array()?.len();
        let mut at = parent.to_buf();
        if last.encoded() == "-" {
            at.push_back(length);
        } else {
            at.push_back(last);
        }
        Some(at)
    }
}

fn is_copy(operation: &PatchOperation) -> bool {
    matches!(operation, PatchOperation::Copy(_) | PatchOperation::Move(_))
}

fn nowhere(path: &Pointer) -> Failure {
    let why = format!("The patch does not apply: {} points nowhere.", quote(path.as_str()));
    (&codes::PATCH_FAILED, why)
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{CopyWork, MAX_NODES, Patchable, Patched};
    use crate::event::Raw;
    use crate::fold::measure::{FREE_WORK, WORK_PER_BYTE};

    fn patched(value: Value, patch: &Value, drops_unknown: bool) -> (Value, Patched) {
        let mut value = Patchable::of(value);
        let text = patch.to_string();
        let patched = value.apply(Raw::new(&text), drops_unknown, &mut CopyWork::default());
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
        let mut work = CopyWork::default();
        let nest = json!(vec![json!({"op":"copy","from":"","path":"/a"}); 200]).to_string();
        assert!(nested.apply(Raw::new(&nest), true, &mut work).failed.is_none());
        let deeper = nested.apply(Raw::new(&nest), true, &mut work).failed.unwrap();
        assert_eq!(deeper.0.id, "agui.patch.too-large");
    }

    #[test]
    fn a_value_grows_to_its_limit_and_shrinks_again() {
        let mut value = Patchable::default();
        let mut work = CopyWork::default();
        let mut apply =
            |value: &mut Patchable, text: &str| value.apply(Raw::new(text), true, &mut work).failed;
        let text = json!([{"op":"add","path":"/a","value":vec![0; 200_000]}]).to_string();
        let other = text.replace("/a", "/b");
        assert!(apply(&mut value, &text).is_none());
        for _ in 0..6 {
            assert!(apply(&mut value, &text).is_none(), "replaced, not added");
        }
        for key in ["/b", "/c", "/d"] {
            assert!(apply(&mut value, &other.replace("/b", key)).is_none());
        }
        let five = apply(&mut value, &other.replace("/b", "/e"));
        assert_eq!(five.unwrap().0.id, "agui.patch.too-large");
        assert!(value.size.parts <= MAX_NODES);
        let remove = r#"[{"op":"remove","path":"/a"},{"op":"remove","path":"/b"}]"#;
        assert!(apply(&mut value, remove).is_none());
        assert!(apply(&mut value, &other).is_none());
    }

    #[test]
    fn copies_and_moves_that_fail_at_the_end_leave_the_value_as_it_was() {
        let start = json!({"a":[1,[2,3],4],"b":{"c":"x","d":null},"e":5});
        for changes in [
            json!([{"op":"copy","from":"/a","path":"/a/-"}]),
            json!([{"op":"copy","from":"/a/1","path":"/a/0"},{"op":"remove","path":"/a/2"}]),
            json!([{"op":"move","from":"/a/0","path":"/a/2"},{"op":"move","from":"/a/2","path":"/a/-"}]),
            json!([{"op":"move","from":"/b","path":"/a/1"},{"op":"replace","path":"/a/1/c","value":[]}]),
            json!([{"op":"move","from":"/b/c","path":"/e"},{"op":"add","path":"/b/c","value":1}]),
            json!([{"op":"copy","from":"","path":"/b/d"},{"op":"move","from":"/b/d/a","path":""}]),
            json!([{"op":"move","from":"/e","path":"/e"},{"op":"test","path":"/e","value":5}]),
        ] {
            let mut failing = changes.as_array().unwrap().clone();
            let (value, outcome) = patched(start.clone(), &changes, true);
            assert!(outcome.failed.is_none(), "{changes}: {:?}", outcome.failed);
            let mut expected = start.clone();
            json_patch::patch(
                &mut expected,
                &serde_json::from_value::<json_patch::Patch>(changes).unwrap(),
            )
            .unwrap();
            assert_eq!(value, expected);
            failing.push(json!({"op":"remove","path":"/nowhere"}));
            let (value, outcome) = patched(start.clone(), &json!(failing), true);
            assert_eq!(value, start, "{failing:?}");
            assert_eq!(outcome.failed.unwrap().0.id, "agui.patch.failed");
        }
        let inside = json!([{"op":"move","from":"/b","path":"/b/c"}]);
        assert_eq!(patched(start.clone(), &inside, true).0, start);
    }

    #[test]
    fn work_on_copies_is_bounded_by_the_bytes_received() {
        let grow = json!(vec![json!({"op":"copy","from":"/a","path":"/a/-"}); 20]).to_string();
        let copy = json!([{"op":"copy","from":"/a/0","path":"/b"}]).to_string();
        let mut work = CopyWork::default();
        let mut received = 0;
        let mut told = 0;
        for _ in 0..50 {
            let mut value = Patchable::of(json!({"a":[0,0]}));
            for patch in std::iter::repeat_n(&grow, 2).chain(std::iter::repeat_n(&copy, 50)) {
                received += patch.len();
                let failed = value.apply(Raw::new(patch), true, &mut work).failed;
                told += usize::from(failed.is_some_and(|f| f.0.id == "agui.patch.too-large"));
            }
        }
        assert!(told >= 50, "what is not applied is told");
        assert!(work.left <= FREE_WORK + received * WORK_PER_BYTE);
    }
}
