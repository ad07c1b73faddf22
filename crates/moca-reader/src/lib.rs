//! A MOCA Reader: open, check, digest, verify and cite MOCA packages.
//!
//! [`read_package`] takes a directory, a `.moca` archive or a [`PackageSource`] and always gives a
//! [`ReadResult`]: a damaged or hostile package is a result with diagnostics, never a panic and
//! never an error. A [`Library`] of results gives [`CitationRecord`]s. Nothing here asks the clock,
//! the environment or the network: the instant at which something is judged is an argument.
//!
#![doc = include_str!("../README.md")]

pub mod attestation;
pub mod diagnostic;
pub mod digest;
pub mod evidence;
pub mod library;
pub mod limits;
pub mod manifest;
pub mod member;
pub mod node;
pub mod package;
pub mod reader;
pub mod record;
pub mod relation;
mod schema;
pub mod search;
pub mod sidecar;
pub mod structure;
pub mod text;
pub mod time;
pub mod value;

pub use diagnostic::{Code, Diagnostic, Diagnostics, Severity};
pub use digest::{Digest, FileDigest};
pub use library::{AddError, CitationOptions, Library};
pub use limits::Limits;
pub use manifest::Manifest;
pub use node::{EvidenceCheck, Node, Representation};
pub use package::{PackageSource, Target};
pub use reader::{Capability, Options, ReadResult, digest_package, read_package};
pub use record::CitationRecord;
pub use text::Text;
pub use time::Instant;
pub use value::Value;
