//! Sources of an answer, their records and their standing.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The states of an answer's sources; each has a sentence of its own (product, point 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum SourcesState {
    /// A citation event with sources.
    Applied,
    /// A citation event with an empty list.
    Empty,
    /// No citation event.
    None,
    /// A citation event of a version that is not known here.
    UnknownVersion,
    /// A citation event that breaks the binding.
    Invalid,
}

/// Counts of source states of a conversation, worst first, for the strip in the list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct SourceStrip {
    /// One entry for each distinct source, at most 12.
    pub tones: Vec<moca::standing::Tone>,
    /// How many stand how, worst first, each with the time at which that was so.
    pub parts: Vec<moca::standing::StripPart>,
    /// How many answers have sources and what the others have instead; none when all have.
    pub coverage: Option<String>,
    /// All of it in words: "3 sources: 1 superseded · 1 stale · 1 in force, not stale · as of TIME · by WHOM".
    pub label: String,
}

/// Names one message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MessageRef {
    /// Row id.
    pub id: String,
}

/// The Sources panel of one answer.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct AnswerSources {
    /// The answer's row id.
    pub message: String,
    /// Which of the states.
    pub state: SourcesState,
    /// Its sentence.
    pub sentence: String,
    /// When the service's Reader computed the records; as received, and read.
    pub computed_at: Option<StatedTime>,
    /// Why no time stands there, or what is odd about it.
    pub computed_at_note: Option<String>,
    /// When the recording was received or imported (RFC 3339) and which of the two: `received` or `imported`.
    pub held_since: String,
    /// See `held_since`.
    pub held_since_kind: String,
    /// The sources, in the order of the event.
    pub items: Vec<SourceCard>,
    /// Other events for this answer, which are kept and not shown.
    pub replaced_events: u32,
    /// Sources of other services and origins: never with a badge.
    pub others: Vec<OtherSource>,
    /// Findings about this answer's citation events.
    pub findings: Vec<super::FindingRow>,
}

/// A time as a service wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct StatedTime {
    /// The text as received.
    pub text: String,
    /// The instant (RFC 3339, UTC), when it could be read.
    pub instant: Option<String>,
    /// What is odd: "no offset; read as UTC", "in the future of its reception".
    pub note: Option<String>,
}

/// One cited source.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct SourceCard {
    /// Place in the event, from 0; `data-citation` of its marker buttons.
    pub index: u32,
    /// Row id of the record.
    pub record: String,
    /// The marker as sent, if any (plain text, controls made visible).
    pub marker: Option<String>,
    /// Title of the node, or its path (plain text).
    pub title: String,
    /// Type of the node.
    pub node_type: Option<String>,
    /// `node.ref` as sent, or rebuilt.
    pub node_ref: Option<String>,
    /// The service sent no `node.ref`; it was put together from the package and path.
    pub ref_rebuilt: bool,
    /// Package name for people: last segment of its id and its version.
    pub package: Option<String>,
    /// Package id as sent.
    pub package_id: Option<String>,
    /// Path of the node in the package.
    pub path: Option<String>,
    /// Locale of the representation.
    pub locale: Option<String>,
    /// SHA-256 of the record in canonical form.
    pub record_sha256: Option<String>,
    /// The cited text as safe HTML, when the record carries it.
    pub text_html: Option<String>,
    /// Its standing: states with their sentences and times.
    pub standing: moca::standing::Standing,
    /// Where the answer mentions it.
    pub places: Vec<Place>,
    /// How many other answers of the archive cite the same node.
    pub other_answers: u32,
    /// The event lists this source again: `index` of the card that it repeats. It counts once.
    pub repeats: Option<u32>,
}

/// Which answers to list that cite the node of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(export)]
pub struct CitingQuery {
    /// Row id of the record.
    pub record: String,
    /// Row id of an answer to leave out: the one that is looked at.
    pub except: Option<String>,
    /// Where the last page ended.
    pub cursor: Option<String>,
    /// Rows wanted, at most 50.
    pub limit: Option<u32>,
}

/// Answers that cite one node.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct CitingPage {
    /// The answers, the one imported last first.
    pub answers: Vec<CitingAnswer>,
    /// Hand this back for the next page; none at the end.
    pub next: Option<String>,
}

/// One answer that cites a node.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct CitingAnswer {
    /// Row id of the conversation.
    pub conversation: String,
    /// What the conversation is called.
    pub title: String,
    /// The service it came from, as far as known.
    pub service: Option<String>,
    /// Row id of the answer.
    pub message: String,
    /// Its place in the transcript, from 0.
    pub place: u32,
    /// `index` of the source's card there.
    pub citation: u32,
    /// The words around the first mention, else the first words of the answer (plain text).
    pub excerpt: String,
    /// How the source stands there, with its time.
    pub worst: moca::standing::Summary,
}

/// One mention in the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Place {
    /// `data-place` of the button.
    pub place: u32,
    /// The words around it (plain text).
    pub excerpt: String,
}

/// A source that is no MOCA citation: from state, a custom event, a tool result or an annotation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct OtherSource {
    /// Title as given (plain text).
    pub title: String,
    /// Its URL as given, when it is http or https.
    pub url: Option<String>,
    /// Host in ASCII.
    pub host: Option<String>,
    /// "from state", "from a custom event named …".
    pub origin: String,
}

/// Names one record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordRef {
    /// Row id.
    pub id: String,
}

/// A record in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct RecordDetail {
    /// Row id.
    pub id: String,
    /// Field by field: path and value, controls made visible.
    pub fields: Vec<RecordField>,
    /// The JSON exactly as received.
    pub raw: String,
    /// SHA-256 of the canonical form.
    pub record_sha256: Option<String>,
    /// Why it is invalid, or what is newer than this app knows.
    pub remarks: Vec<String>,
}

/// One field of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct RecordField {
    /// Path: `trust.attestedReviews[0].reviewer`.
    pub path: String,
    /// Value as text.
    pub value: String,
}

/// Citation events that no message shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct UnplacedCitations {
    /// The events, at most 200.
    pub events: Vec<UnplacedCitation>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct UnplacedCitation {
    /// `unknown-message`, `unknown-version`, `invalid`.
    pub state: String,
    /// Its sentence.
    pub sentence: String,
    /// messageId as sent.
    pub message_id: Option<String>,
    /// computedAt as sent.
    pub computed_at: Option<StatedTime>,
    /// Number of citations in it.
    pub citations: u32,
    /// The value as received, at most 64 KiB.
    pub raw: String,
}
