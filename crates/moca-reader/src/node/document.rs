//! One file under `content/`: from bytes to a document with its findings, or to none.

use std::ops::Range;

use super::frontmatter::{self, FrontmatterError};
use super::links::{self, Resolved};
use super::{Content, EvidenceCheck, FOLDER, evidence, fields, reserved, rules};
use crate::diagnostic::{Code, Diagnostics};
use crate::digest::FileDigest;
use crate::limits::Limits;
use crate::text::Text;
use crate::time::Instant;
use crate::value::Value;

/// Links of one file that are reported, per code; a hostile body could hold millions.
const MAX_LINK_FINDINGS: usize = 256;

/// The files a package has, by NFC path.
pub(crate) trait Paths {
    /// Which file that is; `None` if the package has none there.
    fn find(&self, path: &str) -> Option<usize>;
}

/// A concept document: a file of a node, its locale not yet told from its name.
pub(crate) struct Document {
    pub(crate) file: Text,
    pub(crate) digest: FileDigest,
    pub(crate) frontmatter: Value,
    pub(crate) evidence: Vec<EvidenceCheck>,
    pub(crate) span: Range<usize>,
    pub(crate) content: Content,
}

impl Document {
    /// True for a file that [`read`] wants to see.
    pub(crate) fn is_at(path: &str) -> bool {
        let name = path.as_bytes();
        path.starts_with(FOLDER) && name[name.len() - 3..].eq_ignore_ascii_case(b".md")
    }
}

/// Reads one `.md` file under `content/`; `None` if it is reserved or not fit to be a node.
pub(crate) fn read(
    path: &Text,
    digest: FileDigest,
    bytes: &[u8],
    paths: &impl Paths,
    limits: &Limits,
    found: &mut Diagnostics,
) -> Option<Document> {
    let file = path.as_str();
    let content = Content::new(bytes);
    if reserved::is_reserved(file) {
        reserved::check(file, &content, limits, found);
        return None;
    }
    let parsed = match frontmatter::parse(&content, limits) {
        Ok(parsed) => parsed,
        Err(FrontmatterError::Missing) => {
            found.file(Code::FrontmatterMissing, file, "it does not begin with a frontmatter");
            return None;
        }
        Err(FrontmatterError::Invalid { line, what }) => {
            found.line(Code::FrontmatterInvalid, file, line, what);
            return None;
        }
    };
    let kind = parsed.value.get("type").and_then(Value::as_str).unwrap_or_default();
    if kind.chars().all(crate::schema::is_js_space) {
        found.file(Code::TypeMissing, file, "type is missing, empty or not text");
        return None;
    }
    for sentence in rules::check(&parsed.value) {
        found.file(Code::FieldInvalid, file, sentence);
    }
    check_window(file, &parsed.value, found);
    check_sources(file, &parsed.value, paths, found);
    check_body(file, &content, parsed.body_start, paths, found);
    Some(Document {
        file: path.clone(),
        digest,
        evidence: evidence::entries(file, &parsed.value, paths),
        frontmatter: parsed.value,
        span: parsed.body_start..bytes.len(),
        content,
    })
}

fn check_window(file: &str, frontmatter: &Value, found: &mut Diagnostics) {
    let instant = |name: &str| {
        let text = fields::time_text(frontmatter.path(&["moca", name])?)?;
        Instant::parse(&text)
    };
    if let (Some(from), Some(until)) = (instant("valid_from"), instant("valid_until"))
        && until <= from
    {
        let why = "moca.valid_until is not after moca.valid_from";
        found.file(Code::NodeValidityWindowInvalid, file, why);
    }
}

/// Checks where `sources[].resource` leads and which sources `moca.evidence` names.
fn check_sources(file: &str, frontmatter: &Value, paths: &impl Paths, found: &mut Diagnostics) {
    for source in fields::sources(frontmatter) {
        let Some(resource) = source.get("resource").and_then(Value::as_str) else { continue };
        if !links::is_path(resource) {
            continue;
        }
        match links::resolve(file, resource) {
            Resolved::Escapes => {
                found.file(Code::UnsafePath, file, format!("{resource:?} leaves the package"));
            }
            Resolved::Path(path) if paths.find(&path).is_none() => {
                found.file(Code::LinkUnresolved, file, format!("no file for {resource:?}"));
            }
            Resolved::Undecodable => {
                let why = format!("{resource:?} has a bad percent sequence");
                found.file(Code::LinkUnresolved, file, why);
            }
            Resolved::Path(_) | Resolved::Nothing => {}
        }
    }
    for entry in fields::evidence_entries(frontmatter) {
        let Some(id) = entry.get("source") else { continue };
        if fields::source(frontmatter, id).is_none() {
            let id = fields::scalar_text(id).unwrap_or_default();
            let why = format!("evidence names the source {id:?}, which is not declared");
            found.file(Code::EvidenceSourceUnknown, file, why);
        }
    }
}

fn check_body(
    file: &str,
    content: &Content,
    body_start: usize,
    paths: &impl Paths,
    found: &mut Diagnostics,
) {
    let body = content.from(body_start);
    let mut lines_above = None;
    let (mut escaping, mut unresolved) = (0, 0);
    links::for_each_link(&body, |line, target| {
        let (code, count, why) = match links::resolve(file, target) {
            Resolved::Escapes => (Code::UnsafePath, &mut escaping, "leaves the package"),
            Resolved::Path(path) if paths.find(&path).is_none() => {
                (Code::LinkUnresolved, &mut unresolved, "has no file")
            }
            _ => return,
        };
        *count += 1;
        if *count > MAX_LINK_FINDINGS {
            return;
        }
        let above = *lines_above.get_or_insert_with(|| {
            memchr::memchr_iter(b'\n', &content.bytes()[..body_start]).count()
        });
        let line = u32::try_from(above + line).unwrap_or(u32::MAX);
        found.line(code, file, line, format!("the link {target:?} {why}"));
    });
}
