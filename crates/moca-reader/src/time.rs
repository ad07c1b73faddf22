//! Instants, and how a package may spell them (`facts/moca-reader §7.4`).

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(pub i64);

impl Instant {
    /// The instant a package's text names; `None` if this Reader cannot tell which one it is.
    pub fn parse(_text: &str) -> Option<Self> {
        None
    }
}
