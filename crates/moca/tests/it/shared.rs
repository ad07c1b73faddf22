//! The read-only inputs of the project, where they are there, and records to start from.

use std::path::PathBuf;

use serde_json::{Value, json};

/// The folder with recordings and schemas; `None`, said on the console, when this checkout stands alone.
pub(crate) fn folder(test: &str) -> Option<PathBuf> {
    let named = std::env::var_os("RECITE_SHARED").map(PathBuf::from);
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let folder = named.unwrap_or(beside);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("not run: {test} (no shared inputs)");
    None
}

/// A valid record of an invented package, all flags in order.
pub(crate) fn record() -> Value {
    json!({
        "package": {
            "id": "https://bikes.example/handbook",
            "version": "3.2.0",
            "digest": format!("sha256:{}", "8f".repeat(32)),
            "signed": true,
            "signers": ["Harbour Bikes publisher"]
        },
        "node": {
            "id": "https://bikes.example/handbook#returns.md",
            "path": "returns.md",
            "ref": "https://bikes.example/handbook@3.2.0#returns.md",
            "type": "Policy",
            "title": "Returning a bike"
        },
        "span": { "start": 120, "end": 480 },
        "text": "A bike may be returned at any staffed station.",
        "trust": {
            "status": "stable",
            "generated": null,
            "declaredVerified": [],
            "attestedReviews": [],
            "stale": false,
            "inForce": true,
            "superseded": false,
            "contested": false
        }
    })
}

/// The same record under another path.
pub(crate) fn record_of(path: &str) -> Value {
    let mut record = record();
    record["node"]["path"] = json!(path);
    record["node"]["id"] = json!(format!("https://bikes.example/handbook#{path}"));
    record["node"]["ref"] = json!(format!("https://bikes.example/handbook@3.2.0#{path}"));
    record
}

/// A record with members set, by JSON Pointer.
pub(crate) fn with(changes: &[(&str, Value)]) -> Value {
    let mut record = record();
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
        let parent = record.pointer_mut(parent).expect("the parent is there");
        parent[name] = value.clone();
    }
    record
}

pub(crate) fn read(record: &Value) -> moca::record::Reading {
    moca::record::read(&record.to_string()).reading
}

pub(crate) fn at(text: &str) -> moca::Instant {
    moca::StatedTime::parse(text).instant().expect("a time of a test is readable")
}
