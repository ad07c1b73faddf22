//! The MOCA citation vocabulary: names, citation records, citation events, the duties of the services
//! that send them, and the standing of a cited source at a time.
//!
//! No I/O and no clock: text comes in, typed values and findings come out; every instant is an argument.
//!
//! * [`event::parse`]: the `value` of a `moca.citations` event → [`event::CitationEvent`] (`seed §2`)
//! * [`record::read`]: the JSON text of one citation record → [`record::Reading`] (`facts/moca-reader §7.1`)
//! * [`duty::check`]: what the service owed and did not do → findings (`seed §3`)
//! * [`standing::standing`]: record, basis, now → [`standing::Standing`], the only source of trust words
//! * [`outcome::check`]: saved record, a Reader's answer, the two moments → [`outcome::Checked`], with causes
//! * [`sources::AnswerSources`]: the state of an answer's citations, each with its sentence

pub mod duty;
pub mod event;
pub mod finding;
mod json;
mod memo;
pub mod name;
pub mod outcome;
pub mod record;

pub mod sources;
pub mod standing;
mod text;
pub mod time;

pub use finding::{Code, Finding, Severity};
pub use memo::Memo;
pub use name::{Digest, NodePath, NodeRef, PackageId, Span, Version};
pub use time::{Instant, StatedTime};
