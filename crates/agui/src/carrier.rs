//! Carriers: what a recording is wrapped in as a whole, gzip and UTF-16 (facts/agui §4).

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
