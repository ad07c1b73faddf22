//! The bytes of an archive, wherever they are.

use std::fs::File;
use std::io;
#[cfg(not(unix))]
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

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
        self.read_exact_at(at, &mut out)?;
        Ok(out)
    }

    /// Fills `out` with the bytes from `at` on.
    pub(super) fn read_exact_at(&self, at: u64, out: &mut [u8]) -> io::Result<()> {
        let mut filled = 0;
        while filled < out.len() {
            match self.read_at(at + filled as u64, &mut out[filled..])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => filled += n,
            }
        }
        Ok(())
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
