//! Original bytes: every segment, every source, every carrier.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use rusqlite::params;
use sha2::Digest;

use super::{Check, Decode, Part};
use crate::content::unpack;
use crate::table::source;
use crate::value::{stored, unsigned};
use crate::{Carrier, Error, Kept, Result, Sha256, Source, SourceId, SourceState, Stream};

/// Pieces of a carrier on their way to the decoder, at most so many at once.
const PIECES_UNDER_WAY: usize = 2;

/// Runs named in one damage; further ones are counted.
const MAX_HITS: usize = 20;

/// How much there is to read; every source is looked at once anyway.
const BYTES: &str =
    "SELECT coalesce(sum(content_size), 0) + coalesce(sum(carrier_size), 0), count(*) FROM source";

statements! {
    SEGMENTS = "SELECT start, size, sha256, zstd FROM segment WHERE source_id = ?1 AND stream = ?2 ORDER BY start";
    RUNS_HIT = "SELECT coalesce(stated_id, 'a run without id'), number FROM run
        WHERE source_id = ?1 AND content_start < ?3 AND content_end > ?2 ORDER BY content_start LIMIT ?4";
}

/// What a stream turned out to be.
struct Whole {
    size: u64,
    sha256: Sha256,
    sound: bool,
}

impl Check<'_> {
    pub(super) fn bytes(&mut self, decode: Decode<'_>) -> Result<()> {
        let total = self.conn.query_row(BYTES, [], |row| row.get(0)).map(unsigned);
        self.total = total.unwrap_or(0);
        let mut last = SourceId(0);
        loop {
            let next = self
                .conn
                .prepare_cached(source::PAGE_FROM)
                .and_then(|mut statement| {
                    let mut rows = statement.query_map(params![last, 1], Source::from_row)?;
                    rows.next().transpose()
                })
                .map_err(Error::from);
            let source = match next {
                Ok(Some(source)) => source,
                Ok(None) => return Ok(()),
                Err(error) => return self.report.note("the list of sources", Err(error)),
            };
            last = source.id;
            self.report.sources += 1;
            let result = self.source(&source, decode);
            self.report.note(&named(&source), result)?;
        }
    }

    fn source(&mut self, source: &Source, decode: Decode<'_>) -> Result<()> {
        let content = self.stream(source, Stream::Content, None)?;
        self.compare(
            source,
            Stream::Content,
            &content,
            source.content_size,
            Some(source.content_sha256),
        );
        let whole = source.kept == Kept::AsIs && source.state == SourceState::Complete;
        if source.carrier == Carrier::Plain {
            if whole
                && content.sound
                && (content.sha256, content.size) != (source.sha256, source.size)
            {
                let what = "its bytes are sound, but not those that were given";
                self.whole(source, format!("{}: {what}", named(source)));
            }
            return Ok(());
        }
        if source.carrier_size == 0 && source.kept == Kept::Reduced {
            return Ok(());
        }
        self.carrier(source, &content, whole, decode)
    }

    /// The given bytes themselves, and what they decode to.
    fn carrier(
        &mut self,
        source: &Source,
        content: &Whole,
        whole: bool,
        decode: Decode<'_>,
    ) -> Result<()> {
        let (given, decoded) = thread::scope(|scope| {
            let (to_decoder, pieces) = sync_channel(PIECES_UNDER_WAY);
            let decoder = scope.spawn(move || hash_decoded(decode, pieces));
            let given = self.stream(source, Stream::Carrier, Some(&to_decoder));
            drop(to_decoder);
            (given, decoder.join())
        });
        let given = given?;
        let sha256 = whole.then_some(source.sha256);
        self.compare(source, Stream::Carrier, &given, source.carrier_size, sha256);
        if !(whole && given.sound && content.sound) {
            return Ok(());
        }
        match decoded {
            Ok(Ok(decoded)) if decoded == content.sha256 => {}
            Ok(Ok(_)) => {
                self.whole(
                    source,
                    format!("{}: the given bytes decode to another content", named(source)),
                );
            }
            Ok(Err(error)) => {
                self.whole(
                    source,
                    format!("{}: the given bytes cannot be decoded: {error}", named(source)),
                );
            }
            Err(_) => {
                self.whole(source, format!("{}: decoding the given bytes failed", named(source)));
            }
        }
        Ok(())
    }

    /// A damage of a source as a whole.
    fn whole(&mut self, source: &Source, what: String) {
        let touched = if self.report.lists() { self.touched_by_source(source) } else { Vec::new() };
        self.report.damage_touching(what, Vec::new(), touched);
    }

    fn compare(
        &mut self,
        source: &Source,
        stream: Stream,
        read: &Whole,
        size: u64,
        sha256: Option<Sha256>,
    ) {
        let name = format!("{}: its {}", named(source), stream.word());
        if read.size != size {
            self.whole(source, format!("{name} has {} of {size} bytes", read.size));
        } else if read.sound && sha256.is_some_and(|sha256| sha256 != read.sha256) {
            self.whole(source, format!("{name} has another hash than when it was taken in"));
        }
    }

    /// Reads every segment of a stream: its place, its hash, its bytes.
    fn stream(
        &mut self,
        source: &Source,
        stream: Stream,
        to: Option<&SyncSender<Vec<u8>>>,
    ) -> Result<Whole> {
        let conn = self.conn;
        let mut statement = conn.prepare_cached(SEGMENTS)?;
        let mut rows = statement.query(params![source.id, stream])?;
        let mut hasher = sha2::Sha256::new();
        let mut read = Whole { size: 0, sha256: Sha256::of(b""), sound: true };
        while let Some(row) = rows.next()? {
            let (start, size) = (unsigned(row.get(0)?), unsigned(row.get(1)?));
            let zstd: &[u8] = row.get_ref(3)?.as_blob().map_err(rusqlite::Error::from)?;
            let raw = unpack(zstd, row.get(2)?, size);
            self.report.segments += 1;
            if start != read.size {
                let what = if start < read.size { "overlap" } else { "are missing" };
                let (from, to) = (start.min(read.size), start.max(read.size));
                read.sound = false;
                self.damaged(source, stream, from..to, what)?;
            }
            match raw {
                Ok(raw) => {
                    hasher.update(&raw);
                    self.report.bytes += raw.len() as u64;
                    if let Some(to) = to.filter(|_| read.sound) {
                        // A decoder that gave up says why when it is asked.
                        drop(to.send(raw));
                    }
                }
                Err(why) => {
                    read.sound = false;
                    self.damaged(source, stream, start..start.saturating_add(size), why)?;
                }
            }
            read.size = start.saturating_add(size);
            self.done = self.done.saturating_add(size);
            self.step(Part::Bytes)?;
        }
        read.sha256 = Sha256(hasher.finalize().into());
        Ok(read)
    }

    fn damaged(
        &mut self,
        source: &Source,
        stream: Stream,
        bytes: std::ops::Range<u64>,
        why: &str,
    ) -> Result<()> {
        let (hits, touched) = match stream {
            _ if !self.report.lists() => (Vec::new(), Vec::new()),
            Stream::Content => {
                (self.runs_hit(source.id, &bytes)?, self.touched_by_bytes(source, &bytes))
            }
            Stream::Carrier => (Vec::new(), self.touched_by_source(source)),
        };
        let (from, to) = (bytes.start, bytes.end);
        let what =
            format!("{}: bytes {from} to {to} of its {}: {why}", named(source), stream.word());
        self.report.damage_touching(what, hits, touched);
        Ok(())
    }

    fn runs_hit(&self, source: SourceId, bytes: &std::ops::Range<u64>) -> Result<Vec<String>> {
        let mut statement = self.conn.prepare_cached(RUNS_HIT)?;
        let most = stored(MAX_HITS as u64 + 1);
        let rows = statement
            .query_map(params![source, stored(bytes.start), stored(bytes.end), most], |row| {
                Ok(format!("run {} ({})", row.get::<_, i64>(1)?, row.get::<_, String>(0)?))
            })?;
        let mut hits: Vec<String> = rows.collect::<rusqlite::Result<_>>()?;
        if hits.len() > MAX_HITS {
            hits.truncate(MAX_HITS);
            hits.push("and more runs".to_owned());
        }
        Ok(hits)
    }
}

fn named(source: &Source) -> String {
    format!("source {} ({})", source.id, source.name)
}

/// Pieces of a carrier as a reader.
struct Pieces {
    from: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    given: usize,
}

impl Read for Pieces {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.piece.len() {
            let Ok(piece) = self.from.recv() else { return Ok(0) };
            (self.piece, self.given) = (piece, 0);
        }
        let size = out.len().min(self.piece.len() - self.given);
        out[..size].copy_from_slice(&self.piece[self.given..self.given + size]);
        self.given += size;
        Ok(size)
    }
}

fn hash_decoded(decode: Decode<'_>, from: Receiver<Vec<u8>>) -> io::Result<Sha256> {
    let mut content = decode(Box::new(Pieces { from, piece: Vec::new(), given: 0 }))?;
    let mut hasher = sha2::Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match content.read(&mut buffer)? {
            0 => return Ok(Sha256(hasher.finalize().into())),
            size => hasher.update(&buffer[..size]),
        }
    }
}
