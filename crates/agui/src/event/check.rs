//! What each type must have (facts/agui §1.2–§1.10), checked as notes and never as refusals.

use crate::event::{Event, EventType, Got, JsonType, Key, Note, Object, TypeKey, key};

/// A required member and the types its value may have; none named means any, null included.
struct Required(&'static Key, &'static [JsonType]);

const TEXT: &[JsonType] = &[JsonType::String];
const LIST: &[JsonType] = &[JsonType::Array];
const OBJECT: &[JsonType] = &[JsonType::Object];
const ANY: &[JsonType] = &[];

fn required(kind: EventType) -> &'static [Required] {
    use EventType as T;
    match kind {
        T::RunStarted | T::RunFinished => {
            &[Required(&key::THREAD_ID, TEXT), Required(&key::RUN_ID, TEXT)]
        }
        T::RunError => &[Required(&key::ERROR_MESSAGE, TEXT)],
        T::StepStarted | T::StepFinished => &[Required(&key::STEP_NAME, TEXT)],
        T::TextMessageContent | T::ReasoningMessageContent => {
            &[Required(&key::MESSAGE_ID, TEXT), Required(&key::DELTA, TEXT)]
        }
        T::TextMessageStart
        | T::TextMessageEnd
        | T::ReasoningStart
        | T::ReasoningMessageStart
        | T::ReasoningMessageEnd
        | T::ReasoningEnd => &[Required(&key::MESSAGE_ID, TEXT)],
        T::ToolCallStart => {
            &[Required(&key::TOOL_CALL_ID, TEXT), Required(&key::TOOL_CALL_NAME, TEXT)]
        }
        T::ToolCallArgs => &[Required(&key::TOOL_CALL_ID, TEXT), Required(&key::DELTA, TEXT)],
        T::ToolCallEnd => &[Required(&key::TOOL_CALL_ID, TEXT)],
        T::ToolCallResult => &[
            Required(&key::MESSAGE_ID, TEXT),
            Required(&key::TOOL_CALL_ID, TEXT),
            Required(&key::TOOL_CONTENT, &[JsonType::String, JsonType::Array]),
        ],
        T::StateSnapshot => &[Required(&key::SNAPSHOT, ANY)],
        T::StateDelta => &[Required(&key::STATE_PATCH, LIST)],
        T::MessagesSnapshot => &[Required(&key::MESSAGES, LIST)],
        T::ActivitySnapshot => &[
            Required(&key::MESSAGE_ID, TEXT),
            Required(&key::ACTIVITY_TYPE, TEXT),
            Required(&key::CONTENT, OBJECT),
        ],
        T::ActivityDelta => &[
            Required(&key::MESSAGE_ID, TEXT),
            Required(&key::ACTIVITY_TYPE, TEXT),
            Required(&key::PATCH, LIST),
        ],
        T::ReasoningEncryptedValue => &[
            Required(&key::SUBTYPE, TEXT),
            Required(&key::ENTITY_ID, TEXT),
            Required(&key::ENCRYPTED_VALUE, TEXT),
        ],
        T::Raw => &[Required(&key::EVENT, ANY)],
        T::Custom => &[Required(&key::NAME, TEXT)],
        T::SubagentStarted => &[Required(&key::SUBAGENT_RUN_ID, TEXT), Required(&key::NAME, TEXT)],
        T::SubagentFinished => &[Required(&key::SUBAGENT_RUN_ID, TEXT)],
        T::SubagentError => &[Required(&key::SUBAGENT_RUN_ID, TEXT), Required(&key::MESSAGE, TEXT)],
        T::ThinkingTextMessageContent => &[Required(&key::DELTA, TEXT)],
        T::Meta => &[Required(&key::META_TYPE, TEXT)],
        T::TextMessageChunk
        | T::ToolCallChunk
        | T::ReasoningMessageChunk
        | T::ThinkingStart
        | T::ThinkingEnd
        | T::ThinkingTextMessageStart
        | T::ThinkingTextMessageEnd
        | T::ThinkingContent
        | T::MetaEvent => &[],
    }
}

/// Whether an object of a known type lacks what it must have, so that a payload inside it may be meant.
pub(super) fn needs_payload(kind: EventType, outer: &Object<'_>) -> bool {
    // RAW's `event` is its content, not a wrapper.
    kind != EventType::Raw && required(kind).iter().any(|r| matches!(outer.look(r.0), Got::Missing))
}

/// Notes on the type and the fields.
pub(super) fn notes(event: &Event) -> Vec<Note> {
    let mut notes = Vec::new();
    match event.kind() {
        TypeKey::Known(kind) => {
            if is_retired(*kind) {
                notes.push(Note::Retired);
            }
            for required in required(*kind) {
                notes.extend(field(event, required));
            }
        }
        TypeKey::Unknown(name) if !name.is_empty() => notes.push(Note::UnknownType(name.clone())),
        TypeKey::Unknown(_) => {}
    }
    if event.members.iter().any(|m| is_snake_case(event.name(m))) {
        notes.push(Note::SnakeCase);
    }
    if event.timestamp().is_some_and(|t| !is_whole_number(t)) {
        notes.push(Note::Timestamp);
    }
    notes
}

fn field(event: &Event, Required(key, types): &Required) -> Option<Note> {
    match event.lookup(key) {
        (_, Got::Missing) => Some(Note::Missing(key.name)),
        (_, Got::Null) => (!types.is_empty()).then_some(Note::Missing(key.name)),
        (_, Got::Wrong(found)) => Some(Note::WrongType(key.name, found)),
        (_, Got::Ok(raw)) if !types.is_empty() && !types.contains(&raw.kind()) => {
            Some(Note::WrongType(key.name, raw.kind()))
        }
        (used, Got::Ok(_)) => (used != key.name && !key.is_snake_case(used))
            .then_some(Note::Alias { key: key.name, used }),
    }
}

fn is_snake_case(name: &str) -> bool {
    name.contains('_') && key::ALIASES.contains(&name)
}

fn is_retired(kind: EventType) -> bool {
    matches!(
        kind,
        EventType::ThinkingStart
            | EventType::ThinkingEnd
            | EventType::ThinkingTextMessageStart
            | EventType::ThinkingTextMessageContent
            | EventType::ThinkingTextMessageEnd
            | EventType::ThinkingContent
    )
}

fn is_whole_number(json: &str) -> bool {
    let digits = json.strip_prefix('-').unwrap_or(json);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}
