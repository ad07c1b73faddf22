//! The rules of `citation-record.schema.json` 0.4 in typed code (`facts/moca-reader §7.1`).
//!
//! Every violation is collected; a value is handed on only when there is none.

mod rules;

use rules::Rules;

use super::{
    AttestedReview, By, CitedNode, Evidence, Outcome, Package, Reference, Retrieval, Trust,
    Violation,
};
use crate::json::Node;
use crate::name::{NodePath, PackageId, Span, Version};
use crate::time::StatedTime;

/// The record's parts when it is valid, and the members that the schema does not have.
pub(super) struct Checked {
    pub(super) parts: Result<Parts, Vec<Violation>>,
    pub(super) unknown: Vec<String>,
}

/// What a valid record holds.
pub(super) struct Parts {
    pub(super) package: Package,
    pub(super) node: CitedNode,
    pub(super) span: Option<Span>,
    pub(super) text: Option<String>,
    pub(super) trust: Trust,
    pub(super) evidence: Vec<Evidence>,
    pub(super) rest: Rest,
}

/// The optional members of the top level.
pub(super) struct Rest {
    pub(super) concepts: Vec<String>,
    pub(super) audience: Option<String>,
    pub(super) profiles: Vec<String>,
    pub(super) score: Option<String>,
    pub(super) retrieval: Option<Retrieval>,
}

pub(super) fn check(node: &Node<'_>) -> Checked {
    let mut rules = Rules::default();
    let parts = rules.record(node);
    let parts = match parts {
        Some(parts) if rules.violations.is_empty() => Ok(parts),
        _ => Err(rules.violations),
    };
    Checked { parts, unknown: rules.unknown }
}

impl Rules {
    fn record(&mut self, node: &Node<'_>) -> Option<Parts> {
        let record = self.closed(
            node,
            "",
            &[
                "package",
                "node",
                "span",
                "text",
                "trust",
                "evidence",
                "concepts",
                "audience",
                "profiles",
                "score",
                "retrieval",
            ],
        )?;
        let package = self.required(record, "", "package", Self::package);
        let node = self.required(record, "", "node", Self::node);
        let trust = self.required(record, "", "trust", Self::trust);
        let span = self.optional(record, "", "span", Self::span);
        let text = self.optional(record, "", "text", Self::text);
        let evidence = self.list(record, "", "evidence", Self::evidence);
        let rest = Rest {
            concepts: self.list(record, "", "concepts", Self::iri),
            audience: self.optional(record, "", "audience", Self::text),
            profiles: self.list(record, "", "profiles", Self::text),
            score: self.optional(record, "", "score", Self::number),
            retrieval: self.optional(record, "", "retrieval", Self::retrieval),
        };
        Some(Parts { package: package?, node: node?, span, text, trust: trust?, evidence, rest })
    }

    fn package(&mut self, node: &Node<'_>, at: &str) -> Option<Package> {
        let package = self.closed(node, at, &["id", "version", "digest", "signed", "signers"])?;
        let id = self.required(package, at, "id", Self::text);
        let version = self.required(package, at, "version", Self::text);
        let digest = self.required(package, at, "digest", Self::digest);
        let signed = self.required(package, at, "signed", Self::boolean);
        let signers = self.list(package, at, "signers", Self::text);
        Some(Package {
            id: PackageId::new(id?),
            version: Version::new(version?),
            digest: digest?,
            signed: signed?,
            signers,
        })
    }

    fn node(&mut self, node: &Node<'_>, at: &str) -> Option<CitedNode> {
        let known =
            ["id", "path", "locale", "type", "title", "description", "tags", "digest", "ref"];
        let node = self.closed(node, at, &known)?;
        let id = self.required(node, at, "id", Self::text);
        let path = self.required(node, at, "path", Self::text);
        let kind = self.required(node, at, "type", Self::text);
        // Required by 0.4, absent before: rebuilt by the caller, and marked.
        let reference =
            self.optional(node, at, "ref", Self::reference).unwrap_or(Reference::Absent);
        let locale = self.optional(node, at, "locale", Self::text);
        let title = self.optional(node, at, "title", Self::text);
        let description = self.optional(node, at, "description", Self::text);
        let tags = self.list(node, at, "tags", Self::text);
        let digest = self.optional(node, at, "digest", Self::digest);
        Some(CitedNode {
            id: id?,
            reference,
            path: NodePath::new(path?),
            locale,
            kind: kind?,
            title,
            description,
            tags,
            digest,
        })
    }

    fn trust(&mut self, node: &Node<'_>, at: &str) -> Option<Trust> {
        let known = [
            "status",
            "generated",
            "declaredVerified",
            "attestedReviews",
            "staleAfter",
            "validFrom",
            "validUntil",
            "stale",
            "inForce",
            "superseded",
            "supersededBy",
            "contested",
            "contestedBy",
        ];
        let trust = self.closed(node, at, &known)?;
        let status = self.required(trust, at, "status", Self::status);
        let generated = match node.get("generated") {
            None | Some(Node::Null) => None,
            Some(generated) => self.by(generated, &format!("{at}/generated")),
        };
        self.present(trust, at, "declaredVerified");
        let declared = self.list(trust, at, "declaredVerified", Self::by);
        self.present(trust, at, "attestedReviews");
        let reviews = self.list(trust, at, "attestedReviews", Self::review);
        let stale = self.required(trust, at, "stale", Self::boolean);
        let in_force = self.required(trust, at, "inForce", Self::boolean);
        let superseded = self.required(trust, at, "superseded", Self::boolean);
        let superseded_by = self.list(trust, at, "supersededBy", Self::text);
        let contested = self.required(trust, at, "contested", Self::boolean);
        let contested_by = self.list(trust, at, "contestedBy", Self::text);
        let mut time = |name| {
            // An empty text counts as absent (facts/moca-reader §7.4).
            self.optional(trust, at, name, Self::text)
                .filter(|t| !t.is_empty())
                .map(StatedTime::parse)
        };
        let (stale_after, valid_from, valid_until) =
            (time("staleAfter"), time("validFrom"), time("validUntil"));
        Some(Trust {
            status: status?,
            generated,
            declared,
            reviews,
            stale_after,
            valid_from,
            valid_until,
            stale: stale?,
            in_force: in_force?,
            superseded: superseded?,
            superseded_by,
            contested: contested?,
            contested_by,
        })
    }

    fn by(&mut self, node: &Node<'_>, at: &str) -> Option<By> {
        let object = self.object(node, at)?;
        let by = self.required(object, at, "by", Self::text);
        let when = self.optional(object, at, "at", Self::text).map(StatedTime::parse);
        Some(By { by: by?, at: when })
    }

    fn review(&mut self, node: &Node<'_>, at: &str) -> Option<AttestedReview> {
        let review = self.object(node, at)?;
        let reviewer = self.required(review, at, "reviewer", Self::text);
        let reviewed_at = self.required(review, at, "reviewedAt", Self::text);
        let outcome = self.required(review, at, "outcome", Self::text);
        let signer = self.required(review, at, "signer", Self::text);
        let scope = self.optional(review, at, "scope", Self::text);
        let outcome = outcome?;
        Some(AttestedReview {
            reviewer: reviewer?,
            reviewed_at: StatedTime::parse(reviewed_at?),
            outcome: match outcome.as_str() {
                "accurate" => Outcome::Accurate,
                "needs-change" => Outcome::NeedsChange,
                "inaccurate" => Outcome::Inaccurate,
                _ => Outcome::Other(outcome),
            },
            scope,
            signer: signer?,
        })
    }

    fn evidence(&mut self, node: &Node<'_>, at: &str) -> Option<Evidence> {
        let evidence = self.object(node, at)?;
        let source = self.required(evidence, at, "source", Self::json_object);
        let selector = self.optional(evidence, at, "selector", Self::json_object);
        let note = self.optional(evidence, at, "note", Self::text);
        let matched = self.optional(evidence, at, "matched", Self::boolean);
        Some(Evidence { source: source?, selector, note, matched })
    }

    fn span(&mut self, node: &Node<'_>, at: &str) -> Option<Span> {
        let span = self.closed(node, at, &["start", "end"])?;
        let start = self.required(span, at, "start", Self::offset);
        let end = self.required(span, at, "end", Self::offset);
        Some(Span { start: start?, end: end? })
    }

    fn retrieval(&mut self, node: &Node<'_>, at: &str) -> Option<Retrieval> {
        let retrieval = self.closed(node, at, &["via", "from"])?;
        let via = self.required(retrieval, at, "via", Self::via);
        let from = self.optional(retrieval, at, "from", Self::text);
        Some(Retrieval { via: via?, from })
    }
}
