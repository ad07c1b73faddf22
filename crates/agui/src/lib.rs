//! AG-UI recordings: bytes to containers, frames, events, runs and messages.
