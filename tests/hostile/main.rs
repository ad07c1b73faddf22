//! Hostile input: what is no recording, what is broken, what is too large, and places that cannot be read or written.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod bad_archives;
mod bad_input;
mod bad_output;
mod bad_places;
mod every_field;
mod limits;
mod links;
mod trial;
