//! `recite inspect` and `recite digest`: packages on this machine.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::ExitCode,
};

use app::{
    contract::Failure,
    package::{self, Inspected, Inspection},
    report::flags,
};
use serde::Serialize;

use crate::output::{Output, write_out};

/// Looks at one package. Exit 0: valid; 1: invalid; 2: it could not be read.
pub(crate) fn run(inspection: &Inspection, output: &Output) -> Result<ExitCode, Failure> {
    match package::inspect(inspection) {
        Ok(inspected) => {
            output.print(&inspected, human)?;
            Ok(match (inspected.valid, inspected.unreadable) {
                (true, _) => ExitCode::SUCCESS,
                (false, false) => ExitCode::from(1),
                (false, true) => ExitCode::from(2),
            })
        }
        Err(failure) => {
            output.failure(&failure);
            Ok(ExitCode::from(2))
        }
    }
}

/// Prints digest and path of each package, as `sha256sum` does. Exit 1 when one has no digest.
pub(crate) fn digest(packages: &[PathBuf], output: &Output) -> Result<ExitCode, Failure> {
    if output.is_json() {
        return digest_as_json(packages, output);
    }
    let mut exit = ExitCode::SUCCESS;
    for path in packages {
        match package::digest(path) {
            Ok(digest) => {
                let line =
                    format!("{digest}  {}\n", render::terminal_line(&path.to_string_lossy()));
                write_out(line.as_bytes())?;
            }
            Err(failure) => {
                output.failure(&failure);
                exit = ExitCode::from(1);
            }
        }
    }
    Ok(exit)
}

fn digest_as_json(packages: &[PathBuf], output: &Output) -> Result<ExitCode, Failure> {
    let digested: Vec<Digested> =
        packages.iter().map(|path| Digested::of(path, package::digest(path))).collect();
    let complete = digested.iter().all(|digested| digested.digest.is_some());
    output.print(&Digests { digests: digested }, |_| String::new())?;
    Ok(ExitCode::from(u8::from(!complete)))
}

/// The JSON of `recite digest --json` (`docs/cli.md`).
#[derive(Serialize)]
struct Digests {
    digests: Vec<Digested>,
}

#[derive(Serialize)]
struct Digested {
    target: String,
    digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
}

impl Digested {
    fn of(path: &Path, digest: Result<String, Failure>) -> Self {
        let target = path.to_string_lossy().into_owned();
        match digest {
            Ok(digest) => Self { target, digest: Some(digest), error: None },
            Err(failure) => Self { target, digest: None, error: Some(failure) },
        }
    }
}

fn human(inspected: &Inspected) -> String {
    let mut text = format!(
        "{}\n{}  {}\n",
        render::terminal_line(&inspected.target),
        match (inspected.valid, inspected.unreadable) {
            (true, _) => "valid",
            (false, false) => "INVALID",
            (false, true) => "NOT READ",
        },
        inspected.digest.as_deref().unwrap_or("no digest"),
    );
    let capabilities: Vec<String> = inspected
        .capabilities
        .iter()
        .filter_map(|capability| Some(serde_json::to_value(capability).ok()?.as_str()?.to_owned()))
        .collect();
    if !capabilities.is_empty() {
        text.push_str(&format!("Capabilities: {}\n", capabilities.join(", ")));
    }
    let signed = match inspected.signers.as_slice() {
        [] if !inspected.signatures_checked => {
            "not checked, since no trust root was given".to_owned()
        }
        [] => "by nobody the trust root knows".to_owned(),
        signers => render::terminal_line(&signers.join(", ")),
    };
    text.push_str(&format!("Signed: {signed}\n"));
    let mut grouped: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for found in &inspected.diagnostics {
        let severity = serde_json::to_value(found.severity).ok();
        let severity = severity.as_ref().and_then(|severity| severity.as_str()).unwrap_or_default();
        let place = match (&found.file, found.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            (Some(file), None) => format!("{file}: "),
            _ => String::new(),
        };
        let line = render::terminal_line(&format!("{place}{}", found.message));
        grouped.entry(format!("{severity}  {}", found.code)).or_default().push(line);
    }
    for (head, lines) in grouped {
        text.push_str(&format!("\n{head}\n"));
        for line in lines {
            text.push_str(&format!("  {line}\n"));
        }
    }
    for (record, standing) in inspected.records.iter().zip(&inspected.standings) {
        text.push_str(&format!("\n{}\n", render::terminal_line(&record.node.reference)));
        // Without a trust root nothing was tried, so nothing is said of the signature, which is the first flag.
        let untold = usize::from(!inspected.signatures_checked);
        for flag in flags(standing).into_iter().skip(untold) {
            text.push_str(&format!("  {}\n", render::terminal_line(&flag)));
        }
    }
    text
}
