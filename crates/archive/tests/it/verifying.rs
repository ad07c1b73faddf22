//! `verify` reads everything, names what is damaged and what it hits, writes nothing, repairs nothing.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use archive::*;

use crate::support::*;

/// A copy of one archive that is made once.
fn filled() -> Place {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = BYTES.get_or_init(|| {
        let (place, archive) = created();
        let mut writer = archive.writer("test", NOW).unwrap();
        import(&mut writer, "a", &recording("a", 0..1500), 0).unwrap();
        import(&mut writer, "b", &recording("b", 0..30), 10).unwrap();
        drop(writer);
        fs::read(&place.path).unwrap()
    });
    let place = place();
    fs::write(&place.path, bytes).unwrap();
    place
}

fn tampered(sql: &str) -> verify::Report {
    let place = filled();
    let conn = rusqlite::Connection::open(&place.path).unwrap();
    conn.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA writable_schema = ON").unwrap();
    conn.execute_batch(sql).unwrap();
    conn.close().unwrap();
    let before = fs::read(&place.path).unwrap();
    let report = verify(&place.path).unwrap();
    assert_eq!(fs::read(&place.path).unwrap(), before);
    report
}

#[test]
fn a_sound_archive_is_sound_and_all_of_it_was_read() {
    let place = filled();
    let before = fs::read(&place.path).unwrap();
    let report = verify(&place.path).unwrap();
    assert_eq!(report.damages, []);
    assert_eq!((report.sources, report.messages, report.records), (2, 3060, 15));
    let original = recording("a", 0..1500).len() + recording("b", 0..30).len();
    assert_eq!(report.bytes, original as u64);
    assert_eq!(report.schema_version, Some(SCHEMA_VERSION));
    assert_eq!(fs::read(&place.path).unwrap(), before);
}

#[test]
fn each_damage_is_named() {
    let cases: &[(&str, &str)] = &[
        ("UPDATE segment SET zstd = zeroblob(length(zstd)) WHERE id = 1", "have another hash"),
        ("DELETE FROM segment WHERE id = 2", "are missing"),
        ("UPDATE segment SET start = start - 10 WHERE id = 2", "overlap"),
        ("UPDATE segment SET size = 5000000 WHERE id = 1", "over the limit"),
        ("UPDATE source SET content_sha256 = zeroblob(32) WHERE id = 1", "has another hash"),
        ("UPDATE source SET sha256 = zeroblob(32) WHERE id = 1", "not those that were given"),
        ("UPDATE source SET content_size = content_size + 1 WHERE id = 1", "bytes"),
        ("UPDATE message SET text = 'something else' WHERE id = 10", "the text of message 10"),
        ("UPDATE record SET json = x'7b7d' WHERE id = 2", "the bytes of record 2"),
        ("DELETE FROM run WHERE id = 3", "refers to a row of run"),
        ("DELETE FROM finding WHERE id = 1", "findings"),
        ("DELETE FROM message_fts_docsize WHERE id = 5", "full text does not cover message 5"),
        ("UPDATE total SET value = value + 1 WHERE name = 'answers'", "answers are noted in all"),
        (
            "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM note; END",
            "trigger t does not belong",
        ),
        ("DROP INDEX run_by_connection", "index run_by_connection is missing"),
    ];
    for (sql, expected) in cases {
        let report = tampered(sql);
        let said: Vec<&str> = report.damages.iter().map(|damage| damage.what.as_str()).collect();
        assert!(said.iter().any(|what| what.contains(expected)), "{sql}: {said:#?}");
    }
}

#[test]
fn damage_to_bytes_names_the_runs_it_hits() {
    let report = tampered("UPDATE segment SET zstd = zeroblob(length(zstd)) WHERE id = 2");
    let damage = report.damages.iter().find(|damage| damage.what.contains("another hash")).unwrap();
    assert!(damage.what.contains("source 1 (a)"), "{damage:?}");
    assert!(damage.hits.iter().any(|hit| hit.starts_with("run ")), "{damage:?}");
    assert!(damage.hits.len() <= 21);
}

#[test]
fn a_report_is_bounded() {
    let report = tampered("UPDATE message SET text = text || '!'");
    assert_eq!(report.damages.len(), verify::MAX_DAMAGES);
    assert!(report.more > 2000, "{}", report.more);
}

#[test]
fn a_carrier_that_decodes_to_something_else_is_named() {
    let (place, archive) = created();
    let given = b"these bytes are no gzip".to_vec();
    let mut writer = archive.writer("test", NOW).unwrap();
    let new = NewSource { carrier: Carrier::Gzip, ..new_source("gz", &given) };
    let mut intake = begin(&mut writer, &new).unwrap();
    intake.append(Stream::Carrier, &given).unwrap();
    intake.append(Stream::Content, b"content").unwrap();
    intake.finish(&finish_of(&given)).unwrap();
    let report = verify(&place.path).unwrap();
    assert!(report.damages[0].what.contains("cannot be decoded"), "{report:?}");
}

#[test]
fn it_stops_when_it_is_no_longer_wanted() {
    let place = filled();
    let wanted = Arc::new(AtomicBool::new(true));
    let still = Arc::clone(&wanted);
    let still: verify::Wanted = Arc::new(move || still.load(Ordering::Relaxed));
    let error = verify::verify(&place.path, &gunzip, &still, &mut |progress| {
        if progress.doing == verify::Part::Bytes {
            wanted.store(false, Ordering::Relaxed);
        }
    })
    .err()
    .unwrap();
    assert_eq!(error.kind(), Kind::Cancelled);
}

#[test]
fn it_sees_one_state_while_another_process_writes() {
    let (place, archive) = created();
    let mut writer = archive.writer("test", NOW).unwrap();
    import(&mut writer, "a", &recording("a", 0..20), 0).unwrap();
    let bytes = recording("b", 0..500);
    let mut intake = begin(&mut writer, &new_source("b", &bytes)).unwrap();
    feed(&mut intake, "b", &bytes, 0, 25).unwrap();
    assert_eq!(verify(&place.path).unwrap().damages, []);
}
