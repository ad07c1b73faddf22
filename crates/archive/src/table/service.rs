//! `service`: where conversations came from, as far as known.

use rusqlite::OptionalExtension;

use crate::{Batch, Result, ServiceId};

statements! {
    FIND = "SELECT id FROM service WHERE key = ?1";
    INSERT = "INSERT INTO service (key, name) VALUES (?1, ?2)";
    /// Bounded by the number of services, which a person overlooks.
    LIST = "SELECT id, key, name FROM service ORDER BY name, id LIMIT 200";
    CLEAR = "DELETE FROM service";
}

/// A service that conversations came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Row id.
    pub id: ServiceId,
    /// What tells it from others: host and path of its URL, or the name a recording gives.
    pub key: String,
    /// Name for people.
    pub name: String,
}

impl Batch {
    /// Finds the service with this key or adds it.
    ///
    /// # Errors
    /// Storage.
    pub fn service(&mut self, key: &str, name: &str) -> Result<ServiceId> {
        let held = self.statement(FIND)?.query_row([key], |row| row.get(0)).optional()?;
        match held {
            Some(id) => Ok(id),
            None => Ok(ServiceId(self.insert(INSERT, [key, name])?)),
        }
    }
}
