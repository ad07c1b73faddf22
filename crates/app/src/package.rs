//! Packages on this machine: what the built-in Reader concludes about one (`recite inspect`, `recite digest`).

use std::path::{Path, PathBuf};

use moca::standing::{Basis, Check, CheckOutcome, Standing, standing};
use moca_reader::{
    Capability, CitationOptions, CitationRecord, Code, Diagnostic, Instant, Library, Limits,
    Options, ReadResult, attestation::TrustRoot, digest_package, member::DirectoryResolver,
    read_package,
};
use serde::Serialize;

use crate::contract::{ErrorKind, Failure};

/// How to look at a package.
#[derive(Debug, Clone)]
pub struct Inspection {
    /// The package: a folder, a `.moca` or a `.zip` file.
    pub package: PathBuf,
    /// Whose keys count; without it nothing is signed.
    pub trust_root: Option<PathBuf>,
    /// Folders in which members are looked for; without any, members stay unresolved.
    pub members: Vec<PathBuf>,
    /// Packages loaded beside it, which may supersede or contest it.
    pub with: Vec<PathBuf>,
    /// The instant at which it is judged (RFC 3339).
    pub at: String,
    /// Every warning is an error.
    pub strict: bool,
}

/// What the Reader concludes; the JSON of `recite inspect --json` (`docs/cli.md`).
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inspected {
    /// The package as named.
    pub target: String,
    /// Its digest; null when its entries could not all be read.
    pub digest: Option<String>,
    /// No error in the families that decide validity.
    pub valid: bool,
    /// Nothing of it could be read: no package is there, or an archive was refused (`T001`, `T003`).
    #[serde(skip)]
    pub unreadable: bool,
    /// What a valid package offers.
    pub capabilities: Vec<Capability>,
    /// Who signed it, by the trust root.
    pub signers: Vec<String>,
    /// Whether a trust root was given; without one no signature was checked.
    #[serde(skip)]
    pub signatures_checked: bool,
    /// What the Reader has to say.
    pub diagnostics: Vec<Diagnostic>,
    /// The citation record with text of every node; empty for an invalid package.
    pub records: Vec<CitationRecord>,
    /// How each record stands, in the order of `records`; told to people only.
    #[serde(skip)]
    pub standings: Vec<Standing>,
}

/// Looks at one package.
///
/// # Errors
/// When the package is not there, or what the user gave beside it (trust root, folder, time, package) cannot be used.
/// Whatever is wrong with the package itself is among its diagnostics.
pub fn inspect(inspection: &Inspection) -> Result<Inspected, Failure> {
    let now = Instant::parse(&inspection.at).ok_or_else(|| {
        Failure::new(ErrorKind::BadInput, "The time is none that can be read.")
            .hint("Write it like 2026-11-30T00:00:00Z.")
    })?;
    there(&inspection.package)?;
    let mut options = Options::at(now);
    options.strict = inspection.strict;
    if let Some(path) = &inspection.trust_root {
        let json = std::fs::read(path)
            .map_err(|error| unusable("trust root", path, &error.to_string()))?;
        let root = TrustRoot::parse(&json)
            .map_err(|error| unusable("trust root", path, &error.to_string()))?;
        options = options.trusting(root);
    }
    if !inspection.members.is_empty() {
        let resolver = DirectoryResolver::new(&inspection.members).map_err(|error| {
            Failure::new(
                ErrorKind::BadInput,
                format!("A folder of members cannot be read: {error}."),
            )
        })?;
        options = options.with_members(resolver);
    }
    let read = read_package(inspection.package.as_path(), &options);
    let records = if read.valid { records(&read, inspection, &options, now)? } else { Vec::new() };
    let standings = records.iter().filter_map(|record| checked(record, &inspection.at)).collect();
    Ok(Inspected {
        target: inspection.package.to_string_lossy().into_owned(),
        digest: read.digest.map(|digest| digest.to_string()),
        valid: read.valid,
        unreadable: read.manifest.is_none() && read.diagnostics.iter().any(stops_reading),
        capabilities: read.capabilities,
        signers: read.signers,
        signatures_checked: inspection.trust_root.is_some(),
        diagnostics: read.diagnostics,
        records,
        standings,
    })
}

/// Digest of one package.
///
/// # Errors
/// When it is not there, or its entries cannot all be read.
pub fn digest(package: &Path) -> Result<String, Failure> {
    there(package)?;
    match digest_package(package, &Limits::default()) {
        (Some(digest), _) => Ok(digest.to_string()),
        (None, diagnostics) => {
            let first =
                diagnostics.first().map_or_else(String::new, |found| format!(" {}", found.message));
            Err(Failure::new(
                ErrorKind::BadInput,
                format!("{} has no digest.{first}", package.display()),
            ))
        }
    }
}

/// A finding after which nothing in the package was looked at.
fn stops_reading(found: &Diagnostic) -> bool {
    matches!(found.code, Code::TargetNotFound | Code::ArchiveRejected)
}

fn there(package: &Path) -> Result<(), Failure> {
    match std::fs::symlink_metadata(package) {
        Ok(_) => Ok(()),
        Err(error) => Err(unusable("package", package, &error.to_string())),
    }
}

fn unusable(what: &str, path: &Path, why: &str) -> Failure {
    Failure::new(
        ErrorKind::BadInput,
        format!("The {what} {} cannot be used: {why}.", path.display()),
    )
}

/// Records of the package's own nodes, with the effects of what is loaded beside it.
fn records(
    read: &ReadResult,
    inspection: &Inspection,
    options: &Options,
    now: Instant,
) -> Result<Vec<CitationRecord>, Failure> {
    let mut library = Library::new();
    let add = |library: &mut Library, path: &Path, package: ReadResult| {
        library.add(package).map_err(|error| unusable("package", path, &error.to_string()))
    };
    add(&mut library, &inspection.package, read.clone())?;
    for path in &inspection.with {
        there(path)?;
        add(&mut library, path, read_package(path.as_path(), options))?;
    }
    let own = read.manifest.as_ref().map(|manifest| manifest.key());
    let with_text = CitationOptions::with_text();
    let all = library.citations(now, &with_text);
    Ok(all
        .filter(|record| Some(format!("{}@{}", record.package.id, record.package.version)) == own)
        .collect())
}

/// How a record stands that the Reader made from the bytes at hand.
fn checked(record: &CitationRecord, at: &str) -> Option<Standing> {
    let json = serde_json::to_string(record).ok()?;
    let now = moca::StatedTime::parse(at).instant()?;
    let check = Check {
        reader: "moca-reader".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        at: now,
        outcome: CheckOutcome::SameBytes,
    };
    Some(standing(&moca::record::read(&json).reading, &Basis::Check(check), now))
}
