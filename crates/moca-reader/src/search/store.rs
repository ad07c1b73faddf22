//! A store of records kept in memory (`facts/moca-reader §9.2`).

use super::backend::{Backend, BackendError, Filters, Hit};
use super::bm25::Corpus;
use crate::library::Library;
use crate::record::CitationRecord;
use crate::text::Text;
use crate::time::Instant;

/// Stands in for a host's own store, and shows what one must keep: the whole record of every
/// representation, made when it is stored. It is searched by words.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    corpus: Corpus,
    records: Vec<(CitationRecord, Option<Text>)>,
}

impl MemoryStore {
    /// Stores the records of all representations of all packages, as they are at `now`.
    pub fn ingest(library: &Library, now: Instant) -> Self {
        let mut store = Self::default();
        for package in library.packages() {
            for node in &package.nodes {
                for representation in &node.representations {
                    let record = library.record(package, node, representation, now, true);
                    let Some(record) = record else { continue };
                    let title = record.node.title.as_deref().unwrap_or_default();
                    let text = record.text.as_deref().unwrap_or_default();
                    store.corpus.add(&format!("{title} {text}"));
                    store.records.push((record, representation.locale.clone()));
                }
            }
        }
        store
    }
}

impl Backend for MemoryStore {
    fn filters_itself(&self) -> bool {
        true
    }

    fn search(
        &self,
        query: &str,
        limit: usize,
        filters: &Filters,
    ) -> Result<Vec<Hit>, BackendError> {
        let admitted = |record: &CitationRecord| {
            let audience = record.audience.as_deref();
            filters.admits(record.package.digest, &record.node.id, audience, &record.concepts)
        };
        let all = self.records.iter().enumerate();
        let among: Vec<usize> =
            all.filter(|(_, (record, _))| admitted(record)).map(|(n, _)| n).collect();
        let mut ranked = self.corpus.rank(query, &among);
        ranked.sort_by(|a, b| {
            let key = |n: usize| (&self.records[n].0.node.id, &self.records[n].1);
            b.1.total_cmp(&a.1).then_with(|| key(a.0).cmp(&key(b.0)))
        });
        ranked.truncate(limit);
        let hit = |(n, score): (usize, f64)| {
            let (record, locale) = &self.records[n];
            Hit {
                digest: record.package.digest,
                node: record.node.id.clone(),
                path: record.node.path.clone(),
                locale: locale.clone(),
                span: None,
                score,
                record: Some(Box::new(record.clone())),
            }
        };
        Ok(ranked.into_iter().map(hit).collect())
    }
}
