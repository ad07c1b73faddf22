//! A package in a `.moca` archive: the entries of a Zip.

use std::io;

use super::inflate::{CHUNK, EntryReader, Inflater, Packed};
use super::listing::{FileEntry, Gate, Listing, is_hidden};
use super::zip_bytes::ArchiveBytes;
use super::zip_directory::{self as directory, Entry, LOCAL_LEN, ZipError, u16_at};
use crate::diagnostic::Code;
use crate::limits::Limits;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;
const ENCRYPTED: u16 = 1;
const MODE_KIND: u32 = 0o170_000;
const MODE_REGULAR: u32 = 0o100_000;
const MODE_LINK: u32 = 0o120_000;
/// Room for the extra field of a local header, so that one read fetches a small entry whole.
const USUAL_EXTRA: u64 = 64;

/// An opened archive.
pub(super) struct Archive {
    bytes: ArchiveBytes,
    entries: Vec<Entry>,
}

impl Archive {
    /// Reads the central directory and applies name rules and limits to all entries, hidden and
    /// folder entries included, before anything is inflated.
    pub(super) fn open(bytes: ArchiveBytes, limits: &Limits) -> Result<(Self, Listing), ZipError> {
        let entries = directory::read(&bytes, limits.max_entries)?;
        let mut gate = Gate::new(limits);
        let mut listing = Listing::default();
        for (number, entry) in entries.iter().enumerate() {
            let name = String::from_utf8_lossy(&entry.name).into_owned();
            gate.admit(&name, entry.size)?;
            if name.ends_with('/') || is_hidden(&name) {
                continue;
            }
            match entry.mode & MODE_KIND {
                0 | MODE_REGULAR => listing.file(name, Some(entry.size), number),
                MODE_LINK => listing.refuse(Code::UnsupportedEntry, &name, "a symbolic link"),
                _ => listing.refuse(Code::UnsupportedEntry, &name, "not a regular file"),
            }
        }
        Ok((Self { bytes, entries }, listing))
    }

    /// Opens an entry. Reading it fails unless it holds exactly the bytes it declares.
    pub(super) fn open_entry<'a>(
        &'a self,
        file: &FileEntry,
        inflater: &'a mut Inflater,
    ) -> io::Result<EntryReader<'a>> {
        let entry = &self.entries[file.number];
        if entry.flags & ENCRYPTED != 0 {
            return Err(io::Error::other("encrypted"));
        }
        // The directory made sure that the header and its name lie before the limit.
        let header = LOCAL_LEN + entry.name.len() as u64;
        let whole = header.saturating_add(entry.compressed).saturating_add(USUAL_EXTRA);
        let first = whole.min(entry.limit - entry.offset).min(header.max(CHUNK as u64));
        // At most a header with the longest name, or a chunk.
        let first = usize::try_from(first).unwrap_or_default();
        let from = data_start(inflater.begin(&self.bytes, entry.offset, first)?, entry)?;
        let is_deflated = match entry.method {
            STORED if entry.compressed == entry.size => false,
            DEFLATED => true,
            _ => return Err(io::Error::other("compressed in a way that is not supported")),
        };
        let Entry { compressed, size, crc, .. } = *entry;
        let packed = Packed { is_deflated, compressed, size, crc };
        Ok(inflater.read_on(&self.bytes, entry.offset, from, &packed))
    }
}

/// Where the bytes of an entry start, counted from its local header, which must name the same entry
/// as the directory does.
fn data_start(header: &[u8], entry: &Entry) -> io::Result<usize> {
    let damaged = |what| io::Error::other(format!("damaged local header: {what}"));
    #[allow(clippy::cast_possible_truncation)] // 30
    let fixed = LOCAL_LEN as usize;
    if !header.starts_with(b"PK\x03\x04") {
        return Err(damaged("not there"));
    }
    let name = header.get(fixed..fixed + entry.name.len());
    if usize::from(u16_at(header, 26)) != entry.name.len() || name != Some(&*entry.name) {
        return Err(damaged("another name than in the directory"));
    }
    if u16_at(header, 8) != entry.method {
        return Err(damaged("another method than in the directory"));
    }
    let start = fixed + entry.name.len() + usize::from(u16_at(header, 28));
    if entry.offset + start as u64 + entry.compressed > entry.limit {
        return Err(damaged("its bytes run into the next entry"));
    }
    Ok(start)
}
