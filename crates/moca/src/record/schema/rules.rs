//! The rules of single values, and how violations are collected.

use super::super::{MAX_VIOLATIONS, Reference, Status, Via, Violation};
use crate::json::{self, Node};
use crate::name::{Digest, NodeRef};

/// Collects what is wrong. A reading returns `None` after it has noted why.
#[derive(Default)]
pub(super) struct Rules {
    pub(super) violations: Vec<Violation>,
    pub(super) unknown: Vec<String>,
}

impl Rules {
    pub(super) fn status(&mut self, node: &Node<'_>, at: &str) -> Option<Status> {
        match node.as_str() {
            Some("draft") => Some(Status::Draft),
            Some("stable") => Some(Status::Stable),
            Some("deprecated") => Some(Status::Deprecated),
            _ => self.wrong(at, "is not draft, stable or deprecated"),
        }
    }

    pub(super) fn via(&mut self, node: &Node<'_>, at: &str) -> Option<Via> {
        match node.as_str() {
            Some("search") => Some(Via::Search),
            Some("requires") => Some(Via::Requires),
            Some("parts") => Some(Via::Parts),
            Some("narrower") => Some(Via::Narrower),
            Some("related") => Some(Via::Related),
            _ => self.wrong(at, "is not search, requires, parts, narrower or related"),
        }
    }

    pub(super) fn reference(&mut self, node: &Node<'_>, at: &str) -> Option<Reference> {
        let text = self.text(node, at)?;
        if text.is_empty() {
            return self.wrong(at, "is empty");
        }
        Some(match NodeRef::parse(&text) {
            Ok(node_ref) => Reference::Stated(node_ref),
            Err(_) => Reference::Misshapen(text),
        })
    }

    pub(super) fn digest(&mut self, node: &Node<'_>, at: &str) -> Option<Digest> {
        let text = self.text(node, at)?;
        match Digest::parse(&text) {
            Ok(digest) => Some(digest),
            Err(error) => self.wrong(at, &format!("is {error}")),
        }
    }

    pub(super) fn iri(&mut self, node: &Node<'_>, at: &str) -> Option<String> {
        let text = self.text(node, at)?;
        if absolute_iri(&text) { Some(text) } else { self.wrong(at, "is not an absolute IRI") }
    }

    pub(super) fn text(&mut self, node: &Node<'_>, at: &str) -> Option<String> {
        match node.as_str() {
            Some(text) => Some(text.to_owned()),
            None => self.wrong(at, &format!("is {}, not a text", node.kind())),
        }
    }

    pub(super) fn boolean(&mut self, node: &Node<'_>, at: &str) -> Option<bool> {
        match node {
            Node::Bool(value) => Some(*value),
            _ => self.wrong(at, &format!("is {}, not a boolean", node.kind())),
        }
    }

    pub(super) fn number(&mut self, node: &Node<'_>, at: &str) -> Option<String> {
        match node {
            Node::Number(spelling) => Some((*spelling).to_owned()),
            _ => self.wrong(at, &format!("is {}, not a number", node.kind())),
        }
    }

    /// A byte offset. `753.0` is an integer of JSON Schema, and what a binary round trip makes of 753.
    pub(super) fn offset(&mut self, node: &Node<'_>, at: &str) -> Option<u64> {
        let Node::Number(spelling) = node else {
            return self.wrong(at, &format!("is {}, not a number", node.kind()));
        };
        match json::natural(spelling) {
            Some(offset) => Some(offset),
            None => self.wrong(at, "is not an integer from 0 up"),
        }
    }

    pub(super) fn json_object(&mut self, node: &Node<'_>, at: &str) -> Option<String> {
        self.object(node, at).map(|object| object.canonical())
    }

    pub(super) fn object<'n, 'a>(&mut self, node: &'n Node<'a>, at: &str) -> Option<&'n Node<'a>> {
        match node {
            Node::Object(_) => Some(node),
            _ => self.wrong(at, &format!("is {}, not an object", node.kind())),
        }
    }

    /// An object whose schema says `additionalProperties: false`: other members are newer than this app.
    pub(super) fn closed<'n, 'a>(
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

    pub(super) fn present(&mut self, object: &Node<'_>, at: &str, name: &str) {
        if object.get(name).is_none() {
            self.missing::<()>(at, name);
        }
    }

    pub(super) fn required<T>(
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

    pub(super) fn optional<T>(
        &mut self,
        object: &Node<'_>,
        at: &str,
        name: &str,
        read: impl FnOnce(&mut Self, &Node<'_>, &str) -> Option<T>,
    ) -> Option<T> {
        object.get(name).and_then(|value| read(self, value, &format!("{at}/{name}")))
    }

    /// The items of an array member; empty when it is absent or wrong.
    pub(super) fn list<T>(
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

    pub(super) fn missing<T>(&mut self, at: &str, name: &str) -> Option<T> {
        self.wrong(&format!("{at}/{name}"), "is missing")
    }

    pub(super) fn wrong<T>(&mut self, at: &str, reason: &str) -> Option<T> {
        // Past the limit the verdict stands already; one more would tell nobody more.
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(Violation { path: at.to_owned(), reason: reason.to_owned() });
        }
        None
    }
}

/// Numbers of JSON Schema's type `integer`, from 0 up; one beyond 64 bits saturates (a finding says so later).
/// `^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$` with the white space of ECMA-262, which JSON Schema patterns follow.
fn absolute_iri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let scheme_ok = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-'));
    let space = |c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}';
    scheme_ok && !rest.is_empty() && !rest.contains(space)
}
