//! Content of the archive as readers that own what they need.

use std::io::{self, BufReader, Read};

use agui::container::{self, Connection, Content, Format, Frames};
use archive::{Reader, Source, SourceId, Stream};

use crate::{App, contract::Failure, failure::Storage};

/// Content of one source from some byte on, read segment by segment with a connection of its own.
struct StoredContent {
    reader: Reader,
    source: SourceId,
    next: u64,
    end: u64,
    piece: io::Cursor<Vec<u8>>,
}

impl Read for StoredContent {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.piece.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let mut content =
                self.reader.read_content(self.source, Stream::Content, self.next..self.end);
            match content.next_piece().map_err(io::Error::other)? {
                Some(piece) => {
                    self.next += piece.len() as u64;
                    self.piece = io::Cursor::new(piece.to_vec());
                }
                None => return Ok(0),
            }
        }
    }
}

/// Content of a source from `from` on.
pub(crate) fn stored_content(app: &App, source: &Source, from: u64) -> Result<Content, Failure> {
    let reader = app.archive()?.reader().storage()?;
    let content = StoredContent {
        reader,
        source: source.id,
        next: from,
        end: source.content_size,
        piece: io::Cursor::default(),
    };
    Ok(Box::new(BufReader::new(content)))
}

/// Frames of a source from its stored content, from the beginning.
pub(crate) fn stored_frames(
    app: &App,
    source: &Source,
) -> Result<(Format, Box<dyn Frames + Send>), Failure> {
    Ok(container::open(stored_content(app, source, 0)?)?)
}

/// A connection as its container described it, so that reading can go on inside the source.
pub(crate) fn stored_connection(held: archive::Connection) -> Connection {
    Connection {
        name: held.name.unwrap_or_default(),
        url: held.url,
        method: held.method,
        status: held.status,
        service: held.service.map(|service| service.key),
        started_at: held.started,
        transport: held.transport,
        redacted: held
            .redacted
            .and_then(|list| serde_json::from_str(&list).ok())
            .unwrap_or_default(),
        question: None,
        citations_unknown: held.citations_unknown,
    }
}
