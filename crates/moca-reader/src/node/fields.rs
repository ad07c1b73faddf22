//! Frontmatter fields that more than one part of the Reader looks at.

use crate::text::Text;
use crate::value::Value;

/// Entries of `moca.evidence`; none if it is no list.
pub(crate) fn evidence_entries(frontmatter: &Value) -> &[Value] {
    frontmatter.path(&["moca", "evidence"]).and_then(Value::as_seq).unwrap_or_default()
}

/// Entries of `sources`; none if it is no list.
pub(crate) fn sources(frontmatter: &Value) -> &[Value] {
    frontmatter.get("sources").and_then(Value::as_seq).unwrap_or_default()
}

/// The declared source with this id; of several the last, as in the reference. Ids are compared as
/// written, so `5` and `"5"` are two; an empty one names nothing.
pub(crate) fn source<'a>(frontmatter: &'a Value, id: &Value) -> Option<&'a Value> {
    let names_something = match id {
        Value::String(text) => !text.is_empty(),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => true,
        Value::Null | Value::Seq(_) | Value::Map(_) => false,
    };
    let fits = |source: &&Value| names_something && source.get("id") == Some(id);
    sources(frontmatter).iter().rev().find(fits)
}

/// A time as a record shows it; `None` where there is none to show (`facts/moca-reader §7.4`).
///
/// Null, an empty text, 0 and `false` count as absent. Anything else that is not text is shown as
/// it would be written, and is then an instant only if that text is one.
pub(crate) fn time_text(value: &Value) -> Option<Text> {
    match value {
        Value::Null | Value::Bool(false) | Value::Int(0) => None,
        Value::String(text) => (!text.is_empty()).then(|| text.clone()),
        other => Some(scalar_text(other).unwrap_or_else(|| json_text(other).into())),
    }
}

/// A scalar as text; `None` for lists, mappings and null.
pub(crate) fn scalar_text(value: &Value) -> Option<Text> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Null | Value::Seq(_) | Value::Map(_) => None,
        scalar => Some(json_text(scalar).into()),
    }
}

fn json_text(value: &Value) -> String {
    // Writing a value to memory fails only for keys that are not text, and all of ours are.
    serde_json::to_string(value).unwrap_or_default()
}
