//! Makes the attestations and the recordings of the sample archive again; with `--check` says what differs and writes nothing.

use std::fs;
use std::process::ExitCode;

use recite_tests::sample::{Failure, Made, attestations, differences, recordings};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let made = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => make(),
        ["--check"] => check(),
        _ => Err("usage: make_sample [--check]".into()),
    };
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Attestations first: the records of the recordings tell who signed and reviewed.
fn make() -> Result<(), Failure> {
    let folder = recite_tests::fixture("sample");
    write(&attestations(&folder)?)?;
    let recordings = recordings(&folder)?;
    write(&recordings)?;
    for stray in differences(&folder, &recordings)? {
        fs::remove_file(folder.join(stray))?;
    }
    Ok(())
}

fn write(made: &[Made]) -> Result<(), Failure> {
    let folder = recite_tests::fixture("sample");
    for (path, bytes) in made {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, bytes)?;
    }
    Ok(())
}

fn check() -> Result<(), Failure> {
    let folder = recite_tests::fixture("sample");
    let mut different = differences(&folder, &attestations(&folder)?)?;
    if different.is_empty() {
        different = differences(&folder, &recordings(&folder)?)?;
    }
    if different.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = different.iter().map(|path| path.display().to_string()).collect();
    Err(format!("not as `make sample` makes it: {}", names.join(", ")).into())
}
