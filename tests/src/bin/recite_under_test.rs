//! The `recite` command as the tests run it in a process of its own: with their clock, with batches as small as a
//! test asks for, and with a last word about what the work cost.

use std::{fs, process::ExitCode};

use recite_cli::Surroundings;
use recite_tests::{
    process::{BATCH_BYTES, COST},
    scratch::NOW,
};

fn main() -> ExitCode {
    let exit =
        recite_cli::run(Surroundings { clock: Box::new(|| NOW), batch_bytes: batch_bytes() });
    if let Some(file) = std::env::var_os(COST) {
        let cost = ["/proc/self/status", "/proc/self/stat"]
            .map(|file| fs::read_to_string(file).unwrap_or_default());
        if fs::write(file, cost.concat()).is_err() {
            return ExitCode::from(101);
        }
    }
    exit
}

fn batch_bytes() -> u64 {
    let asked = std::env::var_os(BATCH_BYTES).and_then(|value| value.to_str()?.parse().ok());
    asked.unwrap_or(app::BATCH_BYTES)
}
