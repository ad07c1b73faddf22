//! Readers that keep a copy of what passes through them.

use std::{
    io::{self, Read},
    sync::{Arc, Mutex, PoisonError},
};

use sha2::{Digest, Sha256};

/// Bytes that passed and were not yet taken.
#[derive(Clone, Default)]
pub(super) struct Passed(Arc<Mutex<Vec<u8>>>);

impl Passed {
    /// Takes what passed since the last call.
    pub(super) fn take(&self, into: &mut Vec<u8>) {
        into.clear();
        std::mem::swap(into, &mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Hands bytes on and keeps them for the archive.
pub(super) struct Tee<R> {
    inner: R,
    passed: Passed,
}

impl<R: Read> Tee<R> {
    pub(super) fn new(inner: R) -> (Self, Passed) {
        let passed = Passed::default();
        (Self { inner, passed: passed.clone() }, passed)
    }
}

impl<R: Read> Read for Tee<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.passed.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&buffer[..read]);
        Ok(read)
    }
}

/// SHA-256 and length of everything a reader gives; `go_on` is asked between pieces.
pub(super) fn hash<E: From<io::Error>>(
    mut reader: impl Read,
    mut go_on: impl FnMut(u64) -> Result<(), E>,
) -> Result<(archive::Sha256, u64), E> {
    let (mut hasher, mut size) = (Sha256::new(), 0_u64);
    let mut buffer = vec![0; 256 << 10];
    loop {
        go_on(size)?;
        match reader.read(&mut buffer) {
            Ok(0) => return Ok((archive::Sha256(hasher.finalize().into()), size)),
            Ok(read) => {
                hasher.update(&buffer[..read]);
                size += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}
