//! The promises of the Reader, one module a subject.

// A helper of a test that cannot go on has failed, as the test itself.
#![allow(clippy::unwrap_used, clippy::expect_used)]
// A test says what it does not run; fixtures are handed over for good.
#![allow(clippy::print_stdout, clippy::needless_pass_by_value)]

mod archives;
mod attestation;
mod carriers;
mod codes;
mod digest;
mod equality;
mod evidence;
mod evidence_rules;
mod fixture;
mod frontmatter;
mod fuzz_corpus;
mod library;
mod links;
mod member;
mod schema;
mod search;
mod sidecar;
mod structure;
mod time;
mod zip_bytes;
