//! `index.md` and `log.md`, which are no nodes (`facts/moca-reader §2.4`).

use super::Content;
use super::frontmatter::{self, FrontmatterError};
use crate::diagnostic::{Code, Diagnostics};
use crate::limits::Limits;
use crate::text::Text;

/// Headings of one log that are reported.
const MAX_LOG_FINDINGS: usize = 256;
const ROOT_INDEX: &str = "content/index.md";

/// True for a file that is no node whatever it holds.
pub(super) fn is_reserved(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.eq_ignore_ascii_case("index.md") || name.eq_ignore_ascii_case("log.md")
}

pub(super) fn check(path: &str, content: &Content, limits: &Limits, found: &mut Diagnostics) {
    let is_log = path.len() >= 6 && path[path.len() - 6..].eq_ignore_ascii_case("log.md");
    let mut fault = |line: Option<u32>, why: &str| match line {
        Some(line) => found.line(Code::ReservedFileInvalid, path, line, why),
        None => found.file(Code::ReservedFileInvalid, path, why),
    };
    match frontmatter::parse(content, limits) {
        Err(FrontmatterError::Missing) => {}
        Ok(parsed) if path == ROOT_INDEX => {
            let only_version = |(key, _): &(Text, _)| *key == "okf_version";
            if !parsed.value.as_map().unwrap_or_default().iter().all(only_version) {
                fault(None, "its frontmatter may hold okf_version only");
            }
        }
        Err(FrontmatterError::Invalid { what, .. }) if path == ROOT_INDEX => {
            fault(None, &format!("its frontmatter cannot be read: {what}"));
        }
        _ => fault(None, "it must not have frontmatter"),
    }
    if is_log {
        let text = content.from(0);
        let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let bad = lines.enumerate().filter(|(_, line)| !is_good_log_line(line));
        for (number, _) in bad.take(MAX_LOG_FINDINGS) {
            let line = u32::try_from(number + 1).unwrap_or(u32::MAX);
            fault(Some(line), "the heading does not begin with a date");
        }
    }
}

/// False for a second-level heading whose text does not start `YYYY-MM-DD`.
fn is_good_log_line(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("##") else { return true };
    let text = rest.trim_start_matches(crate::schema::is_js_space);
    if text.len() == rest.len() {
        return true;
    }
    let date = text.as_bytes().get(..10);
    date.is_some_and(|date| {
        date.iter().enumerate().all(|(i, b)| match i {
            4 | 7 => *b == b'-',
            _ => b.is_ascii_digit(),
        })
    })
}
