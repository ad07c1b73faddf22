//! Readers that keep a copy of what passes through them.

use std::{
    fs::File,
    io::{self, Read, Seek, Write},
    sync::{Arc, Mutex, PoisonError},
};

use sha2::{Digest, Sha256};

/// Bytes kept in memory; more of them, as of one very long line, wait in a scratch file.
const MAX_IN_MEMORY: usize = 4 << 20;

/// Bytes read back from the scratch file at a time.
const PIECE: usize = 256 << 10;

/// Bytes that passed and were not yet taken.
#[derive(Clone, Default)]
pub(super) struct Passed(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    /// What passed before `memory`, in a file without a name.
    file: Option<File>,
    memory: Vec<u8>,
}

impl Passed {
    /// Hands over what passed since the last call, piece by piece.
    pub(super) fn take<E: From<io::Error>>(
        &self,
        mut each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut file) = waiting.file.take() {
            file.rewind()?;
            let mut piece = vec![0; PIECE];
            loop {
                match file.read(&mut piece)? {
                    0 => break,
                    read => each(&piece[..read])?,
                }
            }
        }
        each(&waiting.memory)?;
        waiting.memory.clear();
        Ok(())
    }
}

impl Waiting {
    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.memory.len() + bytes.len() > MAX_IN_MEMORY {
            let file = match self.file.take() {
                Some(file) => file,
                None => tempfile::tempfile()?,
            };
            self.file.insert(file).write_all(&self.memory)?;
            self.memory.clear();
        }
        self.memory.extend_from_slice(bytes);
        Ok(())
    }
}

/// Hands bytes on and keeps them for the archive, as long as somebody holds the other half.
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
        // Where the other half was dropped, nobody will take it.
        if Arc::strong_count(&self.passed.0) > 1 {
            let mut waiting = self.passed.0.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.add(&buffer[..read])?;
        }
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
