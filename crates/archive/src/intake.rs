//! Takes one source in: bytes into segments, derived rows beside them, in batches.

use std::ops::{Deref, DerefMut};

use rusqlite::params;

use crate::feed::{Feed, Feeds, Segment, Taken};
use crate::table::source;
use crate::value::stored;
use crate::{Batch, Carrier, Error, Kept, NewSource, Result, Sha256, Source, SourceId, Stream};

/// One source on its way in. Derived rows go in through the methods of [`Batch`], which this dereferences to.
///
/// Dropped without [`Intake::finish`], it rolls back to the last batch; when no batch was committed, nothing
/// of the source is left; otherwise it can be resumed ([`crate::Writer::resume_source`]) or taken out again
/// ([`crate::Writer::take_out`]).
pub struct Intake<'w> {
    batch: &'w mut Batch,
    source: SourceId,
    whole: Whole,
}

/// What the source must turn out to be.
struct Whole {
    sha256: Sha256,
    size: u64,
    carrier: Carrier,
    kept: Kept,
}

/// What the importer knows at the end of a source.
#[derive(Debug, Clone)]
pub struct Finish<'a> {
    /// SHA-256 and size of the bytes as given, as read this time.
    pub sha256: Sha256,
    /// See `sha256`.
    pub size: u64,
    /// Events in the source.
    pub events: u64,
    /// Version of the deriving code.
    pub derived_version: u32,
    /// What was left out, as JSON, when only known now.
    pub left_out: Option<&'a str>,
}

impl<'w> Intake<'w> {
    pub(crate) fn begin(batch: &'w mut Batch, new: &NewSource<'_>) -> Result<(Self, Feeds)> {
        let whole =
            Whole { sha256: new.sha256, size: new.size, carrier: new.carrier, kept: new.kept };
        let feeds = Feeds::new()?;
        batch.begin()?;
        match batch.insert_source(new) {
            Ok(source) => Ok((Self { batch, source, whole }, feeds)),
            Err(error) => {
                batch.roll_back();
                Err(error)
            }
        }
    }

    pub(crate) fn resume(
        batch: &'w mut Batch,
        held: &Source,
        content_from: u64,
        carrier_from: u64,
    ) -> Result<(Self, Feeds)> {
        let feed = |stream, size: u64, from: u64| {
            let hasher = batch.hash_stream(held.id, stream, size)?;
            let skip = size.checked_sub(from).ok_or_else(|| {
                Error::BadInput(format!("byte {from} lies behind the {size} bytes held"))
            })?;
            Feed::resumed(stream, hasher, size, skip)
        };
        let content = feed(Stream::Content, held.content_size, content_from)?;
        let carrier = feed(Stream::Carrier, held.carrier_size, carrier_from)?;
        if content.sha256() != held.content_sha256 {
            return Err(Error::Damaged(format!(
                "what is held of source {} has another hash",
                held.name
            )));
        }
        let whole =
            Whole { sha256: held.sha256, size: held.size, carrier: held.carrier, kept: held.kept };
        batch.begin()?;
        Ok((Self { batch, source: held.id, whole }, Feeds::of(content, carrier)))
    }

    /// Row of the source.
    #[must_use]
    pub fn source(&self) -> SourceId {
        self.source
    }

    /// Takes the next segment of its [`Feeds`].
    ///
    /// # Errors
    /// Storage; disk full.
    pub fn put(&mut self, segment: &Segment) -> Result<()> {
        self.batch.insert_segment(self.source, segment)
    }

    /// Ends a batch where [`Feeds::flush`] put everything into segments, which must be a border between runs: when
    /// this returns, all before it is durable and visible. `resume` is the importer's note to itself; it must not
    /// hold row ids.
    ///
    /// # Errors
    /// Storage; disk full: then the batch is rolled back.
    pub fn commit_batch(&mut self, taken: &Taken, resume: &str) -> Result<()> {
        let result = self.write_batch(taken, resume);
        if result.is_err() {
            self.batch.roll_back();
        }
        result
    }

    /// Completes the source after [`Feeds::flush_all`]: checks that the bytes are those announced, commits, and gives
    /// the row.
    ///
    /// # Errors
    /// [`Error::Changed`] when the bytes are not those announced; storage; disk full. After an error everything
    /// since the last batch is rolled back.
    pub fn finish(self, taken: &Taken, end: &Finish<'_>) -> Result<Source> {
        self.check_whole(taken, end)?;
        let row = params![
            self.source,
            taken.content.1,
            stored(taken.content.0),
            stored(taken.carrier.0),
            end.left_out
        ];
        self.batch.execute(source::COMPLETE, row)?;
        self.batch.set_source_counts(self.source, end.derived_version, end.events)?;
        self.batch.totals.sources += 1;
        self.batch.commit()?;
        self.batch
            .source(self.source)?
            .ok_or_else(|| Error::NotFound(format!("source {}", self.source)))
    }

    fn write_batch(&mut self, taken: &Taken, resume: &str) -> Result<()> {
        let row = params![
            self.source,
            taken.content.1,
            stored(taken.content.0),
            stored(taken.carrier.0),
            resume
        ];
        self.batch.execute(source::SET_PROGRESS, row)?;
        self.batch.commit()?;
        self.batch.begin()
    }

    fn check_whole(&self, taken: &Taken, end: &Finish<'_>) -> Result<()> {
        let stored_as_given = match (self.whole.kept, self.whole.carrier) {
            (Kept::Reduced, _) => None,
            (Kept::AsIs, Carrier::Plain) => Some(taken.content),
            (Kept::AsIs, _) => Some(taken.carrier),
        };
        let same = end.sha256 == self.whole.sha256
            && end.size == self.whole.size
            && stored_as_given.is_none_or(|stored| stored == (end.size, end.sha256));
        if same { Ok(()) } else { Err(Error::Changed) }
    }
}

impl Drop for Intake<'_> {
    fn drop(&mut self) {
        self.batch.roll_back();
    }
}

impl Deref for Intake<'_> {
    type Target = Batch;

    fn deref(&self) -> &Batch {
        self.batch
    }
}

impl DerefMut for Intake<'_> {
    fn deref_mut(&mut self) -> &mut Batch {
        self.batch
    }
}
