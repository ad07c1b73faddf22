//! Pages, indexes, references, schema.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::{Check, MAX_DAMAGES, Part};
use crate::Instant;
use crate::Result;
use crate::migrate::{self, MIGRATIONS, Stamp};

impl Check<'_> {
    pub(super) fn structure(&mut self) -> Result<()> {
        self.step(Part::Structure)?;
        let result = self.integrity();
        self.report.note("the pages", result)?;
        self.step(Part::Structure)?;
        let result = self.references();
        self.report.note("the references between tables", result)?;
        let result = self.schema();
        self.report.note("the schema", result)
    }

    /// SQLite's own check of pages, cells and indexes; full-text indexes check themselves in it.
    fn integrity(&mut self) -> Result<()> {
        let mut statement = self.conn.prepare(&format!("PRAGMA integrity_check({MAX_DAMAGES})"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let line: String = row.get(0)?;
            if line != "ok" {
                self.report.damage(format!("SQLite reports: {line}"));
            }
        }
        Ok(())
    }

    fn references(&mut self) -> Result<()> {
        let mut statement = self.conn.prepare("PRAGMA foreign_key_check")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (table, id, parent): (String, Option<i64>, String) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            let id = id.map_or_else(|| "without a row id".to_owned(), |id| id.to_string());
            self.report
                .damage(format!("{table} {id} refers to a row of {parent} that is not there"));
        }
        Ok(())
    }

    /// Every table, index and view must be the one that the migrations make, and nothing beside.
    fn schema(&mut self) -> Result<()> {
        let found = objects(self.conn)?;
        let mut fresh = Connection::open_in_memory()?;
        migrate::apply(&mut fresh, MIGRATIONS, 0, Stamp { program: "verify", now: Instant(0) })?;
        let made = objects(&fresh)?;
        for (name, sql) in &made {
            match found.get(name) {
                None => self.report.damage(format!("{name} is missing")),
                Some(other) if other != sql => {
                    self.report.damage(format!("{name} is not as this program makes it"));
                }
                Some(_) => {}
            }
        }
        for name in found.keys().filter(|name| !made.contains_key(*name)) {
            self.report.damage(format!("{name} does not belong to an archive"));
        }
        Ok(())
    }
}

/// Kind and name of each object with its definition; SQLite's own statistics tables apart.
fn objects(conn: &Connection) -> Result<BTreeMap<String, Option<String>>> {
    let mut statement = conn.prepare(
        "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'",
    )?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
