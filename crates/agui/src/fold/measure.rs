//! How large values are, and what patches may spend on copying them.

use serde_json::Value;

use super::codes;
use super::patch::{Failure, MAX_NODES, MAX_POINTER_PARTS, MAX_VALUE_BYTES};

/// Parts that copies and moves of one thread go through before it has earned more.
pub(super) const FREE_WORK: usize = 1 << 16;

/// Parts that each byte of a snapshot or a patch earns.
pub(super) const WORK_PER_BYTE: usize = 4;

/// Bytes of text that are copied in the time of one part.
const BYTES_PER_PART: usize = 32;

/// Deepest nesting of a value after a patch.
pub(super) const MAX_VALUE_DEPTH: usize = 2 * MAX_POINTER_PARTS;

/// What copies and moves of one thread may still go through. A few bytes of them make a value of any size, so work has
/// to be earned by bytes received; nothing gives it back.
#[derive(Debug)]
pub(super) struct CopyWork {
    pub left: usize,
}

impl Default for CopyWork {
    fn default() -> Self {
        Self { left: FREE_WORK }
    }
}

impl CopyWork {
    /// Counts bytes of a snapshot or a patch.
    pub(super) fn earn(&mut self, bytes: usize) {
        self.left = self.left.saturating_add(bytes.saturating_mul(WORK_PER_BYTE));
    }

    /// Measures a value that is about to be copied, and spends what that takes.
    pub(super) fn measure(&mut self, value: &Value) -> Result<Size, Failure> {
        let measured = measure(value, self.left.min(MAX_NODES));
        let (Ok(size) | Err(size)) = measured;
        let parts = size.parts + size.bytes / BYTES_PER_PART;
        let is_enough = parts <= self.left;
        self.left = self.left.saturating_sub(parts);
        measured.ok().filter(|_| is_enough).ok_or_else(too_large)
    }
}

/// How large a value is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub parts: usize,
    pub bytes: usize,
    pub depth: usize,
}

/// How large a value is that is held, and no larger than held values may be.
pub(super) fn measured(value: &Value) -> Size {
    let largest = Size { parts: MAX_NODES, bytes: MAX_VALUE_BYTES, depth: MAX_VALUE_DEPTH };
    measure(value, MAX_NODES).unwrap_or(largest)
}

/// How large a value is; `Err` with what was gone through when it is too large, too deep or too long.
fn measure(value: &Value, most_parts: usize) -> Result<Size, Size> {
    let mut size = Size::default();
    let mut stack = vec![(value, 0)];
    while let Some((value, depth)) = stack.pop() {
        size.parts += 1;
        size.depth = size.depth.max(depth);
        size.bytes += match value {
            Value::String(text) => text.len(),
            Value::Object(members) => members.keys().map(String::len).sum(),
            _ => 1,
        };
        if size.parts > most_parts || size.bytes > MAX_VALUE_BYTES || depth > MAX_VALUE_DEPTH {
            return Err(size);
        }
        let inside = match value {
            Value::Array(elements) => elements.len(),
            Value::Object(members) => members.len(),
            _ => 0,
        };
        // What need not be gone through costs nothing.
        if size.parts + inside > most_parts {
            return Err(size);
        }
        match value {
            Value::Array(elements) => stack.extend(elements.iter().map(|e| (e, depth + 1))),
            Value::Object(members) => stack.extend(members.values().map(|e| (e, depth + 1))),
            _ => {}
        }
    }
    Ok(size)
}

pub(super) fn too_large() -> Failure {
    (
        &codes::PATCH_TOO_LARGE,
        format!("The value would have more than {MAX_NODES} parts, or take too long."),
    )
}
