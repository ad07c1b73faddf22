//! The frontmatter schema (`facts/moca-reader §2.3`).

use crate::schema::{At, Faults};
use crate::value::Value;

const STATUS: &[&str] = &["draft", "stable", "deprecated"];

/// Everything in a frontmatter that misses the schema; `type` alone is not looked at here.
pub(super) fn check(frontmatter: &Value) -> Vec<String> {
    let mut faults = Faults::default();
    let at = At::ROOT;
    let f = &mut faults;
    for name in ["title", "description", "resource"] {
        f.optional(frontmatter, &at, name, Faults::text);
    }
    f.optional(frontmatter, &at, "tags", |f, v, at| each(f, v, at, Faults::text));
    f.optional(frontmatter, &at, "generated", |f, v, at| actor(f, v, at, &["by"]));
    f.optional(frontmatter, &at, "verified", |f, v, at| match v {
        Value::Seq(_) => each(f, v, at, |f, v, at| actor(f, v, at, &["by", "at"])),
        _ => actor(f, v, at, &["by", "at"]),
    });
    f.optional(frontmatter, &at, "sources", |f, v, at| each(f, v, at, source));
    f.optional(frontmatter, &at, "status", |f, v, at| f.one_of(v, at, STATUS));
    f.optional(frontmatter, &at, "stale_after", Faults::time);
    f.optional(frontmatter, &at, "moca", moca);
    faults.sentences
}

fn each(
    faults: &mut Faults,
    value: &Value,
    at: &At<'_>,
    check: impl Fn(&mut Faults, &Value, &At<'_>),
) {
    for (i, item) in faults.list(value, at).iter().enumerate() {
        check(faults, item, &at.item(i));
    }
}

fn actor(faults: &mut Faults, value: &Value, at: &At<'_>, required: &[&str]) {
    if faults.object(value, at).is_none() {
        return;
    }
    faults.required(value, at, required);
    faults.optional(value, at, "by", Faults::filled_text);
    faults.optional(value, at, "at", Faults::time);
}

fn source(faults: &mut Faults, value: &Value, at: &At<'_>) {
    if faults.object(value, at).is_none() {
        return;
    }
    faults.required(value, at, &["resource"]);
    faults.optional(value, at, "resource", Faults::filled_text);
    faults.optional(value, at, "id", Faults::filled_text);
    faults.optional(value, at, "title", Faults::text);
    faults.optional(value, at, "author", Faults::text);
    faults.optional(value, at, "usage_count", Faults::count);
    faults.optional(value, at, "last_modified", Faults::time);
    faults.optional(value, at, "usage_window", |f, v, at| {
        if f.object(v, at).is_some() {
            f.optional(v, at, "from", Faults::time);
            f.optional(v, at, "to", Faults::time);
        }
    });
}

fn moca(faults: &mut Faults, value: &Value, at: &At<'_>) {
    if faults.object(value, at).is_none() {
        return;
    }
    faults.optional(value, at, "evidence", |f, v, at| each(f, v, at, evidence));
    faults.optional(value, at, "valid_from", Faults::time);
    faults.optional(value, at, "valid_until", Faults::time);
    faults.optional(value, at, "contested_by", |f, v, at| each(f, v, at, Faults::filled_text));
    faults.optional(value, at, "audience", Faults::filled_text);
    faults.optional(value, at, "concepts", |f, v, at| each(f, v, at, concept));
    faults.optional(value, at, "profiles", Faults::objects);
}

fn evidence(faults: &mut Faults, value: &Value, at: &At<'_>) {
    if faults.object(value, at).is_none() {
        return;
    }
    faults.required(value, at, &["source", "selector"]);
    faults.closed(value, at, &["source", "selector", "note"]);
    faults.optional(value, at, "source", Faults::filled_text);
    faults.optional(value, at, "selector", selector);
    faults.optional(value, at, "note", Faults::text);
}

fn concept(faults: &mut Faults, value: &Value, at: &At<'_>) {
    if faults.object(value, at).is_none() {
        return;
    }
    faults.required(value, at, &["iri"]);
    faults.closed(value, at, &["iri", "role"]);
    faults.optional(value, at, "iri", Faults::iri);
    faults.optional(value, at, "role", |f, v, at| f.one_of(v, at, &["primary", "supporting"]));
}

fn selector(faults: &mut Faults, value: &Value, at: &At<'_>) {
    if faults.object(value, at).is_none() {
        return;
    }
    match value.get("type").and_then(Value::as_str) {
        Some("FragmentSelector") => {
            faults.required(value, at, &["value"]);
            faults.closed(value, at, &["type", "value", "conformsTo"]);
            faults.optional(value, at, "value", Faults::filled_text);
            faults.optional(value, at, "conformsTo", Faults::text);
        }
        Some("TextQuoteSelector") => {
            faults.required(value, at, &["exact"]);
            faults.closed(value, at, &["type", "exact", "prefix", "suffix"]);
            faults.optional(value, at, "exact", Faults::filled_text);
            faults.optional(value, at, "prefix", Faults::text);
            faults.optional(value, at, "suffix", Faults::text);
        }
        Some("TextPositionSelector") => {
            faults.required(value, at, &["start", "end"]);
            faults.closed(value, at, &["type", "start", "end"]);
            faults.optional(value, at, "start", Faults::count);
            faults.optional(value, at, "end", Faults::count);
        }
        _ => faults.add(at, "is no selector of a known type"),
    }
}
