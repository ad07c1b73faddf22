//! Search and structure cases, with the backends and hooks that the corpus asks a runner for.

use moca_reader::library::CitationOptions;
use moca_reader::record::{CitationRecord, Span};
use moca_reader::search::{
    Backend, BackendError, Context, DenseBackend, Embedder, Filters, Hit, Hooks, LexicalBackend,
    MemoryStore, OntologyGuided, Search,
};
use moca_reader::sidecar::{Sidecar, bind_sidecar};
use moca_reader::structure::{Include, Overlay, OverlayLayer, StructureIndex};
use moca_reader::{Diagnostics, Library, Options, Target, read_package};
use serde_json::{Value, json};

use super::Failure;
use super::case::{EmbedderName, Request, codes};

/// Results asked for where a case does not say.
const DEFAULT_LIMIT: usize = 50;

/// Answers a search case.
pub(super) fn search(request: &Request) -> Result<Value, Failure> {
    let options = request.options()?;
    let library = request.library(&options)?;
    let sidecars: Vec<Sidecar> = match &request.case.options.sidecar {
        Some(path) => (library.packages().iter())
            .map(|package| bind_sidecar(&Target::Path(request.path(path)), package, &options))
            .collect(),
        None => Vec::new(),
    };
    let mut codes_found: Vec<&str> = sidecars.iter().flat_map(|s| codes(&s.diagnostics)).collect();
    let embedder = request.case.options.embedder.as_ref().map(FixedEmbedder);
    let backend: Box<dyn Backend + '_> = match request.case.options.backend.as_deref() {
        None | Some("lexical") => Box::new(LexicalBackend::new(&library, &sidecars)),
        Some("all") => Box::new(Everything(&library)),
        Some("dense") => {
            let embedder = embedder.as_ref().ok_or("a dense search without an embedder")?;
            Box::new(DenseBackend::new(&library, &sidecars, embedder))
        }
        Some("store") => Box::new(MemoryStore::ingest(&library, options.now)),
        Some(other) => return Err(format!("backend {other:?} is not known").into()),
    };
    codes_found.extend(codes(backend.diagnostics()));

    let mut overlay_findings = Diagnostics::default();
    let overlays = overlays(request, &options, &mut overlay_findings)?;
    codes_found.extend(codes(overlay_findings.as_slice()));
    let mut search = if request.case.options.backend.as_deref() == Some("store") {
        let allowed = request.case.options.allow.iter();
        let digests = allowed.filter_map(|p| read_package(request.path(p), &options).digest);
        Search::store(digests, backend.as_ref())
    } else {
        Search::library(&library, backend.as_ref()).overlays(&overlays)
    };
    if let Some(audiences) = &request.case.options.audiences {
        search = search.audiences(audiences.iter().cloned());
    }
    match request.case.options.hooks.as_deref() {
        None => {}
        Some("ontology-guided") => search = search.hooks(&OntologyGuided),
        Some("hostile") => search = search.hooks(&Hostile),
        Some(other) => return Err(format!("hooks {other:?} are not known").into()),
    }
    let records = search.search(&wanted(request), options.now)?;
    Ok(json!({ "codes": codes_found, "records": records }))
}

fn wanted(request: &Request) -> moca_reader::search::Request {
    let asked = &request.case.search;
    let mut wanted = moca_reader::search::Request::new(asked.query.clone());
    wanted.limit = asked.limit.unwrap_or(DEFAULT_LIMIT);
    wanted.include_all = asked.include_all;
    wanted.locale.clone_from(&asked.locale);
    wanted.concepts.clone_from(&asked.concepts);
    wanted.scope.clone_from(&asked.scope);
    wanted
}

fn overlays(
    request: &Request,
    options: &Options,
    found: &mut Diagnostics,
) -> Result<Vec<Overlay>, Failure> {
    let mut overlays = Vec::new();
    for file in &request.case.options.overlays {
        let layer = match file.layer.as_str() {
            "application" => OverlayLayer::Application,
            "organisation" => OverlayLayer::Organisation,
            other => return Err(format!("layer {other:?} is not known").into()),
        };
        let turtle = std::fs::read(request.path(&file.path))?;
        overlays.push(Overlay::parse(file.id.clone(), layer, &turtle, &options.limits, found));
    }
    Ok(overlays)
}

/// Answers a structure case.
pub(super) fn structure(request: &Request) -> Result<Value, Failure> {
    let options = request.options()?;
    let library = request.library(&options)?;
    let mut found = Diagnostics::default();
    let overlays = overlays(request, &options, &mut found)?;
    let index = StructureIndex::new(&library, &overlays);
    let (iri, args) = (request.case.iri.as_str(), &request.case.args);
    let result = match request.case.op.as_str() {
        "concept" => json!(index.concept(iri)),
        "requires" => json!(index.requires(iri, args.transitive)),
        "requiredBy" => json!(index.required_by(iri)),
        "parts" => json!(index.parts(iri)),
        "narrower" => json!(index.narrower(iri, args.transitive)),
        "broader" => json!(index.broader(iri)),
        "related" => json!(index.related(iri)),
        "sequence" => json!(index.sequence(iri)),
        "nodes" => {
            let include = match args.include.as_deref() {
                None | Some("none") => Include::None,
                Some("narrower") => Include::Narrower,
                Some("parts") => Include::Parts,
                Some("both") => Include::Both,
                Some(other) => return Err(format!("include {other:?} is not known").into()),
            };
            let options_of_record = CitationOptions::default();
            let nodes =
                index.nodes(iri, include, args.include_all, options.now, &options_of_record);
            json!(nodes.iter().map(|record| &record.node.reference).collect::<Vec<_>>())
        }
        other => return Err(format!("operation {other:?} is not known").into()),
    };
    Ok(json!({ "codes": codes(found.as_slice()), "result": result }))
}

/// Gives `[1, 0, …]` for any text.
struct FixedEmbedder<'a>(&'a EmbedderName);

impl Embedder for FixedEmbedder<'_> {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn version(&self) -> Option<&str> {
        self.0.version.as_deref()
    }

    fn dimensions(&self) -> usize {
        self.0.dimensions
    }

    fn embed(&self, _text: &str) -> Result<Vec<f32>, BackendError> {
        let mut vector = vec![0.0; self.0.dimensions];
        if let Some(first) = vector.first_mut() {
            *first = 1.0;
        }
        Ok(vector)
    }
}

/// Gives every representation of every package with score 1, filters or not, and one hit of a
/// package that is not loaded.
struct Everything<'a>(&'a Library);

impl Backend for Everything<'_> {
    fn filters_itself(&self) -> bool {
        false
    }

    fn search(&self, _: &str, _: usize, _: &Filters) -> Result<Vec<Hit>, BackendError> {
        let mut hits = Vec::new();
        for package in self.0.packages() {
            let (Some(manifest), Some(digest)) = (&package.manifest, package.digest) else {
                continue;
            };
            for node in &package.nodes {
                for representation in &node.representations {
                    hits.push(Hit {
                        digest,
                        node: format!("{}#{}", manifest.id, node.path),
                        path: node.path.clone(),
                        locale: representation.locale.clone(),
                        span: None,
                        score: 1.0,
                        record: None,
                    });
                }
            }
        }
        if let Some(unloaded) = hits.first().cloned() {
            hits.push(Hit { digest: moca_reader::Digest([0; 32]), ..unloaded });
        }
        Ok(hits)
    }
}

/// Returns every node of every loaded package, whatever was found, and one record of a package
/// that is not loaded.
struct Hostile;

impl Hooks for Hostile {
    fn egress(&self, _: Vec<CitationRecord>, context: &Context<'_>) -> Vec<CitationRecord> {
        let Some(library) = context.library else { return Vec::new() };
        let options = CitationOptions::with_text();
        let mut records: Vec<CitationRecord> = library.citations(context.now, &options).collect();
        if let Some(mut foreign) = records.first().cloned() {
            foreign.package.digest = moca_reader::Digest([0; 32]);
            foreign.span = Some(Span { start: 0, end: 0 });
            records.push(foreign);
        }
        for record in &mut records {
            record.score = Some(1.0);
        }
        records
    }
}
