//! P5, and the memory of the Reader: each in a process of its own, which tells its peak.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
    process::{Command, Stdio},
};

use app::contract::ImportPaths;
use recite_tests::{generate, scratch};

use crate::{
    Size,
    figure::{Figure, Figures},
    reader,
};

/// First argument of a process that this one starts.
pub(crate) const CHILD: &str = "--child";

/// How many times the size the second import has.
const TIMES: u64 = 10;

const MEGABYTE: f64 = 1e6;

const P5: Figure = Figure {
    name: "P5",
    what: "peak memory of an import of ten times the size",
    against: "peak memory of an import",
    goal: 1.15,
    stretch: None,
};
const P5_OVER_IDLE: Figure = Figure {
    name: "P5-over-idle",
    what: "peak memory of an import of ten times the size, in MB (10^6 bytes)",
    against: "the open archive before it",
    goal: 128.0,
    stretch: Some(64.0),
};

/// Memory of a process, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Memory {
    idle: f64,
    pub(crate) peak: f64,
}

pub(crate) fn measure(size: Size, figures: &Figures<'_>) {
    if !figures.want(&[&P5, &P5_OVER_IDLE]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a scratch folder");
    let [small, large] = [1, TIMES].map(|times| {
        let recording = folder.path().join(format!("{times}.jsonl"));
        generate::write(
            size.runs * times,
            times,
            File::create(&recording).expect("a scratch file"),
        )
        .expect("a scratch file");
        recording
    });
    let import = |recording: &Path| {
        let place = tempfile::tempdir_in(folder.path()).expect("a scratch folder");
        of_child(&[
            "import",
            &place.path().join("archive.recite").to_string_lossy(),
            &recording.to_string_lossy(),
        ])
    };
    let all: Vec<(Memory, Memory)> =
        (0..size.memory_rounds).map(|_| (import(&small), import(&large))).collect();
    figures
        .tell(&P5, &all.iter().map(|(small, large)| large.peak / small.peak).collect::<Vec<_>>());
    figures.tell(
        &P5_OVER_IDLE,
        &all.iter().map(|(_, large)| (large.peak - large.idle) / MEGABYTE).collect::<Vec<_>>(),
    );
}

/// Runs [`child`] in a process of its own.
pub(crate) fn of_child(what: &[&str]) -> Memory {
    let program = std::env::current_exe().expect("a running program has a path");
    let ended = Command::new(program)
        .arg(CHILD)
        .args(what)
        .stderr(Stdio::inherit())
        .output()
        .expect("it starts");
    assert!(ended.status.success(), "{what:?}: {}", ended.status);
    let told = String::from_utf8_lossy(&ended.stdout);
    let bytes: Vec<f64> = told.split_whitespace().filter_map(|bytes| bytes.parse().ok()).collect();
    let [idle, peak] = bytes[..] else { panic!("{what:?} told {told:?}") };
    Memory { idle, peak }
}

/// Does one thing and prints what was resident before it and at most, in bytes.
pub(crate) fn child(what: &[String]) {
    let idle = match what {
        [import, archive, recording] if import == "import" => {
            let app = scratch::open(archive.into());
            let idle = resident("VmRSS:");
            let request = ImportPaths { paths: vec![recording.clone()], via: "bench".to_owned() };
            let told = app.import_now(&request).expect("the archive can be written");
            assert!(told.sources[0].error.is_none(), "{:?}", told.sources[0].error);
            idle
        }
        [read, package] if read == "read" => {
            let idle = resident("VmRSS:");
            reader::read(Path::new(package));
            idle
        }
        _ => panic!("there is no {what:?}"),
    };
    writeln!(io::stdout(), "{idle} {}", resident("VmHWM:")).expect("standard output takes a line");
}

fn resident(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("memory is measured on Linux");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field))
        .expect("Linux tells its processes' memory");
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("it is a number");
    kibibytes * 1024
}
