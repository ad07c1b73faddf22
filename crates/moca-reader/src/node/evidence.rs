//! Which evidence entries can be checked against which file (`facts/moca-reader §6.1`).

use std::collections::BTreeMap;

use super::document::Paths;
use super::links::{self, Resolved};
use super::{EvidenceCheck, Node, fields};
use crate::diagnostic::{Code, Diagnostics};
use crate::evidence::{SourceKind, SourceText};
use crate::limits::Limits;
use crate::record::CitedEvidence;
use crate::value::Value;

/// One for every entry of `moca.evidence`: how a record shows it, and whether its source is a file
/// of the package that may be looked into. Nothing is looked for yet.
pub(super) fn entries(file: &str, frontmatter: &Value, paths: &impl Paths) -> Vec<EvidenceCheck> {
    let check = |entry: &Value| {
        let source = entry.get("source").and_then(|id| fields::source(frontmatter, id));
        let found = source.and_then(|source| source_file(file, source));
        let found = found.and_then(|path| paths.find(&path));
        let cited = cite(entry, source);
        EvidenceCheck { local: found.is_some(), matched: None, file: found, cited }
    };
    fields::evidence_entries(frontmatter).iter().map(check).collect()
}

/// An entry as a record shows it; an entry that is no mapping is not shown.
fn cite(entry: &Value, declared: Option<&Value>) -> Option<CitedEvidence> {
    entry.as_map()?;
    let unknown = || {
        let id = entry.get("source").filter(|id| !id.is_null());
        Value::map(id.map(|id| ("id", id.clone())))
    };
    Some(CitedEvidence {
        source: declared.cloned().unwrap_or_else(unknown),
        selector: entry.get("selector").filter(|s| s.as_map().is_some()).cloned(),
        note: entry.get("note").and_then(Value::as_text).filter(|note| !note.is_empty()).cloned(),
        matched: None,
    })
}

/// The package path of a source, if it is one under `sources/` or `media/`.
fn source_file(file: &str, source: &Value) -> Option<String> {
    let resource = source.get("resource")?.as_str().filter(|resource| links::is_path(resource))?;
    match links::resolve(file, resource) {
        Resolved::Path(path) if path.starts_with("sources/") || path.starts_with("media/") => {
            Some(path)
        }
        _ => None,
    }
}

/// The entries to check, by the file they are to be looked for in, so that each file is read and
/// normalised once.
pub(crate) struct EvidencePlan {
    /// Files by number, which is the order of their paths.
    by_file: BTreeMap<usize, Vec<Place>>,
}

/// Node, representation and entry, by number.
type Place = (usize, usize, usize);

impl EvidencePlan {
    /// Plans the checks; `path_of` gives the path of a file by its number.
    pub(crate) fn new<'a>(
        nodes: &[Node],
        limits: &Limits,
        path_of: impl Fn(usize) -> &'a str,
    ) -> Self {
        let mut by_file: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
        for (n, node) in nodes.iter().enumerate() {
            for (r, representation) in node.representations.iter().enumerate() {
                let checked = representation.evidence.iter().take(limits.max_evidence_per_node);
                for (e, check) in checked.enumerate() {
                    if let Some(file) = check.file {
                        by_file.entry(file).or_default().push((n, r, e));
                    }
                }
            }
        }
        by_file.retain(|&file, _| SourceKind::of_path(path_of(file)).is_some());
        Self { by_file }
    }

    /// Drops what would search more bytes than the limit, in the order of the source files.
    pub(crate) fn bound(&mut self, limits: &Limits, size: impl Fn(usize) -> u64) {
        let mut left = limits.max_evidence_scan_bytes;
        for (&file, places) in &mut self.by_file {
            let cost = size(file).max(1);
            let affordable = usize::try_from(left / cost).unwrap_or(usize::MAX);
            places.truncate(affordable);
            left -= cost * places.len() as u64;
        }
    }

    /// True if some entry is to be looked for in this file.
    pub(crate) fn wants(&self, file: usize) -> bool {
        self.by_file.get(&file).is_some_and(|places| !places.is_empty())
    }

    /// Looks for every entry planned for this file; one answer an entry, in the plan's order.
    pub(crate) fn check(
        &self,
        nodes: &[Node],
        file: usize,
        kind: SourceKind,
        bytes: &[u8],
    ) -> Vec<Option<bool>> {
        let source = SourceText::new(kind, bytes);
        let matched = |&(n, r, e): &Place| {
            let cited = nodes[n].representations[r].evidence.get(e)?.cited.as_ref()?;
            source.matches(cited.selector.as_ref()?)
        };
        self.by_file.get(&file).into_iter().flatten().map(matched).collect()
    }

    /// Writes the answers into the nodes.
    pub(crate) fn record(&self, nodes: &mut [Node], file: usize, answers: &[Option<bool>]) {
        for (&(n, r, e), answer) in self.by_file.get(&file).into_iter().flatten().zip(answers) {
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
