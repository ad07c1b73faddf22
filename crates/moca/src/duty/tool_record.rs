//! The records that the tool results of a run show: what the service's Reader returned in it (`seed §3`, second and third duty).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::Memo;
use crate::json::{self, JsonError, Node};
use crate::name::{NodePath, NodeRef, PackageId, Version};
use crate::record::{Comparable, Reading};

/// JSON inside a text inside JSON is followed so many times: tool results of MCP servers come as text in a list.
const MAX_TEXT_NESTING: usize = 3;

/// Levels of a text on which records are looked for before a tree is built: below `results` they stand on the third.
const MAX_LEVELS: usize = 5;

/// Records and node references seen in the tool results of one run.
#[derive(Debug, Clone, Default)]
pub struct ToolRecords {
    refs: HashSet<String>,
    records: HashMap<String, Vec<Arc<Shown>>>,
}

/// One record as a tool result shows it.
#[derive(Debug)]
struct Shown {
    comparable: Comparable,
    /// Its JSON, to name the fields in which another differs.
    json: String,
}

/// What one piece of a tool result shows.
#[derive(Debug, Default)]
pub(crate) struct Shows {
    refs: Vec<String>,
    records: Vec<(String, Arc<Shown>)>,
}

impl ToolRecords {
    /// Takes in the `content` of a TOOL_CALL_RESULT. What is no JSON, or holds no record, adds nothing.
    pub fn add(&mut self, content: &str) {
        self.add_again(content, &mut Memo::default());
    }

    /// The same, where some of its records may have been read before.
    pub fn add_again(&mut self, content: &str, memo: &mut Memo) {
        let mut shows = Shows::default();
        shows.add_text(content, MAX_TEXT_NESTING, memo);
        self.refs.extend(shows.refs);
        for (node_ref, record) in shows.records {
            let of_node = self.records.entry(node_ref).or_default();
            if !of_node.iter().any(|known| known.comparable == record.comparable) {
                of_node.push(record);
            }
        }
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
    pub fn unchanged(&self, node_ref: &str, record: &Reading) -> Option<bool> {
        self.records.get(node_ref)?;
        Some(self.changed(node_ref, record).is_none())
    }

    /// The fields (`trust.stale`) in which a record differs from that of the tool results which is most like it; `None`
    /// when one shows this very record, a left-out text set aside, or when none shows a record of the node.
    #[must_use]
    pub fn changed(&self, node_ref: &str, record: &Reading) -> Option<Vec<String>> {
        let shown = self.records.get(node_ref)?;
        if let Reading::Valid(record) = record
            && shown.iter().any(|shown| shown.comparable.is_of_the_same(&record.comparable))
        {
            return None;
        }
        let cited = json::parse(record.raw()).ok()?;
        shown
            .iter()
            .filter_map(|shown| Some(differences(&json::parse(&shown.json).ok()?, &cited)))
            .min_by_key(Vec::len)
            .filter(|fields| !fields.is_empty())
    }
}

/// The fields in which two records differ, members of members by their path.
fn differences(a: &Node<'_>, b: &Node<'_>) -> Vec<String> {
    let (left, right) = (fields(a), fields(b));
    let names: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
    let mut found: Vec<String> =
        names.into_iter().filter(|name| left.get(*name) != right.get(*name)).cloned().collect();
    let text = |record: &Node<'_>| record.get("text").and_then(Node::as_str).map(str::to_owned);
    if let (Some(left), Some(right)) = (text(a), text(b))
        && left != right
    {
        found.push("text".to_owned());
    }
    found
}

/// The members of a record but its text, and the members of those that are objects, in comparable form.
fn fields(record: &Node<'_>) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    let Node::Object(members) = record else { return fields };
    for (name, value) in members.iter().filter(|(name, _)| name.as_ref() != "text") {
        match value {
            Node::Object(inner) if !inner.is_empty() => {
                for (part, value) in inner {
                    fields.insert(format!("{name}.{part}"), value.comparable());
                }
            }
            value => {
                fields.insert(name.to_string(), value.comparable());
            }
        }
    }
    fields
}

impl Shows {
    /// Takes in a text that may hold JSON; one that holds none adds nothing.
    fn add_text(&mut self, text: &str, nesting: usize, memo: &mut Memo) {
        if nesting == 0 || !text.trim_start().starts_with(['{', '[']) {
            return;
        }
        let mut inside = Self::default();
        if inside.add_json(text, 0, nesting - 1, memo).is_ok() {
            self.refs.append(&mut inside.refs);
            self.records.append(&mut inside.records);
        }
    }

    /// Goes down to the records without building trees of what stands around them.
    fn add_json(
        &mut self,
        text: &str,
        level: usize,
        nesting: usize,
        memo: &mut Memo,
    ) -> Result<(), JsonError> {
        if level < MAX_LEVELS {
            if let Some(members) = json::members_of(text)? {
                if is_record(&members) {
                    return self.add_record(text, nesting, memo);
                }
                for (name, value) in members {
                    if is_ref(&name)
                        && let Node::String(text) = json::parse(value)?
                    {
                        self.add_ref(&text);
                    }
                    self.add_json(value, level + 1, nesting, memo)?;
                }
                return Ok(());
            }
            let mut items = Vec::new();
            if json::items(text, |item| items.push(item))? {
                return items
                    .into_iter()
                    .try_for_each(|item| self.add_json(item, level + 1, nesting, memo));
            }
        }
        self.add_node(&json::parse(text)?, nesting, memo);
        Ok(())
    }

    fn add_record(&mut self, text: &str, nesting: usize, memo: &mut Memo) -> Result<(), JsonError> {
        let shows = match memo.shows(text, nesting) {
            Some(known) => known,
            None => {
                let mut shows = Self::default();
                shows.add_node(&json::parse(text)?, nesting, memo);
                let shows = Arc::new(shows);
                memo.keep_shows(text, nesting, &shows);
                shows
            }
        };
        self.refs.extend_from_slice(&shows.refs);
        self.records.extend_from_slice(&shows.records);
        Ok(())
    }

    fn add_node(&mut self, node: &Node<'_>, nesting: usize, memo: &mut Memo) {
        match node {
            Node::Object(members) => {
                if let Some(node_ref) = ref_of_record(node) {
                    self.refs.push(node_ref.clone());
                    let shown = Shown { comparable: Comparable::of(node), json: node.canonical() };
                    self.records.push((node_ref, Arc::new(shown)));
                }
                for (name, value) in members {
                    if is_ref(name)
                        && let Some(text) = value.as_str()
                    {
                        self.add_ref(text);
                    }
                    self.add_node(value, nesting, memo);
                }
            }
            Node::Array(items) => {
                items.iter().for_each(|item| self.add_node(item, nesting, memo));
            }
            Node::String(text) => self.add_text(text, nesting, memo),
            Node::Null | Node::Bool(_) | Node::Number(_) => {}
        }
    }

    fn add_ref(&mut self, text: &str) {
        if NodeRef::parse(text).is_ok() {
            self.refs.push(text.to_owned());
        }
    }
}

/// Whether a member of this name may hold a node reference.
fn is_ref(name: &str) -> bool {
    matches!(name, "ref" | "nodeRef" | "node_ref")
}

/// Whether an object has the three members of a citation record.
fn is_record(members: &[(Cow<'_, str>, &str)]) -> bool {
    ["package", "node", "trust"].iter().all(|wanted| members.iter().any(|(name, _)| name == wanted))
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
