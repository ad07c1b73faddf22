//! A package in a `.moca` archive: the entries of a Zip, inflated within what they declare.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use flate2::read::DeflateDecoder;

use super::listing::{FileEntry, Gate, Listing, is_hidden};
use super::zip_directory::{self as directory, Entry, LOCAL_LEN, ZipError, u16_at};
use crate::diagnostic::Code;
use crate::limits::Limits;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;
const ENCRYPTED: u16 = 1;
const MODE_KIND: u32 = 0o170_000;
const MODE_REGULAR: u32 = 0o100_000;
const MODE_LINK: u32 = 0o120_000;
/// Compressed bytes read at a time.
const CHUNK: u64 = 32 * 1024;

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
    pub(super) fn open_entry(&self, file: &FileEntry) -> io::Result<impl Read + '_> {
        let entry = &self.entries[file.number];
        if entry.flags & ENCRYPTED != 0 {
            return Err(io::Error::other("encrypted"));
        }
        let start = self.data_start(entry)?;
        let data = Section { bytes: &self.bytes, at: start, end: start + entry.compressed };
        let inner = match entry.method {
            STORED if entry.compressed == entry.size => Inflated::Stored(data),
            DEFLATED => {
                Inflated::Deflated(Box::new(DeflateDecoder::new(io::BufReader::with_capacity(
                    // Never more than asked for, so small entries cost a small buffer.
                    usize::try_from(entry.compressed.clamp(1, CHUNK)).unwrap_or_default(),
                    data,
                ))))
            }
            _ => return Err(io::Error::other("compressed in a way that is not supported")),
        };
        Ok(Checked { inner, left: entry.size, crc: flate2::Crc::new(), expected: entry.crc })
    }

    /// Where the entry's bytes start; its local header must name the same entry.
    fn data_start(&self, entry: &Entry) -> io::Result<u64> {
        let damaged = |what| io::Error::other(format!("damaged local header: {what}"));
        let name_len = entry.name.len() as u64;
        // The directory made sure that these bytes lie inside the archive.
        let header = self.bytes.read_exact(entry.offset, LOCAL_LEN + name_len)?;
        if !header.starts_with(b"PK\x03\x04") {
            return Err(damaged("not there"));
        }
        if u64::from(u16_at(&header, 26)) != name_len || header[LOCAL_LEN as usize..] != entry.name
        {
            return Err(damaged("another name than in the directory"));
        }
        if u16_at(&header, 8) != entry.method {
            return Err(damaged("another method than in the directory"));
        }
        let start = entry.offset + LOCAL_LEN + name_len + u64::from(u16_at(&header, 28));
        if start + entry.compressed > entry.limit {
            return Err(damaged("its bytes run into the next entry"));
        }
        Ok(start)
    }
}

/// The bytes of an archive, in a file or in memory.
pub(super) enum ArchiveBytes {
    File(PositionedFile),
    Memory(Arc<[u8]>),
}

impl ArchiveBytes {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self::File(PositionedFile::new(file, length)))
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Self::File(file) => file.length,
            Self::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Reads `length` bytes; the caller has bounded `length`.
    pub(super) fn read_exact(&self, at: u64, length: u64) -> io::Result<Vec<u8>> {
        if at.checked_add(length).is_none_or(|end| end > self.len()) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let length = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut out = vec![0; length];
        let mut filled = 0;
        while filled < length {
            match self.read_at(at + filled as u64, &mut out[filled..])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => filled += n,
            }
        }
        Ok(out)
    }

    fn read_at(&self, at: u64, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read_at(at, out),
            Self::Memory(bytes) => {
                let start = usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
                let n = out.len().min(bytes.len() - start);
                out[..n].copy_from_slice(&bytes[start..start + n]);
                Ok(n)
            }
        }
    }
}

/// A file that several threads read at positions of their own.
pub(super) struct PositionedFile {
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<File>,
    length: u64,
}

#[cfg(unix)]
impl PositionedFile {
    fn new(file: File, length: u64) -> Self {
        Self { file, length }
    }

    fn read_at(&self, at: u64, out: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, out, at)
    }
}

#[cfg(not(unix))]
impl PositionedFile {
    fn new(file: File, length: u64) -> Self {
        Self { file: std::sync::Mutex::new(file), length }
    }

    fn read_at(&self, at: u64, out: &mut [u8]) -> io::Result<usize> {
        use std::io::Seek;
        let mut file = self.file.lock().map_err(|_| io::Error::other("a reader panicked"))?;
        file.seek(io::SeekFrom::Start(at))?;
        file.read(out)
    }
}

/// The compressed bytes of one entry.
struct Section<'a> {
    bytes: &'a ArchiveBytes,
    at: u64,
    end: u64,
}

impl Read for Section<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let wanted = out.len().min(left);
        let n = self.bytes.read_at(self.at, &mut out[..wanted])?;
        self.at += n as u64;
        Ok(n)
    }
}

enum Inflated<'a> {
    Stored(Section<'a>),
    Deflated(Box<DeflateDecoder<io::BufReader<Section<'a>>>>),
}

/// Ends with an error unless exactly the declared bytes with the declared CRC came out. A bomb
/// that declares less than it holds is stopped at the first byte too many.
struct Checked<'a> {
    inner: Inflated<'a>,
    left: u64,
    crc: flate2::Crc,
    expected: u32,
}

impl Read for Checked<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let n = match &mut self.inner {
            Inflated::Stored(data) => data.read(out),
            Inflated::Deflated(data) => data.read(out),
        }?;
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
