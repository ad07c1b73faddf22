//! Length-prefixed protobuf, 0.x and 1.0 (facts/agui §2.4, §4.17): decoded for reading; the frames are what
//! is kept.

mod decode;
mod schema;
mod wire;

use super::outbox::{Outbox, Place};
use super::window::Window;
use super::{Connection, Content, Frames, ReadError};
use crate::finding::Finding;
use crate::frame::{Frame, Malformed};
use crate::limits::{MAX_EXCERPT_BYTES, MAX_FRAME_BYTES};

pub(super) use wire::is_framed_event;

/// Bytes that state a frame's length, big-endian.
const PREFIX_BYTES: usize = 4;

/// Reads one frame after the other.
pub(super) struct Protobuf {
    window: Window,
    out: Outbox,
}

impl Protobuf {
    pub(super) fn open(content: Content) -> Self {
        let connection =
            Connection { transport: Some("binary".to_owned()), ..Connection::default() };
        Self::resume(content, 0, vec![connection])
    }

    pub(super) fn resume(content: Content, offset: u64, known: Vec<Connection>) -> Self {
        Self { window: Window::new(content, offset), out: Outbox::resumed(known) }
    }

    fn read(&mut self) -> Result<(), ReadError> {
        let start = self.window.offset();
        let prefix = self.window.at_least(PREFIX_BYTES)?;
        let Some(&length) = prefix.first_chunk::<PREFIX_BYTES>() else {
            let bytes = prefix.to_vec();
            self.window.consume(bytes.len());
            let place = Place::new(start..self.window.offset(), 0);
            if !bytes.is_empty() {
                self.out.malformed(place, bytes, Malformed::Truncated);
            }
            return Ok(());
        };
        self.window.consume(PREFIX_BYTES);
        let length = u32::from_be_bytes(length) as usize;
        let held = if length > MAX_FRAME_BYTES { MAX_EXCERPT_BYTES } else { length };
        let mut bytes = Vec::new();
        let mut left = length;
        while left > 0 {
            let piece = self.window.available()?;
            let taken = piece.len().min(left);
            if taken == 0 {
                break;
            }
            let room = held - bytes.len().min(held);
            bytes.extend_from_slice(&piece[..taken.min(room)]);
            self.window.consume(taken);
            left -= taken;
        }
        let place = Place::new(start..self.window.offset(), 0);
        if left > 0 {
            self.out.malformed(place, bytes, Malformed::Truncated);
        } else if length > MAX_FRAME_BYTES {
            self.out.malformed(place, bytes, Malformed::TooLong);
        } else {
            event(&bytes, place, &mut self.out);
        }
        Ok(())
    }
}

impl Frames for Protobuf {
    fn next_frame(&mut self) -> Result<Option<Frame>, ReadError> {
        if self.out.is_empty() {
            self.read()?;
        }
        Ok(self.out.next())
    }

    fn connections(&self) -> &[Connection] {
        &self.out.connections
    }

    fn take_findings(&mut self) -> Vec<Finding> {
        self.out.take_findings()
    }
}

/// Hands on the frames of bytes that are at hand, such as a body in an HTTP archive; a lone event without its
/// length is taken too.
pub(super) fn frames_in(bytes: &[u8], place: &Place, out: &mut Outbox) {
    if !is_framed_event(bytes) {
        return event(bytes, place.clone(), out);
    }
    let mut rest = bytes;
    while !rest.is_empty() {
        let frame = rest.split_first_chunk::<PREFIX_BYTES>().and_then(|(length, behind)| {
            behind.split_at_checked(u32::from_be_bytes(*length) as usize)
        });
        match frame {
            Some((frame, behind)) => {
                event(frame, place.clone(), out);
                rest = behind;
            }
            None => {
                return out.malformed(place.clone(), rest.to_vec(), Malformed::Truncated);
            }
        }
    }
}

fn event(bytes: &[u8], place: Place, out: &mut Outbox) {
    match decode::event(bytes) {
        Ok(text) => out.text(text, place, None),
        Err(decode::Failure::TooDeep) => out.malformed(place, bytes.to_vec(), Malformed::TooDeep),
        Err(failure) => {
            let why = Malformed::NotProtobuf(failure.to_string());
            out.malformed(place, bytes.to_vec(), why);
        }
    }
}
