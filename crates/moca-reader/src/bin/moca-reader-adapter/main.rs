//! Speaks the conformance corpus's runner protocol, so that the specification's own runner can
//! test this Reader (`facts/moca-reader §11`): one case as JSON on standard input, this Reader's
//! conclusions as JSON on standard output, status 0.

mod case;
mod search;

use std::io::{Read, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            // A message that cannot be written has nobody to read it.
            let _ = writeln!(std::io::stderr(), "moca-reader-adapter: {e}");
            ExitCode::FAILURE
        }
    }
}

/// A case that cannot be run: not a fault of the package but of the request.
type Failure = Box<dyn std::error::Error>;

fn run() -> Result<(), Failure> {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let request: case::Request = serde_json::from_str(&input)?;
    let answer = match request.case.kind.as_deref() {
        None => case::package(&request)?,
        Some("search") => search::search(&request)?,
        Some("structure") => search::structure(&request)?,
        Some(other) => return Err(format!("cases of kind {other:?} are not known").into()),
    };
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, &answer)?;
    writeln!(out)?;
    Ok(())
}
