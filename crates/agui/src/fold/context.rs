//! What a thread must remember of itself so that a later recording can go on (its texts are not among it).

use serde::{Deserialize, Serialize};

/// The memory of a thread between recordings. Serialises to JSON for an archive to keep.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Context {}
