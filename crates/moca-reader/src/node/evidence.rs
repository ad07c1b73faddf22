//! Which evidence entries can be checked against which file (`facts/moca-reader §6.1`).

use std::collections::BTreeMap;

use super::links::{self, Resolved};
use super::{EvidenceCheck, Node, fields};
use crate::diagnostic::{Code, Diagnostics};
use crate::evidence::{SourceKind, SourceText};
use crate::limits::Limits;
use crate::value::Value;

/// The entries to check, by the file they are to be looked for in, so that each file is read and
/// normalised once.
pub(crate) struct EvidencePlan {
    by_file: BTreeMap<String, Vec<Place>>,
}

/// Node, representation and entry, by number.
type Place = (usize, usize, usize);

impl EvidencePlan {
    /// Plans the checks and notes for every entry whether its source is a file of the package.
    pub(crate) fn new(
        nodes: &mut [Node],
        limits: &Limits,
        has_file: impl Fn(&str) -> bool,
    ) -> Self {
        let mut by_file: BTreeMap<String, Vec<Place>> = BTreeMap::new();
        for (n, node) in nodes.iter_mut().enumerate() {
            for (r, representation) in node.representations.iter_mut().enumerate() {
                let mut checks = Vec::new();
                for (e, entry) in representation.evidence_entries().iter().enumerate() {
                    let file =
                        source_file(&representation.file, &representation.frontmatter, entry)
                            .filter(|file| has_file(file));
                    checks.push(EvidenceCheck { local: file.is_some(), matched: None });
                    if let Some(file) = file
                        && e < limits.max_evidence_per_node
                        && SourceKind::of_path(&file).is_some()
                    {
                        by_file.entry(file).or_default().push((n, r, e));
                    }
                }
                representation.evidence = checks;
            }
        }
        Self { by_file }
    }

    /// Drops what would search more bytes than the limit, in the order of the source files.
    pub(crate) fn bound(&mut self, limits: &Limits, size: impl Fn(&str) -> u64) {
        let mut left = limits.max_evidence_scan_bytes;
        for (file, places) in &mut self.by_file {
            let cost = size(file).max(1);
            let affordable = usize::try_from(left / cost).unwrap_or(usize::MAX);
            places.truncate(affordable);
            left -= cost * places.len() as u64;
        }
    }

    /// True if some entry is to be looked for in this file.
    pub(crate) fn wants(&self, file: &str) -> bool {
        self.by_file.get(file).is_some_and(|places| !places.is_empty())
    }

    /// Looks for every entry planned for this file; one answer an entry, in the plan's order.
    pub(crate) fn check(&self, nodes: &[Node], file: &str, bytes: &[u8]) -> Vec<Option<bool>> {
        let (Some(places), Some(kind)) = (self.by_file.get(file), SourceKind::of_path(file)) else {
            return Vec::new();
        };
        let source = SourceText::new(kind, bytes);
        let matched = |&(n, r, e): &Place| {
            let entry = nodes[n].representations[r].evidence_entries().get(e)?;
            let selector = entry.get("selector").filter(|selector| selector.as_map().is_some())?;
            source.matches(selector)
        };
        places.iter().map(matched).collect()
    }

    /// Writes the answers into the nodes.
    pub(crate) fn record(&self, nodes: &mut [Node], file: &str, answers: &[Option<bool>]) {
        for (&(n, r, e), answer) in self.by_file.get(file).into_iter().flatten().zip(answers) {
            nodes[n].representations[r].evidence[e].matched = *answer;
        }
    }
}

/// Reports every entry that was looked for and not found.
pub(crate) fn report_unmatched(nodes: &[Node], found: &mut Diagnostics) {
    for representation in nodes.iter().flat_map(|node| &node.representations) {
        for (i, check) in representation.evidence.iter().enumerate() {
            if check.matched == Some(false) {
                let why = format!("evidence entry {i} does not occur in its source");
                found.file(Code::EvidenceSelectorUnmatched, &representation.file, why);
            }
        }
    }
}

/// The package path of an entry's source, if it is one under `sources/` or `media/`.
fn source_file(file: &str, frontmatter: &Value, entry: &Value) -> Option<String> {
    let source = fields::source(frontmatter, entry.get("source")?)?;
    let resource = source.get("resource")?.as_str().filter(|resource| links::is_path(resource))?;
    match links::resolve(file, resource) {
        Resolved::Path(path) if path.starts_with("sources/") || path.starts_with("media/") => {
            Some(path)
        }
        _ => None,
    }
}
