//! `segment`: compressed pieces of a source's bytes; their concatenation is the original.

use rusqlite::params;

use crate::feed::Segment;
use crate::value::stored;
use crate::{Batch, Result, SourceId};

statements! {
    INSERT = "INSERT INTO segment (source_id, stream, start, size, sha256, zstd) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    /// The segment that holds byte `?3`, as the last that starts at or before it.
    AT = "SELECT start, size, sha256, zstd FROM segment
        WHERE source_id = ?1 AND stream = ?2 AND start <= ?3 ORDER BY start DESC LIMIT 1";
    OF_SOURCE_CLEAR = "DELETE FROM segment WHERE source_id = ?1";
}

/// Largest segment before compression. One segment is all that reading back holds in memory.
pub const MAX_SEGMENT_BYTES: usize = 4 << 20;

/// Smallest segment that a cut closes: below, small runs share one, since they compress better together.
pub const MIN_SEGMENT_BYTES: usize = 64 << 10;

/// zstd level; 3 is its own default and compresses faster than SHA-256 of the file costs three times over.
pub const ZSTD_LEVEL: i32 = 3;

impl Batch {
    pub(crate) fn insert_segment(&self, source: SourceId, segment: &Segment) -> Result<()> {
        let row = params![
            source,
            segment.stream,
            stored(segment.start),
            stored(segment.size as u64),
            segment.sha256,
            segment.zstd
        ];
        self.execute(INSERT, row).map(drop)
    }
}
