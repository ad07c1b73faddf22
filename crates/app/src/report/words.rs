//! Sentences that every export has alike.

use moca::{StatedTime, record::Evidence};
use serde_json::{Map, Value};

use super::{Citations, Recording};

/// Heading of the sources that are no citation records.
pub(super) const OTHERS: &str = "Other sources, in forms that carry no flags";

/// A time for people; as it stands where it is none.
pub(super) fn moment(text: &str) -> String {
    StatedTime::parse(text).moment().unwrap_or_else(|| text.to_owned())
}

/// Name, digest, size, format and time of a recording.
pub(super) fn recording_line(recording: &Recording) -> String {
    let Recording { name, sha256, bytes, format, imported_at } = recording;
    format!(
        "{name} · SHA-256 {sha256} · {bytes} bytes · {format} · imported {}",
        moment(imported_at)
    )
}

/// When the flags of an answer were computed, for people and as sent, and what is odd about it.
pub(super) fn computed_line(citations: &Citations) -> String {
    match &citations.computed_at {
        Some(text) => {
            let odd = citations.computed_at_read.as_ref().and_then(|read| read.note.as_deref());
            match odd {
                Some(odd) => format!("computed {text} by the service’s Reader, {odd}"),
                None => {
                    format!("computed {} by the service’s Reader, sent as {text}", moment(text))
                }
            }
        }
        None if citations.items.is_empty() => citations.held_since.clone(),
        None => format!("the service did not say when · {}", citations.held_since),
    }
}

/// What a cited text rests on, and whether it was found there.
pub(super) fn evidence_line(evidence: &Evidence) -> String {
    let found = match evidence.matched {
        Some(true) => "found there, says the record",
        Some(false) => "not found there, says the record",
        None => "not compared",
    };
    let source = member(&evidence.source, &["title", "resource", "id"]);
    let quote = evidence.selector.as_deref().map(|selector| member(selector, &["exact"]));
    let quote = quote.map(|quote| format!("“{quote}” in ")).unwrap_or_default();
    let note = evidence.note.as_deref().map(|note| format!(" · {note}")).unwrap_or_default();
    format!("Evidence: {quote}“{source}” · {found}{note}")
}

/// The first of the members that an open object has as a text, else the object.
fn member(object: &str, names: &[&str]) -> String {
    let members: Map<String, Value> = serde_json::from_str(object).unwrap_or_default();
    let named = names.iter().find_map(|name| members.get(*name)?.as_str());
    named.unwrap_or(object).to_owned()
}
