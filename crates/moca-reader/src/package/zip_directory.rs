//! The central directory of a Zip archive, read strictly.
//!
//! The central directory alone says what an archive holds; local headers are checked against it
//! when an entry is opened. An archive that two programs could read differently is refused.

use std::ops::Range;

use super::zip_bytes::ArchiveBytes;

/// Signature, fixed length and greatest comment of the end record.
const END: &[u8] = b"PK\x05\x06";
const END_LEN: usize = 22;
const MAX_COMMENT: usize = 65_535;
const END64_LOCATOR: &[u8] = b"PK\x06\x07";
const END64_LOCATOR_LEN: usize = 20;
const END64: &[u8] = b"PK\x06\x06";
const END64_LEN: usize = 56;
const HEADER: &[u8] = b"PK\x01\x02";
const HEADER_LEN: usize = 46;
/// Length of a local header without its name and extra field.
pub(super) const LOCAL_LEN: u64 = 30;
/// Bytes of central directory an entry may take on average; a name is seldom over 200.
const MAX_DIRECTORY_BYTES_PER_ENTRY: u64 = 4_096;

/// One entry as the central directory describes it.
#[derive(Debug)]
pub(super) struct Entry {
    /// Name bytes, as stored.
    pub(super) name: Vec<u8>,
    /// Bit 0: encrypted.
    pub(super) flags: u16,
    /// 0 stored, 8 deflated.
    pub(super) method: u16,
    /// CRC-32 of the uncompressed bytes.
    pub(super) crc: u32,
    /// Bytes in the archive.
    pub(super) compressed: u64,
    /// Bytes after inflating.
    pub(super) size: u64,
    /// Unix mode, 0 where the archive gives none.
    pub(super) mode: u32,
    /// Where the local header starts.
    pub(super) offset: u64,
    /// Where the bytes of this entry must have ended: the next entry, or the central directory.
    pub(super) limit: u64,
}

/// Why an archive cannot be opened (`T003`).
#[derive(Debug, thiserror::Error)]
pub(super) enum ZipError {
    #[error("not a Zip archive")]
    NotAZip,
    #[error("the archive is damaged: {0}")]
    Damaged(&'static str),
    #[error("more than {0} entries")]
    TooManyEntries(usize),
    #[error(transparent)]
    Refused(#[from] super::listing::GateError),
    #[error("cannot read the archive: {0}")]
    Io(#[from] std::io::Error),
}

/// Reads the central directory. No more than `max_entries` entries are ever held.
pub(super) fn read(bytes: &ArchiveBytes, max_entries: usize) -> Result<Vec<Entry>, ZipError> {
    let (range, count) = locate(bytes)?;
    if count > max_entries as u64 {
        return Err(ZipError::TooManyEntries(max_entries));
    }
    let length = range.end - range.start;
    let bound = (max_entries as u64).saturating_mul(MAX_DIRECTORY_BYTES_PER_ENTRY);
    if length > bound {
        return Err(ZipError::Damaged("the central directory is too long for its entries"));
    }
    let directory = bytes.read_exact(range.start, length)?;
    let mut entries = Vec::new();
    let mut rest = directory.as_slice();
    while !rest.is_empty() {
        if entries.len() == max_entries {
            return Err(ZipError::TooManyEntries(max_entries));
        }
        entries.push(take_entry(&mut rest)?);
    }
    if entries.len() as u64 != count {
        return Err(ZipError::Damaged("the number of entries is not the declared one"));
    }
    bound_entries(&mut entries, range.start)?;
    Ok(entries)
}

/// Sets every entry's limit and refuses entries that overlap, the base of the densest bombs.
fn bound_entries(entries: &mut [Entry], directory_start: u64) -> Result<(), ZipError> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&i| entries[i].offset);
    let mut limit = directory_start;
    for &i in order.iter().rev() {
        let entry = &mut entries[i];
        entry.limit = limit;
        let least = LOCAL_LEN + entry.name.len() as u64;
        let end = entry.offset.checked_add(least).and_then(|at| at.checked_add(entry.compressed));
        if end.is_none_or(|end| end > limit) {
            return Err(ZipError::Damaged("entries overlap"));
        }
        limit = entry.offset;
    }
    Ok(())
}

/// Finds the central directory, and how many entries it is said to have.
fn locate(bytes: &ArchiveBytes) -> Result<(Range<u64>, u64), ZipError> {
    let tail_len = bytes.len().min((END_LEN + MAX_COMMENT) as u64);
    let tail_start = bytes.len() - tail_len;
    let tail = bytes.read_exact(tail_start, tail_len)?;
    let at = memchr::memmem::rfind(&tail, END).ok_or(ZipError::NotAZip)?;
    let record = tail.get(at..at + END_LEN).ok_or(ZipError::Damaged("cut short"))?;
    let end_at = tail_start + at as u64;
    let (disk, start_disk) = (u16_at(record, 4), u16_at(record, 6));
    let (here, total) = (u16_at(record, 8), u16_at(record, 10));
    let (size, offset) = (u32_at(record, 12), u32_at(record, 16));
    let needs_64 = total == u16::MAX || size == u32::MAX || offset == u32::MAX;
    if needs_64 {
        return locate_64(bytes, end_at);
    }
    if disk != 0 || start_disk != 0 || here != total {
        return Err(ZipError::Damaged("in several parts"));
    }
    directory_range(u64::from(offset), u64::from(size), end_at).map(|r| (r, u64::from(total)))
}

fn locate_64(bytes: &ArchiveBytes, end_at: u64) -> Result<(Range<u64>, u64), ZipError> {
    let damaged = ZipError::Damaged("no valid Zip64 end record");
    let Some(locator_at) = end_at.checked_sub(END64_LOCATOR_LEN as u64) else {
        return Err(damaged);
    };
    let locator = bytes.read_exact(locator_at, END64_LOCATOR_LEN as u64)?;
    let record_at = u64_at(&locator, 8);
    if !locator.starts_with(END64_LOCATOR)
        || record_at.checked_add(END64_LEN as u64) != Some(locator_at)
    {
        return Err(damaged);
    }
    let record = bytes.read_exact(record_at, END64_LEN as u64)?;
    let (here, total) = (u64_at(&record, 24), u64_at(&record, 32));
    if !record.starts_with(END64) || u32_at(&record, 16) != 0 || here != total {
        return Err(damaged);
    }
    directory_range(u64_at(&record, 48), u64_at(&record, 40), record_at).map(|r| (r, total))
}

/// The central directory must lie directly in front of the end record: bytes put in front of an
/// archive, or between the two, would let another program find another directory.
fn directory_range(offset: u64, size: u64, end_at: u64) -> Result<Range<u64>, ZipError> {
    match offset.checked_add(size) {
        Some(end) if end == end_at => Ok(offset..end),
        _ => Err(ZipError::Damaged("the central directory is not where it should be")),
    }
}

fn take_entry(rest: &mut &[u8]) -> Result<Entry, ZipError> {
    let cut_short = || ZipError::Damaged("the central directory is cut short");
    let header = rest.get(..HEADER_LEN).ok_or_else(cut_short)?;
    if !header.starts_with(HEADER) {
        return Err(ZipError::Damaged("not a central directory entry"));
    }
    let (name_len, extra_len, comment_len) =
        (u16_at(header, 28), u16_at(header, 30), u16_at(header, 32));
    let name_end = HEADER_LEN + usize::from(name_len);
    let extra_end = name_end + usize::from(extra_len);
    let end = extra_end + usize::from(comment_len);
    let whole = rest.get(..end).ok_or_else(cut_short)?;
    let mut entry = Entry {
        name: whole[HEADER_LEN..name_end].to_vec(),
        flags: u16_at(header, 8),
        method: u16_at(header, 10),
        crc: u32_at(header, 16),
        compressed: u64::from(u32_at(header, 20)),
        size: u64::from(u32_at(header, 24)),
        mode: u32_at(header, 38) >> 16,
        offset: u64::from(u32_at(header, 42)),
        limit: 0,
    };
    widen(&mut entry, &whole[name_end..extra_end])?;
    *rest = &rest[end..];
    Ok(entry)
}

/// Takes the 64-bit sizes of the Zip64 extra field for those the header leaves at its greatest.
fn widen(entry: &mut Entry, mut extra: &[u8]) -> Result<(), ZipError> {
    let all_ones = u64::from(u32::MAX);
    if ![entry.size, entry.compressed, entry.offset].contains(&all_ones) {
        return Ok(());
    }
    while let Some(head) = extra.get(..4) {
        let (id, length) = (u16_at(head, 0), usize::from(u16_at(head, 2)));
        let Some(mut field) = extra.get(4..4 + length) else { break };
        if id != 1 {
            extra = &extra[4 + length..];
            continue;
        }
        for value in [&mut entry.size, &mut entry.compressed, &mut entry.offset] {
            if *value == all_ones {
                let eight = field.get(..8).ok_or(ZipError::Damaged("a Zip64 size is missing"))?;
                *value = u64_at(eight, 0);
                field = &field[8..];
            }
        }
        return Ok(());
    }
    Err(ZipError::Damaged("a Zip64 size is missing"))
}

// The callers have taken slices long enough for every offset they ask for.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
