//! The packages, and the records that a service's Reader computes from those it has loaded.

use std::path::{Path, PathBuf};
use std::{collections::BTreeMap, fs};

use moca_reader::attestation::TrustRoot;
use moca_reader::{CitationOptions, Instant, Library, Options, Value, read_package};

use super::Failure;
use super::script::Source;

/// The folder of packages and the keys that the services of the sample trust.
pub(super) struct Shelf {
    packages: BTreeMap<String, PathBuf>,
    trust_root: Vec<u8>,
}

impl Shelf {
    pub(super) fn open(folder: &Path) -> Result<Self, Failure> {
        Ok(Self {
            packages: packages(folder)?,
            trust_root: fs::read(folder.join("trust-root.json"))?,
        })
    }

    /// A Reader with these packages loaded, judging keys at an instant.
    pub(super) fn library(&self, loaded: &[&str], at: Instant) -> Result<Library, Failure> {
        let options = Options::at(at).trusting(TrustRoot::parse(&self.trust_root)?);
        let mut library = Library::new();
        for name in loaded {
            let folder = self.packages.get(*name).ok_or_else(|| format!("no package {name}"))?;
            let package = read_package(folder.as_path(), &options);
            let faults: Vec<String> =
                package.diagnostics.iter().map(|d| format!("{d:?}")).collect();
            library.add(package).map_err(|why| format!("{name}: {why}: {}", faults.join("; ")))?;
        }
        Ok(library)
    }
}

/// The record of a source at an instant, with its text.
pub(super) fn record(library: &Library, source: Source, at: Instant) -> Result<Value, Failure> {
    let options = CitationOptions {
        locale: source.locale.map(str::to_owned),
        ..CitationOptions::with_text()
    };
    let record = library
        .get(source.reference, at, &options)
        .ok_or_else(|| format!("no loaded package holds {}", source.reference))?;
    Ok(serde_json::from_str(&serde_json::to_string(&record)?)?)
}

/// The package folders by name.
pub(super) fn packages(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder.join("packages"))? {
        let entry = entry?;
        found.insert(entry.file_name().to_string_lossy().into_owned(), entry.path());
    }
    Ok(found)
}
