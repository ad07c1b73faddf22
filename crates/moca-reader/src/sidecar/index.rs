//! `index.json` of a sidecar: a closed schema, read into types (`facts/moca-reader §9.3`).

use crate::digest::Digest;
use crate::manifest::{is_absolute_iri, is_semver};
use crate::value::Value;

/// What `index.json` says.
#[derive(Clone, Debug, PartialEq)]
pub struct SidecarIndex {
    /// Id of the package it is for.
    pub target_id: String,
    /// Version of that package.
    pub target_version: String,
    /// Digest of that package.
    pub target_digest: Digest,
    /// `lexical`, `dense`, `sparse`, `hybrid` or another word.
    pub index_type: String,
    /// What made the vectors; always there for `dense` and `hybrid`.
    pub model: Option<Model>,
    pub(super) format: String,
    pub(super) file: String,
    pub(super) vectors: Option<VectorFile>,
}

/// The embedding model a sidecar's vectors were made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// Its version, if said.
    pub version: Option<String>,
    /// Numbers a vector, if said.
    pub dimensions: Option<usize>,
    /// `cosine`, `dot` or `euclidean`, if said.
    pub distance: Option<String>,
}

/// `storage.vectors`: little-endian float32, a row an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VectorFile {
    pub(super) file: String,
    pub(super) dimensions: usize,
}

impl SidecarIndex {
    /// Reads `index.json`. The error says which rule it breaks.
    pub(super) fn parse(json: &[u8]) -> Result<Self, String> {
        let document: Value =
            serde_json::from_slice(json).map_err(|e| format!("it is not JSON: {e}"))?;
        let top = Object::of(&document, "index.json")?;
        top.allows(&[
            "indexVersion",
            "target",
            "indexType",
            "model",
            "chunking",
            "storage",
            "createdBy",
        ])?;
        if top.get("indexVersion").and_then(Value::as_integer) != Some(1) {
            return Err("indexVersion must be 1".to_owned());
        }
        let target = top.object("target")?;
        target.allows(&["id", "version", "digest"])?;
        let storage = top.object("storage")?;
        storage.allows(&["format", "file", "vectors"])?;
        let index = Self {
            target_id: target.text_that("id", is_absolute_iri)?,
            target_version: target.text_that("version", is_semver)?,
            target_digest: target
                .text("digest")?
                .parse()
                .map_err(|e| format!("target.digest: {e}"))?,
            index_type: top.text("indexType")?,
            model: top.get("model").map(|_| read_model(&top)).transpose()?,
            format: storage.text("format")?,
            file: storage.text("file")?,
            vectors: storage.get("vectors").map(|_| read_vectors(&storage)).transpose()?,
        };
        if let Some(chunking) = top.get("chunking") {
            Object::of(chunking, "chunking")?.optional_text("strategy")?;
        }
        top.optional_text("createdBy")?;
        if matches!(index.index_type.as_str(), "dense" | "hybrid") && index.model.is_none() {
            return Err(format!("a {} index needs a model", index.index_type));
        }
        Ok(index)
    }
}

fn read_model(top: &Object<'_>) -> Result<Model, String> {
    let model = top.object("model")?;
    let distance = model.optional_text("distance")?;
    if distance.as_deref().is_some_and(|d| !matches!(d, "cosine" | "dot" | "euclidean")) {
        return Err("model.distance must be cosine, dot or euclidean".to_owned());
    }
    Ok(Model {
        name: model.text("name")?,
        version: model.optional_text("version")?,
        dimensions: model.get("dimensions").map(|_| model.count("dimensions")).transpose()?,
        distance,
    })
}

fn read_vectors(storage: &Object<'_>) -> Result<VectorFile, String> {
    let vectors = storage.object("vectors")?;
    vectors.allows(&["file", "dtype", "dimensions"])?;
    if vectors.text("dtype")? != "float32" {
        return Err("vectors.dtype must be float32".to_owned());
    }
    Ok(VectorFile { file: vectors.text("file")?, dimensions: vectors.count("dimensions")? })
}

/// A JSON object with its name for messages.
struct Object<'a> {
    name: &'a str,
    members: &'a Value,
}

impl<'a> Object<'a> {
    fn of(value: &'a Value, name: &'a str) -> Result<Self, String> {
        match value.as_map() {
            Some(_) => Ok(Self { name, members: value }),
            None => Err(format!("{name} must be an object")),
        }
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.members.get(name)
    }

    fn object(&self, name: &'a str) -> Result<Object<'a>, String> {
        Object::of(self.get(name).ok_or_else(|| self.missing(name))?, name)
    }

    /// Text that is not empty.
    fn text(&self, name: &str) -> Result<String, String> {
        self.text_that(name, |text| !text.is_empty())
    }

    fn text_that(&self, name: &str, allowed: impl Fn(&str) -> bool) -> Result<String, String> {
        let text = self.get(name).ok_or_else(|| self.missing(name))?.as_str();
        match text {
            Some(text) if allowed(text) => Ok(text.to_owned()),
            _ => Err(format!("{}.{name} has a value that is not allowed", self.name)),
        }
    }

    fn optional_text(&self, name: &str) -> Result<Option<String>, String> {
        self.get(name).map(|_| self.text_that(name, |_| true)).transpose()
    }

    /// An integer of at least 1.
    fn count(&self, name: &str) -> Result<usize, String> {
        let count = self.get(name).ok_or_else(|| self.missing(name))?.as_integer();
        let count = count.filter(|&n| n >= 1).and_then(|n| usize::try_from(n).ok());
        count.ok_or_else(|| format!("{}.{name} must be an integer of at least 1", self.name))
    }

    fn allows(&self, names: &[&str]) -> Result<(), String> {
        let members = self.members.as_map().unwrap_or_default();
        match members.iter().find(|(name, _)| !names.contains(&name.as_str())) {
            Some((name, _)) => Err(format!("{}.{name} is not a member of the schema", self.name)),
            None => Ok(()),
        }
    }

    fn missing(&self, name: &str) -> String {
        format!("{}.{name} is missing", self.name)
    }
}
