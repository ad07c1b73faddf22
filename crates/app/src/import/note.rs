//! What an import that is cut off leaves to the next one.

use agui::container::Connection;
use serde::{Deserialize, Serialize};

/// What an unfinished import must know to go on.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) events: u64,
    pub(super) runs: u64,
    pub(super) connections: Vec<StoredConnection>,
}

/// [`Connection`] as JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredConnection {
    name: String,
    url: Option<String>,
    method: Option<String>,
    status: Option<u16>,
    service: Option<String>,
    started_at: Option<String>,
    transport: Option<String>,
    redacted: Vec<String>,
    question: Option<String>,
    citations_unknown: bool,
}

impl From<&Connection> for StoredConnection {
    fn from(connection: &Connection) -> Self {
        let Connection {
            name,
            url,
            method,
            status,
            service,
            started_at,
            transport,
            redacted,
            question,
            citations_unknown,
        } = connection.clone();
        Self {
            name,
            url,
            method,
            status,
            service,
            started_at,
            transport,
            redacted,
            question,
            citations_unknown,
        }
    }
}

impl From<StoredConnection> for Connection {
    fn from(stored: StoredConnection) -> Self {
        let StoredConnection {
            name,
            url,
            method,
            status,
            service,
            started_at,
            transport,
            redacted,
            question,
            citations_unknown,
        } = stored;
        Self {
            name,
            url,
            method,
            status,
            service,
            started_at,
            transport,
            redacted,
            question,
            citations_unknown,
        }
    }
}
