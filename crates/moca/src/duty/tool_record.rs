//! The records that the tool results of a run show: what the service's Reader returned in it (`seed §3`, second and third duty).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::json::{self, Node};
use crate::name::{NodePath, NodeRef, PackageId, Version};
use crate::record::sha256_hex;

/// JSON inside a text inside JSON is followed so many times: tool results of MCP servers come as text in a list.
const MAX_TEXT_NESTING: usize = 3;

/// Records and node references seen in the tool results of one run.
#[derive(Debug, Clone, Default)]
pub struct ToolRecords {
    refs: HashSet<String>,
    records: HashMap<String, Vec<Shown>>,
}

/// One record as a tool result shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shown {
    /// SHA-256 of all but its text, numbers normalised.
    rest: String,
    /// Each of its fields, members of members by their path, by a hash: to name those that differ.
    fields: BTreeMap<String, u64>,
    /// SHA-256 of its text.
    text: Option<String>,
}

impl ToolRecords {
    /// Takes in the `content` of a TOOL_CALL_RESULT. What is no JSON, or holds no record, adds nothing.
    pub fn add(&mut self, content: &str) {
        self.add_text(content, MAX_TEXT_NESTING);
    }

    /// No tool result shows a record or a reference: there is nothing to compare with.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.refs.is_empty()
    }

    /// Some tool result holds this node.
    #[must_use]
    pub fn returned(&self, node_ref: &str) -> bool {
        self.refs.contains(node_ref)
    }

    /// Whether a tool result shows this very record, a left-out text set aside; `None` when none shows a record of the node.
    #[must_use]
    pub fn unchanged(&self, node_ref: &str, record_json: &str) -> Option<bool> {
        self.records.get(node_ref)?;
        Some(self.changed(node_ref, record_json).is_none())
    }

    /// The fields (`trust.stale`) in which a record differs from that of the tool results which is most like it; `None`
    /// when one shows this very record, a left-out text set aside, or when none shows a record of the node.
    #[must_use]
    pub fn changed(&self, node_ref: &str, record_json: &str) -> Option<Vec<String>> {
        let shown = self.records.get(node_ref)?;
        let node = json::parse(record_json).ok()?;
        let cited = Shown::of(&node);
        if shown.iter().any(|shown| shown.is_like(&cited)) {
            return None;
        }
        shown.iter().map(|shown| shown.differences(&cited)).min_by_key(Vec::len)
    }

    fn add_text(&mut self, text: &str, nesting: usize) {
        if nesting > 0
            && text.trim_start().starts_with(['{', '['])
            && let Ok(node) = json::parse(text)
        {
            self.add_node(&node, nesting - 1);
        }
    }

    fn add_node(&mut self, node: &Node<'_>, nesting: usize) {
        match node {
            Node::Object(members) => {
                if let Some(node_ref) = ref_of_record(node) {
                    let shown = Shown::of(node);
                    self.refs.insert(node_ref.clone());
                    let of_node = self.records.entry(node_ref).or_default();
                    if !of_node.contains(&shown) {
                        of_node.push(shown);
                    }
                }
                for (name, value) in members {
                    if matches!(name.as_ref(), "ref" | "nodeRef" | "node_ref")
                        && let Some(text) = value.as_str()
                        && NodeRef::parse(text).is_ok()
                    {
                        self.refs.insert(text.to_owned());
                    }
                    self.add_node(value, nesting);
                }
            }
            Node::Array(items) => items.iter().for_each(|item| self.add_node(item, nesting)),
            Node::String(text) => self.add_text(text, nesting),
            Node::Null | Node::Bool(_) | Node::Number(_) => {}
        }
    }
}

impl Shown {
    fn of(record: &Node<'_>) -> Self {
        Self {
            rest: sha256_hex(&record.comparable_without("text")),
            fields: fields(record),
            text: record.get("text").and_then(Node::as_str).map(sha256_hex),
        }
    }

    fn same_text(&self, other: &Self) -> bool {
        self.text.is_none() || other.text.is_none() || self.text == other.text
    }

    fn is_like(&self, other: &Self) -> bool {
        self.rest == other.rest && self.same_text(other)
    }

    fn differences(&self, other: &Self) -> Vec<String> {
        let names: BTreeSet<&String> = self.fields.keys().chain(other.fields.keys()).collect();
        let mut found: Vec<String> = names
            .into_iter()
            .filter(|name| self.fields.get(*name) != other.fields.get(*name))
            .cloned()
            .collect();
        if !self.same_text(other) {
            found.push("text".to_owned());
        }
        found
    }
}

/// The members of a record but its text, and the members of those that are objects, by a hash of their comparable form.
fn fields(record: &Node<'_>) -> BTreeMap<String, u64> {
    let mut fields = BTreeMap::new();
    let Node::Object(members) = record else { return fields };
    for (name, value) in members.iter().filter(|(name, _)| name.as_ref() != "text") {
        match value {
            Node::Object(inner) if !inner.is_empty() => {
                for (part, value) in inner {
                    fields.insert(format!("{name}.{part}"), hash(value));
                }
            }
            value => {
                fields.insert(name.to_string(), hash(value));
            }
        }
    }
    fields
}

fn hash(value: &Node<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.comparable().hash(&mut hasher);
    hasher.finish()
}

/// The reference of an object that has the three members of a citation record, rebuilt where it lacks one.
fn ref_of_record(node: &Node<'_>) -> Option<String> {
    let (package, cited, _) = (node.get("package")?, node.get("node")?, node.get("trust")?);
    if let Some(stated) = cited.get("ref").and_then(Node::as_str) {
        return Some(stated.to_owned());
    }
    let text = |node: &Node<'_>, name: &str| node.get(name)?.as_str().map(str::to_owned);
    let rebuilt = NodeRef::from_parts(
        &PackageId::new(text(package, "id")?),
        &Version::new(text(package, "version")?),
        &NodePath::new(text(cited, "path")?),
    );
    rebuilt.ok().map(|node_ref| node_ref.as_str().to_owned())
}
