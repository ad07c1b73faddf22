//! The default strategy that follows the structure (`facts/moca-reader §9.2`).

use std::collections::{BTreeSet, HashSet};

use super::gate::with_text;
use super::{Context, Hooks, Ingress, bm25};
use crate::record::{CitationRecord, Retrieval};
use crate::structure::Include;

/// Searches the concepts that a query names, with everything below them, and adds behind each
/// record the nodes of what its concepts require.
#[derive(Clone, Copy, Debug, Default)]
pub struct OntologyGuided;

impl Hooks for OntologyGuided {
    /// A concept is named if every word of its label is in the query.
    fn ingress(&self, query: &str, context: &Context<'_>) -> Ingress {
        let Some(structure) = context.structure else { return Ingress::default() };
        let query: HashSet<String> = bm25::words(query).collect();
        let mut concepts = BTreeSet::new();
        for (iri, label) in structure.labelled_concepts() {
            let mut label = bm25::words(label).peekable();
            if label.peek().is_some() && label.all(|word| query.contains(&word)) {
                concepts.extend(structure.descendants(iri));
                concepts.insert(iri.to_owned());
            }
        }
        let concepts = (!concepts.is_empty()).then(|| concepts.into_iter().collect());
        Ingress { concepts, ..Ingress::default() }
    }

    /// Added records have the score of the one they follow.
    fn egress(
        &self,
        candidates: Vec<CitationRecord>,
        context: &Context<'_>,
    ) -> Vec<CitationRecord> {
        let Some(structure) = context.structure else { return candidates };
        let options = with_text(context.request.locale.as_deref());
        let mut seen: HashSet<String> =
            candidates.iter().map(|record| record.node.reference.clone()).collect();
        let mut ordered = Vec::with_capacity(candidates.len());
        for record in candidates {
            let (concepts, score) = (record.concepts.clone(), record.score);
            ordered.push(record);
            for concept in concepts {
                for required in structure.requires(&concept, true) {
                    let nodes =
                        structure.nodes(&required.iri, Include::None, false, context.now, &options);
                    for mut node in nodes {
                        if seen.insert(node.node.reference.clone()) {
                            node.score = score;
                            let from = Some(concept.clone());
                            node.retrieval = Some(Retrieval { via: "requires", from });
                            ordered.push(node);
                        }
                    }
                }
            }
        }
        ordered
    }
}
