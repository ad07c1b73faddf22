//! Messages as lists hold them: requests, snapshots, messages-only sources (facts/agui §1.12).

use std::borrow::Cow;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::model::Role;
use crate::event::{JsonType, Object, Raw, key, lenient};

/// Most messages of one list that are read.
pub const MAX_LISTED_MESSAGES: usize = 100_000;

/// Most tool calls of one listed message that are read.
pub const MAX_LISTED_TOOL_CALLS: usize = 1_000;

/// Longest id that is kept whole, in bytes.
pub const MAX_ID_BYTES: usize = 1_024;

/// Bytes of a longer id that are kept before its digest.
const ID_HEAD: usize = 200;

/// One message of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub id: Option<String>,
    pub role: Role,
    pub content: Content,
    pub name: Option<String>,
    pub calls: Vec<ListedCall>,
    pub tool_call_id: Option<String>,
    pub error: Option<String>,
    pub activity_type: Option<String>,
    pub encrypted: Option<String>,
    pub metadata: Option<String>,
    pub subagent: Option<String>,
}

/// One tool call of a listed message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListedCall {
    pub id: Option<String>,
    pub name: String,
    pub arguments: String,
    pub encrypted: Option<String>,
    pub metadata: Option<String>,
}

/// Content of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Content {
    /// The text; of parts the `text` parts joined by LF.
    pub text: String,
    /// JSON text of what is no string.
    pub parts: Option<String>,
    /// Whether a part is of a kind we do not know.
    pub unknown_part: bool,
}

/// Kinds of parts that we know (facts/agui §1.12).
const PARTS: [&str; 6] = ["text", "image", "audio", "video", "document", "binary"];

/// Reads content of any shape: a string, a list of parts, or an object as some servers send.
pub(super) fn content(raw: Raw<'_>) -> Content {
    match raw.kind() {
        JsonType::String => Content {
            text: raw.text().ok().map(Cow::into_owned).unwrap_or_default(),
            ..Content::default()
        },
        JsonType::Null => Content::default(),
        JsonType::Array => {
            let parts: Vec<_> =
                raw.array().unwrap_or_default().into_iter().filter_map(Raw::object).collect();
            let kind = |part: &Object<'_>| part.owned(&key::TYPE).unwrap_or_default();
            let texts =
                parts.iter().filter(|p| kind(p) == "text").filter_map(|p| p.owned(&key::TEXT));
            Content {
                text: texts.collect::<Vec<_>>().join("\n"),
                parts: Some(raw.json().to_owned()),
                unknown_part: parts.iter().any(|p| !PARTS.contains(&kind(p).as_str())),
            }
        }
        JsonType::Object | JsonType::Boolean | JsonType::Number => Content {
            text: raw.json().to_owned(),
            parts: Some(raw.json().to_owned()),
            unknown_part: false,
        },
    }
}

impl Listed {
    /// Reads one element; `None` when it is no object.
    pub(super) fn read(raw: Raw<'_>) -> Option<Self> {
        let object = raw.object()?;
        let id = |key| object.text(key).ok().map(|id| id_of(&id));
        let tool_call_id = id(&key::TOOL_CALL_ID);
        let role = match object.text(&key::ROLE).ok() {
            Some(role) => Role::read(&role),
            None if tool_call_id.is_some() => Role::Tool,
            None => Role::Other(String::new()),
        };
        let content = match object.look(&key::CONTENT).ok() {
            // The content of an activity is no text.
            Some(raw) if role == Role::Activity => {
                Content { parts: Some(raw.json().to_owned()), ..Content::default() }
            }
            Some(raw) => content(raw),
            None => Content::default(),
        };
        let calls = object.look(&key::TOOL_CALLS).ok().and_then(Raw::array).unwrap_or_default();
        let calls = calls.into_iter().take(MAX_LISTED_TOOL_CALLS).filter_map(Raw::object);
        Some(Self {
            id: id(&key::ID),
            calls: calls.map(|call| ListedCall::read(&call)).collect(),
            role,
            content,
            name: object.owned(&key::NAME),
            tool_call_id,
            error: object.owned(&key::ERROR),
            activity_type: object.owned(&key::ACTIVITY_TYPE),
            encrypted: object.owned(&key::ENCRYPTED_VALUE),
            metadata: object.look(&key::METADATA).ok().map(|raw| raw.json().to_owned()),
            subagent: id(&key::SUBAGENT_RUN_ID),
        })
    }
}

impl ListedCall {
    /// `{id, function: {name, arguments}}`, or `{id, name, args}` as CopilotKit replies (facts/agui §4.10).
    fn read(call: &Object<'_>) -> Self {
        let function = call.look(&key::FUNCTION).ok().and_then(Raw::object);
        let of = function.as_ref().unwrap_or(call);
        let arguments = of.look(&key::ARGUMENTS).ok();
        let arguments =
            arguments.map(|raw| raw.text().ok().unwrap_or(Cow::Borrowed(raw.json())).into_owned());
        Self {
            id: call.text(&key::ID).ok().map(|id| id_of(&id)),
            name: of.owned(&key::NAME).unwrap_or_default(),
            arguments: arguments.unwrap_or_default(),
            encrypted: call.owned(&key::ENCRYPTED_VALUE),
            metadata: call.look(&key::METADATA).ok().map(|raw| raw.json().to_owned()),
        }
    }
}

/// An id as it is kept: whole, or its beginning and a digest when it is too long.
pub(super) fn id_of(id: &str) -> String {
    if id.len() <= MAX_ID_BYTES {
        return id.to_owned();
    }
    let digest = Sha256::digest(id.as_bytes());
    let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{}…sha256:{hex}", &id[..id.floor_char_boundary(ID_HEAD)])
}

/// Merges metadata per key, the last write wins (facts/agui §1.1).
pub(super) fn merge_metadata(held: Option<String>, more: Raw<'_>) -> Option<String> {
    let Some(held) = held else { return Some(more.json().to_owned()) };
    let read = |text: &str| lenient::value::<Map<String, Value>>(text).ok();
    match (read(&held), read(more.json())) {
        (Some(mut merged), Some(more)) => {
            merged.extend(more);
            Some(Value::Object(merged).to_string())
        }
        (None, Some(_)) => Some(more.json().to_owned()),
        (_, None) => Some(held),
    }
}
