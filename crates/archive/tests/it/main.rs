//! Promises of the archive, one module each.

#![allow(missing_docs)]

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
