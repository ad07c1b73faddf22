//! The rules of `citation-record.schema.json` 0.4 in typed code (`facts/moca-reader §7.1`).
//!
//! Every violation is collected; a value is handed on only when there is none.

use super::{
    AttestedReview, By, CitedNode, Evidence, MAX_VIOLATIONS, Outcome, Package, Reference,
    Retrieval, Status, Trust, Via, Violation,
};
use crate::json::Node;
use crate::name::{Digest, NodePath, NodeRef, PackageId, Span, Version};
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

/// Collects what is wrong. A reading returns `None` after it has noted why.
#[derive(Default)]
struct Rules {
    violations: Vec<Violation>,
    unknown: Vec<String>,
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

    fn status(&mut self, node: &Node<'_>, at: &str) -> Option<Status> {
        match node.as_str() {
            Some("draft") => Some(Status::Draft),
            Some("stable") => Some(Status::Stable),
            Some("deprecated") => Some(Status::Deprecated),
            _ => self.wrong(at, "is not draft, stable or deprecated"),
        }
    }

    fn via(&mut self, node: &Node<'_>, at: &str) -> Option<Via> {
        match node.as_str() {
            Some("search") => Some(Via::Search),
            Some("requires") => Some(Via::Requires),
            Some("parts") => Some(Via::Parts),
            Some("narrower") => Some(Via::Narrower),
            Some("related") => Some(Via::Related),
            _ => self.wrong(at, "is not search, requires, parts, narrower or related"),
        }
    }

    fn reference(&mut self, node: &Node<'_>, at: &str) -> Option<Reference> {
        let text = self.text(node, at)?;
        if text.is_empty() {
            return self.wrong(at, "is empty");
        }
        Some(match NodeRef::parse(&text) {
            Ok(node_ref) => Reference::Stated(node_ref),
            Err(_) => Reference::Misshapen(text),
        })
    }

    fn digest(&mut self, node: &Node<'_>, at: &str) -> Option<Digest> {
        let text = self.text(node, at)?;
        match Digest::parse(&text) {
            Ok(digest) => Some(digest),
            Err(error) => self.wrong(at, &format!("is {error}")),
        }
    }

    fn iri(&mut self, node: &Node<'_>, at: &str) -> Option<String> {
        let text = self.text(node, at)?;
        if absolute_iri(&text) { Some(text) } else { self.wrong(at, "is not an absolute IRI") }
    }

    fn text(&mut self, node: &Node<'_>, at: &str) -> Option<String> {
        match node.as_str() {
            Some(text) => Some(text.to_owned()),
            None => self.wrong(at, &format!("is {}, not a text", node.kind())),
        }
    }

    fn boolean(&mut self, node: &Node<'_>, at: &str) -> Option<bool> {
        match node {
            Node::Bool(value) => Some(*value),
            _ => self.wrong(at, &format!("is {}, not a boolean", node.kind())),
        }
    }

    fn number(&mut self, node: &Node<'_>, at: &str) -> Option<String> {
        match node {
            Node::Number(spelling) => Some((*spelling).to_owned()),
            _ => self.wrong(at, &format!("is {}, not a number", node.kind())),
        }
    }

    /// A byte offset. `753.0` is an integer of JSON Schema, and what a binary round trip makes of 753.
    fn offset(&mut self, node: &Node<'_>, at: &str) -> Option<u64> {
        let Node::Number(spelling) = node else {
            return self.wrong(at, &format!("is {}, not a number", node.kind()));
        };
        match non_negative_integer(spelling) {
            Some(offset) => Some(offset),
            None => self.wrong(at, "is not an integer from 0 up"),
        }
    }

    fn json_object(&mut self, node: &Node<'_>, at: &str) -> Option<String> {
        self.object(node, at).map(|object| object.canonical())
    }

    fn object<'n, 'a>(&mut self, node: &'n Node<'a>, at: &str) -> Option<&'n Node<'a>> {
        match node {
            Node::Object(_) => Some(node),
            _ => self.wrong(at, &format!("is {}, not an object", node.kind())),
        }
    }

    /// An object whose schema says `additionalProperties: false`: other members are newer than this app.
    fn closed<'n, 'a>(
        &mut self,
        node: &'n Node<'a>,
        at: &str,
        known: &[&str],
    ) -> Option<&'n Node<'a>> {
        let Node::Object(members) = node else { return self.object(node, at) };
        for (name, _) in members {
            if !known.contains(&name.as_ref()) {
                self.unknown.push(format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")));
            }
        }
        Some(node)
    }

    fn present(&mut self, object: &Node<'_>, at: &str, name: &str) {
        if object.get(name).is_none() {
            self.missing::<()>(at, name);
        }
    }

    fn required<T>(
        &mut self,
        object: &Node<'_>,
        at: &str,
        name: &str,
        read: impl FnOnce(&mut Self, &Node<'_>, &str) -> Option<T>,
    ) -> Option<T> {
        match object.get(name) {
            Some(value) => read(self, value, &format!("{at}/{name}")),
            None => self.missing(at, name),
        }
    }

    fn optional<T>(
        &mut self,
        object: &Node<'_>,
        at: &str,
        name: &str,
        read: impl FnOnce(&mut Self, &Node<'_>, &str) -> Option<T>,
    ) -> Option<T> {
        object.get(name).and_then(|value| read(self, value, &format!("{at}/{name}")))
    }

    /// The items of an array member; empty when it is absent or wrong.
    fn list<T>(
        &mut self,
        object: &Node<'_>,
        at: &str,
        name: &str,
        read: impl Fn(&mut Self, &Node<'_>, &str) -> Option<T>,
    ) -> Vec<T> {
        match object.get(name) {
            None => Vec::new(),
            Some(Node::Array(items)) => items
                .iter()
                .enumerate()
                .filter_map(|(i, item)| read(self, item, &format!("{at}/{name}/{i}")))
                .collect(),
            Some(other) => {
                let reason = format!("is {}, not a list", other.kind());
                self.wrong::<()>(&format!("{at}/{name}"), &reason);
                Vec::new()
            }
        }
    }

    fn missing<T>(&mut self, at: &str, name: &str) -> Option<T> {
        self.wrong(&format!("{at}/{name}"), "is missing")
    }

    fn wrong<T>(&mut self, at: &str, reason: &str) -> Option<T> {
        // Past the limit the verdict stands already; one more would tell nobody more.
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(Violation { path: at.to_owned(), reason: reason.to_owned() });
        }
        None
    }
}

/// Numbers of JSON Schema's type `integer`, from 0 up; one beyond 64 bits saturates (a finding says so later).
fn non_negative_integer(spelling: &str) -> Option<u64> {
    if let Ok(exact) = spelling.parse::<u64>() {
        return Some(exact);
    }
    let value: f64 = spelling.parse().ok()?;
    let integral = value >= 0.0 && value.fract() == 0.0;
    // In range by the line above; `as` saturates, which is what a span beyond any file should do.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    integral.then_some(value as u64)
}

/// `^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$` with the white space of ECMA-262, which JSON Schema patterns follow.
fn absolute_iri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let scheme_ok = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-'));
    let space = |c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}';
    scheme_ok && !rest.is_empty() && !rest.contains(space)
}
