//! Outcomes and changes for people.

use super::fields::{By, Difference};
use super::{Answer, Cause, Outcome};
use crate::json::{self, Node};
use crate::record::Record;
use crate::text::{quoted, shown};
use crate::time::StatedTime;

pub(super) fn outcome(outcome: Outcome, saved: &Record, answer: &Answer) -> String {
    let package = quoted(saved.package.id.as_str());
    let version = quoted(saved.package.version.as_str());
    match (outcome, answer) {
        (Outcome::Unchanged, _) => "The same bytes, the same facts and the same flags.".to_owned(),
        (Outcome::Changed, _) => "The same bytes; what is said of them has changed.".to_owned(),
        (Outcome::RecordDiffers, _) => "The package is the one cited, but the saved record does not say what its bytes say: it was altered on the way, or made by a Reader with other rules.".to_owned(),
        (_, Answer::OtherBytes { held, older_algorithm }) => {
            let note = match older_algorithm {
                true => " The cited digest may be of an older algorithm, so the bytes may be the same.",
                false => "",
            };
            format!("{package} {version} is held with other bytes: cited {}, held {held}.{note}", saved.package.digest)
        }
        (_, Answer::NoSuchNode) => {
            format!("{package} {version} is held, and {} is not in it.", quoted(saved.node.path.as_str()))
        }
        (_, Answer::OtherVersions(versions)) => other_versions(&package, &version, versions),
        (_, Answer::PackageInvalid { diagnostics }) => {
            let first = diagnostics.first().map(|first| format!(": {}", shown(first))).unwrap_or_default();
            format!("{package} {version} is held and is not valid{first}.")
        }
        (_, Answer::Failed { reason }) => format!("Could not check: {}.", shown(reason)),
        _ => format!("Nothing of {package} is held."),
    }
}

fn other_versions(package: &str, version: &str, versions: &[super::OtherVersion]) -> String {
    let newest = versions.iter().max_by(|a, b| in_order(&a.version, &b.version));
    let held = newest.map(|newest| {
        let supersedes =
            if newest.supersedes { ", which says that it supersedes the cited one" } else { "" };
        format!(": the newest is {}{supersedes}", quoted(&newest.version))
    });
    format!(
        "Version {version} of {package} is not held, other versions are{}.",
        held.unwrap_or_default()
    )
}

/// Versions by their numbers, as far as they have them; texts otherwise.
fn in_order(a: &str, b: &str) -> std::cmp::Ordering {
    let parts = |version: &str| -> Vec<(u64, String)> {
        version
            .split(['.', '-', '+'])
            .map(|part| part.parse().map_or((0, part.to_owned()), |number| (number, String::new())))
            .collect()
    };
    parts(a).cmp(&parts(b))
}

pub(super) fn change(difference: &Difference, causes: &[Cause], saved: &Record) -> String {
    let what = what(difference);
    let why = match causes {
        [Cause::Clock] => clock(difference, saved),
        causes => {
            let named: Vec<&str> = causes.iter().map(|cause| cause_words(*cause)).collect();
            format!("because of {}", named.join(" or "))
        }
    };
    format!("{what}, {why}.")
}

fn what(difference: &Difference) -> String {
    let gained = |list: &str| difference.to == "true" || list.len() > 2;
    match (difference.field, difference.to.as_str()) {
        ("trust.stale", "true") => "It is stale now".to_owned(),
        ("trust.stale", _) => "It is not stale now".to_owned(),
        ("trust.inForce", "true") => "It is in force now".to_owned(),
        ("trust.inForce", _) => "It is not in force now".to_owned(),
        ("trust.superseded", "true") => "It is superseded now".to_owned(),
        ("trust.superseded", _) => "It is not superseded now".to_owned(),
        ("trust.contested", "true") => "It is contested now".to_owned(),
        ("trust.contested", _) => "It is not contested now".to_owned(),
        ("trust.supersededBy", list) if gained(list) => {
            format!("It is superseded by {}", listed(list))
        }
        ("trust.contestedBy", list) if gained(list) => {
            format!("It is contested by {}", listed(list))
        }
        ("package.signed", "true") => "The package is signed now".to_owned(),
        ("package.signed", _) => "The package is not signed now".to_owned(),
        ("package.signers", list) if gained(list) => {
            format!("The package is signed by {}", listed(list))
        }
        ("trust.attestedReviews", _) => "Its attested reviews are others".to_owned(),
        (field, to) => match difference.by {
            By::Bytes => format!(
                "The bytes give {} for {field}, the saved record says {}",
                shown(to),
                shown(&difference.from)
            ),
            _ => format!("{field} is {} now", shown(to)),
        },
    }
}

/// The texts of a list.
fn listed(list: &str) -> String {
    match json::parse(list) {
        Ok(Node::Array(items)) => {
            let texts: Vec<String> = items.iter().filter_map(Node::as_str).map(quoted).collect();
            texts.join(", ")
        }
        _ => shown(list),
    }
}

fn clock(difference: &Difference, saved: &Record) -> String {
    let trust = &saved.trust;
    let date = match (difference.field, difference.to.as_str()) {
        ("trust.stale", _) => trust.stale_after.as_ref(),
        (_, "true") => trust.valid_from.as_ref(),
        _ => trust.valid_until.as_ref(),
    };
    match date.and_then(StatedTime::moment) {
        Some(moment) => format!("since the clock passed its own date, {moment}"),
        None => "because of the clock".to_owned(),
    }
}

fn cause_words(cause: Cause) -> &'static str {
    match cause {
        Cause::Clock => "the clock",
        Cause::Library => "the packages that are loaded beside it",
        Cause::TrustRoot => "the trust root",
        Cause::Attestations => "signatures or reviews that were added or removed",
        Cause::Reader => "a Reader with other rules",
        Cause::Bytes => "a change on the way",
    }
}
