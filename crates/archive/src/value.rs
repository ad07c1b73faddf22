//! Small values that cross the border of this crate.

use std::fmt;

/// Declares row ids, so that the id of one table is never taken for that of another.
macro_rules! row_id {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl rusqlite::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.0.into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                i64::column_result(value).map(Self)
            }
        }
    )+};
}

row_id! {
    /// Row of `source`.
    SourceId;
    /// Row of `service`.
    ServiceId;
    /// Row of `connection`.
    ConnectionId;
    /// Row of `conversation`.
    ConversationId;
    /// Row of `run`.
    RunId;
    /// Row of `message`.
    MessageId;
    /// Row of `tool_call`.
    ToolCallId;
    /// Row of `record`.
    RecordId;
    /// Row of `citation_event`.
    CitationEventId;
    /// Row of `citation`.
    CitationId;
    /// Row of `finding`.
    FindingId;
    /// Row of `note`.
    NoteId;
}

/// An instant: microseconds since 1970-01-01T00:00:00Z. Stated times keep their text beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(pub i64);

impl rusqlite::ToSql for Instant {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(self.0.into())
    }
}

impl rusqlite::types::FromSql for Instant {
    fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
        i64::column_result(value).map(Self)
    }
}

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256(pub [u8; 32]);

impl Sha256 {
    /// Digest of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        use sha2::Digest;
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// Reads 64 hexadecimal digits of either case.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits: Vec<u8> = text
            .chars()
            .map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok()))
            .collect::<Option<_>>()?;
        if digits.len() != 64 {
            return None;
        }
        let mut out = [0; 32];
        for (byte, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
        Some(Self(out))
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl rusqlite::ToSql for Sha256 {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(self.0.as_slice().into())
    }
}

impl rusqlite::types::FromSql for Sha256 {
    fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
        <[u8; 32]>::column_result(value).map(Self)
    }
}

/// Declares a closed set of words as stored in one column.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$vdoc])* $variant,)+
        }

        impl $name {
            /// Every value, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word as stored and as shown to scripts.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The value with this word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl rusqlite::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.word().into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                Self::from_word(value.as_str()?).ok_or(rusqlite::types::FromSqlError::InvalidType)
            }
        }
    )+};
}

words! {
    /// How the bytes of a source are wrapped (facts/agui §4).
    Carrier {
        /// As they are.
        Plain = "plain",
        /// gzip, one or more members.
        Gzip = "gzip",
        /// UTF-16, little endian, with a byte order mark.
        Utf16Le = "utf16le",
        /// UTF-16, big endian, with a byte order mark.
        Utf16Be = "utf16be",
        /// gzip around [`Carrier::Utf16Le`].
        GzipUtf16Le = "gzip-utf16le",
        /// gzip around [`Carrier::Utf16Be`].
        GzipUtf16Be = "gzip-utf16be",
    }

    /// Whether a source is kept byte for byte, or without what must not enter the archive (facts/agui §4.4).
    Kept {
        /// Byte for byte.
        AsIs = "as-is",
        /// Reduced: headers, cookies and tokens left out.
        Reduced = "reduced",
    }

    /// Which of a source's two byte streams.
    Stream {
        /// What the importer reads: after the carrier is decoded.
        Content = "content",
        /// The bytes as given, where the carrier is not [`Carrier::Plain`].
        Carrier = "carrier",
    }

    /// Whether a source was taken whole.
    SourceState {
        /// Some batches are committed; the rest is to come.
        Partial = "partial",
        /// Whole.
        Complete = "complete",
    }

    /// How a message's text ended.
    Ending {
        /// It did not.
        Open = "open",
        /// By its END event.
        Ended = "ended",
        /// By what followed it (facts/agui §3.2).
        Implied = "implied",
        /// It came whole, from a list or in one event.
        Whole = "whole",
    }

    /// State of one `moca.citations` event (seed §2, §4).
    CitationState {
        /// Shown with its message.
        Applied = "applied",
        /// An empty list: the service says "no sources".
        Empty = "empty",
        /// `value.version` is not 1: kept, not shown.
        UnknownVersion = "unknown-version",
        /// Names a message the conversation does not have: kept, not shown on any message.
        UnknownMessage = "unknown-message",
        /// The value breaks the binding; reasons beside it.
        Invalid = "invalid",
    }

    /// How bad a finding is.
    Severity {
        /// Worth knowing.
        Info = "info",
        /// A rule is broken, the content is usable.
        Warning = "warning",
        /// Content could not be used.
        Error = "error",
    }

    /// Whether a review was checked by a Reader (attested) or only declared.
    ReviewKind {
        /// Signed and checked by the service's Reader.
        Attested = "attested",
        /// Declared by the package, checked by nobody.
        Declared = "declared",
    }

    /// What another node does to the one a record is about.
    RelationKind {
        /// Supersedes it.
        SupersededBy = "superseded-by",
        /// Contests it.
        ContestedBy = "contested-by",
    }

    /// What a note is about; the key names it by nature, so that a rebuild keeps notes.
    Subject {
        /// A record: its SHA-256 in hex.
        Record = "record",
        /// A node: its ref.
        Node = "node",
        /// A package: `id@version`.
        Package = "package",
        /// A run: its hash in hex.
        Run = "run",
        /// A source: its SHA-256 in hex.
        Source = "source",
    }

    /// What a note says.
    NoteKind {
        /// Free words.
        Note = "note",
        /// The user has seen it; the text is the reason.
        Acknowledged = "acknowledged",
    }
}

/// A count or offset as SQLite holds it. No file reaches 2^63 bytes, so nothing is ever cut here.
pub(crate) fn stored(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A count or offset from SQLite; a negative one (damage) reads as 0 and fails its hash.
pub(crate) fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// A byte range from SQLite.
pub(crate) fn range(start: i64, end: i64) -> std::ops::Range<u64> {
    unsigned(start)..unsigned(end)
}
