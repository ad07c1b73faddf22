//! P3 and P4 of the table in `docs/performance.md`, at size S and with a wide margin: those two do not depend on how
//! the program was compiled. `scripts/bench` measures all of them.

use std::{
    fs,
    time::{Duration, Instant},
};

use app::contract::{ImportPaths, ImportStatus};
use recite_tests::{
    generate,
    scratch::{self, Scratch},
};
use sha2::{Digest, Sha256};

/// How far a figure may be from its goal before a test fails: a shared machine is no place to measure.
const MARGIN: f64 = 1.5;

/// Goal of P3: a file that is held is recognised in this many times the time that its SHA-256 takes.
const HELD_AGAIN: f64 = 1.5;

/// Goal of P4: the archive in sizes of the file.
const ARCHIVE_SIZE: f64 = 1.5;

/// Of so many attempts the fastest counts.
const ATTEMPTS: usize = 9;

#[test]
fn a_held_file_is_recognised_in_the_time_of_its_hash() {
    let scratch = Scratch::new();
    let bytes = generate::recording(generate::S, 1);
    assert_eq!(scratch.import_bytes("recording.jsonl", &bytes).status, ImportStatus::Added);
    let path = scratch.path("recording.jsonl");
    let again = fastest(|| assert_eq!(scratch.import(&path).status, ImportStatus::AlreadyHeld));
    let hash = fastest(|| {
        let read = fs::read(&path).expect("the file is there");
        assert_ne!(Sha256::digest(&read)[..], [0; 32]);
    });
    let ratio = again.as_secs_f64() / hash.as_secs_f64();
    assert!(ratio <= HELD_AGAIN * MARGIN, "{again:?} against {hash:?}: {ratio:.2}");
}

#[test]
fn an_archive_is_not_much_larger_than_what_was_imported() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (archive, recording) =
        (folder.path().join("archive.recite"), folder.path().join("recording.jsonl"));
    let bytes = generate::recording(generate::S, 1);
    fs::write(&recording, &bytes).expect("a scratch file");
    let app = scratch::open(archive.clone());
    let request = ImportPaths {
        paths: vec![recording.to_string_lossy().into_owned()],
        via: "test".to_owned(),
    };
    let told = app.import_now(&request).expect("the archive can be written");
    assert_eq!(told.sources[0].status, ImportStatus::Added);
    // Closing it empties its log into it.
    drop(app);
    let size = fs::metadata(&archive).expect("the archive is there").len();
    let ratio = size as f64 / bytes.len() as f64;
    assert!(ratio <= ARCHIVE_SIZE * MARGIN, "{size} bytes for {}: {ratio:.2}", bytes.len());
}

fn fastest(what: impl Fn()) -> Duration {
    (0..ATTEMPTS)
        .map(|_| {
            let begun = Instant::now();
            what();
            begun.elapsed()
        })
        .min()
        .unwrap_or_default()
}
