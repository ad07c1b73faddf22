//! The payload of a sidecar: `items.jsonl` and vectors (`facts/moca-reader §9.3`).

use std::collections::{HashMap, HashSet};

use super::index::{SidecarIndex, VectorFile};
use crate::diagnostic::{Code, Diagnostics};
use crate::node::Representation;
use crate::reader::ReadResult;
use crate::value::Value;

/// Findings made about single items; further ones are left out.
const MAX_ITEM_FINDINGS: usize = 100;

/// One passage of a node's file.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    /// Node path.
    pub path: String,
    /// Locale of the representation; `None` for the default one.
    pub locale: Option<String>,
    /// First byte in the node's file.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
    /// Its text as the indexer saw it: for ranking only, never shown.
    pub text: Option<String>,
    /// Its vector, where the sidecar has one.
    pub vector: Option<Vec<f32>>,
}

/// Reads all items. `None`, with findings, if one breaks a rule.
pub(super) fn chunks(
    payload: &[u8],
    path: &str,
    index: &SidecarIndex,
    package: &ReadResult,
    found: &mut Diagnostics,
) -> Option<Vec<Chunk>> {
    let representations = representations(package);
    let mut chunks = Vec::new();
    // Per representation: the numbers seen, and the counts that its items claim.
    let mut claims: HashMap<_, (HashSet<i64>, HashSet<i64>)> = HashMap::new();
    let mut faults = 0_usize;
    for (n, line) in payload.split(|&b| b == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match read_item(line, &representations, index) {
            Ok((chunk, number, count)) => {
                let key = (chunk.path.clone(), chunk.locale.clone());
                let (seen, claimed) = claims.entry(key).or_default();
                seen.insert(number);
                claimed.insert(count);
                chunks.push(chunk);
            }
            Err(why) => {
                faults += 1;
                if faults <= MAX_ITEM_FINDINGS {
                    let line = u32::try_from(n + 1).unwrap_or(u32::MAX);
                    found.line(Code::SidecarItemInvalid, path, line, why);
                }
            }
        }
    }
    if faults > 0 {
        return None;
    }
    let complete = |seen: &HashSet<i64>, claimed: &HashSet<i64>| {
        claimed.iter().all(|count| i64::try_from(seen.len()) == Ok(*count))
    };
    let incomplete = claims.iter().filter(|(_, (seen, claimed))| !complete(seen, claimed));
    if let Some((node, _)) = incomplete.map(|(key, _)| key).min() {
        let why = format!("not all chunks of {node} are here, or their chunkCount differs");
        found.file(Code::SidecarItemInvalid, path, why);
        return None;
    }
    Some(chunks)
}

/// Puts the rows of a vector file onto the chunks.
pub(super) fn attach_vectors(
    bytes: &[u8],
    vectors: &VectorFile,
    index: &SidecarIndex,
    chunks: &mut [Chunk],
) -> Result<(), String> {
    let dimensions = vectors.dimensions;
    if let Some(declared) = index.model.as_ref().and_then(|m| m.dimensions)
        && declared != dimensions
    {
        return Err(format!("vectors of {dimensions} numbers, but the model has {declared}"));
    }
    let expected = dimensions.checked_mul(4).and_then(|row| row.checked_mul(chunks.len()));
    if expected != Some(bytes.len()) {
        return Err(format!(
            "{} bytes are not {} vectors of {dimensions} float32",
            bytes.len(),
            chunks.len()
        ));
    }
    for (chunk, row) in chunks.iter_mut().zip(bytes.chunks_exact(dimensions * 4)) {
        let numbers = row.chunks_exact(4).map(|n| f32::from_le_bytes([n[0], n[1], n[2], n[3]]));
        chunk.vector = Some(numbers.collect());
    }
    Ok(())
}

type Representations<'a> = HashMap<(&'a str, Option<&'a str>), &'a Representation>;

fn representations(package: &ReadResult) -> Representations<'_> {
    let nodes = package.nodes.iter();
    let all = nodes.flat_map(|node| node.representations.iter().map(|r| (node.path.as_str(), r)));
    all.map(|(path, r)| ((path, r.locale.as_deref()), r)).collect()
}

/// One item with its number among the chunks of its file and how many there should be.
fn read_item(
    line: &[u8],
    representations: &Representations<'_>,
    index: &SidecarIndex,
) -> Result<(Chunk, i64, i64), String> {
    let item: Value = serde_json::from_slice(line).map_err(|_| "the line is not JSON")?;
    let path = item.get("path").and_then(Value::as_str).ok_or("it has no path")?;
    let locale = match item.get("locale") {
        None | Some(Value::Null) => None,
        Some(locale) => Some(locale.as_str().ok_or("locale is not text")?),
    };
    let representation = representations
        .get(&(path, locale))
        .ok_or_else(|| format!("path {path:?} is no node of the package in this locale"))?;
    let integer = |name| item.get(name).and_then(Value::as_integer);
    let count = integer("chunkCount").filter(|&n| n >= 1).ok_or("chunkCount is not allowed")?;
    let number = integer("chunkIndex")
        .filter(|n| (0..count).contains(n))
        .ok_or("0 ≤ chunkIndex < chunkCount does not hold")?;
    let offset = |name| integer(name).and_then(|n| usize::try_from(n).ok());
    let (Some(start), Some(end)) = (offset("start"), offset("end")) else {
        return Err("start and end are not byte offsets".to_owned());
    };
    if start > end || end > representation.bytes().len() {
        return Err(format!("bytes {start} to {end} are not in the file"));
    }
    let text = item.get("text").and_then(Value::as_str).map(str::to_owned);
    let vector = item.get("vector").map(|vector| read_vector(vector, index)).transpose()?;
    let (path, locale) = (path.to_owned(), locale.map(str::to_owned));
    Ok((Chunk { path, locale, start, end, text, vector }, number, count))
}

/// The deprecated form, a JSON list on the item.
fn read_vector(vector: &Value, index: &SidecarIndex) -> Result<Vec<f32>, String> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
    let number = |value: &Value| match *value {
        Value::Int(n) => Some(n as f32),
        Value::Float(f) => Some(f as f32),
        _ => None,
    };
    let numbers: Option<Vec<f32>> =
        vector.as_seq().and_then(|items| items.iter().map(number).collect());
    let numbers = numbers.ok_or("vector is not a list of numbers")?;
    match index.model.as_ref().and_then(|m| m.dimensions) {
        Some(declared) if declared != numbers.len() => {
            Err(format!("vector of {} numbers, but the model has {declared}", numbers.len()))
        }
        _ => Ok(numbers),
    }
}
