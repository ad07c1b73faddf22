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

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: Stamp<'_> = Stamp { program: "test", now: Instant(0) };

    /// The first version, and one that adds a table.
    const TWO: &[Migration] = &[
        Migration { name: MIGRATIONS[0].name, sql: MIGRATIONS[0].sql },
        Migration { name: "0002_more", sql: "CREATE TABLE more (a INTEGER) STRICT" },
    ];

    /// The second step fails after it changed something.
    const BROKEN: &[Migration] = &[
        Migration { name: MIGRATIONS[0].name, sql: MIGRATIONS[0].sql },
        Migration {
            name: "0002_broken",
            sql: "CREATE TABLE more (a INTEGER) STRICT; INSERT INTO none VALUES (1)",
        },
    ];

    fn archive_with_a_note(dir: &tempfile::TempDir) -> PathBuf {
        let path = dir.path().join("a.recite");
        crate::Archive::create(&path, "test", Instant(0)).unwrap();
        let conn = connect::writing(&path).unwrap();
        conn.execute_batch(
            "INSERT INTO note (subject, key, kind, text, made_at) VALUES ('node', 'n', 'note', 'kept', 0)",
        )
        .unwrap();
        path
    }

    fn note(path: &Path) -> String {
        connect::reading(path)
            .unwrap()
            .query_row("SELECT text FROM note", [], |row| row.get(0))
            .unwrap()
    }

    #[test]
    fn an_older_archive_is_migrated_after_a_checked_copy() {
        let dir = tempfile::tempdir().unwrap();
        let path = archive_with_a_note(&dir);
        let backup = migrate(&path, TWO, STAMP).unwrap().expect("it was older");
        assert_eq!(check(&connect::reading(&path).unwrap(), TWO).unwrap(), 2);
        assert_eq!(note(&path), "kept");
        assert_eq!(backup, dir.path().join("a.recite-v1"));
        assert_eq!(check(&connect::reading(&backup).unwrap(), MIGRATIONS).unwrap(), 1);
        assert_eq!(note(&backup), "kept");
        assert_eq!(migrate(&path, TWO, STAMP).unwrap(), None, "nothing is left to do");
    }

    #[test]
    fn a_migration_that_fails_leaves_the_archive_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = archive_with_a_note(&dir);
        migrate(&path, BROKEN, STAMP).unwrap_err();
        let conn = connect::reading(&path).unwrap();
        assert_eq!(check(&conn, MIGRATIONS).unwrap(), 1);
        let tables = "SELECT count(*) FROM sqlite_schema WHERE name = 'more'";
        assert_eq!(conn.query_row(tables, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
        drop(conn);
        // The copy of the first try is not replaced by that of the second.
        let second = migrate(&path, TWO, STAMP).unwrap();
        assert_eq!(second, Some(dir.path().join("a.recite-v1-1")));
    }

    #[test]
    fn a_newer_archive_is_refused_by_the_older_program() {
        let dir = tempfile::tempdir().unwrap();
        let path = archive_with_a_note(&dir);
        migrate(&path, TWO, STAMP).unwrap();
        let refused = crate::Archive::open(&path, crate::Mode::ReadOnly).unwrap_err();
        assert!(matches!(refused, Error::Newer { found: 2, known: 1 }), "{refused}");
    }
}
