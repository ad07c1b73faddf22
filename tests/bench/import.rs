//! P1 to P4 and P10: what becomes of one recording.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use app::contract::{ImportPaths, ImportStatus};
use recite_tests::{generate, scratch};
use serde_json::Value;

use crate::{
    Size,
    figure::{Figure, Figures},
    rounds::{rounds, run, sha256sum},
};

const P1: Figure = Figure {
    name: "P1",
    what: "import into a new archive: all tables, full text, durable",
    against: "sqlite3 .import of the same lines",
    goal: 2.2,
    stretch: Some(1.0),
};
const P2: Figure = Figure {
    name: "P2",
    what: "import into a new archive",
    against: "serde_json parse of each line to a Value",
    goal: 6.5,
    stretch: Some(3.0),
};
const P3: Figure = Figure {
    name: "P3",
    what: "import of a file that is held",
    against: "sha256sum of the file",
    goal: 1.5,
    stretch: Some(0.6),
};
const P4: Figure = Figure {
    name: "P4",
    what: "size of the archive",
    against: "size of the file",
    goal: 1.5,
    stretch: Some(0.9),
};
const P10: Figure = Figure {
    name: "P10",
    what: "verify",
    against: "sha256sum and integrity_check of a copy of the archive",
    goal: 1.5,
    stretch: Some(1.0),
};

/// Seed of the recording.
const SEED: u64 = 1;

pub(crate) fn measure(size: Size, figures: &Figures<'_>) {
    if !figures.want(&[&P1, &P2, &P3, &P4, &P10]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a scratch folder");
    let recording = folder.path().join("recording.jsonl");
    generate::write(size.runs, SEED, File::create(&recording).expect("a scratch file"))
        .expect("a scratch file");
    let archive = folder.path().join("archive.recite");
    match figures.want(&[&P1, &P2]) {
        true => import(size, figures, &recording, &archive),
        false => take_in(&archive, &recording, ImportStatus::Added),
    }
    let bytes = |path: &Path| fs::metadata(path).expect("a file").len() as f64;
    figures.tell(&P4, &[bytes(&archive) / bytes(&recording)]);
    if figures.want(&[&P3]) {
        let app = scratch::open(archive.clone());
        let [ours, theirs] = rounds(
            size.rounds,
            [&mut || give(&app, &recording, ImportStatus::AlreadyHeld), &mut || {
                sha256sum(std::slice::from_ref(&recording));
            }],
        );
        figures.tell_pair(&P3, &ours, &theirs);
    }
    if figures.want(&[&P10]) {
        verify(size, figures, &archive);
    }
}

/// Leaves an archive at `archive`.
fn import(size: Size, figures: &Figures<'_>, recording: &Path, archive: &Path) {
    let lines = recording.with_extension("sqlite");
    let [ours, copied, parsed] = rounds(
        size.rounds,
        [
            &mut || {
                clear(archive);
                take_in(archive, recording, ImportStatus::Added);
            },
            &mut || {
                clear(&lines);
                copy_lines(&lines, recording);
            },
            &mut || parse(recording),
        ],
    );
    clear(&lines);
    figures.tell_pair(&P1, &ours, &copied);
    figures.tell_pair(&P2, &ours, &parsed);
}

fn verify(size: Size, figures: &Figures<'_>, archive: &Path) {
    let copy = archive.with_extension("copy");
    fs::copy(archive, &copy).expect("a scratch file");
    let app = scratch::open(archive.to_owned());
    let [ours, theirs] = rounds(
        size.rounds,
        [
            &mut || {
                let report = app.verify_now().expect("the archive can be read");
                assert!(report.sound, "{:?}", report.damage);
            },
            &mut || {
                sha256sum(std::slice::from_ref(&copy));
                run(Command::new("sqlite3")
                    .arg("-readonly")
                    .arg(&copy)
                    .arg("PRAGMA integrity_check"));
            },
        ],
    );
    figures.tell_pair(&P10, &ours, &theirs);
}

/// Opens the archive, imports, and closes it, which empties its log into it.
fn take_in(archive: &Path, recording: &Path, wanted: ImportStatus) {
    give(&scratch::open(archive.to_owned()), recording, wanted);
}

fn give(app: &app::App, recording: &Path, wanted: ImportStatus) {
    let request = ImportPaths {
        paths: vec![recording.to_string_lossy().into_owned()],
        via: "bench".to_owned(),
    };
    let told = app.import_now(&request).expect("the archive can be written");
    assert_eq!(told.sources[0].status, wanted, "{:?}", told.sources[0].error);
}

/// `.import` of every line into a table of one column; no line holds the control character that separates columns.
fn copy_lines(database: &Path, recording: &Path) {
    let name = recording.file_name().expect("a file has a name").to_string_lossy();
    let mut shell = Command::new("sqlite3")
        .arg("-bail")
        .arg(database)
        .current_dir(recording.parent().expect("a file is in a folder"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("sqlite3 is installed");
    let script = format!(
        "CREATE TABLE line (text TEXT);\n.mode ascii\n.separator \"\\037\" \"\\n\"\n.import {name} line\n"
    );
    shell
        .stdin
        .take()
        .expect("its input is a pipe")
        .write_all(script.as_bytes())
        .expect("sqlite3 reads its input");
    assert!(shell.wait().expect("sqlite3 ends").success());
}

fn parse(recording: &Path) {
    let mut file =
        BufReader::with_capacity(1 << 16, File::open(recording).expect("the recording is there"));
    let mut line = Vec::new();
    while file.read_until(b'\n', &mut line).expect("the recording can be read") > 0 {
        let value: Value = serde_json::from_slice(&line).expect("every line is JSON");
        std::hint::black_box(value);
        line.clear();
    }
}

/// Removes a database and what SQLite keeps beside it.
fn clear(database: &Path) {
    for end in ["", "-wal", "-shm", "-journal"] {
        let path = PathBuf::from(format!("{}{end}", database.display()));
        if path.exists() {
            fs::remove_file(&path).expect("a scratch file can be removed");
        }
    }
}
