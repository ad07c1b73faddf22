//! The `recite` command in a process of its own.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::Duration,
};

use serde_json::Value;

/// Variable that gives the bytes after which the command makes a source durable.
pub const BATCH_BYTES: &str = "RECITE_TEST_BATCH_BYTES";

/// Variable that names the file into which the command writes its last word: its `status` and `stat` of `/proc`.
pub const COST: &str = "RECITE_TEST_COST";

/// Ticks of a second in `/proc/<pid>/stat`: fixed for programs, whatever the kernel's own clock does.
const TICKS_PER_SECOND: u32 = 100;

/// How the command is run on one archive.
#[derive(Debug, Clone)]
pub struct Recite {
    program: PathBuf,
    archive: PathBuf,
    batch_bytes: Option<u64>,
}

/// How a run of the command ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// The JSON it printed, null when there was none.
    pub json: Value,
    /// What it said on standard error.
    pub told: String,
}

/// What a run of the command took.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// The most memory that was resident at a time, in bytes.
    pub peak: u64,
    /// Processor time, own and for it in the kernel; not disturbed by other processes as the clock on the wall is.
    pub time: Duration,
}

impl Recite {
    /// The command `program` (`env!("CARGO_BIN_EXE_recite_under_test")`) on `archive`.
    #[must_use]
    pub fn new(program: &str, archive: &Path) -> Self {
        Self { program: program.into(), archive: archive.to_owned(), batch_bytes: None }
    }

    /// With batches of this many bytes.
    #[must_use]
    pub fn batch_bytes(self, bytes: u64) -> Self {
        Self { batch_bytes: Some(bytes), ..self }
    }

    /// The command, ready to be started.
    #[must_use]
    pub fn command(&self, arguments: &[&OsStr]) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("--archive").arg(&self.archive).arg("--json").args(arguments);
        command.stdin(Stdio::null()).env_remove(COST).env_remove(BATCH_BYTES);
        if let Some(bytes) = self.batch_bytes {
            command.env(BATCH_BYTES, bytes.to_string());
        }
        command
    }

    /// Runs it to its end.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn run(&self, arguments: &[&OsStr]) -> Ended {
        Ended::of(&self.command(arguments).output().expect("the command starts"))
    }

    /// What it prints for people.
    ///
    /// # Panics
    /// When it cannot be started, fails, or prints what is no text.
    #[must_use]
    pub fn text(&self, arguments: &[&OsStr]) -> String {
        let mut command = Command::new(&self.program);
        command.arg("--archive").arg(&self.archive).args(arguments).stdin(Stdio::null());
        let output = command.output().expect("the command starts");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// Imports files.
    ///
    /// # Panics
    /// When the command cannot be started.
    #[must_use]
    pub fn import(&self, files: &[&Path]) -> Ended {
        let mut arguments: Vec<&OsStr> = vec!["import".as_ref()];
        arguments.extend(files.iter().map(|file| file.as_os_str()));
        self.run(&arguments)
    }

    /// Starts an import and leaves it running.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn start_import(&self, file: &Path) -> Child {
        let mut command = self.command(&["import".as_ref(), file.as_os_str()]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts")
    }

    /// Runs it to its end and tells what that took; `scratch` is a file that may be overwritten.
    ///
    /// # Panics
    /// When it cannot be started, or this system keeps no account of processes under `/proc`.
    #[must_use]
    pub fn measure(&self, arguments: &[&OsStr], scratch: &Path) -> (Ended, Cost) {
        let ended =
            self.command(arguments).env(COST, scratch).output().expect("the command starts");
        let account = std::fs::read_to_string(scratch).expect("the command accounts for itself");
        (Ended::of(&ended), Cost::read(&account))
    }
}

impl Ended {
    /// How a process ended whose output was kept.
    #[must_use]
    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            json: serde_json::from_slice(&output.stdout).unwrap_or(Value::Null),
            told: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// What was said of the one source that was given.
    ///
    /// # Panics
    /// When it was not one.
    #[must_use]
    pub fn source(&self) -> &Value {
        let sources =
            self.json["sources"].as_array().unwrap_or_else(|| panic!("no summary: {self:?}"));
        assert_eq!(sources.len(), 1, "{self:?}");
        &sources[0]
    }
}

impl Cost {
    fn read(account: &str) -> Self {
        let peak = account
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        let peak: u64 =
            peak.and_then(|kib| kib.trim().parse().ok()).expect("the system counts memory");
        // The last line: pid, name in parentheses, state, and from there on fields 4 to 52.
        let (_, fields) = account.rsplit_once(") ").expect("the system counts time");
        let ticks: u32 =
            fields.split(' ').skip(11).take(2).map(|field| field.parse::<u32>().unwrap_or(0)).sum();
        Self { peak: peak << 10, time: Duration::from_secs(1) * ticks / TICKS_PER_SECOND }
    }
}
