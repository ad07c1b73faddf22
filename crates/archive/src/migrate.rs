//! Schema versions: migrations only add, each is verified by its checksum.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use crate::lock::beside;
use crate::{Error, Instant, Result, Sha256, connect};

/// `application_id` of an archive: `RECI`.
pub(crate) const APPLICATION_ID: i64 = 0x5245_4349;

/// Schema version that this build reads and writes.
pub const SCHEMA_VERSION: i64 = 1;

/// One step from a version to the next. Immutable once landed.
pub(crate) struct Migration {
    pub(crate) name: &'static str,
    pub(crate) sql: &'static str,
}

/// Every migration; the n-th leads to version n + 1.
pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    name: "0001_archive",
    sql: include_str!("../../../migrations/0001_archive.sql"),
}];

statements! {
    APPLIED = "SELECT sha256 FROM migration WHERE version = ?1";
    RECORD_APPLIED = "INSERT INTO migration (version, name, sha256, applied_at, program) VALUES (?1, ?2, ?3, ?4, ?5)";
}

/// Who migrates, and when.
#[derive(Clone, Copy)]
pub(crate) struct Stamp<'a> {
    pub(crate) program: &'a str,
    pub(crate) now: Instant,
}

/// Checks identity, version and checksums; gives the version, which is at most `migrations.len()`.
pub(crate) fn check(conn: &Connection, migrations: &[Migration]) -> Result<i64> {
    let id: i64 = conn.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if id != APPLICATION_ID {
        return Err(Error::NotAnArchive(match id {
            0 => "it is an SQLite database of another program".to_owned(),
            _ => format!("it is an SQLite database with application id {id:#010x}"),
        }));
    }
    let found: i64 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let known = count(migrations);
    if found > known {
        return Err(Error::Newer { found, known });
    }
    for (version, migration) in (1..=found).zip(migrations) {
        let held: Option<Sha256> =
            conn.prepare_cached(APPLIED)?.query_row([version], |row| row.get(0)).optional()?;
        if held != Some(Sha256::of(migration.sql.as_bytes())) {
            return Err(Error::Damaged(format!(
                "its schema {version} is not the one of this program"
            )));
        }
    }
    Ok(found)
}

/// Brings a file to the newest version, after a checked copy of it as it was.
pub(crate) fn migrate(
    path: &Path,
    migrations: &[Migration],
    stamp: Stamp<'_>,
) -> Result<Option<PathBuf>> {
    let mut conn = connect::writing(path)?;
    let found = check(&conn, migrations)?;
    if found == count(migrations) {
        return Ok(None);
    }
    let backup = back_up(&conn, path, found)?;
    apply(&mut conn, migrations, found, stamp)?;
    Ok(Some(backup))
}

/// Applies what is missing, all in one transaction.
pub(crate) fn apply(
    conn: &mut Connection,
    migrations: &[Migration],
    found: i64,
    stamp: Stamp<'_>,
) -> Result<()> {
    let transaction = conn.transaction()?;
    for (version, migration) in (1..).zip(migrations).filter(|(version, _)| *version > found) {
        transaction.execute_batch(migration.sql)?;
        let row = params![
            version,
            migration.name,
            Sha256::of(migration.sql.as_bytes()),
            stamp.now,
            stamp.program
        ];
        transaction.execute(RECORD_APPLIED, row)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", count(migrations))?;
    Ok(transaction.commit()?)
}

/// Copies the archive beside itself and checks the copy before anything is changed.
fn back_up(conn: &Connection, path: &Path, version: i64) -> Result<PathBuf> {
    let target = (0..)
        .map(|n| if n == 0 { format!("-v{version}") } else { format!("-v{version}-{n}") })
        .map(|suffix| beside(path, &suffix))
        .find(|candidate| !candidate.exists())
        .ok_or_else(|| Error::Storage("no name is free for the backup".to_owned()))?;
    let unfinished = beside(&target, "-unfinished");
    if unfinished.exists() {
        fs::remove_file(&unfinished)?;
    }
    conn.execute("VACUUM INTO ?1", [unfinished.to_string_lossy()])?;
    let copy = connect::immutable(&unfinished)?;
    let verdict: String = copy.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if verdict != "ok" {
        return Err(Error::Damaged(format!(
            "the copy made before migrating is not sound: {verdict}"
        )));
    }
    drop(copy);
    File::open(&unfinished)?.sync_all()?;
    fs::rename(&unfinished, &target)?;
    Ok(target)
}

fn count(migrations: &[Migration]) -> i64 {
    migrations.iter().map(|_| 1).sum()
}
