//! The promises of the Reader, one module a subject.

mod archives;
mod attestation;
mod carriers;
mod digest;
mod equality;
mod evidence;
mod evidence_rules;
mod fixture;
mod frontmatter;
mod fuzz_corpus;
mod member;
mod schema;
mod search;
mod sidecar;
mod structure;
mod time;
mod zip_bytes;
