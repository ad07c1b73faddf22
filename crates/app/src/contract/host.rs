//! What a host does for the user interface beyond the archive: dialogs, links, which archive is open.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A link found in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LinkText {
    /// As it stands in the text.
    pub url: String,
}

/// What a link would open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct LinkPreview {
    /// The host in ASCII.
    pub host: String,
    /// The whole URL in ASCII.
    pub url: String,
    /// What is odd about it: "the name mixes scripts".
    pub warning: Option<String>,
}
