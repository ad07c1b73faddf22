//! Cuts a stream of bytes into segments.

use sha2::Digest;

use crate::table::segment::{MAX_SEGMENT_BYTES, MIN_SEGMENT_BYTES, ZSTD_LEVEL};
use crate::{Batch, Result, Sha256, SourceId, Stream};

/// How far the reader of a container may be ahead of the frame it hands out; so much is kept back
/// when a segment must be closed without a cut, so that a batch can still end at its own border.
const READ_AHEAD_BYTES: usize = 1 << 20;

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
    pub(crate) fn new(stream: Stream) -> Result<Self> {
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

    /// Bytes in segments so far.
    pub(crate) fn stored(&self) -> u64 {
        self.start
    }

    /// SHA-256 of the bytes in segments so far.
    pub(crate) fn sha256(&self) -> Sha256 {
        Sha256(self.hasher.clone().finalize().into())
    }

    pub(crate) fn append(&mut self, batch: &Batch, source: SourceId, bytes: &[u8]) -> Result<()> {
        let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(bytes.len());
        self.skip -= skipped as u64;
        let mut bytes = &bytes[skipped..];
        while !bytes.is_empty() {
            let room = MAX_SEGMENT_BYTES + READ_AHEAD_BYTES - self.held.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.held.extend_from_slice(now);
            bytes = later;
            if self.held.len() == MAX_SEGMENT_BYTES + READ_AHEAD_BYTES {
                self.close(batch, source, MAX_SEGMENT_BYTES)?;
            }
        }
        Ok(())
    }

    /// Closes a segment at `offset` when what is before it is worth one.
    pub(crate) fn cut(&mut self, batch: &Batch, source: SourceId, offset: u64) -> Result<()> {
        match self.held_until(offset) {
            Some(size) if size >= MIN_SEGMENT_BYTES => self.flush(batch, source, size),
            _ => Ok(()),
        }
    }

    /// Puts everything up to `offset` into segments; bytes already there stay.
    pub(crate) fn flush_until(
        &mut self,
        batch: &Batch,
        source: SourceId,
        offset: u64,
    ) -> Result<()> {
        let size = self.held_until(offset).unwrap_or(0);
        self.flush(batch, source, size)
    }

    pub(crate) fn flush_all(&mut self, batch: &Batch, source: SourceId) -> Result<()> {
        self.flush(batch, source, self.held.len())
    }

    fn held_until(&self, offset: u64) -> Option<usize> {
        let size = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        (size <= self.held.len()).then_some(size)
    }

    fn flush(&mut self, batch: &Batch, source: SourceId, mut size: usize) -> Result<()> {
        while size > 0 {
            let piece = size.min(MAX_SEGMENT_BYTES);
            self.close(batch, source, piece)?;
            size -= piece;
        }
        Ok(())
    }

    fn close(&mut self, batch: &Batch, source: SourceId, size: usize) -> Result<()> {
        let raw = &self.held[..size];
        let zstd = self.compressor.compress(raw)?;
        batch.insert_segment(source, self.stream, self.start, size, &zstd)?;
        self.hasher.update(raw);
        self.start += size as u64;
        self.held.drain(..size);
        Ok(())
    }
}
