//! What the Reader costs over packages that the shared generator makes.

use std::{
    hint::black_box,
    path::{Path, PathBuf},
    process::Command,
};

use moca_reader::{
    CitationOptions, Instant, Library, Limits, Options, digest_package, read_package,
};

use crate::{
    Size,
    figure::{Figure, Figures},
    memory,
    rounds::{files_below, rounds, run, sha256sum},
};

const AGAINST: &str = "sha256sum of the package's files in one process";

const fn figure(name: &'static str, what: &'static str, goal: f64, stretch: Option<f64>) -> Figure {
    Figure { name, what, against: AGAINST, goal, stretch }
}

const READ: Figure =
    figure("reader-read", "read and all records with text, 5,000 nodes", 1.5, Some(0.8));
const DIGEST: Figure = figure("reader-digest", "digest only, 5,000 nodes", 0.6, Some(0.4));
const MEDIA: Figure = figure("reader-media", "digest only, 251 MB of media", 0.35, Some(0.25));
const ARCHIVE: Figure =
    figure("reader-moca", "read and all records with text, the same from a .moca", 2.0, Some(1.2));
const GET: Figure = figure("reader-get", "get of 1,000 references, the package read", 0.02, None);
const MEMORY: Figure = Figure {
    name: "reader-memory",
    what: "peak memory of a process that reads 251 MB of media, in MiB",
    against: "nothing",
    goal: 32.0,
    stretch: None,
};

/// References of a round of `get`.
const REFERENCES: usize = 1000;

const MEBIBYTE: f64 = 1024.0 * 1024.0;

pub(crate) fn measure(size: Size, figures: &Figures<'_>) {
    let all = [&READ, &DIGEST, &MEDIA, &ARCHIVE, &GET, &MEMORY];
    if !figures.want(&all) {
        return;
    }
    let Some(generator) = recite_tests::shared("tools/gen_package.py") else {
        for figure in all {
            figures.skip(figure, "the package generator is not on this machine");
        }
        return;
    };
    let folder = tempfile::tempdir().expect("a scratch folder");
    let make = |name: &str, arguments: &[&str]| {
        let package = folder.path().join(name);
        run(Command::new("python3").arg(&generator).arg(&package).args(arguments));
        package
    };
    if figures.want(&[&READ, &DIGEST, &ARCHIVE, &GET]) {
        nodes(size, figures, &make("nodes", &[]));
    }
    if figures.want(&[&MEDIA, &MEMORY]) {
        media(size, figures, &make("media", &["--nodes", "1", "--media", "50"]));
    }
}

/// Reads a package that must be valid.
pub(crate) fn read(package: &Path) -> Library {
    let read = read_package(package, &Options::at(now()));
    assert!(read.valid, "{:?}", read.diagnostics.first());
    let mut library = Library::new();
    library.add(read).expect("a valid package can be added");
    library
}

fn nodes(size: Size, figures: &Figures<'_>, package: &Path) {
    let files = files_below(package);
    let zipped = zip(package);
    let [folder, archive, digest, theirs] = rounds(
        size.rounds,
        [
            &mut || all_records(package),
            &mut || all_records(&zipped),
            &mut || digest_only(package),
            &mut || sha256sum(&files),
        ],
    );
    figures.tell_pair(&READ, &folder, &theirs);
    figures.tell_pair(&ARCHIVE, &archive, &theirs);
    figures.tell_pair(&DIGEST, &digest, &theirs);
    let library = read(package);
    let options = CitationOptions::with_text();
    let references: Vec<String> =
        library.citations(now(), &options).map(|record| record.node.reference).collect();
    let step = references.len() / REFERENCES;
    let [ours, theirs] = rounds(
        size.rounds,
        [
            &mut || {
                for reference in references.iter().step_by(step).take(REFERENCES) {
                    black_box(library.get(reference, now(), &options).expect("the node is there"));
                }
            },
            &mut || sha256sum(&files),
        ],
    );
    figures.tell_pair(&GET, &ours, &theirs);
}

fn media(size: Size, figures: &Figures<'_>, package: &Path) {
    let files = files_below(package);
    if figures.want(&[&MEDIA]) {
        let [ours, theirs] =
            rounds(size.rounds, [&mut || digest_only(package), &mut || sha256sum(&files)]);
        figures.tell_pair(&MEDIA, &ours, &theirs);
    }
    if figures.want(&[&MEMORY]) {
        let peaks = (0..size.rounds)
            .map(|_| memory::of_child(&["read", &package.to_string_lossy()]).peak / MEBIBYTE);
        figures.tell(&MEMORY, &peaks.collect::<Vec<_>>());
    }
}

fn all_records(package: &Path) {
    let library = read(package);
    for record in library.citations(now(), &CitationOptions::with_text()) {
        black_box(record);
    }
}

fn digest_only(package: &Path) {
    let (digest, found) = digest_package(package, &Limits::default());
    assert!(digest.is_some() && found.is_empty(), "{:?}", found.first());
}

/// The package as one deflated file beside its folder.
fn zip(package: &Path) -> PathBuf {
    let zipped = package.with_extension("moca");
    let parts = std::fs::read_dir(package)
        .expect("a readable folder")
        .map(|part| part.expect("readable").file_name());
    run(Command::new("python3")
        .args(["-m", "zipfile", "-c"])
        .arg(&zipped)
        .args(parts)
        .current_dir(package));
    zipped
}

fn now() -> Instant {
    Instant::parse("2026-10-01T00:00:00Z").expect("an instant")
}
