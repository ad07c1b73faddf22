//! `connection`: the streams inside one source.

use rusqlite::params;

use crate::{Batch, ConnectionId, Result, ServiceId, SourceId};

statements! {
    INSERT = "INSERT INTO connection (source_id, number, service_id, name, url, method, status, transport,
        started, redacted, citations_unknown) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    OF_SOURCE = "SELECT id FROM connection WHERE source_id = ?1 ORDER BY number";
    CLEAR = "DELETE FROM connection";
}

/// A connection as the container states it (facts/agui §4.4–§4.6).
#[derive(Debug, Clone, Default)]
pub struct NewConnection<'a> {
    /// Index within the source, from 0.
    pub number: u32,
    /// The service, when known.
    pub service: Option<ServiceId>,
    /// Name inside the source.
    pub name: Option<&'a str>,
    /// URL without user, query and fragment.
    pub url: Option<&'a str>,
    /// HTTP method.
    pub method: Option<&'a str>,
    /// HTTP status.
    pub status: Option<u16>,
    /// `sse` or `binary`.
    pub transport: Option<&'a str>,
    /// When it began, as stated.
    pub started: Option<&'a str>,
    /// What its recorder redacted, as a JSON list.
    pub redacted: Option<&'a str>,
    /// True when the container cannot hold citations (messages only).
    pub citations_unknown: bool,
}

impl Batch {
    /// Adds a connection of a source.
    ///
    /// # Errors
    /// Storage.
    pub fn insert_connection(
        &mut self,
        source: SourceId,
        new: &NewConnection<'_>,
    ) -> Result<ConnectionId> {
        let row = params![
            source,
            new.number,
            new.service,
            new.name,
            new.url,
            new.method,
            new.status,
            new.transport,
            new.started,
            new.redacted,
            new.citations_unknown
        ];
        Ok(ConnectionId(self.insert(INSERT, row)?))
    }

    /// Connections of a source so far, in order; to resume.
    ///
    /// # Errors
    /// Storage.
    pub fn connections(&self, source: SourceId) -> Result<Vec<ConnectionId>> {
        let mut statement = self.statement(OF_SOURCE)?;
        let rows = statement.query_map([source], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
