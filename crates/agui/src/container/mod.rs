//! Containers: the ways people save AG-UI conversations (facts/agui §4).
//!
//! A container is told by its content, never by its name, and hands on [`Frame`]s in the order of the
//! source. Nothing here reads more of the source than it needs: memory does not grow with its length.

pub mod codes;
mod error;

use std::io::Read;

use crate::finding::Finding;
use crate::frame::Frame;

pub use error::{NotRecognised, OpenError, ReadError};

/// Bytes of a source after its carrier was taken off ([`crate::carrier::open`]).
pub type Content = Box<dyn Read + Send>;

/// Frames of one source, in arrival order.
pub trait Frames {
    /// The next frame; `None` at the end of the source.
    ///
    /// # Errors
    /// Only what ends the whole source: it cannot be read on, or its carrier is damaged. Anything wrong
    /// with single frames is a frame ([`crate::frame::Body::Malformed`]) or a finding.
    fn next_frame(&mut self) -> Result<Option<Frame>, ReadError>;

    /// The connections met so far; [`Frame::connection`] counts in here. A connection's description may be
    /// completed by later parts of the source.
    fn connections(&self) -> &[Connection];

    /// Findings since the last call, each about the frames handed on by then.
    fn take_findings(&mut self) -> Vec<Finding>;
}

/// One stream of a source: a request and its reply, or what a file holds in their place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Connection {
    /// What the container calls it (`connId`, exchange id, fixture or case name), else empty.
    pub name: String,
    /// URL or path of the request without user name, password, query and fragment.
    pub url: Option<String>,
    /// Method of the request.
    pub method: Option<String>,
    /// HTTP status of the reply.
    pub status: Option<u16>,
    /// Who served it, as far as the container says (`server` header, tool, project name).
    pub service: Option<String>,
    /// When it began, as the container says it (RFC 3339 text or milliseconds since 1970).
    pub started_at: Option<String>,
    /// How it came over the wire: `sse`, `binary`, as the container says.
    pub transport: Option<String>,
    /// Groups of text that the recorder replaced before saving (facts/agui §4.5).
    pub redacted: Vec<String>,
    /// The user's words that the container gives outside of any event (aimock `match.message`).
    pub question: Option<String>,
    /// The container holds messages only: whether they had citations is unknown, not "none".
    pub citations_unknown: bool,
}

/// What of a source may be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// All bytes of the content.
    AsIs,
    /// Only what [`Format::reduce`] writes: the rest can hold headers, cookies and tokens.
    Reduced,
}

/// What [`Format::reduce`] left out; counts only, never the content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Entries that are no AG-UI.
    pub entries: u64,
    /// Header lines, cookies not among them.
    pub headers: u64,
    /// Cookies.
    pub cookies: u64,
    /// Query strings, fragments and user names of URLs.
    pub queries: u64,
}

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
}
