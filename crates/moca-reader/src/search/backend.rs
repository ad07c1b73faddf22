//! What a search backend is asked and what it returns (`facts/moca-reader §9.2`).

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostic;
use crate::digest::Digest;
use crate::record::{CitationRecord, Span};
use crate::text::Text;

/// Finds candidates. It may be an index of this crate, or the host's own engine or store.
pub trait Backend {
    /// True if it applies all [`Filters`] itself, so that no more candidates than records wanted
    /// need be asked of it. They are checked again in any case.
    fn filters_itself(&self) -> bool;

    /// At most `limit` candidates, best first.
    ///
    /// # Errors
    /// When the backend cannot answer.
    fn search(
        &self,
        query: &str,
        limit: usize,
        filters: &Filters,
    ) -> Result<Vec<Hit>, BackendError>;

    /// Findings about the backend itself.
    fn diagnostics(&self) -> &[Diagnostic] {
        &[]
    }
}

/// A backend that could not answer.
#[derive(Debug, thiserror::Error)]
#[error("the search backend failed: {0}")]
pub struct BackendError(#[from] pub Box<dyn std::error::Error + Send + Sync>);

/// A candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Digest of the package it was indexed from.
    pub digest: Digest,
    /// Node id, `<package id>#<node path>`.
    pub node: String,
    /// Node path.
    pub path: Text,
    /// Locale of the representation; `None` for the default one.
    pub locale: Option<Text>,
    /// Bytes of the node's file; `None` for the whole body.
    pub span: Option<Span>,
    /// Higher is better. Not comparable between backends.
    pub score: f64,
    /// From a store: the record made when it was stored.
    pub record: Option<Box<CitationRecord>>,
}

/// What a candidate should satisfy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Packages to search.
    pub digests: BTreeSet<Digest>,
    /// Nodes of which the policy excludes every representation, by package and node id.
    pub exclude: BTreeSet<(Digest, String)>,
    /// Audiences admitted; `None`: all.
    pub audiences: Option<BTreeSet<String>>,
    /// Wanted locale.
    pub locale: Option<String>,
    /// Concepts of which one must be bound; `None`: any.
    pub concepts: Option<BTreeSet<String>>,
    /// A concept with everything below it, of which one must be bound; `None`: any.
    pub scope: Option<BTreeSet<String>>,
}

impl Filters {
    /// True if a passage of this package and node, with this audience and these concepts, is to be
    /// considered. The locale is not looked at.
    pub fn admits(
        &self,
        digest: Digest,
        node: &str,
        audience: Option<&str>,
        concepts: &[String],
    ) -> bool {
        self.digests.contains(&digest)
            && (self.exclude.is_empty() || !self.exclude.contains(&(digest, node.to_owned())))
            && admits_audience(self.audiences.as_ref(), audience)
            && [&self.concepts, &self.scope]
                .into_iter()
                .flatten()
                .all(|wanted| concepts.iter().any(|concept| wanted.contains(concept)))
    }
}

/// A record without an audience passes any set.
pub(super) fn admits_audience(set: Option<&BTreeSet<String>>, audience: Option<&str>) -> bool {
    match (set, audience) {
        (Some(set), Some(audience)) => set.contains(audience),
        _ => true,
    }
}
