//! The bytes of one entry of an archive, inflated within what the archive declares.

use std::io::{self, Read};

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::zip_bytes::ArchiveBytes;

/// Compressed bytes read at a time.
pub(super) const CHUNK: usize = 32 * 1024;

/// What one thread uses to inflate entry after entry: to set it up costs more than most entries.
#[derive(Default)]
pub(super) struct Inflater {
    state: Option<Decompress>,
    packed: Vec<u8>,
}

impl Inflater {
    /// The first `length` bytes of an entry, its local header included.
    pub(super) fn begin(
        &mut self,
        bytes: &ArchiveBytes,
        at: u64,
        length: usize,
    ) -> io::Result<&[u8]> {
        self.packed.resize(length, 0);
        bytes.read_exact_at(at, &mut self.packed)?;
        Ok(&self.packed)
    }

    /// Reads on from byte `from` of what [`begin`](Self::begin) read.
    pub(super) fn read_on<'a>(
        &'a mut self,
        bytes: &'a ArchiveBytes,
        entry_at: u64,
        from: usize,
        what: &Packed,
    ) -> EntryReader<'a> {
        let in_hand = self.packed.len().saturating_sub(from) as u64;
        let in_hand = usize::try_from(in_hand.min(what.compressed)).unwrap_or_default();
        self.packed.truncate(from + in_hand);
        let start = entry_at + from as u64;
        let state = what.is_deflated.then(|| {
            let state = self.state.get_or_insert_with(|| Decompress::new(false));
            state.reset(false);
            state
        });
        EntryReader {
            bytes,
            at: start + in_hand as u64,
            end: start + what.compressed,
            from: from.min(self.packed.len()),
            packed: &mut self.packed,
            state,
            left: what.size,
            crc: Crc::new(),
            expected: what.crc,
        }
    }
}

/// What the directory says of an entry's bytes.
pub(super) struct Packed {
    pub(super) is_deflated: bool,
    pub(super) compressed: u64,
    pub(super) size: u64,
    pub(super) crc: u32,
}

/// Ends with an error unless exactly the declared bytes with the declared CRC came out. A bomb
/// that declares less than it holds is stopped at the first byte too many.
pub(super) struct EntryReader<'a> {
    bytes: &'a ArchiveBytes,
    /// Compressed bytes that are still to be read from the archive.
    at: u64,
    end: u64,
    /// Those in hand, used up to `from`.
    packed: &'a mut Vec<u8>,
    from: usize,
    /// `None`: they are not compressed at all.
    state: Option<&'a mut Decompress>,
    left: u64,
    crc: Crc,
    expected: u32,
}

impl EntryReader<'_> {
    /// Sees to it that there are bytes in hand unless there are no more.
    fn refill(&mut self) -> io::Result<()> {
        if self.from < self.packed.len() || self.at == self.end {
            return Ok(());
        }
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        self.packed.resize(left.min(CHUNK), 0);
        self.bytes.read_exact_at(self.at, self.packed)?;
        self.at += self.packed.len() as u64;
        self.from = 0;
        Ok(())
    }

    fn produce(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            self.refill()?;
            let packed = &self.packed[self.from..];
            let Some(state) = &mut self.state else {
                let n = packed.len().min(out.len());
                out[..n].copy_from_slice(&packed[..n]);
                self.from += n;
                return Ok(n);
            };
            let (in_before, out_before) = (state.total_in(), state.total_out());
            let flush = match packed {
                [] => FlushDecompress::Finish,
                _ => FlushDecompress::None,
            };
            let status = state
                .decompress(packed, out, flush)
                .map_err(|_| io::Error::other("the compressed bytes are damaged"))?;
            let used = usize::try_from(state.total_in() - in_before).unwrap_or_default();
            let made = usize::try_from(state.total_out() - out_before).unwrap_or_default();
            let is_over = packed.is_empty() || matches!(status, Status::StreamEnd);
            self.from += used;
            if made > 0 || is_over {
                return Ok(made);
            }
        }
    }
}

impl Read for EntryReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let n = self.produce(out)?;
        self.left = (self.left)
            .checked_sub(n as u64)
            .ok_or_else(|| io::Error::other("the entry holds more bytes than it declares"))?;
        self.crc.update(&out[..n]);
        if n == 0 && self.left > 0 {
            return Err(io::Error::other("the entry holds fewer bytes than it declares"));
        }
        if n == 0 && self.crc.sum() != self.expected {
            return Err(io::Error::other("the entry's checksum does not hold"));
        }
        Ok(n)
    }
}
