//! Limits of the reader; each has a finding, a malformed frame or an error of its own.

/// Longest frame taken as an event, in bytes of its text (64 MiB, facts/agui §2.3).
pub const MAX_FRAME_BYTES: usize = 64 << 20;

/// Deepest nesting of arrays and objects in one event; what JSON parsers commonly read.
pub const MAX_DEPTH: usize = 127;

/// Bytes of an overlong frame that are handed on with [`crate::frame::Malformed::TooLong`].
pub const MAX_EXCERPT_BYTES: usize = 64 << 10;

/// Longest content of one source after decoding, in bytes (8 GiB).
pub const MAX_CONTENT_BYTES: u64 = 8 << 30;

/// Decoded bytes for each compressed byte from which on a gzip is taken for a bomb, once
/// [`RATIO_FREE_BYTES`] have been decoded.
pub const MAX_GZIP_RATIO: u64 = 256;

/// Decoded bytes of a gzip for which no ratio is asked (64 MiB).
pub const RATIO_FREE_BYTES: u64 = 64 << 20;

/// Connections told apart in one source; what comes after stays with the last one.
pub const MAX_CONNECTIONS: usize = 65_536;

/// Bytes of a source's beginning that detection looks at first (64 KiB).
pub const HEAD_BYTES: usize = 64 << 10;

/// Bytes of a source's beginning that detection looks at when [`HEAD_BYTES`] do not decide (4 MiB).
pub const MAX_HEAD_BYTES: usize = 4 << 20;
