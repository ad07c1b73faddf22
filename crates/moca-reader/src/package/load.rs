//! Reads a file once: hashes it, and keeps its bytes if they are wanted.

use std::io::{self, Read};

use sha2::{Digest as _, Sha256};

use super::inflate::Inflater;
use crate::digest::FileDigest;

/// Bytes read at a time where a file is not kept.
const CHUNK: usize = 128 * 1024;

/// One file, read whole.
pub(crate) struct Loaded<'s> {
    pub(crate) digest: FileDigest,
    /// The bytes, until the next file is read; `None` if there are more than were to be kept.
    pub(crate) bytes: Option<&'s [u8]>,
}

/// What one thread uses for file after file.
pub(crate) struct Scratch {
    pub(super) buffer: Buffer,
    pub(super) inflater: Inflater,
}

/// Memory that a file is read into.
pub(super) struct Buffer(Vec<u8>);

impl Scratch {
    pub(crate) fn new() -> Self {
        Self { buffer: Buffer(Vec::with_capacity(CHUNK)), inflater: Inflater::default() }
    }
}

/// Reads to the end. No size that somebody declares is believed.
pub(super) fn load(
    mut input: impl Read,
    keep_up_to: u64,
    Buffer(buffer): &mut Buffer,
) -> io::Result<Loaded<'_>> {
    let mut hash = Sha256::new();
    if keep_up_to > 0 {
        buffer.clear();
        input.by_ref().take(keep_up_to.saturating_add(1)).read_to_end(buffer)?;
        hash.update(&buffer);
        if buffer.len() as u64 <= keep_up_to {
            return Ok(Loaded { digest: FileDigest(hash.finalize().into()), bytes: Some(buffer) });
        }
    }
    if buffer.len() < CHUNK {
        buffer.resize(CHUNK, 0);
    }
    loop {
        match input.read(buffer) {
            Ok(0) => break,
            Ok(n) => hash.update(&buffer[..n]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(Loaded { digest: FileDigest(hash.finalize().into()), bytes: None })
}
