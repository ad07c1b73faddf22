//! Takes the time of several sides in turn.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// Ticks of a second in `/proc/self/stat`: fixed for programs, whatever the kernel's own clock does.
const TICKS_PER_SECOND: f64 = 100.0;

/// Processor time under which its ticks are too coarse to compare.
const COUNTED_SECONDS: f64 = 0.2;

/// What one side took, in seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// By the clock on the wall.
    pub(crate) wall: f64,
    /// Of the processors, for this process and those that it started.
    pub(crate) processor: f64,
}

impl Cost {
    pub(crate) fn is_counted(&self) -> bool {
        self.processor >= COUNTED_SECONDS
    }
}

/// Measures every side once a round, in alternating order, and gives what each took; a first round that is not
/// counted fills the caches.
#[allow(clippy::needless_pass_by_value, reason = "the sides are closures written at the call")]
pub(crate) fn rounds<const SIDES: usize>(
    count: usize,
    sides: [&mut dyn FnMut(); SIDES],
) -> [Vec<Cost>; SIDES] {
    let mut costs = [const { Vec::new() }; SIDES];
    for round in 0..=count {
        for place in 0..SIDES {
            let side = if round % 2 == 0 { place } else { SIDES - 1 - place };
            let cost = time(&mut *sides[side]);
            if round > 0 {
                costs[side].push(cost);
            }
        }
    }
    costs
}

fn time(side: &mut dyn FnMut()) -> Cost {
    let (begun, processor) = (Instant::now(), processor_seconds());
    side();
    Cost { wall: begun.elapsed().as_secs_f64(), processor: processor_seconds() - processor }
}

/// Processor time of this process and of the children it has waited for; 0 where there is no `/proc`.
fn processor_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name before it may hold spaces; utime, stime, cutime and cstime are fields 14 to 17.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks: f64 = fields
        .split_whitespace()
        .skip(11)
        .take(4)
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum();
    ticks / TICKS_PER_SECOND
}

/// Runs `sha256sum` over the files, in one process.
pub(crate) fn sha256sum(files: &[PathBuf]) {
    run(Command::new("sha256sum").args(files));
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) {
    let ended = command
        .stdout(Stdio::null())
        .status()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(ended.success(), "{command:?}: {ended}");
}

/// The files below a folder, in a stable order.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable folder").path();
        match path.is_dir() {
            true => found.extend(files_below(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}
