//! A package behind a host's [`PackageSource`].

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::PackageSource;
use super::listing::{FileEntry, Gate, Listing, is_hidden};
use crate::limits::Limits;

/// A host source with the bytes it may still give: its sizes are optional and may be wrong.
pub(super) struct Host {
    source: Arc<dyn PackageSource>,
    given: AtomicU64,
    max_bytes: u64,
}

impl Host {
    pub(super) fn open(
        source: Arc<dyn PackageSource>,
        limits: &Limits,
    ) -> Result<(Self, Listing), String> {
        let mut gate = Gate::new(limits);
        let mut listing = Listing::default();
        for file in source.list().map_err(|e| e.to_string())? {
            gate.admit(&file.path, file.size.unwrap_or(0)).map_err(|e| e.to_string())?;
            if !file.path.ends_with('/') && !is_hidden(&file.path) {
                listing.file(file.path, file.size, 0);
            }
        }
        let host = Self { source, given: AtomicU64::new(0), max_bytes: limits.max_bytes };
        Ok((host, listing))
    }

    pub(super) fn open_file(&self, file: &FileEntry) -> io::Result<impl Read + '_> {
        Ok(Metered { inner: self.source.open(file.raw_path())?, host: self })
    }

    pub(super) fn over_limit(&self) -> bool {
        self.given.load(Ordering::Relaxed) > self.max_bytes
    }
}

struct Metered<'a> {
    inner: Box<dyn Read + 'a>,
    host: &'a Host,
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.host.over_limit() {
            return Err(io::Error::other("the source gave more bytes than the limit"));
        }
        let n = self.inner.read(buffer)?;
        self.host.given.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}
