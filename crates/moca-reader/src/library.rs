//! Packages loaded together (`facts/moca-reader §5.2, §7.6`).

use std::collections::HashMap;
use std::sync::Arc;

use crate::digest::Digest;
use crate::member::MemberStatus;
use crate::node::{Node, Representation, utf16_order};
use crate::reader::ReadResult;
use crate::record::{self, CitationRecord};
use crate::relation::Effects;
use crate::time::Instant;

/// Valid packages loaded together; relations between them decide `superseded` and `contested`.
#[derive(Clone, Debug, Default)]
pub struct Library {
    packages: Vec<Arc<ReadResult>>,
    /// `<id>@<version>` → place in `packages`.
    keys: HashMap<String, usize>,
    effects: Effects,
}

/// What a record should hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CitationOptions {
    /// Wanted locale (`facts/moca-reader §2.6`).
    pub locale: Option<String>,
    /// Put the body into `text`.
    pub include_text: bool,
}

impl CitationOptions {
    /// Records with their text, in the default language.
    pub fn with_text() -> Self {
        Self { locale: None, include_text: true }
    }
}

/// Why a package was not loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddError {
    /// It has errors, or no digest.
    #[error("the package is not valid, so nothing can be cited from it")]
    Invalid,
    /// Other bytes under the same id and version are loaded; re-checking could use the wrong ones.
    #[error("{key} is already loaded with digest {loaded}; this one has {offered}")]
    OtherDigest {
        /// `<id>@<version>`.
        key: String,
        /// Digest of the package held.
        loaded: Digest,
        /// Digest of the package offered.
        offered: Digest,
    },
}

impl Library {
    /// A library without packages.
    pub fn new() -> Self {
        Self::default()
    }

    /// Loads a valid package, and behind it its resolved and valid members. The same bytes again
    /// change nothing.
    ///
    /// # Errors
    /// If it is not valid, or if it or a member is already loaded with other bytes under the same
    /// id and version; then nothing was loaded.
    pub fn add(&mut self, package: impl Into<Arc<ReadResult>>) -> Result<(), AddError> {
        let mut wanted = Vec::new();
        collect(&package.into(), &mut wanted)?;
        let mut fresh: Vec<(String, Digest, Arc<ReadResult>)> = Vec::new();
        for (key, offered, package) in wanted {
            let held = match self.keys.get(&key) {
                Some(&place) => self.packages[place].digest,
                None => fresh.iter().find(|(k, ..)| *k == key).map(|(_, digest, _)| *digest),
            };
            match held {
                Some(loaded) if loaded == offered => {}
                Some(loaded) => return Err(AddError::OtherDigest { key, loaded, offered }),
                None => fresh.push((key, offered, package)),
            }
        }
        for (key, _, package) in fresh {
            self.keys.insert(key, self.packages.len());
            self.packages.push(package);
        }
        self.effects = Effects::over(self.packages.iter().filter_map(|p| p.manifest.as_ref()));
        Ok(())
    }

    /// The packages in load order, members behind the package that composes them.
    pub fn packages(&self) -> &[Arc<ReadResult>] {
        &self.packages
    }

    /// The package with this digest.
    pub fn by_digest(&self, digest: &Digest) -> Option<&Arc<ReadResult>> {
        self.packages.iter().find(|package| package.digest.as_ref() == Some(digest))
    }

    /// One record a node, in load order and then node order, at an instant. Nothing is left out,
    /// whatever its standing or audience.
    pub fn citations<'a>(
        &'a self,
        now: Instant,
        options: &'a CitationOptions,
    ) -> impl Iterator<Item = CitationRecord> + 'a {
        self.packages.iter().flat_map(move |package| {
            package.nodes.iter().filter_map(move |node| {
                let representation = node.representation(options.locale.as_deref());
                self.record(package, node, representation, now, options.include_text)
            })
        })
    }

    /// The record of a node by its id or its versioned reference, at an instant, whatever its
    /// standing or audience. By id the first loaded version is taken, so a re-check should ask by
    /// versioned reference and compare the digest.
    pub fn get(
        &self,
        reference: &str,
        now: Instant,
        options: &CitationOptions,
    ) -> Option<CitationRecord> {
        let (package, node) = self.find(reference)?;
        let representation = node.representation(options.locale.as_deref());
        self.record(package, node, representation, now, options.include_text)
    }

    /// The node that a node id or versioned reference names.
    pub fn find(&self, reference: &str) -> Option<(&Arc<ReadResult>, &Node)> {
        let (head, path) = reference.rsplit_once('#')?;
        let node_in = |package: &'_ ReadResult| {
            package.nodes.binary_search_by(|node| utf16_order(&node.path, path)).ok()
        };
        // An id may hold `@`, so a head can be one package's id and another one's key.
        let fits = |package: &ReadResult| {
            package.manifest.as_ref().is_some_and(|manifest| {
                manifest.id == *head
                    || head
                        .strip_prefix(manifest.id.as_str())
                        .and_then(|rest| rest.strip_prefix('@'))
                        .is_some_and(|version| manifest.version == *version)
            })
        };
        self.packages
            .iter()
            .filter(|package| fits(package))
            .find_map(|package| node_in(package).map(|at| (package, &package.nodes[at])))
    }

    /// The record of one representation of a node of a loaded package, at an instant.
    pub fn record(
        &self,
        package: &ReadResult,
        node: &Node,
        representation: &Representation,
        now: Instant,
        include_text: bool,
    ) -> Option<CitationRecord> {
        // Most libraries have no effects, and then the key need not be made.
        let key = match self.effects.is_empty() {
            true => String::new(),
            false => package.manifest.as_ref()?.key(),
        };
        let context = record::Context {
            now,
            include_text,
            superseded_by: self.effects.superseded_by(&key),
            contested_by: self.effects.contested_by(&key),
        };
        record::build(package, node, representation, &context)
    }
}

/// A package and its resolved, valid members, depth first.
fn collect(
    package: &Arc<ReadResult>,
    into: &mut Vec<(String, Digest, Arc<ReadResult>)>,
) -> Result<(), AddError> {
    let (Some(manifest), Some(digest), true) = (&package.manifest, package.digest, package.valid)
    else {
        return Err(AddError::Invalid);
    };
    let key = manifest.key();
    if into.iter().any(|(k, d, _)| *k == key && *d == digest) {
        return Ok(());
    }
    into.push((key, digest, Arc::clone(package)));
    for member in &package.members {
        if let (MemberStatus::Resolved, Some(result)) = (member.status, &member.result)
            && result.valid
        {
            collect(result, into)?;
        }
    }
    Ok(())
}
