//! Type names (facts/agui §1.11) and the ways they are spelt (§1.15).

macro_rules! event_types {
    ($($variant:ident = $name:literal,)*) => {
        /// A type we know: the 31 of AG-UI 1.0, the 5 retired THINKING types and three that are in no enumeration.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)] // The variants are the names of the field's own table.
        pub enum EventType {
            $($variant,)*
        }

        impl EventType {
            /// Every type, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name on the wire.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            fn exact(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

event_types! {
    TextMessageStart = "TEXT_MESSAGE_START",
    TextMessageContent = "TEXT_MESSAGE_CONTENT",
    TextMessageEnd = "TEXT_MESSAGE_END",
    TextMessageChunk = "TEXT_MESSAGE_CHUNK",
    ToolCallStart = "TOOL_CALL_START",
    ToolCallArgs = "TOOL_CALL_ARGS",
    ToolCallEnd = "TOOL_CALL_END",
    ToolCallChunk = "TOOL_CALL_CHUNK",
    ToolCallResult = "TOOL_CALL_RESULT",
    StateSnapshot = "STATE_SNAPSHOT",
    StateDelta = "STATE_DELTA",
    MessagesSnapshot = "MESSAGES_SNAPSHOT",
    ActivitySnapshot = "ACTIVITY_SNAPSHOT",
    ActivityDelta = "ACTIVITY_DELTA",
    Raw = "RAW",
    Custom = "CUSTOM",
    RunStarted = "RUN_STARTED",
    RunFinished = "RUN_FINISHED",
    RunError = "RUN_ERROR",
    StepStarted = "STEP_STARTED",
    StepFinished = "STEP_FINISHED",
    ReasoningStart = "REASONING_START",
    ReasoningMessageStart = "REASONING_MESSAGE_START",
    ReasoningMessageContent = "REASONING_MESSAGE_CONTENT",
    ReasoningMessageEnd = "REASONING_MESSAGE_END",
    ReasoningMessageChunk = "REASONING_MESSAGE_CHUNK",
    ReasoningEnd = "REASONING_END",
    ReasoningEncryptedValue = "REASONING_ENCRYPTED_VALUE",
    SubagentStarted = "SUBAGENT_STARTED",
    SubagentFinished = "SUBAGENT_FINISHED",
    SubagentError = "SUBAGENT_ERROR",
    ThinkingStart = "THINKING_START",
    ThinkingEnd = "THINKING_END",
    ThinkingTextMessageStart = "THINKING_TEXT_MESSAGE_START",
    ThinkingTextMessageContent = "THINKING_TEXT_MESSAGE_CONTENT",
    ThinkingTextMessageEnd = "THINKING_TEXT_MESSAGE_END",
    ThinkingContent = "THINKING_CONTENT",
    Meta = "META",
    MetaEvent = "META_EVENT",
}

/// An event's type: one we know, or its name as received.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeKey {
    /// A type of the table.
    Known(EventType),
    /// Any other name, exactly as received; empty when there was none.
    Unknown(String),
}

impl TypeKey {
    /// Reads a type name in any of its spellings; the flag says whether it was spelt as the table does.
    pub fn read(name: &str) -> (Self, bool) {
        if let Some(kind) = EventType::exact(name) {
            return (Self::Known(kind), true);
        }
        match EventType::exact(&upper_snake(name)) {
            Some(kind) => (Self::Known(kind), false),
            None => (Self::Unknown(name.to_owned()), true),
        }
    }

    /// The type when it is known.
    pub fn known(&self) -> Option<EventType> {
        match self {
            Self::Known(kind) => Some(*kind),
            Self::Unknown(_) => None,
        }
    }

    /// The table's name, or the name as received.
    pub fn name(&self) -> &str {
        match self {
            Self::Known(kind) => kind.name(),
            Self::Unknown(name) => name,
        }
    }
}

/// `runStarted`, `RunStarted`, `run.started`, `run-started` → `RUN_STARTED`.
fn upper_snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && lower {
            out.push('_');
        }
        lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        out.push(if matches!(c, '.' | '-' | ' ') { '_' } else { c.to_ascii_uppercase() });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{EventType, TypeKey};

    #[test]
    fn every_type_is_read_in_every_spelling() {
        assert_eq!(EventType::ALL.len(), 31 + 5 + 3);
        for kind in EventType::ALL {
            let name = kind.name();
            let lower = name.to_ascii_lowercase();
            let pascal: String =
                lower.split('_').map(|w| w[..1].to_ascii_uppercase() + &w[1..]).collect();
            let camel = pascal[..1].to_ascii_lowercase() + &pascal[1..];
            assert_eq!(TypeKey::read(name), (TypeKey::Known(*kind), true));
            for spelling in
                [lower.clone(), lower.replace('_', "."), lower.replace('_', "-"), pascal, camel]
            {
                assert_eq!(TypeKey::read(&spelling), (TypeKey::Known(*kind), false), "{spelling}");
            }
        }
    }

    #[test]
    fn other_names_are_kept_as_received() {
        for name in ["USAGE_METADATA", "ActionExecutionStart", "", "RUN_STARTED "] {
            assert_eq!(TypeKey::read(name), (TypeKey::Unknown(name.to_owned()), true));
        }
    }
}
