//! Citation records of an invented knowledge base.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Nodes of one package.
const NODES_OF_PACKAGE: u64 = 50;

/// The record of a node: every reading of the same node gives the same record. Some are attested, some stale, some
/// superseded, some contested; most are plain.
#[must_use]
pub fn record(node: u64) -> Value {
    let (package, page) = (node / NODES_OF_PACKAGE, node % NODES_OF_PACKAGE);
    let id = format!("https://harbour.example/moca/desk-{package}");
    let version = format!("1.{package}.0");
    let path = format!("topic-{page}.md");
    let text = format!(
        "\n# Topic {page}\n\nWhat rule {page} of desk {package} says: bring the bicycle back to any station of the harbour. \
         Größe and été are here to be two bytes each.\n"
    );
    let attested = node.is_multiple_of(7);
    let signer = "Harbour Bikes publishing";
    let reviews = if attested {
        json!([{
            "reviewer": "A. Reviewer", "reviewedAt": "2026-02-01T10:00:00Z", "outcome": "approved", "signer": "Harbour Bikes review",
        }])
    } else {
        json!([])
    };
    json!({
        "package": {
            "id": id, "version": version, "digest": digest(&format!("package {package}")), "signed": attested,
            "signers": if attested { json!([signer]) } else { json!([]) },
        },
        "node": {
            "id": format!("{id}#{path}"), "ref": format!("{id}@{version}#{path}"), "path": path, "type": "Topic",
            "title": format!("Topic {page}"), "digest": digest(&text),
        },
        "span": { "start": 40, "end": 40 + text.len() },
        "trust": {
            "status": if node.is_multiple_of(29) { "draft" } else { "stable" },
            "declaredVerified": [], "attestedReviews": reviews,
            "stale": node.is_multiple_of(11), "inForce": true,
            "superseded": node.is_multiple_of(13), "contested": node.is_multiple_of(17),
        },
        "text": text,
    })
}

fn digest(of: &str) -> String {
    let hex: String = Sha256::digest(of).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}
