//! Frames: what a container hands on, one after the other, in arrival order.

use std::ops::Range;

/// One piece of a recording with the place it stands at (facts/agui §7.3).
///
/// A frame never loses bytes: whatever could not be read as an event is handed on as
/// [`Body::Malformed`], [`Body::Note`] or [`Body::KeepAlive`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Bytes of the source's content (after carrier decoding: gzip, UTF-16) that hold this frame: in
    /// line formats the whole line or SSE frame, in JSON containers the wrapped value. Frames out of one
    /// line or SSE frame share one range. In [resumable] formats ranges never run backwards and all others
    /// are disjoint.
    ///
    /// [resumable]: crate::container::Format::resumable
    pub at: Range<u64>,
    /// Which stream of the source it came in on: an index into [`crate::container::Frames::connections`].
    pub connection: u32,
    /// When it arrived, as far as the container says.
    pub arrival: Option<Arrival>,
    /// The event's type when only the container names it: the `event:` line of an SSE frame whose data
    /// has no `type` (facts/agui §1.15). The text of the event stays as received.
    pub event_name: Option<String>,
    /// What it is.
    pub body: Body,
}

/// What a frame holds. Texts are bytes as received; they need not be valid UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// One event's JSON text exactly as it stands in the source (`data` lines of one SSE frame joined
    /// by LF; a protobuf frame decoded to JSON).
    Event(Vec<u8>),
    /// The request that opened the connection: a RunAgentInput as JSON text.
    Request(Vec<u8>),
    /// A JSON list of messages of a messages-only source, as it stands in the source.
    Messages(Vec<u8>),
    /// A comment or keep-alive line.
    KeepAlive(Vec<u8>),
    /// The end marker `[DONE]`.
    Done,
    /// Bytes that belong to the container and say nothing: header blocks, unknown SSE fields, unknown record kinds.
    Note(Vec<u8>),
    /// Bytes that should have been an event and are none, with the reason.
    Malformed {
        /// The bytes as received.
        bytes: Vec<u8>,
        /// Why they are no event.
        why: Malformed,
    },
}

/// Why a frame is no event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Malformed {
    /// Not a JSON text, with what the parser said.
    NotJson(String),
    /// A JSON text, but no object.
    NotAnObject,
    /// Longer than [`crate::limits::MAX_FRAME_BYTES`].
    TooLong,
    /// Nested deeper than [`crate::limits::MAX_DEPTH`].
    TooDeep,
    /// The source ends inside the frame.
    Truncated,
    /// What holds the event is there more than once: readers differ in which one counts, so none is read.
    Ambiguous(String),
    /// A protobuf frame that does not decode, with the reason.
    NotProtobuf(String),
}

/// Time of arrival as the container states it (facts/agui §4.4, §4.5, §4.6).
#[derive(Debug, Clone, PartialEq)]
pub enum Arrival {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    UnixMillis(i64),
    /// Milliseconds since the connection opened.
    OffsetMillis(f64),
    /// A time as text, not interpreted here.
    Text(String),
}

impl Eq for Arrival {}
