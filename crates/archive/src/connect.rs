//! Connections and their settings.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::Result;

/// How long a connection waits for another one, as while a WAL is being recovered.
const BUSY: Duration = Duration::from_secs(5);

/// Statements kept prepared; more than there are.
const CACHED_STATEMENTS: usize = 256;

/// A connection that writes. WAL, one sync of the log at the end of each transaction (`synchronous = FULL`):
/// inside a batch nothing is synced, and a batch that has been acknowledged survives a loss of power.
pub(crate) fn writing(path: &Path) -> Result<Connection> {
    let conn = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    harden(&conn)?;
    conn.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
         PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4000;
         PRAGMA journal_size_limit = 67108864;",
    )?;
    Ok(conn)
}

/// A connection that only reads.
pub(crate) fn reading(path: &Path) -> Result<Connection> {
    let conn = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    finish_reading(conn)
}

/// A connection that reads a file whose folder cannot be written, so that SQLite can keep no log beside it.
/// Only right while nobody writes.
pub(crate) fn immutable(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    finish_reading(Connection::open_with_flags(uri(path), flags)?)
}

fn finish_reading(conn: Connection) -> Result<Connection> {
    harden(&conn)?;
    conn.execute_batch(
        "PRAGMA query_only = ON; PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY;",
    )?;
    Ok(conn)
}

/// Archives travel; a stranger's file must not make SQLite run what it brings along.
fn harden(conn: &Connection) -> Result<()> {
    conn.busy_timeout(BUSY)?;
    conn.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // Plans that do not look at bound values: the query-plan test explains what is run, and no statement with
    // `LIMIT ?` is prepared anew each time.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    conn.execute_batch("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;")?;
    Ok(())
}

fn uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte));
            }
            // Writing to a String cannot fail.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    uri
}
