//! Containers: the ways people save AG-UI conversations (facts/agui §4).
//!
//! A container is told by its content, never by its name, and hands on [`Frame`]s in the order of the
//! source. Nothing here reads more of the source than it needs: memory does not grow with its length.

mod agui_jsonl;
mod aimock;
mod array;
mod body_reduce;
mod case_lines;
pub mod codes;
mod detect;
mod error;
mod events_object;
mod format;
mod har;
mod har_entry;
mod har_reduce;
mod http;
mod inspector;
mod inspector_reduce;
mod jsonl;
mod lines;
mod messages;
mod names;
mod outbox;
mod protobuf;
mod reduce;
mod request_reduce;
mod sequence;
mod sse;
mod sse_reduce;
pub(crate) mod window;

use std::io::{Cursor, Read};

use serde::{Deserialize, Serialize};

use crate::carrier;
use crate::finding::Finding;
use crate::frame::Frame;
use crate::limits::{HEAD_BYTES, MAX_HEAD_BYTES};

pub use detect::detect;
pub use error::{NotRecognised, OpenError, ReadError};
pub use format::{Format, MessagesShape, Wrapper};
pub use reduce::ReduceError;

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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Lines and texts beside the events that are none of these: commands, request lines, request bodies.
    pub others: u64,
}

/// Recognises a content and opens it.
///
/// # Errors
/// [`OpenError`], when the content cannot be read or no container is recognised.
pub fn open(content: Content) -> Result<(Format, Box<dyn Frames + Send>), OpenError> {
    let (format, content) = recognise(content)?;
    Ok((format, format.open(content)))
}

/// Recognises a content, looking at as much of its beginning as is needed, and gives it back whole.
///
/// # Errors
/// [`OpenError`], when the content cannot be read or no container is recognised.
pub fn recognise(mut content: Content) -> Result<(Format, Content), OpenError> {
    let mut head = Vec::new();
    let mut wanted = HEAD_BYTES;
    loop {
        let missing = (wanted - head.len()) as u64;
        let read = content.by_ref().take(missing).read_to_end(&mut head);
        read.map_err(|error| OpenError::Read(error.into()))?;
        let complete = head.len() < wanted;
        match detect(&head, complete) {
            Ok(format) => return Ok((format, Box::new(Cursor::new(head).chain(content)))),
            Err(refusal) if refusal.more_may_help && wanted < MAX_HEAD_BYTES => {
                wanted = (wanted * 8).min(MAX_HEAD_BYTES);
            }
            Err(refusal) => return Err(OpenError::NotRecognised(refusal)),
        }
    }
}

/// Everything that a source at hand gives: its container, frames, connections and findings.
#[derive(Debug)]
pub struct Recording {
    /// The container.
    pub format: Format,
    /// All frames.
    pub frames: Vec<Frame>,
    /// All connections.
    pub connections: Vec<Connection>,
    /// All findings.
    pub findings: Vec<Finding>,
}

/// Reads a source that is at hand as a whole, its carrier included.
///
/// # Errors
/// [`OpenError`], when it cannot be read or no container is recognised.
pub fn frames(bytes: &[u8]) -> Result<Recording, OpenError> {
    let opened = carrier::open(Cursor::new(bytes.to_vec())).map_err(OpenError::Read)?;
    let (format, mut reader) = open(opened.content)?;
    let mut frames = Vec::new();
    let mut findings = Vec::new();
    while let Some(frame) = reader.next_frame().map_err(OpenError::Read)? {
        frames.push(frame);
        findings.extend(reader.take_findings());
    }
    findings.extend(reader.take_findings());
    Ok(Recording { format, frames, connections: reader.connections().to_vec(), findings })
}
