//! Zip archives written byte by byte, so that every field can lie.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compress, Compression, FlushCompress};

/// One entry; the fields are what the headers say, whatever the data is.
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) local_name: Vec<u8>,
    pub(crate) data: Vec<u8>,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    pub(crate) crc: u32,
    pub(crate) size: u32,
    pub(crate) compressed: u32,
    pub(crate) mode: u32,
    /// Where the local header is said to be; `None`: where it is.
    pub(crate) offset: Option<u32>,
    /// Extra field of the central directory.
    pub(crate) extra: Vec<u8>,
}

impl Entry {
    pub(crate) fn stored(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let size = u32::try_from(bytes.len()).unwrap();
        Self {
            name: name.into(),
            local_name: name.into(),
            data: bytes.to_vec(),
            method: 0,
            flags: 0,
            crc: crc.sum(),
            size,
            compressed: size,
            mode: 0,
            offset: None,
            extra: Vec::new(),
        }
    }

    pub(crate) fn deflated(name: &str, bytes: impl AsRef<[u8]>, level: u32) -> Self {
        let mut entry = Self::stored(name, &bytes);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(bytes.as_ref()).unwrap();
        entry.data = encoder.finish().unwrap();
        entry.method = 8;
        entry.compressed = u32::try_from(entry.data.len()).unwrap();
        entry
    }

    /// As many MiB of zeros, a thousandth of that in the archive.
    pub(crate) fn zeros(name: &str, mebibytes: usize) -> Self {
        let block = vec![0; 1024 * 1024];
        let mut packed = Vec::with_capacity(64 * 1024);
        let mut compress = Compress::new(Compression::best(), false);
        // A full flush lets the bytes be repeated: nothing in them refers to what came before.
        compress.compress_vec(&block, &mut packed, FlushCompress::Full).unwrap();
        let (mut one, mut crc) = (flate2::Crc::new(), flate2::Crc::new());
        one.update(&block);
        (0..mebibytes).for_each(|_| crc.combine(&one));
        let mut entry = Self::stored(name, "");
        entry.data = packed.repeat(mebibytes);
        // An empty last block.
        entry.data.extend([3, 0]);
        entry.method = 8;
        entry.crc = crc.sum();
        entry.compressed = u32::try_from(entry.data.len()).unwrap();
        entry.size = u32::try_from(mebibytes * block.len()).unwrap_or(u32::MAX);
        entry
    }

    /// Says in a Zip64 field that it holds this many bytes.
    pub(crate) fn declaring(self, size: u64) -> Self {
        self.with(|entry| {
            entry.size = u32::MAX;
            entry.extra = [&[1, 0, 8, 0][..], &size.to_le_bytes()].concat();
        })
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// Writes local entries, central directory and end record.
pub(crate) fn archive(entries: &[Entry]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for entry in entries {
        let offset = u32::try_from(out.len()).unwrap();
        out.extend(b"PK\x03\x04");
        head(&mut out, entry, &entry.local_name);
        out.extend(0_u16.to_le_bytes());
        out.extend(&entry.local_name);
        out.extend(&entry.data);

        directory.extend(b"PK\x01\x02");
        directory.extend(0x031e_u16.to_le_bytes());
        head(&mut directory, entry, &entry.name);
        directory.extend(u16::try_from(entry.extra.len()).unwrap().to_le_bytes());
        directory.extend([0; 6]);
        directory.extend((entry.mode << 16).to_le_bytes());
        directory.extend(entry.offset.unwrap_or(offset).to_le_bytes());
        directory.extend(&entry.name);
        directory.extend(&entry.extra);
    }
    let start = u32::try_from(out.len()).unwrap();
    let count = u16::try_from(entries.len()).unwrap();
    out.extend(&directory);
    end(&mut out, count, u32::try_from(directory.len()).unwrap(), start);
    out
}

/// The fields that local and central headers share, from the version to the name's length.
fn head(out: &mut Vec<u8>, entry: &Entry, name: &[u8]) {
    out.extend(20_u16.to_le_bytes());
    out.extend(entry.flags.to_le_bytes());
    out.extend(entry.method.to_le_bytes());
    out.extend([0; 4]);
    out.extend(entry.crc.to_le_bytes());
    out.extend(entry.compressed.to_le_bytes());
    out.extend(entry.size.to_le_bytes());
    out.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
}

/// The end record.
pub(crate) fn end(out: &mut Vec<u8>, count: u16, length: u32, start: u32) {
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(length.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
}
