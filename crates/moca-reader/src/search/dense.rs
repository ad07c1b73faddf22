//! The dense backend: vectors of sidecars, embedded by the host (`facts/moca-reader §9.2, §9.3`).

use super::backend::{Backend, BackendError, Filters, Hit};
use super::bm25::round;
use super::lexical::{Passage, chunks};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::library::Library;
use crate::record::Span;
use crate::sidecar::{Model, Sidecar};

/// The host's embedding model. A Reader never chooses, fetches or configures one.
pub trait Embedder {
    /// Name, to be compared with that of an index's model.
    fn name(&self) -> &str;

    /// Version, compared where an index has one too.
    fn version(&self) -> Option<&str> {
        None
    }

    /// Numbers a vector.
    fn dimensions(&self) -> usize;

    /// The vector of a text.
    ///
    /// # Errors
    /// When there is none to be had.
    fn embed(&self, text: &str) -> Result<Vec<f32>, BackendError>;
}

/// Cosine similarity over the vectors of usable sidecars whose model is the host's embedder.
/// Sidecars of another model are reported (`S006`) and not searched.
pub struct DenseBackend<'a> {
    embedder: &'a dyn Embedder,
    passages: Vec<(Passage<'a>, Vec<f32>)>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> DenseBackend<'a> {
    /// Takes the vectors of all `sidecars` that belong to a package of `library`.
    pub fn new(library: &'a Library, sidecars: &[Sidecar], embedder: &'a dyn Embedder) -> Self {
        let mut found = Diagnostics::default();
        let mut passages = Vec::new();
        for package in library.packages() {
            let bound = sidecars.iter().find(|s| s.usable() && s.package() == package.digest);
            let Some(sidecar) = bound else { continue };
            let Some(length) = sidecar.chunks.iter().find_map(|c| c.vector.as_ref().map(Vec::len))
            else {
                continue;
            };
            let model = sidecar.index.as_ref().and_then(|index| index.model.as_ref());
            if let Some(why) = mismatch(embedder, model, length) {
                found.package(Code::ModelMismatch, why);
                continue;
            }
            for (chunk, node, representation) in chunks(package, sidecar) {
                let span = Some(Span { start: chunk.start, end: chunk.end });
                let passage = Passage::new(package, node, representation, span);
                if let (Some(passage), Some(vector)) = (passage, &chunk.vector) {
                    passages.push((passage, vector.clone()));
                }
            }
        }
        Self { embedder, passages, diagnostics: found.finish(false) }
    }
}

impl Backend for DenseBackend<'_> {
    fn filters_itself(&self) -> bool {
        true
    }

    fn search(
        &self,
        query: &str,
        limit: usize,
        filters: &Filters,
    ) -> Result<Vec<Hit>, BackendError> {
        if self.passages.is_empty() {
            return Ok(Vec::new());
        }
        let wanted = self.embedder.embed(query)?;
        let locale = filters.locale.as_deref();
        let mut hits: Vec<Hit> = self
            .passages
            .iter()
            .filter(|(passage, _)| locale.is_none() || passage.is_picked_by(locale))
            .filter(|(passage, _)| passage.admitted_by(filters))
            .map(|(passage, vector)| passage.hit(round(cosine(&wanted, vector))))
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(limit);
        Ok(hits)
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

/// Why vectors of `model` cannot be searched with the embedder.
fn mismatch(embedder: &dyn Embedder, model: Option<&Model>, length: usize) -> Option<String> {
    let Some(model) = model else { return Some("the index names no model".to_owned()) };
    if model.name != embedder.name() {
        return Some(format!("the index is of model {}, not {}", model.name, embedder.name()));
    }
    if let (Some(made), Some(have)) = (model.version.as_deref(), embedder.version())
        && made != have
    {
        return Some(format!("the index is of model version {made}, not {have}"));
    }
    let dimensions = model.dimensions.unwrap_or(length);
    (dimensions != embedder.dimensions()).then(|| {
        format!("the index has {dimensions} dimensions, the embedder {}", embedder.dimensions())
    })
}

/// 0 for vectors of different lengths and for a vector of zeros.
fn cosine(a: &[f32], b: &[f32]) -> f64 {
    if a.len() != b.len() {
        return 0.0;
    }
    let pairs = || a.iter().zip(b).map(|(&a, &b)| (f64::from(a), f64::from(b)));
    let dot: f64 = pairs().map(|(a, b)| a * b).sum();
    let lengths: f64 =
        pairs().map(|(a, _)| a * a).sum::<f64>() * pairs().map(|(_, b)| b * b).sum::<f64>();
    if lengths == 0.0 { 0.0 } else { dot / lengths.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::cosine;

    #[test]
    fn cosine_of_unlike_vectors_is_zero() {
        assert_eq!(cosine(&[1.0, 0.0], &[2.0, 0.0]), 1.0);
        assert_eq!(cosine(&[1.0, 0.0], &[0.0, 3.0]), 0.0);
        assert_eq!(cosine(&[1.0], &[1.0, 0.0]), 0.0);
        assert_eq!(cosine(&[0.0], &[1.0]), 0.0);
    }
}
