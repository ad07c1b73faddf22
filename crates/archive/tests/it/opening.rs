//! What is no archive, what is newer or older, what cannot be written: a sentence each, and no write attempt.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;

use archive::*;

use crate::support::*;

fn refused(path: &Path) -> Error {
    Archive::open(path, Mode::ReadWrite { program: "test", now: NOW }).err().unwrap()
}

#[test]
fn the_bundled_sqlite_has_no_known_wal_fault() {
    assert!(rusqlite::version_number() >= 3_051_003, "{}", rusqlite::version());
}

#[test]
fn other_files_are_refused_with_a_sentence_and_left_alone() {
    let place = place();
    let cases: &[(&str, &[u8], &str)] = &[
        ("empty", b"", "the file is empty"),
        ("png", b"\x89PNG\r\n\x1a\n and more bytes than sixteen", "no SQLite database"),
        ("text", b"{\"type\":\"RUN_STARTED\"}", "no SQLite database"),
    ];
    for (name, bytes, sentence) in cases {
        let path = place.dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = refused(&path);
        assert_eq!(error.kind(), Kind::NotAnArchive, "{name}");
        assert!(error.to_string().contains(sentence), "{error}");
        assert_eq!(fs::read(&path).unwrap(), *bytes);
    }
    let error = refused(place.dir.path());
    assert!(error.to_string().contains("folder"), "{error}");
    assert_eq!(files(place.dir.path()).len(), cases.len(), "nothing was put beside them");
}

#[test]
fn an_sqlite_database_of_another_program_is_refused() {
    let place = place();
    rusqlite::Connection::open(&place.path).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
    let before = fs::read(&place.path).unwrap();
    let error = refused(&place.path);
    assert_eq!(error.kind(), Kind::NotAnArchive);
    assert!(error.to_string().contains("another program"), "{error}");
    assert_eq!(fs::read(&place.path).unwrap(), before);
}

#[test]
fn a_missing_archive_and_a_missing_folder_are_named() {
    let place = place();
    assert_eq!(refused(&place.path).kind(), Kind::NotFound);
    let error =
        Archive::create(&place.dir.path().join("no/such/x.recite"), "test", NOW).err().unwrap();
    assert_eq!(error.kind(), Kind::NotFound);
    assert!(error.to_string().contains("folder"), "{error}");
    let link = place.dir.path().join("link.recite");
    std::os::unix::fs::symlink(place.dir.path().join("nowhere"), &link).unwrap();
    assert_eq!(refused(&link).kind(), Kind::NotFound, "a broken link");
    assert_eq!(Archive::create(&link, "test", NOW).err().unwrap().kind(), Kind::BadInput);
}

#[test]
fn creating_never_replaces_a_file() {
    let (place, _archive) = created();
    let before = fs::read(&place.path).unwrap();
    assert_eq!(Archive::create(&place.path, "test", NOW).err().unwrap().kind(), Kind::BadInput);
    assert_eq!(fs::read(&place.path).unwrap(), before);
}

#[test]
fn a_new_archive_is_one_sound_file_that_names_itself() {
    let (place, archive) = created();
    assert_eq!(verify(&place.path).unwrap().damages, []);
    let bytes = fs::read(&place.path).unwrap();
    assert_eq!(&bytes[68..72], b"RECI");
    assert_eq!(archive.reader().unwrap().totals().unwrap().sources, 0);
    assert_eq!(count(&place.path, "SELECT user_version FROM pragma_user_version"), SCHEMA_VERSION);
    for pragma in ["PRAGMA journal_mode", "PRAGMA mmap_size"] {
        let conn = rusqlite::Connection::open(&place.path).unwrap();
        let value: String = conn
            .query_row(pragma, [], |row| row.get::<_, rusqlite::types::Value>(0))
            .map(|value| format!("{value:?}"))
            .unwrap();
        assert!(value.contains("wal") || value.contains('0'), "{pragma}: {value}");
    }
}

#[test]
fn a_newer_archive_is_refused_with_a_sentence() {
    let (place, archive) = created();
    drop(archive);
    rusqlite::Connection::open(&place.path)
        .unwrap()
        .execute_batch("PRAGMA user_version = 9")
        .unwrap();
    let error = refused(&place.path);
    assert!(matches!(error, Error::Newer { found: 9, known: SCHEMA_VERSION }), "{error}");
    assert!(error.to_string().contains("Use a newer Recite"), "{error}");
}

#[test]
fn a_schema_that_is_not_the_one_recorded_is_damage() {
    let (place, _archive) = created();
    rusqlite::Connection::open(&place.path)
        .unwrap()
        .execute_batch("UPDATE migration SET sha256 = zeroblob(32)")
        .unwrap();
    assert_eq!(refused(&place.path).kind(), Kind::Damaged);
}

/// Root may write everywhere; these run as somebody else where the system lets them.
fn as_nobody(test: &str, place: &Place) {
    let binary = place.dir.path().join("binary");
    fs::copy(std::env::current_exe().unwrap(), &binary).unwrap();
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = std::process::Command::new(&binary);
    command
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env("RECITE_TEST_INPUT", &place.path);
    if fs::metadata("/proc/self").is_ok_and(|it| std::os::unix::fs::MetadataExt::uid(&it) == 0) {
        command.uid(65_534).gid(65_534);
    }
    let before = files(place.dir.path());
    match command.output() {
        Err(error) => eprintln!("not run: no process of another user could be started: {error}"),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.contains("1 passed"), "{said}");
            assert_eq!(files(place.dir.path()), before, "nothing was written");
        }
    }
}

#[test]
fn a_read_only_folder_reads_and_refuses_to_write() {
    let (place, archive) = created();
    import(&mut archive.writer("test", NOW).unwrap(), "a", &recording("a", 0..10), 0).unwrap();
    for path in files(place.dir.path()).into_keys() {
        fs::set_permissions(path, fs::Permissions::from_mode(0o444)).unwrap();
    }
    fs::set_permissions(place.dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    as_nobody("opening::child_reads_but_cannot_write", &place);
}

#[test]
fn a_log_that_cannot_be_read_in_a_read_only_folder_is_named() {
    let (place, archive) = created();
    let mut writer = archive.writer("test", NOW).unwrap();
    import(&mut writer, "a", &recording("a", 0..10), 0).unwrap();
    // As a crash leaves it: the log has changes that the file has not.
    let copy = crate::support::place();
    for suffix in ["", "-wal"] {
        let name = |base: &Path| {
            let mut name = base.as_os_str().to_owned();
            name.push(suffix);
            std::path::PathBuf::from(name)
        };
        fs::copy(name(&place.path), name(&copy.path)).unwrap();
        fs::set_permissions(name(&copy.path), fs::Permissions::from_mode(0o444)).unwrap();
    }
    fs::set_permissions(copy.dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    as_nobody("opening::child_is_told_of_the_log", &copy);
}

#[test]
#[ignore = "run by a_read_only_folder_reads_and_refuses_to_write"]
fn child_reads_but_cannot_write() {
    let archive = Archive::open(&input(), Mode::ReadWrite { program: "test", now: NOW }).unwrap();
    let reader = archive.reader().unwrap();
    assert_eq!(reader.totals().unwrap().runs, 10);
    let text =
        ConversationFilter { text: Some("question".to_owned()), ..ConversationFilter::default() };
    assert_eq!(reader.conversations(&text, None, 10).unwrap().page.rows.len(), 1);
    assert!(verify(&input()).unwrap().is_sound());
    let error = archive.writer("test", NOW).err().unwrap();
    assert_eq!(error.kind(), Kind::ReadOnly);
    assert!(error.to_string().contains("read-only"), "{error}");
    let error = Archive::create(&input().with_file_name("new.recite"), "test", NOW).err().unwrap();
    assert_eq!(error.kind(), Kind::ReadOnly);
}

#[test]
#[ignore = "run by a_log_that_cannot_be_read_in_a_read_only_folder_is_named"]
fn child_is_told_of_the_log() {
    let error = Archive::open(&input(), Mode::ReadOnly).err().unwrap();
    assert_eq!(error.kind(), Kind::ReadOnly, "{error}");
    assert!(error.to_string().contains("log"), "{error}");
}
