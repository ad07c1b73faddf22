//! What a thread holds after folding (facts/agui §3.2–§3.6).
//!
//! Ids of the world are never keys: runs, messages and tool calls are numbered within their thread, in the
//! order in which they were first met, and the numbers stay the same when a later recording goes on.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::frame::Arrival;
use crate::runs::{Ending, RunNo, TokenUsage};

macro_rules! number {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
            pub struct $name(pub u64);
        )*
    };
}

number! {
    /// Number of a run within its thread, from 0.
    RunKey;
    /// Number of a message within its thread, from 0.
    MessageKey;
    /// Number of a tool call within its thread, from 0.
    CallKey;
}

/// Who speaks in a message.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // The names are the specification's own (facts/agui §1.12).
pub enum Role {
    Assistant,
    User,
    System,
    Developer,
    Tool,
    Reasoning,
    Activity,
    /// A role of no enumeration, by its name.
    Other(String),
}

/// Within a class an id names one message of a run; across classes the same id is another message
/// (facts/agui §0.4, §3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)] // As the roles.
pub enum RoleClass {
    /// Assistant, system, developer and unknown roles.
    Text,
    User,
    Tool,
    Reasoning,
    Activity,
}

impl Role {
    /// Reads a role's name.
    pub fn read(name: &str) -> Self {
        match name {
            "assistant" => Self::Assistant,
            "user" => Self::User,
            "system" => Self::System,
            "developer" => Self::Developer,
            "tool" => Self::Tool,
            "reasoning" => Self::Reasoning,
            "activity" => Self::Activity,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        match self {
            Self::Assistant => "assistant",
            Self::User => "user",
            Self::System => "system",
            Self::Developer => "developer",
            Self::Tool => "tool",
            Self::Reasoning => "reasoning",
            Self::Activity => "activity",
            Self::Other(name) => name,
        }
    }

    /// The class.
    pub fn class(&self) -> RoleClass {
        match self {
            Self::User => RoleClass::User,
            Self::Tool => RoleClass::Tool,
            Self::Reasoning => RoleClass::Reasoning,
            Self::Activity => RoleClass::Activity,
            Self::Assistant | Self::System | Self::Developer | Self::Other(_) => RoleClass::Text,
        }
    }
}

/// Whether a message or a segment came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// Its END never came.
    No,
    /// Its END came.
    Yes,
    /// It came as chunks and what followed closed it (facts/agui §3.2).
    Implied,
    /// It came whole: from a list of messages or in one event.
    Whole,
}

impl Ended {
    /// Whether the text is complete.
    pub fn is_ended(self) -> bool {
        self != Self::No
    }
}

/// Where a message was first met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// In events of its own.
    Stream,
    /// In the request that `RUN_STARTED.input` echoes.
    Input,
    /// In the recorded request.
    Request,
    /// In a MESSAGES_SNAPSHOT.
    Snapshot,
    /// In the list of a messages-only source.
    List,
    /// Beside the events, as the words that a fixture answers to (facts/agui §4.8).
    Container,
}

/// One run of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Its number within the thread.
    pub key: RunKey,
    /// Its number within the source it came from.
    pub no: RunNo,
    /// The stream of the source it came in on.
    pub connection: u32,
    /// `threadId` as stated.
    pub thread_id: Option<String>,
    /// `runId` as stated.
    pub run_id: Option<String>,
    /// `parentRunId` as stated.
    pub parent_run_id: Option<String>,
    /// What the parent is to it, as far as the order of events tells.
    pub parent: Option<Parent>,
    /// Producer's protocol version; none means older than 1.0.
    pub protocol_version: Option<String>,
    /// Whether a RUN_STARTED begins it.
    pub started: bool,
    /// Index of its first event over the source.
    pub first_event: u64,
    /// Index of its last event, once it ended and if it has one.
    pub last_event: Option<u64>,
    /// Bytes of the content from its first to its last event; other connections' frames may stand between.
    pub at: Range<u64>,
    /// `timestamp` of its first event as spelt.
    pub timestamp: Option<String>,
    /// When it began, as far as the container says.
    pub arrival: Option<Arrival>,
    /// How it ended; none while it is open.
    pub ending: Option<Ending>,
    /// SHA-256 over its events' texts joined by LF, once it ended.
    pub hash: Option<[u8; 32]>,
    /// Number of its events, once it ended.
    pub events: u64,
    /// Whether its request is held.
    pub has_request: bool,
    /// Whether the user's words that it answers are held.
    pub question: Question,
    /// An earlier run of this thread with the same id and the same events: nothing of this one was folded.
    pub replay_of: Option<RunKey>,
    /// An earlier run of this thread with the same id and other events: both are kept.
    pub variant_of: Option<RunKey>,
    /// Whether its producer seems to have compacted it: timing and pieces are lost (facts/agui §3.5).
    pub compacted: bool,
    /// Tokens used, one entry a model.
    pub usage: Vec<TokenUsage>,
    /// Interrupts it ended with.
    pub interrupts: Vec<Interrupt>,
    /// Interrupts of earlier runs that its request answers.
    pub resumes: Vec<Resume>,
    /// Tool calls that wait for the application after it: those that its end names, or that have no result.
    pub pending_tool_calls: Vec<CallKey>,
    /// `result` of RUN_FINISHED as JSON text.
    pub result: Option<String>,
    /// Names of CUSTOM, RAW, META and unknown events in it.
    pub names: Vec<NamedEvents>,
    /// Sub-agents that worked in it.
    pub subagents: Vec<Subagent>,
}

/// What a parent run is to a run (facts/agui §3.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Parent {
    /// The parent was still open: it called this run.
    CalledBy,
    /// The parent had ended: this run continues it or branches from it.
    Continues,
    /// The parent is not held.
    NotHeld,
}

/// Whether the question of a run is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// A user message is held that came with the run.
    Recorded,
    /// The run answers interrupts or tool calls instead.
    Resumes,
    /// The question was not recorded.
    NotRecorded,
}

/// An open question of a run to the user or the application (facts/agui §1.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interrupt {
    /// `id`, or empty when the producer sent none.
    pub id: String,
    /// `reason`, open text.
    pub reason: Option<String>,
    /// `message`.
    pub message: Option<String>,
    /// `toolCallId`.
    pub tool_call_id: Option<String>,
    /// `responseSchema` as JSON text.
    pub response_schema: Option<String>,
    /// `expiresAt` as text.
    pub expires_at: Option<String>,
    /// `subagentRunId`.
    pub subagent: Option<String>,
}

/// An answer to an interrupt in a request's `resume`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    /// `interruptId`, or empty.
    pub interrupt: String,
    /// `status`, open text.
    pub status: Option<String>,
    /// `payload` as JSON text.
    pub payload: Option<String>,
}

/// Events of one kind and name in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedEvents {
    /// `CUSTOM`, `RAW`, `META` or the unknown type itself.
    pub kind: String,
    /// `name`, `source` or `metaType`; empty when there is none.
    pub name: String,
    /// How many.
    pub count: u64,
    /// Index of the first.
    pub first_event: u64,
}

/// A sub-agent of a run (facts/agui §1.10).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subagent {
    /// `subagentRunId`.
    pub id: String,
    /// `name`, where a SUBAGENT_STARTED was held.
    pub name: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `parentSubagentRunId`.
    pub parent: Option<String>,
    /// `parentToolCallId`.
    pub tool_call_id: Option<String>,
    /// How it ended: `success`, `suspended`, `error` or another word of its outcome; none while open.
    pub outcome: Option<String>,
    /// Index of the first event that names it.
    pub first_event: u64,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its number within the thread.
    pub key: MessageKey,
    /// Its id as first met.
    pub id: String,
    /// Whether the id was made here because the source gave none.
    pub id_derived: bool,
    /// Who speaks.
    pub role: Role,
    /// The run it was first met in; none for messages-only sources.
    pub run: Option<RunKey>,
    /// Its place in the thread: messages sorted by this number are in reading order. May change, see
    /// [`Changes::orders`].
    pub order: i64,
    /// Where it was first met.
    pub origin: Origin,
    /// Index of the event it was first met in, if it was one.
    pub first_event: Option<u64>,
    /// Index of the event that ended it, if one did.
    pub end_event: Option<u64>,
    /// Whether it was first met after its run's end.
    pub after_end: bool,
    /// `timestamp` of the first event as spelt.
    pub timestamp: Option<String>,
    /// When the first event arrived, as far as the container says.
    pub arrival: Option<Arrival>,
    /// Whether its text is complete.
    pub ended: Ended,
    /// How often it was opened.
    pub segments: u32,
    /// Where `text` begins in the whole text, in bytes: what was handed out before is left out.
    pub text_at: u64,
    /// The text; of a list of parts the `text` parts joined by LF.
    pub text: String,
    /// The content as JSON text where it is no string: a list of parts.
    pub parts: Option<String>,
    /// `name`.
    pub name: Option<String>,
    /// `toolCallId` of a tool message.
    pub tool_call_id: Option<String>,
    /// `error` of a tool message.
    pub error: Option<String>,
    /// `activityType` of an activity message.
    pub activity_type: Option<String>,
    /// Title of a THINKING span.
    pub title: Option<String>,
    /// `subagentRunId`.
    pub subagent: Option<String>,
    /// `metadata` as JSON text, merged as far as it came in one run.
    pub metadata: Option<String>,
}

/// One tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// Its number within the thread.
    pub key: CallKey,
    /// Its id.
    pub id: String,
    /// Whether the id was made here because the source gave none.
    pub id_derived: bool,
    /// The tool's name; the last one counts.
    pub name: String,
    /// The assistant message it belongs to.
    pub message: MessageKey,
    /// The run it was first met in.
    pub run: Option<RunKey>,
    /// Index of the event it was first met in, if it was one.
    pub first_event: Option<u64>,
    /// `subagentRunId`.
    pub subagent: Option<String>,
    /// `metadata` as JSON text, where some came since the last hand-out.
    pub metadata: Option<String>,
    /// The message with its result.
    pub result: Option<MessageKey>,
    /// The times it was started; of a hand-out only those that are new or changed.
    pub segments: Vec<Segment>,
}

/// One start of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Its number within the call, from 0.
    pub index: u32,
    /// The run it came in.
    pub run: Option<RunKey>,
    /// Index of its first event.
    pub first_event: Option<u64>,
    /// The arguments' text.
    pub arguments: String,
    /// Whether the arguments are complete.
    pub ended: Ended,
    /// The earlier segment whose arguments are the same JSON value: this one is not shown again.
    pub same_as: Option<u32>,
}

impl ToolCall {
    /// The arguments as they are shown: segments that repeat an earlier one are left out.
    pub fn arguments(&self) -> String {
        self.segments.iter().filter(|s| s.same_as.is_none()).map(|s| s.arguments.as_str()).collect()
    }
}

/// A further id of a message and why it is one (facts/agui §3.4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    /// The message.
    pub message: MessageKey,
    /// What it is also called.
    pub id: String,
    /// Why.
    pub reason: AliasReason,
    /// The run in which it was found.
    pub run: Option<RunKey>,
    /// Index of the event in which it was found, if it was one.
    pub event: Option<u64>,
}

/// Why an id is taken to name a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AliasReason {
    /// Both have the same tool call.
    ToolCallId,
    /// Both have the same role and, after trimming, the same text, and nothing else has.
    EqualText,
}

/// Another text that a list gives for a message whose text is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The message.
    pub message: MessageKey,
    /// The run whose list it is.
    pub run: Option<RunKey>,
    /// Index of the event, if it was one.
    pub event: Option<u64>,
    /// Where the list stood.
    pub origin: Origin,
    /// The other text.
    pub text: String,
}

/// An opaque value for the model (facts/agui §1.8). Kept; never text, never searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncryptedValue {
    /// What it belongs to.
    pub of: Entity,
    /// The run it came in.
    pub run: Option<RunKey>,
    /// Index of the event, if it was one.
    pub event: Option<u64>,
    /// The value.
    pub value: String,
}

/// What an encrypted value belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entity {
    /// A message.
    Message(MessageKey),
    /// A tool call.
    Call(CallKey),
    /// Something that is not held, by its id.
    Unknown(String),
}

/// Content of an activity message after an event that changed it, as JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityContent {
    /// The message.
    pub message: MessageKey,
    /// `activityType`; a delta may change it.
    pub activity_type: String,
    /// The content.
    pub content: String,
}

/// A `moca.citations` event as received, not interpreted here but for the message it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldCitation {
    /// The run it came in.
    pub run: RunKey,
    /// Index of the event over the source.
    pub event: u64,
    /// Bytes of the content it stands in.
    pub at: Range<u64>,
    /// `timestamp` of the event as spelt.
    pub timestamp: Option<String>,
    /// When it arrived, as far as the container says.
    pub arrival: Option<Arrival>,
    /// `value`, as far as it can be handed on as what was sent.
    pub value: CitationValue,
    /// `value.messageId`, when it is a string.
    pub message_id: Option<String>,
    /// Whether an assistant message of that id was known when the event arrived.
    pub message_known: bool,
    /// Whether that message had ended when the event arrived.
    pub message_ended: bool,
    /// Whether the run had ended when the event arrived.
    pub run_finished: bool,
}

/// The value of a `moca.citations` event. Only what everyone must read alike may carry trust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CitationValue {
    /// The event has none.
    Missing,
    /// JSON text, exactly as received.
    Exact(String),
    /// There, and not to be relied on; why, as one clause. The bytes are in the source.
    Unsure(&'static str),
}

impl CitationValue {
    /// The JSON text, where it is exactly what was sent.
    pub fn json(&self) -> Option<&str> {
        match self {
            Self::Exact(json) => Some(json),
            Self::Missing | Self::Unsure(_) => None,
        }
    }
}

/// A source in another form than MOCA's (facts/agui §8.2). Shown apart, never with a badge, never merged with a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignSource {
    /// The run it came in.
    pub run: RunKey,
    /// Index of the event it was found in.
    pub event: u64,
    /// Where it was found.
    pub origin: ForeignOrigin,
    /// Its title as stated.
    pub title: Option<String>,
    /// Its address as stated.
    pub url: Option<String>,
    /// The address's host as it stands in the address.
    pub host: Option<String>,
    /// The message it names or stands in.
    pub message: Option<MessageKey>,
    /// The message id it names, where no such message is held.
    pub message_id: Option<String>,
}

/// Where a foreign source was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForeignOrigin {
    /// In the state.
    State,
    /// In a CUSTOM event of this name.
    Custom(String),
    /// In a RAW event of this source, if it names one.
    Raw(Option<String>),
    /// In the producer's own event that came with an event of this type.
    RawEvent(String),
    /// In the metadata of a part of a tool result.
    ToolResult,
}

/// A finding with the run it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFinding {
    /// The run; none for messages-only sources.
    pub run: Option<RunKey>,
    /// The finding.
    pub finding: Finding,
}

/// Everything that is new or changed since the last hand-out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Runs that are new or changed, whole.
    pub runs: Vec<Run>,
    /// Messages that are new or changed, with what was added to their text.
    pub messages: Vec<Message>,
    /// New places of messages that were handed out before.
    pub orders: Vec<(MessageKey, i64)>,
    /// Tool calls that are new or changed.
    pub tool_calls: Vec<ToolCall>,
    /// Aliases found.
    pub aliases: Vec<Alias>,
    /// Other texts given for messages.
    pub edits: Vec<Edit>,
    /// Encrypted values.
    pub encrypted: Vec<EncryptedValue>,
    /// Contents of activity messages, the last one of each.
    pub activities: Vec<ActivityContent>,
    /// `moca.citations` events.
    pub citations: Vec<HeldCitation>,
    /// Sources in other forms.
    pub foreign: Vec<ForeignSource>,
    /// Findings, bounded per code and run.
    pub findings: Vec<RunFinding>,
    /// The state as JSON text, when it changed.
    pub state: Option<String>,
}

/// A message that an id names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved {
    /// The message.
    pub message: MessageKey,
    /// How the id names it.
    pub via: Via,
}

/// How an id names a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// It is the message's id.
    Id,
    /// It is another id of it, found for this reason.
    Alias(AliasReason),
}
