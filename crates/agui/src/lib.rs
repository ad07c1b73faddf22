//! AG-UI recordings: bytes → container → frames → events → runs and messages.
//!
//! No I/O of its own and no clock: a caller hands in a reader and gets frames, events, runs and findings.

pub mod carrier;
pub mod container;
pub mod event;
pub mod finding;
pub mod fold;
pub mod frame;
pub mod json;
pub mod limits;
pub mod runs;
