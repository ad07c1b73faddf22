//! Reads a file once: hashes it, and keeps its bytes if they are wanted.

use std::io::{self, Read};

use sha2::{Digest as _, Sha256};

use crate::digest::FileDigest;

/// Bytes read at a time where a file is not kept.
const CHUNK: usize = 128 * 1024;
/// No more is reserved on the word of a declared size; beyond it a buffer grows with what comes.
const MAX_RESERVED: u64 = 1024 * 1024;

/// One file, read whole.
pub(crate) struct Loaded {
    pub(crate) digest: FileDigest,
    /// The bytes; `None` if there are more than were to be kept.
    pub(crate) bytes: Option<Vec<u8>>,
}

/// A buffer that one thread uses for file after file.
pub(crate) struct Scratch {
    chunk: Vec<u8>,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self { chunk: vec![0; CHUNK] }
    }
}

/// Reads to the end. `size` is a hint and never a bound.
pub(super) fn load(
    mut input: impl Read,
    size: Option<u64>,
    keep_up_to: u64,
    scratch: &mut Scratch,
) -> io::Result<Loaded> {
    if keep_up_to == 0 {
        return stream(input, Sha256::new(), scratch);
    }
    let expected = size.unwrap_or(0).min(keep_up_to).min(MAX_RESERVED);
    // One byte more than expected, so that the end shows without growing.
    #[allow(clippy::cast_possible_truncation)] // at most MAX_RESERVED
    let mut bytes = Vec::with_capacity(expected as usize + 1);
    input.by_ref().take(keep_up_to.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= keep_up_to {
        return Ok(Loaded { digest: FileDigest::of(&bytes), bytes: Some(bytes) });
    }
    let mut hash = Sha256::new();
    hash.update(&bytes);
    drop(bytes);
    stream(input, hash, scratch)
}

fn stream(mut input: impl Read, mut hash: Sha256, scratch: &mut Scratch) -> io::Result<Loaded> {
    loop {
        match input.read(&mut scratch.chunk) {
            Ok(0) => break,
            Ok(n) => hash.update(&scratch.chunk[..n]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(Loaded { digest: FileDigest(hash.finalize().into()), bytes: None })
}
