//! Where the command's answer goes: a reader that leaves, a full disk, and arguments that ask for nothing.

use std::{
    fs::File,
    io::Read,
    process::{Command, Stdio},
};

use insta::assert_snapshot;
use recite_tests::{generate, scratch::Scratch};

/// The command on an archive of one recording.
fn command(scratch: &Scratch, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recite_under_test"));
    command.arg("--archive").arg(scratch.archive()).args(arguments).stdin(Stdio::null());
    command
}

fn filled() -> Scratch {
    let scratch = Scratch::new();
    let _ = scratch.import_bytes("runs.jsonl", &generate::recording(8, 41));
    scratch
}

/// Commands that print, in both their forms.
const PRINTING: [&[&str]; 10] = [
    &["list"],
    &["--json", "list"],
    &["show", "1"],
    &["--json", "show", "1"],
    &["export", "1", "--format", "events"],
    &["export", "1", "--format", "agui-jsonl"],
    &["export", "1", "--format", "html"],
    &["findings"],
    &["verify"],
    &["--json", "verify"],
];

#[test]
fn a_page_of_no_rows_is_a_wrong_argument() {
    let scratch = filled();
    for (arguments, said) in [
        (["list", "--limit", "0"], "0 is not in 1..=200"),
        (["findings", "--limit", "0"], "0 is not in 1..=200"),
        (["list", "--limit", "201"], "201 is not in 1..=200"),
        (["list", "--limit", "many"], "invalid value"),
    ] {
        let output = command(&scratch, &arguments).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains("--limit") && told.contains(said), "{arguments:?}: {told}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let scratch = filled();
    for arguments in PRINTING {
        let mut child = command(&scratch, arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}: {told}");
        assert_eq!(told, "", "{arguments:?}");
    }
}

#[test]
fn a_full_disk_behind_standard_output_is_told() {
    let scratch = filled();
    let mut all = Vec::new();
    for arguments in PRINTING {
        let Ok(full) = File::options().write(true).open("/dev/full") else {
            println!("not run: this system has no /dev/full");
            return;
        };
        let output = command(&scratch, arguments).stdout(full).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {told}");
        all.push(format!("{}: {}", arguments.join(" "), told.trim_end()));
    }
    assert_snapshot!(all.join("\n"));
}
