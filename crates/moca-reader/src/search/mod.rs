//! Search with a gate that always comes last (`facts/moca-reader §9.2`).
//!
//! A [`Backend`] only finds candidates, and [`Hooks`] only steer. Whatever they return, a record
//! leaves [`Search`] only if its package is loaded, the retrieval policy, audience, locale and
//! concepts admit it, and it is made here, from the package's own bytes.

mod backend;
mod bm25;
mod dense;
mod gate;
mod guided;
mod lexical;
mod store;

use std::collections::BTreeSet;

pub use self::backend::{Backend, BackendError, Filters, Hit};
pub use self::dense::{DenseBackend, Embedder};
use self::gate::Gate;
pub use self::guided::OntologyGuided;
pub use self::lexical::LexicalBackend;
pub use self::store::MemoryStore;
use crate::digest::Digest;
use crate::library::Library;
use crate::record::{CitationRecord, Status};
use crate::structure::{Overlay, StructureIndex};
use crate::time::Instant;

/// Candidates asked of a backend that does not filter, at most.
const MAX_FETCH: usize = 200;
/// How many candidates such a backend is asked for per record wanted.
const OVERFETCH: usize = 3;

/// The default retrieval policy: in force, not superseded, not deprecated. Stale and contested
/// records pass, flagged (`facts/moca-reader §7.5`).
pub fn passes_default_policy(record: &CitationRecord) -> bool {
    let trust = &record.trust;
    trust.in_force && !trust.superseded && trust.status != Status::Deprecated
}

/// What to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The words.
    pub query: String,
    /// Records at most.
    pub limit: usize,
    /// The host's opt-in to what the default policy excludes; such records come back flagged.
    pub include_all: bool,
    /// Only the representation that this locale picks of each node.
    pub locale: Option<String>,
    /// Only records bound to one of these concepts; empty: any.
    pub concepts: Vec<String>,
    /// Only records bound to this concept or to something below it.
    pub scope: Option<String>,
}

impl Request {
    /// A request for the best five records, with the default policy.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            limit: 5,
            include_all: false,
            locale: None,
            concepts: Vec::new(),
            scope: None,
        }
    }
}

/// What hooks may look at. Nothing of it can be changed through it.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The request as the caller made it.
    pub request: &'a Request,
    /// The packages; `None` for a search over a store.
    pub library: Option<&'a Library>,
    /// Their structure with the host's overlays; `None` for a search over a store.
    pub structure: Option<&'a StructureIndex<'a>>,
    /// The host's audience set; `None`: no filter.
    pub audiences: Option<&'a BTreeSet<String>>,
    /// The instant of the search.
    pub now: Instant,
}

/// A retrieval strategy. It changes what is looked for and in which order it comes, never what may
/// be returned.
pub trait Hooks {
    /// Changes what the backend searches.
    fn ingress(&self, query: &str, context: &Context<'_>) -> Ingress {
        let _ = (query, context);
        Ingress::default()
    }

    /// Reorders candidates, drops some, or adds records from structure operations with their
    /// `retrieval` set. Of what it returns only score and `retrieval` are taken as they are.
    fn egress(
        &self,
        candidates: Vec<CitationRecord>,
        context: &Context<'_>,
    ) -> Vec<CitationRecord> {
        let _ = context;
        candidates
    }
}

/// What an ingress hook changes; `None` leaves what the caller asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ingress {
    /// Other words.
    pub query: Option<String>,
    /// Other concepts.
    pub concepts: Option<Vec<String>>,
    /// Another scope.
    pub scope: Option<String>,
}

/// A search over a library, or over a store of records for a set of packages.
pub struct Search<'a> {
    source: Source<'a>,
    backend: &'a dyn Backend,
    hooks: Option<&'a dyn Hooks>,
    audiences: Option<BTreeSet<String>>,
}

enum Source<'a> {
    Library { library: &'a Library, structure: Box<StructureIndex<'a>> },
    Store { allowed: BTreeSet<Digest> },
}

impl<'a> Search<'a> {
    /// A search over loaded packages; every hit is made a record by the library.
    pub fn library(library: &'a Library, backend: &'a dyn Backend) -> Self {
        let structure = Box::new(StructureIndex::new(library, &[]));
        Self::over(Source::Library { library, structure }, backend)
    }

    /// A search over a host's store, whose hits carry the records made when they were stored. Only
    /// packages with an allowed digest come back. `stale` and `inForce` are judged anew.
    ///
    /// Hooks cannot add records here, and scope goes no further than the concept itself, since
    /// there are no packages to look into.
    pub fn store(allowed: impl IntoIterator<Item = Digest>, backend: &'a dyn Backend) -> Self {
        Self::over(Source::Store { allowed: allowed.into_iter().collect() }, backend)
    }

    fn over(source: Source<'a>, backend: &'a dyn Backend) -> Self {
        Self { source, backend, hooks: None, audiences: None }
    }

    /// Lays the host's structure over that of the packages, for scope and hooks.
    #[must_use]
    pub fn overlays(mut self, overlays: &[Overlay]) -> Self {
        if let Source::Library { library, structure } = &mut self.source {
            **structure = StructureIndex::new(library, overlays);
        }
        self
    }

    /// Removes records with an audience outside this set, whatever a caller includes. A record
    /// without an audience passes any set.
    #[must_use]
    pub fn audiences(mut self, audiences: impl IntoIterator<Item = String>) -> Self {
        self.audiences = Some(audiences.into_iter().collect());
        self
    }

    /// Uses a retrieval strategy.
    #[must_use]
    pub fn hooks(mut self, hooks: &'a dyn Hooks) -> Self {
        self.hooks = Some(hooks);
        self
    }

    /// Records with text and score, best first unless a hook ordered them otherwise.
    ///
    /// # Errors
    /// When the backend fails.
    pub fn search(
        &self,
        request: &Request,
        now: Instant,
    ) -> Result<Vec<CitationRecord>, BackendError> {
        let context = self.context(request, now);
        let changes = match self.hooks {
            Some(hooks) => hooks.ingress(&request.query, &context),
            None => Ingress::default(),
        };
        let gate = Gate::new(&context, self.allowed());
        let concepts = changes.concepts.as_deref().unwrap_or(&request.concepts);
        let scope = changes.scope.as_deref().or(request.scope.as_deref());
        let filters = gate.filters(concepts, scope);
        let fetch = if self.backend.filters_itself() {
            request.limit
        } else {
            request.limit.saturating_mul(OVERFETCH).min(MAX_FETCH)
        };
        let query = changes.query.as_deref().unwrap_or(&request.query);
        let hits = self.backend.search(query, fetch, &filters)?;

        let mut candidates: Vec<_> = hits.iter().filter_map(|hit| gate.resolve(hit)).collect();
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        gate.admit(&mut candidates);
        if let Some(hooks) = self.hooks {
            let records = candidates.iter().map(|candidate| candidate.record.clone()).collect();
            let returned = hooks.egress(records, &context);
            candidates =
                returned.iter().filter_map(|record| gate.remake(record, &candidates)).collect();
            gate.admit(&mut candidates);
        }
        candidates.truncate(request.limit);
        Ok(candidates.into_iter().map(|candidate| candidate.record).collect())
    }

    fn context<'b>(&'b self, request: &'b Request, now: Instant) -> Context<'b> {
        let (library, structure) = match &self.source {
            Source::Library { library, structure } => (Some(*library), Some(&**structure)),
            Source::Store { .. } => (None, None),
        };
        Context { request, library, structure, audiences: self.audiences.as_ref(), now }
    }

    fn allowed(&self) -> BTreeSet<Digest> {
        match &self.source {
            Source::Library { library, .. } => {
                library.packages().iter().filter_map(|package| package.digest).collect()
            }
            Source::Store { allowed } => allowed.clone(),
        }
    }
}
