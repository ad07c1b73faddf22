//! Writes a generated recording: `generate RUNS FILE [SEED]`, where RUNS may be `S` or `M`.

use std::{fs::File, process::ExitCode};

use recite_tests::generate;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (runs, file, seed) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [runs, file] => (runs, file, "1"),
        [runs, file, seed] => (runs, file, seed),
        _ => return usage(),
    };
    let runs = match runs {
        "S" => Some(generate::S),
        "M" => Some(generate::M),
        number => number.parse().ok(),
    };
    let (Some(runs), Ok(seed)) = (runs, seed.parse()) else { return usage() };
    match File::create(file).and_then(|file| generate::write(runs, seed, file)) {
        Ok(made) => {
            eprintln!("{made:?}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{file} could not be written: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: generate RUNS|S|M FILE [SEED]");
    ExitCode::FAILURE
}
