//! Where a frontmatter block begins and ends, and what is in it (`facts/moca-reader §2.2`).

use super::{Content, yaml};
use crate::limits::Limits;
use crate::value::Value;

const BOM: &[u8] = "\u{feff}".as_bytes();
/// U+2028 and U+2029, line ends to the reference's regular expressions but not to YAML.
const LINE_SEPARATOR: &[u8] = "\u{2028}".as_bytes();
const PARAGRAPH_SEPARATOR: &[u8] = "\u{2029}".as_bytes();

/// A frontmatter block and where the body starts.
#[derive(Debug, PartialEq)]
pub(crate) struct Frontmatter {
    /// A mapping.
    pub(crate) value: Value,
    /// Byte of the file at which the body starts.
    pub(crate) body_start: usize,
}

/// Why a file has no frontmatter to use.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FrontmatterError {
    /// It does not begin with `---` (`C001`).
    Missing,
    /// It cannot be understood (`C002`).
    Invalid { line: u32, what: String },
}

impl FrontmatterError {
    fn invalid(line: u32, what: impl Into<String>) -> Self {
        Self::Invalid { line, what: what.into() }
    }
}

/// Reads the frontmatter of a file. The size is checked before anything is parsed.
pub(crate) fn parse(content: &Content, limits: &Limits) -> Result<Frontmatter, FrontmatterError> {
    let file = content.bytes();
    let block_start = opening(file).ok_or(FrontmatterError::Missing)?;
    let (block_end, body_start) = closing(file, block_start)
        .ok_or_else(|| FrontmatterError::invalid(1, "the frontmatter is not closed"))?;
    let (whole, block) = content.between(block_start..block_end);
    let raw = &whole[block];
    if raw.len() > limits.max_frontmatter_bytes {
        let what = format!("more than {} bytes", limits.max_frontmatter_bytes);
        return Err(FrontmatterError::invalid(1, what));
    }
    if raw.chars().all(crate::schema::is_js_space) {
        return Ok(Frontmatter { value: Value::map::<&str>([]), body_start });
    }
    // The block starts in the second line of the file.
    let value = yaml::parse(&whole, raw, limits.max_frontmatter_depth)
        .map_err(|e| FrontmatterError::invalid(e.line.saturating_add(1), e.what))?;
    if value.as_map().is_none() {
        return Err(FrontmatterError::invalid(1, "the frontmatter is not a mapping"));
    }
    Ok(Frontmatter { value, body_start })
}

/// Behind the line that opens the block; a byte order mark may stand before it.
fn opening(file: &[u8]) -> Option<usize> {
    let text = file.strip_prefix(BOM).unwrap_or(file);
    let rest = trim_blanks(text.strip_prefix(b"---")?);
    let rest = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n"))?;
    Some(file.len() - rest.len())
}

/// Where the closing line begins, and where the body behind it does.
fn closing(file: &[u8], block_start: usize) -> Option<(usize, usize)> {
    let block = &file[block_start..];
    // Few dashes in a frontmatter come first in a line.
    for at in memchr::memchr_iter(b'-', block) {
        if !block[at..].starts_with(b"---") || !ends_line(&block[..at]) {
            continue;
        }
        let rest = trim_blanks(&block[at + 3..]);
        let body = match rest {
            [] => rest,
            [b'\n', body @ ..] | [b'\r', b'\n', body @ ..] => body,
            [b'\r', ..] => rest,
            _ if rest.starts_with(LINE_SEPARATOR) || rest.starts_with(PARAGRAPH_SEPARATOR) => rest,
            _ => continue,
        };
        return Some((block_start + at, file.len() - body.len()));
    }
    None
}

/// True at the start of the block, and behind a line end.
fn ends_line(before: &[u8]) -> bool {
    matches!(before.last(), None | Some(b'\n' | b'\r'))
        || before.ends_with(LINE_SEPARATOR)
        || before.ends_with(PARAGRAPH_SEPARATOR)
}

fn trim_blanks(bytes: &[u8]) -> &[u8] {
    let blanks = bytes.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    &bytes[blanks..]
}
