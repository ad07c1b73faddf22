//! A case as the runner sends it, and package cases.

use std::path::{Path, PathBuf};

use moca_reader::attestation::TrustRoot;
use moca_reader::member::DirectoryResolver;
use moca_reader::sidecar::bind_sidecar;
use moca_reader::{
    CitationOptions, Diagnostic, Instant, Library, Limits, Options, ReadResult, Target,
    read_package,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Failure;

/// Keys are judged at this instant where a case names none; every key of the corpus holds then.
const DEFAULT_NOW: &str = "2026-10-01T00:00:00Z";

#[derive(Deserialize)]
pub(super) struct Request {
    pub(super) root: PathBuf,
    pub(super) case: Case,
}

#[derive(Deserialize)]
pub(super) struct Case {
    pub(super) kind: Option<String>,
    pub(super) target: Option<String>,
    #[serde(default)]
    pub(super) packages: Vec<String>,
    #[serde(default)]
    pub(super) options: CaseOptions,
    #[serde(default)]
    pub(super) search: SearchRequest,
    #[serde(default)]
    pub(super) op: String,
    #[serde(default)]
    pub(super) iri: String,
    #[serde(default)]
    pub(super) args: OpArguments,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct CaseOptions {
    pub(super) trust_root: Option<String>,
    pub(super) members: Option<Vec<String>>,
    pub(super) sidecar: Option<String>,
    pub(super) limits: Map<String, Value>,
    pub(super) now: Option<String>,
    pub(super) backend: Option<String>,
    pub(super) audiences: Option<Vec<String>>,
    pub(super) allow: Vec<String>,
    pub(super) hooks: Option<String>,
    pub(super) embedder: Option<EmbedderName>,
    pub(super) overlays: Vec<OverlayFile>,
}

#[derive(Deserialize)]
pub(super) struct EmbedderName {
    pub(super) name: String,
    pub(super) version: Option<String>,
    pub(super) dimensions: usize,
}

#[derive(Deserialize)]
pub(super) struct OverlayFile {
    pub(super) id: String,
    pub(super) layer: String,
    pub(super) path: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct SearchRequest {
    pub(super) query: String,
    pub(super) limit: Option<usize>,
    pub(super) include_all: bool,
    pub(super) locale: Option<String>,
    pub(super) concepts: Vec<String>,
    pub(super) scope: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct OpArguments {
    pub(super) transitive: bool,
    pub(super) include: Option<String>,
    pub(super) include_all: bool,
}

impl Request {
    pub(super) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    pub(super) fn now(&self) -> Result<Instant, Failure> {
        let text = self.case.options.now.as_deref().unwrap_or(DEFAULT_NOW);
        Instant::parse(text).ok_or_else(|| format!("no instant: {text:?}").into())
    }

    pub(super) fn options(&self) -> Result<Options, Failure> {
        let case = &self.case.options;
        let mut options = Options::at(self.now()?);
        options.limits = limits(&case.limits)?;
        if let Some(trust_root) = &case.trust_root {
            options = options.trusting(TrustRoot::parse(&std::fs::read(self.path(trust_root))?)?);
        }
        if let Some(folders) = &case.members {
            let folders = folders.iter().map(|folder| self.path(folder));
            options = options.with_members(DirectoryResolver::new(folders)?);
        }
        Ok(options)
    }

    /// Reads the packages of a case and loads the valid ones.
    pub(super) fn library(&self, options: &Options) -> Result<Library, Failure> {
        let mut library = Library::new();
        for package in &self.case.packages {
            let result = read_package(self.path(package), options);
            if result.valid {
                library.add(result)?;
            }
        }
        Ok(library)
    }
}

fn limits(overrides: &Map<String, Value>) -> Result<Limits, Failure> {
    let mut limits = Limits::default();
    for (name, value) in overrides {
        let number = value.as_u64().ok_or_else(|| format!("limit {name} is no number"))?;
        let count = usize::try_from(number)?;
        match name.as_str() {
            "maxEntries" => limits.max_entries = count,
            "maxBytes" => limits.max_bytes = number,
            "maxFrontmatterBytes" => limits.max_frontmatter_bytes = count,
            "maxStructureBytes" => limits.max_structure_bytes = number,
            "maxTriples" => limits.max_triples = count,
            "maxEvidencePerNode" => limits.max_evidence_per_node = count,
            "maxSourceBytesChecked" => limits.max_source_bytes_checked = number,
            other => return Err(format!("limit {other:?} is not known").into()),
        }
    }
    Ok(limits)
}

/// Answers a package case.
pub(super) fn package(request: &Request) -> Result<Value, Failure> {
    let options = request.options()?;
    let target = request.case.target.as_deref().ok_or("a package case without a target")?;
    let result = read_package(request.path(target), &options);
    let mut codes = codes(&result.diagnostics);
    let mut answer = json!({
        "valid": result.valid,
        "capabilities": result.capabilities,
        "digest": result.digest,
    });
    if let Some(sidecar) = &request.case.options.sidecar {
        let sidecar = Path::new(sidecar);
        let bound = bind_sidecar(&Target::Path(request.root.join(sidecar)), &result, &options);
        codes.extend(self::codes(&bound.diagnostics));
        answer["sidecarUsable"] = json!(bound.usable());
    }
    answer["codes"] = json!(codes);
    answer["evidenceMatched"] = evidence_matched(result, options.now)?;
    Ok(answer)
}

pub(super) fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

/// Node path → `matched` of each evidence entry of its default record, `null` where absent.
fn evidence_matched(result: ReadResult, now: Instant) -> Result<Value, Failure> {
    let mut by_node = Map::new();
    if result.valid {
        let digest = result.digest;
        let mut library = Library::new();
        library.add(result)?;
        let options = CitationOptions::default();
        let own = |record: &moca_reader::CitationRecord| Some(record.package.digest) == digest;
        for record in library.citations(now, &options).filter(own) {
            if !record.evidence.is_empty() {
                let matched: Vec<Option<bool>> =
                    record.evidence.iter().map(|entry| entry.matched).collect();
                by_node.insert(record.node.path.into(), json!(matched));
            }
        }
    }
    Ok(Value::Object(by_node))
}
