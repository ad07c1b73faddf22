//! The containers by name, and what can be done with each.

use std::io::Write;

use super::events_object::{EventsObject, Lists};
use super::reduce::{ReduceError, Target};
use super::sse_reduce::Rule;
use super::{Connection, Content, Frames, Keep, LeftOut};
use super::{agui_jsonl, aimock, array, case_lines, har, har_reduce, inspector, inspector_reduce};
use super::{jsonl, messages, protobuf, sequence, sse, sse_reduce};

/// A container (facts/agui §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// A JSON array of events (§4.1, §4.14, §4.15).
    JsonArray {
        /// Member of each element that holds the event.
        wrapper: Option<Wrapper>,
    },
    /// JSON objects, one a line (§4.2, §4.12, §4.14, §4.15).
    Jsonl {
        /// Member of each line's object that holds the event.
        wrapper: Option<Wrapper>,
    },
    /// JSON objects one after the other, each over several lines.
    JsonSequence {
        /// Member of each object that holds the event.
        wrapper: Option<Wrapper>,
    },
    /// Server-sent events (§4.3).
    Sse {
        /// The body still has its chunk-size lines.
        chunked: bool,
        /// There are HTTP header lines (`curl -i`, `curl -v`).
        headers: bool,
    },
    /// `.agui.jsonl` of AG-UI DevTools (§4.5).
    AguiJsonl,
    /// HTTP archive (§4.4).
    Har,
    /// Session of agui-inspector, version 0 (§4.6).
    InspectorSession,
    /// Messages without events (§4.7, §4.13).
    Messages(MessagesShape),
    /// aimock fixtures (§4.8).
    Aimock,
    /// An object with one list of events (§4.10, §4.11).
    EventsObject {
        /// Member of each element that holds the event.
        wrapper: Option<Wrapper>,
        /// The list is called `aguiEvents` (ambient-code export).
        ambient: bool,
    },
    /// An object of named event lists (§4.16).
    NamedLists,
    /// One case a line, each with its own `stream` of events.
    CaseLines,
    /// Length-prefixed protobuf (§2.4, §4.17).
    Protobuf,
}

/// Member that wraps an event (facts/agui §4.15).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wrapper {
    /// `{"t":0.31,"event":{…}}`
    Event,
    /// `{"id":…,"payload":{…}}`
    Payload,
    /// `{"data":{…}}`
    Data,
}

/// The messages-only shapes (facts/agui §4.7, §4.13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessagesShape {
    /// A JSON list of messages.
    List,
    /// One RunAgentInput.
    Input,
    /// One MESSAGES_SNAPSHOT event.
    Snapshot,
    /// An object with `messages`: CopilotKit's `/messages`, an agent framework's thread snapshot.
    Object,
}

impl Format {
    /// Stable name, as it stands in the command line's JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonArray { .. } => "json-array",
            Self::Jsonl { .. } => "jsonl",
            Self::JsonSequence { .. } => "json-sequence",
            Self::Sse { .. } => "sse",
            Self::AguiJsonl => "agui-jsonl",
            Self::Har => "har",
            Self::InspectorSession => "agui-inspector",
            Self::Messages(_) => "messages",
            Self::Aimock => "aimock",
            Self::EventsObject { ambient: false, .. } => "events-object",
            Self::EventsObject { ambient: true, .. } => "ambient-code",
            Self::NamedLists => "named-lists",
            Self::CaseLines => "case-lines",
            Self::Protobuf => "protobuf",
        }
    }

    /// What of the source may be kept.
    #[must_use]
    pub fn keep(self) -> Keep {
        match self {
            Self::Har | Self::InspectorSession | Self::Sse { headers: true, .. } => Keep::Reduced,
            _ => Keep::AsIs,
        }
    }

    /// Whether reading may start again at the beginning of a frame's range ([`Frame::at`]), as long as the
    /// frame before it has another range.
    #[must_use]
    pub fn resumable(self) -> bool {
        matches!(
            self,
            Self::JsonArray { .. }
                | Self::Jsonl { .. }
                | Self::JsonSequence { .. }
                | Self::Sse { chunked: false, .. }
                | Self::AguiJsonl
                | Self::EventsObject { .. }
                | Self::Protobuf
        )
    }

    /// Reads a content of this format from its beginning.
    #[must_use]
    pub fn open(self, content: Content) -> Box<dyn Frames + Send> {
        match self {
            Self::JsonArray { wrapper } => Box::new(array::JsonArray::open(content, wrapper)),
            Self::Jsonl { wrapper } => Box::new(jsonl::Jsonl::open(content, wrapper)),
            Self::JsonSequence { wrapper } => {
                Box::new(sequence::JsonSequence::open(content, wrapper))
            }
            Self::Sse { chunked, .. } => Box::new(sse::Sse::open(content, chunked)),
            Self::AguiJsonl => Box::new(agui_jsonl::AguiJsonl::open(content)),
            Self::Har => Box::new(har::Har::open(content)),
            Self::InspectorSession => Box::new(inspector::Inspector::open(content)),
            Self::Messages(shape) => Box::new(messages::Messages::open(content, shape)),
            Self::Aimock => Box::new(aimock::Aimock::open(content)),
            Self::EventsObject { wrapper, ambient } => {
                Box::new(EventsObject::open(content, list(ambient), wrapper))
            }
            Self::NamedLists => Box::new(EventsObject::open(content, Lists::Every, None)),
            Self::CaseLines => Box::new(case_lines::CaseLines::open(content)),
            Self::Protobuf => Box::new(protobuf::Protobuf::open(content)),
        }
    }

    /// Reads on from the beginning of a frame: `content` begins with byte `offset` of the whole content.
    /// `None` when the format is not [resumable](Self::resumable).
    ///
    /// `known` are the connections met before that frame, in their order; a capture goes on with the last of
    /// them, so to read a run again give those up to and including its own.
    #[must_use]
    pub fn resume(
        self,
        content: Content,
        offset: u64,
        known: Vec<Connection>,
    ) -> Option<Box<dyn Frames + Send>> {
        Some(match self {
            Self::JsonArray { wrapper } => {
                Box::new(array::JsonArray::resume(content, offset, known, wrapper))
            }
            Self::Jsonl { wrapper } => {
                Box::new(jsonl::Jsonl::resume(content, offset, known, wrapper))
            }
            Self::JsonSequence { wrapper } => {
                Box::new(sequence::JsonSequence::resume(content, offset, known, wrapper))
            }
            Self::Sse { chunked: false, .. } => Box::new(sse::Sse::resume(content, offset, known)),
            Self::AguiJsonl => Box::new(agui_jsonl::AguiJsonl::resume(content, offset, known)),
            Self::EventsObject { wrapper, ambient } => {
                Box::new(EventsObject::resume(content, offset, known, list(ambient), wrapper))
            }
            Self::Protobuf => Box::new(protobuf::Protobuf::resume(content, offset, known)),
            _ => return None,
        })
    }

    /// Writes what of a content may be kept ([`Self::keep`]): a content of the same format. Where all may be
    /// kept, writes all.
    ///
    /// # Errors
    /// [`ReduceError`], when the content cannot be read or the result cannot be written.
    pub fn reduce(self, mut content: Content, out: &mut dyn Write) -> Result<LeftOut, ReduceError> {
        Target::new(out).run(|out| match self {
            Self::Har => har_reduce::reduce(content, out),
            Self::InspectorSession => inspector_reduce::reduce(content, out),
            Self::Sse { headers: true, chunked } => {
                let rule = if chunked { Rule::Chunked } else { Rule::Capture };
                sse_reduce::reduce(content, rule, out)
            }
            _ => std::io::copy(&mut content, out).map(|_| LeftOut::default()),
        })
    }
}

/// The list of an object that is read.
fn list(ambient: bool) -> Lists {
    Lists::Named(if ambient { "aguiEvents" } else { "events" })
}
