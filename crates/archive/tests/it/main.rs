//! Promises of the archive, one module each.

#![allow(missing_docs)]
// A helper of a test fails as the test itself does.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod batches;
mod bytes;
mod damage;
mod full_disk;
mod locking;
mod opening;
mod reads;
mod rebuild;
mod schema_doc;
mod support;
mod verifying;
