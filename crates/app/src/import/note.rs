//! What an import that is cut off leaves to the next one.

use agui::container::Connection;
use serde::{Deserialize, Serialize};

/// What an unfinished import must know to go on.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) events: u64,
    pub(super) runs: u64,
    pub(super) connections: Vec<Connection>,
}
