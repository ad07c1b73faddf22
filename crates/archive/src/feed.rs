//! Cuts the bytes of a source into compressed segments. Touches no database, so that it can work on another thread than
//! the one that writes.

use sha2::Digest;

use crate::table::segment::{MAX_SEGMENT_BYTES, MIN_SEGMENT_BYTES, ZSTD_LEVEL};
use crate::{Result, Sha256, Stream};

/// How far the reader of a container may be ahead of the frame it hands out; so much is kept back
/// when a segment must be closed without a cut, so that a batch can still end at its own border.
const READ_AHEAD_BYTES: usize = 1 << 20;

/// The streams of one source on their way into segments.
///
/// Bytes go in through [`Feeds::append`]; what has become a segment is to be handed to [`crate::Intake::put`] in order.
pub struct Feeds {
    content: Feed,
    carrier: Feed,
    segments: Vec<Segment>,
}

/// A compressed piece of one stream.
pub struct Segment {
    pub(crate) stream: Stream,
    pub(crate) start: u64,
    pub(crate) size: usize,
    pub(crate) sha256: Sha256,
    pub(crate) zstd: Vec<u8>,
}

/// How much of each stream is in segments, and its SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    pub(crate) content: (u64, Sha256),
    pub(crate) carrier: (u64, Sha256),
}

impl Segment {
    /// Bytes it takes.
    #[must_use]
    pub fn stored_size(&self) -> usize {
        self.zstd.len()
    }
}

impl Feeds {
    pub(crate) fn new() -> Result<Self> {
        Ok(Self::of(Feed::new(Stream::Content)?, Feed::new(Stream::Carrier)?))
    }

    pub(crate) fn of(content: Feed, carrier: Feed) -> Self {
        Self { content, carrier, segments: Vec::new() }
    }

    /// Takes the next bytes of a stream, in order.
    ///
    /// # Errors
    /// Storage, when the compressor fails.
    pub fn append(&mut self, stream: Stream, bytes: &[u8]) -> Result<()> {
        let feed = match stream {
            Stream::Content => &mut self.content,
            Stream::Carrier => &mut self.carrier,
        };
        feed.append(bytes, &mut self.segments)
    }

    /// Says that a run begins at this byte of the content: a segment is cut there when it is worth one, so that
    /// the run can be read without the rest.
    ///
    /// # Errors
    /// See [`Feeds::append`].
    pub fn cut(&mut self, content_offset: u64) -> Result<()> {
        self.content.cut(content_offset, &mut self.segments)
    }

    /// Puts everything before this byte of the content into segments, and all of the carrier.
    ///
    /// # Errors
    /// See [`Feeds::append`].
    pub fn flush(&mut self, content_offset: u64) -> Result<Taken> {
        self.content.flush_until(content_offset, &mut self.segments)?;
        self.carrier.flush_all(&mut self.segments)?;
        Ok(self.taken())
    }

    /// Puts everything into segments.
    ///
    /// # Errors
    /// See [`Feeds::append`].
    pub fn flush_all(&mut self) -> Result<Taken> {
        self.content.flush_all(&mut self.segments)?;
        self.carrier.flush_all(&mut self.segments)?;
        Ok(self.taken())
    }

    /// Segments since the last call, in order.
    pub fn segments(&mut self) -> std::vec::Drain<'_, Segment> {
        self.segments.drain(..)
    }

    fn taken(&self) -> Taken {
        let of = |feed: &Feed| (feed.start, feed.sha256());
        Taken { content: of(&self.content), carrier: of(&self.carrier) }
    }
}

/// One stream of one source: what has come in and is not yet in a segment.
pub(crate) struct Feed {
    stream: Stream,
    hasher: sha2::Sha256,
    start: u64,
    held: Vec<u8>,
    skip: u64,
    compressor: zstd::bulk::Compressor<'static>,
}

impl Feed {
    fn new(stream: Stream) -> Result<Self> {
        Self::resumed(stream, sha2::Sha256::new(), 0, 0)
    }

    /// Goes on at byte `start`, `hasher` having seen all before; the first `skip` bytes to come are held already.
    pub(crate) fn resumed(
        stream: Stream,
        hasher: sha2::Sha256,
        start: u64,
        skip: u64,
    ) -> Result<Self> {
        let mut compressor = zstd::bulk::Compressor::new(ZSTD_LEVEL)?;
        compressor.include_checksum(true)?;
        Ok(Self { stream, hasher, start, held: Vec::new(), skip, compressor })
    }

    /// SHA-256 of the bytes in segments so far.
    pub(crate) fn sha256(&self) -> Sha256 {
        Sha256(self.hasher.clone().finalize().into())
    }

    fn append(&mut self, bytes: &[u8], out: &mut Vec<Segment>) -> Result<()> {
        let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(bytes.len());
        self.skip -= skipped as u64;
        let mut bytes = &bytes[skipped..];
        while !bytes.is_empty() {
            let room = MAX_SEGMENT_BYTES + READ_AHEAD_BYTES - self.held.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.held.extend_from_slice(now);
            bytes = later;
            if self.held.len() == MAX_SEGMENT_BYTES + READ_AHEAD_BYTES {
                self.close(MAX_SEGMENT_BYTES, out)?;
            }
        }
        Ok(())
    }

    /// Closes a segment at `offset` when what is before it is worth one.
    fn cut(&mut self, offset: u64, out: &mut Vec<Segment>) -> Result<()> {
        match self.held_until(offset) {
            Some(size) if size >= MIN_SEGMENT_BYTES => self.flush(size, out),
            _ => Ok(()),
        }
    }

    /// Puts everything up to `offset` into segments; bytes already there stay.
    fn flush_until(&mut self, offset: u64, out: &mut Vec<Segment>) -> Result<()> {
        let size = self.held_until(offset).unwrap_or(0);
        self.flush(size, out)
    }

    fn flush_all(&mut self, out: &mut Vec<Segment>) -> Result<()> {
        self.flush(self.held.len(), out)
    }

    fn held_until(&self, offset: u64) -> Option<usize> {
        let size = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        (size <= self.held.len()).then_some(size)
    }

    fn flush(&mut self, mut size: usize, out: &mut Vec<Segment>) -> Result<()> {
        while size > 0 {
            let piece = size.min(MAX_SEGMENT_BYTES);
            self.close(piece, out)?;
            size -= piece;
        }
        Ok(())
    }

    fn close(&mut self, size: usize, out: &mut Vec<Segment>) -> Result<()> {
        let raw = &self.held[..size];
        let zstd = self.compressor.compress(raw)?;
        let sha256 = Sha256::of(&zstd);
        out.push(Segment { stream: self.stream, start: self.start, size, sha256, zstd });
        self.hasher.update(raw);
        self.start += size as u64;
        self.held.drain(..size);
        Ok(())
    }
}
