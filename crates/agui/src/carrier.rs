//! Carriers: what a recording is wrapped in as a whole, gzip and UTF-16 (facts/agui §4).

mod gzip;
mod magic;
mod utf16;

use std::fmt;
use std::io::{self, Cursor, Read};

use crate::container::{Content, ReadError};

/// How a content was wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Carrier {
    /// Compressed with gzip.
    pub gzip: bool,
    /// How its text was encoded.
    pub text: TextEncoding,
}

/// How a text was encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextEncoding {
    /// As it is read: UTF-8, or bytes that are no text.
    Utf8,
    /// UTF-16, little-endian, with a byte order mark.
    Utf16Le,
    /// UTF-16, big-endian, with a byte order mark.
    Utf16Be,
}

impl Carrier {
    /// No carrier: the source is its content.
    pub const PLAIN: Self = Self { gzip: false, text: TextEncoding::Utf8 };
}

impl fmt::Display for Carrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.text {
            TextEncoding::Utf8 => None,
            TextEncoding::Utf16Le => Some("utf-16le"),
            TextEncoding::Utf16Be => Some("utf-16be"),
        };
        match (self.gzip, text) {
            (false, None) => f.write_str("plain"),
            (true, None) => f.write_str("gzip"),
            (false, Some(text)) => f.write_str(text),
            (true, Some(text)) => write!(f, "gzip, {text}"),
        }
    }
}

/// A source with its carrier taken off.
pub struct Opened {
    /// What was taken off.
    pub carrier: Carrier,
    /// The content: of UTF-16 without its byte order mark, of UTF-8 with it.
    pub content: Content,
}

/// Takes the carrier off. Nothing is held but a little of the beginning.
///
/// # Errors
/// [`ReadError::Io`] when the source cannot be read, [`ReadError::Carrier`] when it is of a kind that is no
/// recording, such as an image. A damaged gzip shows while the content is read.
pub fn open(source: impl Read + Send + 'static) -> Result<Opened, ReadError> {
    let (head, source) = peek(Box::new(source))?;
    let gzip = head.starts_with(&gzip::MAGIC);
    let content: Content = if gzip { Box::new(gzip::Gzip::new(source)) } else { source };
    let (head, content) = if gzip { peek(content)? } else { (head, content) };
    if let Some(error) = magic::other_kind(&head) {
        return Err(ReadError::Carrier(error));
    }
    let text = utf16::encoding(&head);
    let content: Content = match text {
        TextEncoding::Utf8 => content,
        encoding => Box::new(utf16::Utf16::new(content, encoding)),
    };
    Ok(Opened { carrier: Carrier { gzip, text }, content: Box::new(Limited { content, read: 0 }) })
}

/// The first bytes of a content, and the content with them.
fn peek(mut content: Content) -> Result<(Vec<u8>, Content), ReadError> {
    let mut head = Vec::new();
    content.by_ref().take(magic::HEAD_BYTES).read_to_end(&mut head)?;
    Ok((head.clone(), Box::new(Cursor::new(head).chain(content))))
}

/// Why a carrier cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CarrierError {
    /// The gzip data ends before its end mark.
    #[error("the gzip file is cut off: it ends before its end mark")]
    TruncatedGzip,
    /// The gzip data is damaged, with the decoder's words.
    #[error("the gzip file is damaged: {0}")]
    DamagedGzip(String),
    /// More content than [`crate::limits::MAX_CONTENT_BYTES`].
    #[error("the content is longer than {} bytes", crate::limits::MAX_CONTENT_BYTES)]
    TooLong,
    /// More content for each compressed byte than [`crate::limits::MAX_GZIP_RATIO`].
    #[error("the gzip file unpacks to more than {} times its size", crate::limits::MAX_GZIP_RATIO)]
    Bomb,
    /// The bytes are of a kind that is no recording.
    #[error("this is {found}, not a recording")]
    OtherKind {
        /// What it is.
        found: &'static str,
        /// What the user can do.
        hint: &'static str,
    },
}

impl From<CarrierError> for io::Error {
    fn from(error: CarrierError) -> Self {
        Self::other(error)
    }
}

/// Refuses to go beyond the longest content.
struct Limited {
    content: Content,
    read: u64,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        self.read += read as u64;
        if self.read > crate::limits::MAX_CONTENT_BYTES {
            return Err(CarrierError::TooLong.into());
        }
        Ok(read)
    }
}
