//! The fields of AG-UI's protobuf messages (facts/agui §2.4), as data.

/// A message: its fields, what must be there, and what is made of them.
pub(super) struct Message {
    pub(super) fields: &'static [(u64, &'static str, Kind)],
    /// Members that JSON must have; protobuf leaves out what is empty.
    pub(super) required: &'static [(&'static str, &'static str)],
    pub(super) shape: Shape,
}

/// How a field becomes JSON.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    Integer,
    Boolean,
    /// `google.protobuf.Value`.
    Value,
    /// `google.protobuf.Struct`.
    Struct,
    /// The operation of a JSON Patch.
    Operation,
    Texts,
    One(&'static Message),
    Many(&'static Message),
    /// Its members stand with those of the message it is in.
    Inline(&'static Message),
    /// The same, behind a `type` that is the field's name.
    Variant(&'static Message),
}

/// What is made of the members once all are there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Plain,
    /// `outcome` takes in the members that belong to it.
    Outcome,
    /// `contentParts` stand as `content`.
    Parts,
}

use Kind::{Boolean, Inline, Integer, Many, One, Operation, Struct, Text, Texts, Value, Variant};

const EMPTY: &str = "\"\"";
const NO_LIST: &str = "[]";

const fn plain(fields: &'static [(u64, &'static str, Kind)]) -> Message {
    Message { fields, required: &[], shape: Shape::Plain }
}

const fn with(
    fields: &'static [(u64, &'static str, Kind)],
    required: &'static [(&'static str, &'static str)],
) -> Message {
    Message { fields, required, shape: Shape::Plain }
}

/// Events by the number of their field in `Event`.
pub(super) fn event(number: u64) -> Option<(&'static str, &'static Message)> {
    let index = usize::try_from(number).ok()?.checked_sub(1)?;
    EVENTS.get(index).map(|(name, message)| (*name, message))
}

const BASE: (u64, &str, Kind) = (1, "", Inline(&BASE_EVENT));
static BASE_EVENT: Message =
    plain(&[(2, "timestamp", Integer), (3, "rawEvent", Value), (4, "metadata", Struct)]);

const SUB: &str = "subagentRunId";
const ID: (&str, &str) = ("messageId", EMPTY);
const DELTA: (&str, &str) = ("delta", EMPTY);
const CALL: (&str, &str) = ("toolCallId", EMPTY);

static EVENTS: [(&str, Message); 31] = [
    (
        "TEXT_MESSAGE_START",
        with(
            &[BASE, (2, "messageId", Text), (3, "role", Text), (4, "name", Text), (5, SUB, Text)],
            &[ID],
        ),
    ),
    (
        "TEXT_MESSAGE_CONTENT",
        with(&[BASE, (2, "messageId", Text), (3, "delta", Text), (4, SUB, Text)], &[ID, DELTA]),
    ),
    ("TEXT_MESSAGE_END", with(&[BASE, (2, "messageId", Text), (3, SUB, Text)], &[ID])),
    (
        "TOOL_CALL_START",
        with(
            &[
                BASE,
                (2, "toolCallId", Text),
                (3, "toolCallName", Text),
                (4, "parentMessageId", Text),
                (5, SUB, Text),
            ],
            &[CALL, ("toolCallName", EMPTY)],
        ),
    ),
    (
        "TOOL_CALL_ARGS",
        with(&[BASE, (2, "toolCallId", Text), (3, "delta", Text), (4, SUB, Text)], &[CALL, DELTA]),
    ),
    ("TOOL_CALL_END", with(&[BASE, (2, "toolCallId", Text), (3, SUB, Text)], &[CALL])),
    ("STATE_SNAPSHOT", plain(&[BASE, (2, "snapshot", Value), (3, SUB, Text)])),
    (
        "STATE_DELTA",
        with(&[BASE, (2, "delta", Many(&PATCH)), (3, SUB, Text)], &[("delta", NO_LIST)]),
    ),
    ("MESSAGES_SNAPSHOT", with(&[BASE, (2, "messages", Many(&MESSAGE))], &[("messages", NO_LIST)])),
    ("RAW", plain(&[BASE, (2, "event", Value), (3, "source", Text), (4, SUB, Text)])),
    (
        "CUSTOM",
        with(&[BASE, (2, "name", Text), (3, "value", Value), (4, SUB, Text)], &[("name", EMPTY)]),
    ),
    (
        "RUN_STARTED",
        with(
            &[
                BASE,
                (2, "threadId", Text),
                (3, "runId", Text),
                (4, "parentRunId", Text),
                (5, "input", One(&INPUT)),
                (6, "protocolVersion", Text),
            ],
            &[("threadId", EMPTY), ("runId", EMPTY)],
        ),
    ),
    (
        "RUN_FINISHED",
        Message {
            fields: &[
                BASE,
                (2, "threadId", Text),
                (3, "runId", Text),
                (4, "result", Value),
                (5, "outcome", Text),
                (6, "interrupts", Many(&INTERRUPT)),
                (7, "usage", Many(&USAGE)),
                (8, "pendingToolCallIds", Texts),
            ],
            required: &[("threadId", EMPTY), ("runId", EMPTY)],
            shape: Shape::Outcome,
        },
    ),
    (
        "RUN_ERROR",
        with(
            &[BASE, (2, "code", Text), (3, "message", Text), (4, "usage", Many(&USAGE))],
            &[("message", EMPTY)],
        ),
    ),
    ("STEP_STARTED", with(&[BASE, (2, "stepName", Text), (3, SUB, Text)], &[("stepName", EMPTY)])),
    ("STEP_FINISHED", with(&[BASE, (2, "stepName", Text), (3, SUB, Text)], &[("stepName", EMPTY)])),
    (
        "TEXT_MESSAGE_CHUNK",
        plain(&[
            BASE,
            (2, "messageId", Text),
            (3, "role", Text),
            (4, "delta", Text),
            (5, "name", Text),
            (6, SUB, Text),
        ]),
    ),
    (
        "TOOL_CALL_CHUNK",
        plain(&[
            BASE,
            (2, "toolCallId", Text),
            (3, "toolCallName", Text),
            (4, "parentMessageId", Text),
            (5, "delta", Text),
            (6, SUB, Text),
        ]),
    ),
    (
        "SUBAGENT_STARTED",
        with(
            &[
                BASE,
                (2, SUB, Text),
                (3, "name", Text),
                (4, "description", Text),
                (5, "parentSubagentRunId", Text),
                (6, "parentToolCallId", Text),
                (7, "parentMessageId", Text),
            ],
            &[(SUB, EMPTY), ("name", EMPTY)],
        ),
    ),
    (
        "SUBAGENT_FINISHED",
        Message {
            fields: &[
                BASE,
                (2, SUB, Text),
                (3, "result", Value),
                (4, "outcome", Text),
                (5, "interruptIds", Texts),
            ],
            required: &[(SUB, EMPTY)],
            shape: Shape::Outcome,
        },
    ),
    (
        "SUBAGENT_ERROR",
        with(
            &[BASE, (2, SUB, Text), (3, "message", Text), (4, "code", Text)],
            &[(SUB, EMPTY), ("message", EMPTY)],
        ),
    ),
    (
        "TOOL_CALL_RESULT",
        Message {
            fields: &[
                BASE,
                (2, SUB, Text),
                (3, "messageId", Text),
                (4, "toolCallId", Text),
                (5, "content", Text),
                (6, "role", Text),
                (7, "contentParts", Many(&PART)),
            ],
            required: &[ID, CALL, ("content", EMPTY)],
            shape: Shape::Parts,
        },
    ),
    (
        "ACTIVITY_SNAPSHOT",
        with(
            &[
                BASE,
                (2, SUB, Text),
                (3, "messageId", Text),
                (4, "activityType", Text),
                (5, "content", Struct),
                (6, "replace", Boolean),
            ],
            &[ID, ("activityType", EMPTY), ("content", "{}")],
        ),
    ),
    (
        "ACTIVITY_DELTA",
        with(
            &[
                BASE,
                (2, SUB, Text),
                (3, "messageId", Text),
                (4, "activityType", Text),
                (5, "patch", Many(&PATCH)),
            ],
            &[ID, ("activityType", EMPTY), ("patch", NO_LIST)],
        ),
    ),
    ("REASONING_START", with(&[BASE, (2, SUB, Text), (3, "messageId", Text)], &[ID])),
    (
        "REASONING_MESSAGE_START",
        with(&[BASE, (2, SUB, Text), (3, "messageId", Text), (4, "role", Text)], &[ID]),
    ),
    (
        "REASONING_MESSAGE_CONTENT",
        with(&[BASE, (2, SUB, Text), (3, "messageId", Text), (4, "delta", Text)], &[ID, DELTA]),
    ),
    ("REASONING_MESSAGE_END", with(&[BASE, (2, SUB, Text), (3, "messageId", Text)], &[ID])),
    (
        "REASONING_MESSAGE_CHUNK",
        plain(&[BASE, (2, SUB, Text), (3, "messageId", Text), (4, "delta", Text)]),
    ),
    ("REASONING_END", with(&[BASE, (2, SUB, Text), (3, "messageId", Text)], &[ID])),
    (
        "REASONING_ENCRYPTED_VALUE",
        with(
            &[
                BASE,
                (2, SUB, Text),
                (3, "subtype", Text),
                (4, "entityId", Text),
                (5, "encryptedValue", Text),
            ],
            &[("subtype", EMPTY), ("entityId", EMPTY), ("encryptedValue", EMPTY)],
        ),
    ),
];

static PATCH: Message = with(
    &[(1, "op", Operation), (2, "path", Text), (3, "from", Text), (4, "value", Value)],
    // An operation is a number, and the first one is left out like everything that is 0.
    &[("op", "\"add\""), ("path", EMPTY)],
);

static MESSAGE: Message = Message {
    fields: &[
        (1, "id", Text),
        (2, "role", Text),
        (3, "content", Text),
        (4, "name", Text),
        (5, "toolCalls", Many(&TOOL_CALL)),
        (6, "toolCallId", Text),
        (7, "error", Text),
        (8, "contentParts", Many(&PART)),
        (9, "metadata", Struct),
        (10, SUB, Text),
        (11, "encryptedValue", Text),
        (12, "activityType", Text),
        (13, "content", Struct),
    ],
    required: &[("id", EMPTY), ("role", EMPTY)],
    shape: Shape::Parts,
};

static TOOL_CALL: Message = with(
    &[
        (1, "id", Text),
        (2, "type", Text),
        (3, "function", One(&FUNCTION)),
        (4, "metadata", Struct),
        (5, "encryptedValue", Text),
    ],
    &[("id", EMPTY), ("type", "\"function\"")],
);
static FUNCTION: Message =
    with(&[(1, "name", Text), (2, "arguments", Text)], &[("name", EMPTY), ("arguments", EMPTY)]);

static PART: Message = plain(&[
    (1, "text", Variant(&TEXT_PART)),
    (2, "image", Variant(&MEDIA)),
    (3, "audio", Variant(&MEDIA)),
    (4, "video", Variant(&MEDIA)),
    (5, "document", Variant(&MEDIA)),
]);
static TEXT_PART: Message =
    with(&[(1, "text", Text), (2, "id", Text), (3, "metadata", Struct)], &[("text", EMPTY)]);
static MEDIA: Message =
    plain(&[(1, "source", One(&SOURCE)), (2, "metadata", Struct), (3, "id", Text)]);
static SOURCE: Message = plain(&[
    (1, "data", Variant(&PLACE)),
    (2, "url", Variant(&PLACE)),
    (3, "file", Variant(&FILE)),
]);
static PLACE: Message = with(&[(1, "value", Text), (2, "mimeType", Text)], &[("value", EMPTY)]);
static FILE: Message =
    with(&[(1, "value", Text), (2, "provider", Text), (3, "mimeType", Text)], &[("value", EMPTY)]);

static USAGE: Message = plain(&[
    (1, "provider", Text),
    (2, "model", Text),
    (3, "inputTokens", Integer),
    (4, "outputTokens", Integer),
    (5, "totalTokens", Integer),
    (6, "reasoningTokens", Integer),
    (7, "cachedInputTokens", Integer),
    (8, "cacheWriteInputTokens", Integer),
]);

static INPUT: Message = with(
    &[
        (1, "threadId", Text),
        (2, "runId", Text),
        (3, "parentRunId", Text),
        (4, "state", Value),
        (5, "messages", Many(&MESSAGE)),
        (6, "tools", Many(&TOOL)),
        (7, "context", Many(&CONTEXT)),
        (8, "forwardedProps", Value),
        (9, "resume", Many(&RESUME)),
        (10, "protocolVersion", Text),
    ],
    &[("threadId", EMPTY), ("runId", EMPTY), ("messages", NO_LIST)],
);

static INTERRUPT: Message = with(
    &[
        (1, "id", Text),
        (2, "reason", Text),
        (3, "message", Text),
        (4, "toolCallId", Text),
        (5, "responseSchema", Struct),
        (6, "expiresAt", Text),
        (7, "metadata", Struct),
        (8, SUB, Text),
    ],
    &[("id", EMPTY), ("reason", EMPTY)],
);
static RESUME: Message = with(
    &[
        (1, "interruptId", Text),
        (2, "status", Text),
        (3, "payload", Value),
        (4, "metadata", Struct),
    ],
    &[("interruptId", EMPTY), ("status", EMPTY)],
);
static TOOL: Message = with(
    &[
        (1, "name", Text),
        (2, "description", Text),
        (3, "parameters", Value),
        (4, "metadata", Struct),
    ],
    &[("name", EMPTY), ("description", EMPTY)],
);
static CONTEXT: Message = with(
    &[(1, "description", Text), (2, "value", Text)],
    &[("description", EMPTY), ("value", EMPTY)],
);
