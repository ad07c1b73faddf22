//! Member names of events, requests and messages with their other spellings (facts/agui §1.15, §1.16).

/// A member's name and what else it is called in the wild.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The name in the specification.
    pub name: &'static str,
    /// Other spellings, in the order in which they are tried.
    pub aliases: &'static [&'static str],
}

macro_rules! keys {
    ($($(#[$doc:meta])* $constant:ident = $name:literal $(, $alias:literal)*;)*) => {
        $(
            $(#[$doc])*
            #[doc = concat!("`", $name, "`")]
            pub const $constant: Key = Key { name: $name, aliases: &[$($alias),*] };
        )*

        /// Every alias of the table.
        pub(super) const ALIASES: &[&str] = &[$($($alias,)*)*];
    };
}

keys! {
    ACTIVITY_TYPE = "activityType", "activity_type";
    ARGUMENTS = "arguments", "args";
    CODE = "code";
    CONTENT = "content";
    DELTA = "delta";
    DESCRIPTION = "description";
    ENCRYPTED_VALUE = "encryptedValue", "encrypted_value", "encryptedContent", "encrypted_content";
    ENTITY_ID = "entityId", "entity_id";
    ERROR = "error";
    EVENT = "event";
    EXPIRES_AT = "expiresAt", "expires_at";
    FORWARDED_PROPS = "forwardedProps", "forwarded_props";
    FUNCTION = "function";
    ID = "id";
    INPUT = "input";
    INTERRUPTS = "interrupts", "interrupt";
    INTERRUPT_ID = "interruptId", "interrupt_id";
    MESSAGE = "message";
    MESSAGES = "messages";
    MESSAGE_ID = "messageId", "message_id";
    METADATA = "metadata";
    META_TYPE = "metaType", "meta_type";
    NAME = "name";
    OUTCOME = "outcome";
    PARENT_MESSAGE_ID = "parentMessageId", "parent_message_id";
    PARENT_RUN_ID = "parentRunId", "parent_run_id";
    PARENT_SUBAGENT_RUN_ID = "parentSubagentRunId", "parent_subagent_run_id";
    PARENT_TOOL_CALL_ID = "parentToolCallId", "parent_tool_call_id";
    PATCH = "patch";
    PAYLOAD = "payload";
    PENDING_TOOL_CALL_IDS = "pendingToolCallIds", "pending_tool_call_ids";
    PROTOCOL_VERSION = "protocolVersion", "protocol_version";
    RAW_EVENT = "rawEvent", "raw_event";
    REASON = "reason";
    REPLACE = "replace";
    RESPONSE_SCHEMA = "responseSchema", "response_schema";
    RESULT = "result";
    RESUME = "resume";
    ROLE = "role";
    RUN_ID = "runId", "run_id";
    SOURCE = "source";
    STATE = "state";
    STATUS = "status";
    STEP_NAME = "stepName", "step_name";
    SUBAGENT_RUN_ID = "subagentRunId", "subagent_run_id";
    SUBTYPE = "subtype";
    THREAD_ID = "threadId", "thread_id";
    TIMESTAMP = "timestamp";
    TEXT = "text";
    TITLE = "title";
    TOOL_CALLS = "toolCalls", "tool_calls";
    TOOL_CALL_ID = "toolCallId", "tool_call_id";
    TOOL_CALL_NAME = "toolCallName", "tool_call_name";
    TYPE = "type";
    USAGE = "usage";
    VALUE = "value";
    /// The documentation's page on serialisation calls it `state` (facts/agui §1.5).
    SNAPSHOT = "snapshot", "state";
    /// The documentation's page on serialisation calls it `patch` (facts/agui §1.5).
    STATE_PATCH = "delta", "patch";
    /// `content` of a tool result; some servers send `result` (facts/agui §1.16).
    TOOL_CONTENT = "content", "result";
    /// `message` of RUN_ERROR; some servers send `error` (facts/agui §1.16).
    ERROR_MESSAGE = "message", "error";
    PROVIDER = "provider";
    MODEL = "model";
    INPUT_TOKENS = "inputTokens", "input_tokens";
    OUTPUT_TOKENS = "outputTokens", "output_tokens";
    TOTAL_TOKENS = "totalTokens", "total_tokens";
    REASONING_TOKENS = "reasoningTokens", "reasoning_tokens";
    CACHED_INPUT_TOKENS = "cachedInputTokens", "cached_input_tokens";
    CACHE_WRITE_INPUT_TOKENS = "cacheWriteInputTokens", "cache_write_input_tokens";
}

impl Key {
    /// Whether a spelling is the plain snake case of the name, as Python stores write it.
    pub fn is_snake_case(&self, spelling: &str) -> bool {
        let mut name = self.name.chars();
        let mut spelt = spelling.chars();
        loop {
            match (name.next(), spelt.next()) {
                (None, None) => return spelling.contains('_'),
                (Some(n), Some('_')) if n.is_ascii_uppercase() => {
                    if spelt.next() != Some(n.to_ascii_lowercase()) {
                        return false;
                    }
                }
                (Some(n), Some(s)) if n == s => {}
                _ => return false,
            }
        }
    }
}
