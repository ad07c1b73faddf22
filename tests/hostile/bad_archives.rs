//! Archives that cannot be written or opened: each ends in a clear sentence, and the file is left as it is.

use std::{fs, path::Path, process::Command};

use archive::{Archive, Instant, Mode};
use insta::assert_snapshot;
use recite_tests::{
    generate,
    process::{Ended, Recite},
    scratch::{self, Scratch},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_recite_under_test");

/// Where SQLite keeps the version that a program gave its file, big-endian (SQLite file format, §1.3).
const USER_VERSION_AT: std::ops::Range<usize> = 60..64;

/// What the command says when it is to import into this file, which must stay as it is.
fn refused(archive: &Path) -> String {
    let folder = archive.parent().unwrap();
    let recording = folder.join("run.jsonl");
    fs::write(&recording, generate::recording(1, 40)).unwrap();
    let before = fs::read(archive).unwrap();
    let recite = Recite::new(PROGRAM, archive);
    let told = [
        recite.import(&[&recording]),
        recite.run(&["list".as_ref()]),
        recite.run(&["verify".as_ref()]),
    ]
    .map(|ended| {
        assert!(matches!(ended.code, Some(1)), "{ended:?}");
        // Verify reports damage; what it cannot even open is a failure, as for the others.
        let damage = ended.json["damage"].as_array().into_iter().flatten();
        let told: String = damage.map(|line| format!("damaged: {line}\n")).collect();
        (told + &ended.told).replace(&*folder.to_string_lossy(), "[folder]")
    });
    assert!(told.iter().all(|told| !told.is_empty()), "{told:?}");
    assert!(before == fs::read(archive).unwrap(), "the file was written to");
    let log = fs::metadata(folder.join("archive.recite-wal"));
    assert!(log.map_or(0, |log| log.len()) == 0, "something was written to a log");
    format!("import: {}list: {}verify: {}", told[0], told[1], told[2])
}

#[test]
fn a_file_that_is_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive.recite");
    fs::write(&archive, "Dear all,\nthis is a letter and no archive.\n".repeat(200)).unwrap();
    assert_snapshot!(refused(&archive));
}

#[test]
fn a_file_that_only_begins_like_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive.recite");
    let mut bytes = b"SQLite format 3\0".to_vec();
    bytes.extend((0..8192_u32).map(|at| u8::try_from(at * 37 % 251).unwrap()));
    fs::write(&archive, bytes).unwrap();
    assert_snapshot!(refused(&archive));
}

#[test]
fn an_empty_file_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive.recite");
    fs::write(&archive, b"").unwrap();
    assert_snapshot!(refused(&archive));
}

#[test]
fn an_archive_of_a_newer_version() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive.recite");
    drop(Archive::create(&archive, "test", Instant(0)).unwrap());
    let mut bytes = fs::read(&archive).unwrap();
    bytes[USER_VERSION_AT].copy_from_slice(&99_u32.to_be_bytes());
    fs::write(&archive, bytes).unwrap();
    assert_snapshot!(refused(&archive));
}

#[test]
fn an_archive_that_another_program_writes() {
    let scratch = Scratch::new();
    let recording = scratch.path("run.jsonl");
    fs::write(&recording, generate::recording(2, 41)).unwrap();
    let _ = scratch.import(&recording);
    let archive = Archive::open(&scratch.archive(), Mode::ReadOnly).unwrap();
    let other = archive.writer("another program", Instant(1_800_000_000_000_000)).unwrap();
    let recite = Recite::new(PROGRAM, &scratch.archive());
    let held = recite.import(&[&recording]);
    assert_eq!(
        (held.code, held.json["error"]["kind"].as_str()),
        (Some(1), Some("busy")),
        "{held:?}"
    );
    let read = recite.run(&["list".as_ref()]);
    assert_eq!(
        (read.code, read.json["conversations"].as_array().map(Vec::len)),
        (Some(0), Some(2)),
        "{read:?}"
    );
    drop(other);
    let free = recite.import(&[&recording]);
    assert_eq!(free.source()["status"], "already-held", "{free:?}");
    assert_snapshot!(held.told.replace(&std::process::id().to_string(), "[pid]"));
}

/// A limit on the size of files stands for the end of the disk; a file system of its own is tested in the archive.
#[test]
fn a_full_disk() {
    let scratch = Scratch::new();
    let [held, large] = [("held.jsonl", 4), ("large.jsonl", 300)].map(|(name, runs)| {
        let path = scratch.path(name);
        fs::write(&path, generate::recording(runs, runs)).unwrap();
        path
    });
    let _ = scratch.import(&held);
    let before = crate::trial::content_hash(&scratch);
    let archive = scratch.archive();
    let limited = |batch_bytes: u64| {
        // Files of at most 1 MiB; without its signal the write fails, as on a full disk.
        let inner = Recite::new(PROGRAM, &archive).batch_bytes(batch_bytes);
        let command = inner.command(&["import".as_ref(), large.as_os_str()]);
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 2048; exec \"$@\"", "sh"]);
        shell.arg(command.get_program()).args(command.get_args());
        shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        Ended::of(&shell.output().unwrap())
    };
    let full = limited(app::BATCH_BYTES);
    assert_eq!(crate::trial::content_hash(&scratch), before, "what was there is there");
    let told = full.source()["error"].clone();
    // In batches, what was made durable before stays, and the next import goes on behind it.
    let begun = limited(64 << 10);
    assert_eq!(begun.source()["status"], "refused", "{begun:?}");
    let report = scratch::open(archive.clone()).verify_now().unwrap();
    assert!(report.sound, "{:?}", report.damage);
    let again = Recite::new(PROGRAM, &archive).import(&[&large]);
    assert_eq!(again.source()["status"], "added", "{again:?}");
    let undisturbed = Scratch::new();
    let _ = undisturbed.import_all(&[&held, &large]);
    assert_eq!(crate::trial::content_hash(&scratch), crate::trial::content_hash(&undisturbed));
    assert_eq!(told["kind"], "storage", "{full:?}");
    assert_snapshot!(told["message"].as_str().unwrap());
}
