//! Reads a source's bytes back, each segment checked before it is decompressed.

use std::io::{self, Read};
use std::ops::Range;

use rusqlite::{Connection, OptionalExtension, params};
use sha2::Digest;

use crate::table::segment::{self, MAX_SEGMENT_BYTES};
use crate::value::{stored, unsigned};
use crate::{Batch, Error, Reader, Result, Sha256, SourceId, Stream};

/// A range of one stream of a source, read segment by segment: one segment is held in memory.
///
/// As [`Read`] it gives [`Error::Damaged`] as [`io::ErrorKind::InvalidData`]; [`ContentReader::next_piece`]
/// gives it as it is.
pub struct ContentReader<'r> {
    conn: &'r Connection,
    source: SourceId,
    stream: Stream,
    left: Range<u64>,
    piece: Vec<u8>,
    given: usize,
}

impl Reader {
    /// Reads bytes `range` of a stream of a source. A range that goes past the end is damage or a wrong range,
    /// and says so when it gets there.
    #[must_use]
    pub fn read_content(
        &self,
        source: SourceId,
        stream: Stream,
        range: Range<u64>,
    ) -> ContentReader<'_> {
        ContentReader::new(&self.conn, source, stream, range)
    }
}

impl<'r> ContentReader<'r> {
    pub(crate) fn new(
        conn: &'r Connection,
        source: SourceId,
        stream: Stream,
        range: Range<u64>,
    ) -> Self {
        Self { conn, source, stream, left: range, piece: Vec::new(), given: 0 }
    }

    /// The next bytes of the range, at most one segment of them; `None` at its end.
    ///
    /// # Errors
    /// Damaged, with the bytes concerned; storage.
    pub fn next_piece(&mut self) -> Result<Option<&[u8]>> {
        if self.given == self.piece.len() && !self.load()? {
            return Ok(None);
        }
        let from = std::mem::replace(&mut self.given, self.piece.len());
        Ok(Some(&self.piece[from..]))
    }

    /// Loads the segment that holds the next byte and cuts it to the range.
    fn load(&mut self) -> Result<bool> {
        if self.left.is_empty() {
            return Ok(false);
        }
        let at = self.left.start;
        let held = self
            .conn
            .prepare_cached(segment::AT)?
            .query_row(params![self.source, self.stream, stored(at)], |row| {
                let place = (unsigned(row.get(0)?), unsigned(row.get(1)?));
                Ok((place, row.get::<_, Sha256>(2)?, row.get::<_, Vec<u8>>(3)?))
            })
            .optional()?;
        let missing = || Error::Damaged(format!("byte {at} of source {} is missing", self.source));
        let ((start, size), sha256, zstd) = held.ok_or_else(missing)?;
        self.piece = unpack(&zstd, sha256, size).map_err(|why| {
            Error::Damaged(format!(
                "bytes {start} to {} of source {}: {why}",
                start + size,
                self.source
            ))
        })?;
        let from = usize::try_from(at - start).unwrap_or(usize::MAX);
        if from >= self.piece.len() {
            return Err(missing());
        }
        let to = usize::try_from(self.left.end - start).unwrap_or(usize::MAX).min(self.piece.len());
        self.piece.truncate(to);
        self.given = from;
        self.left.start = start + to as u64;
        Ok(true)
    }
}

impl Read for ContentReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.given == self.piece.len() && !self.load().map_err(io_error)? {
            return Ok(0);
        }
        let size = out.len().min(self.piece.len() - self.given);
        out[..size].copy_from_slice(&self.piece[self.given..self.given + size]);
        self.given += size;
        Ok(size)
    }
}

impl Batch {
    /// SHA-256 over the first `size` bytes held of a stream.
    pub(crate) fn hash_stream(
        &self,
        source: SourceId,
        stream: Stream,
        size: u64,
    ) -> Result<sha2::Sha256> {
        let mut content = ContentReader::new(&self.conn, source, stream, 0..size);
        let mut hasher = sha2::Sha256::new();
        while let Some(piece) = content.next_piece()? {
            hasher.update(piece);
        }
        Ok(hasher)
    }
}

/// Checks the stored bytes, then decompresses them: damaged ones never reach the decompressor.
pub(crate) fn unpack(zstd: &[u8], sha256: Sha256, size: u64) -> Result<Vec<u8>, &'static str> {
    if Sha256::of(zstd) != sha256 {
        return Err("the stored bytes have another hash");
    }
    let size = usize::try_from(size).ok().filter(|size| *size <= MAX_SEGMENT_BYTES);
    let size = size.ok_or("the stated size is over the limit of a segment")?;
    match zstd::bulk::decompress(zstd, size) {
        Ok(raw) if raw.len() == size => Ok(raw),
        Ok(_) => Err("the bytes are fewer than stated"),
        Err(_) => Err("the bytes cannot be decompressed"),
    }
}

fn io_error(error: Error) -> io::Error {
    let kind = match error {
        Error::Damaged(_) => io::ErrorKind::InvalidData,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}
