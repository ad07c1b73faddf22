//! Relations between loaded packages (`facts/moca-reader §5.3`).

use std::collections::HashMap;

use crate::manifest::Manifest;
use crate::text::Text;

/// What the relations of a set of packages do to each of them.
///
/// Only `supersedes` and `conflictsWith` have effects. They are not transitive and look neither at
/// validity windows nor at who signed. A relation without a version means every version of its
/// target **except the package that states it**: a package never supersedes or contests itself.
/// (The reference Reader lets a package that supersedes its own id mark itself as superseded.)
#[derive(Clone, Debug, Default)]
pub struct Effects {
    superseded: HashMap<String, Vec<Text>>,
    contested: HashMap<String, Vec<Text>>,
}

impl Effects {
    /// The effects of all relations of `manifests` on one another, in the order given.
    pub fn over<'a>(manifests: impl Iterator<Item = &'a Manifest> + Clone) -> Self {
        let mut loaded: HashMap<&str, Vec<&Manifest>> = HashMap::new();
        for manifest in manifests.clone() {
            loaded.entry(&manifest.id).or_default().push(manifest);
        }
        let mut effects = Self::default();
        for manifest in manifests {
            let key = manifest.key();
            for relation in &manifest.relations {
                let candidates = loaded.get(relation.target.as_str()).into_iter().flatten();
                let targets = candidates
                    .filter(|t| relation.version.as_ref().is_none_or(|v| t.version == *v))
                    .map(|t| t.key())
                    .filter(|target| *target != key);
                for target in targets {
                    match relation.kind.as_str() {
                        "supersedes" => note(&mut effects.superseded, target, &key),
                        "conflictsWith" => {
                            note(&mut effects.contested, target.clone(), &key);
                            note(&mut effects.contested, key.clone(), &target);
                        }
                        _ => {}
                    }
                }
            }
        }
        effects
    }

    /// True if no package of the set does anything to another one.
    pub fn is_empty(&self) -> bool {
        self.superseded.is_empty() && self.contested.is_empty()
    }

    /// Keys (`<id>@<version>`) of the loaded packages that supersede the package `key`.
    pub fn superseded_by(&self, key: &str) -> &[Text] {
        self.superseded.get(key).map_or(&[], Vec::as_slice)
    }

    /// Keys (`<id>@<version>`) of the loaded packages in conflict with the package `key`.
    pub fn contested_by(&self, key: &str) -> &[Text] {
        self.contested.get(key).map_or(&[], Vec::as_slice)
    }
}

fn note(effects: &mut HashMap<String, Vec<Text>>, target: String, by: &str) {
    let list = effects.entry(target).or_default();
    if !list.iter().any(|known| *known == *by) {
        list.push(by.into());
    }
}

#[cfg(test)]
mod tests {
    use super::Effects;
    use crate::manifest::{Manifest, Relation};

    fn manifest(id: &str, version: &str, relations: &[(&str, &str, Option<&str>)]) -> Manifest {
        let relations = relations.iter().map(|(kind, target, version)| Relation {
            kind: (*kind).to_owned(),
            target: (*target).to_owned(),
            version: version.map(str::to_owned),
        });
        Manifest {
            id: id.into(),
            version: version.into(),
            relations: relations.collect(),
            ..Manifest::default()
        }
    }

    #[test]
    fn supersession_without_a_version_spares_the_package_that_states_it() {
        let set = [
            manifest("a:p", "1.0.0", &[]),
            manifest("a:p", "2.0.0", &[("supersedes", "a:p", None)]),
        ];
        let effects = Effects::over(set.iter());
        assert_eq!(effects.superseded_by("a:p@1.0.0"), ["a:p@2.0.0"]);
        assert!(effects.superseded_by("a:p@2.0.0").is_empty());
    }

    #[test]
    fn conflict_with_oneself_contests_nothing() {
        let set = [manifest("a:p", "1.0.0", &[("conflictsWith", "a:p", Some("1.0.0"))])];
        assert!(Effects::over(set.iter()).contested_by("a:p@1.0.0").is_empty());
    }

    #[test]
    fn conflict_is_mutual_and_listed_once() {
        let set = [
            manifest("a:p", "1.0.0", &[("conflictsWith", "a:q", None)]),
            manifest(
                "a:q",
                "1.0.0",
                &[("conflictsWith", "a:p", Some("1.0.0")), ("amends", "a:p", None)],
            ),
        ];
        let effects = Effects::over(set.iter());
        assert_eq!(effects.contested_by("a:p@1.0.0"), ["a:q@1.0.0"]);
        assert_eq!(effects.contested_by("a:q@1.0.0"), ["a:p@1.0.0"]);
        assert!(effects.superseded_by("a:p@1.0.0").is_empty());
    }

    #[test]
    fn versions_are_compared_as_text_and_effects_do_not_chain() {
        let set = [
            manifest("a:p", "1.0.0", &[]),
            manifest("a:q", "1.0.0", &[("supersedes", "a:p", Some("1.0"))]),
            manifest("a:r", "1.0.0", &[("supersedes", "a:q", Some("1.0.0"))]),
        ];
        let effects = Effects::over(set.iter());
        assert!(effects.superseded_by("a:p@1.0.0").is_empty());
        assert_eq!(effects.superseded_by("a:q@1.0.0"), ["a:r@1.0.0"]);
    }
}
