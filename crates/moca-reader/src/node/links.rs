//! References from a node to other files of its package (`facts/moca-reader §2.7`).

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::schema::is_scheme;

/// Bytes looked at behind a link's destination for its title and its end.
const MAX_TITLE: usize = 1024;

/// What a reference comes to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Resolved {
    /// Only a fragment or query: no path.
    Nothing,
    /// A package-relative path, NFC.
    Path(String),
    /// It leaves the package.
    Escapes,
    /// Its percent sequences are not UTF-8.
    Undecodable,
}

/// Resolves `reference` as written in `file`. Nothing is looked up.
pub(crate) fn resolve(file: &str, reference: &str) -> Resolved {
    let reference = reference.strip_prefix('<').unwrap_or(reference);
    let reference = reference.strip_suffix('>').unwrap_or(reference);
    let end = memchr::memchr2(b'#', b'?', reference.as_bytes());
    let reference = &reference[..end.unwrap_or(reference.len())];
    let Some(reference) = percent_decode(reference) else { return Resolved::Undecodable };
    if reference.is_empty() {
        return Resolved::Nothing;
    }
    let folder = match reference.starts_with('/') {
        true => "content",
        false => file.rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    match normalise(folder, &reference) {
        Some(path) if path.is_ascii() || is_nfc(&path) => Resolved::Path(path),
        Some(path) => Resolved::Path(path.nfc().collect()),
        None => Resolved::Escapes,
    }
}

/// Joins and removes `.`, `..` and empty parts; `None` if that leads out of the package.
fn normalise(folder: &str, reference: &str) -> Option<String> {
    let mut path = String::with_capacity(folder.len() + 1 + reference.len());
    path.push_str(folder);
    for part in Parts(Some(reference)) {
        match part {
            "" | "." => {}
            ".." if path.is_empty() => return None,
            ".." => path.truncate(path.rfind('/').unwrap_or_default()),
            name => {
                if !path.is_empty() {
                    path.push('/');
                }
                path.push_str(name);
            }
        }
    }
    Some(path)
}

/// The parts of a path between its `/`.
struct Parts<'a>(Option<&'a str>);

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.0?;
        let end = memchr::memchr(b'/', rest.as_bytes());
        self.0 = end.map(|end| &rest[end + 1..]);
        Some(&rest[..end.unwrap_or(rest.len())])
    }
}

fn percent_decode(text: &str) -> Option<Cow<'_, str>> {
    if memchr::memchr(b'%', text.as_bytes()).is_none() {
        return Some(Cow::Borrowed(text));
    }
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let digit = |b: Option<u8>| char::from(b?).to_digit(16);
        let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
        out.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(out).ok().map(Cow::Owned)
}

/// `sources[].resource` names a file of the package only when it starts like a path.
pub(crate) fn is_path(resource: &str) -> bool {
    ["./", "../", "/"].iter().any(|start| resource.starts_with(start))
}

/// Calls `found` with the line (from 1, of the body) and target of every inline link and image
/// that may name a file: none in code, none with a URI scheme, none to a place in the same file.
pub(crate) fn for_each_link<'b>(body: &'b str, mut found: impl FnMut(usize, &'b str)) {
    let link = memchr::memmem::Finder::new(b"](");
    if link.find(body.as_bytes()).is_none() {
        return;
    }
    let mut fenced = false;
    let ends = memchr::memchr_iter(b'\n', body.as_bytes()).chain([body.len()]);
    let mut from = 0;
    for (number, end) in ends.enumerate() {
        let line = &body[from..end];
        from = end + 1;
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if !fenced && link.find(line.as_bytes()).is_some() {
            scan_line(line, |target| found(number + 1, target));
        }
    }
}

fn scan_line<'b>(line: &'b str, mut found: impl FnMut(&'b str)) {
    // Where inline code begins and ends; a back tick without a partner is text.
    let mut code: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    while let Some(open) = line[from..].find('`').map(|at| from + at) {
        let Some(close) = line[open + 1..].find('`').map(|at| open + 1 + at) else { break };
        code.push((open, close));
        from = close + 1;
    }
    let in_code = |at: usize| {
        let next = code.partition_point(|&(_, close)| close < at);
        code.get(next).is_some_and(|&(open, _)| open <= at)
    };

    let mut ends = Next { at: None, fits: |c| c == ')' || c.is_whitespace() };
    let mut angles = Next { at: None, fits: |c| c == '>' };
    let mut at = 0;
    while let Some(close) = line[at..].find("](").map(|found| at + found) {
        let target_at = close + 2;
        at = target_at;
        // Link text holds no `]`, so its `[` is behind the `]` before it.
        let text_from = line[..close].rfind(']').map_or(0, |bracket| bracket + 1);
        let Some(open) = line[text_from..close].find('[') else { continue };
        if in_code(text_from + open) || in_code(close) {
            continue;
        }
        if let Some(target) = take_target(line, target_at, &mut ends, &mut angles)
            && may_name_file(target)
        {
            found(target);
        }
    }
}

/// Finds the next character of a kind, remembering it, so that a line full of unfinished links is
/// still read once.
struct Next {
    at: Option<usize>,
    fits: fn(char) -> bool,
}

impl Next {
    /// Where the first such character from `start` on is, or the end of the line.
    fn from(&mut self, line: &str, start: usize) -> usize {
        match self.at {
            Some(at) if at >= start => at,
            _ => {
                let at = line[start..].find(self.fits).map_or(line.len(), |found| start + found);
                *self.at.insert(at)
            }
        }
    }
}

/// The destination of a link from behind its `(`, if the link is closed as it should be.
fn take_target<'b>(
    line: &'b str,
    open: usize,
    ends: &mut Next,
    angles: &mut Next,
) -> Option<&'b str> {
    let start = line.len() - line[open..].trim_start().len();
    let end = match line[start..].starts_with('<') {
        true => angles.from(line, start) + 1,
        false => ends.from(line, start),
    };
    let target = line.get(start..end).filter(|target| !target.is_empty())?;
    let behind = &line[end..line.floor_char_boundary(end.saturating_add(MAX_TITLE))];
    let behind = behind.trim_start();
    let closed = match behind.chars().next() {
        Some(')') => true,
        Some(quote @ ('"' | '\'')) => {
            let title = &behind[1..];
            title.find(quote).is_some_and(|end| title[end + 1..].trim_start().starts_with(')'))
        }
        _ => false,
    };
    closed.then_some(target)
}

fn may_name_file(target: &str) -> bool {
    let inner = target.trim_start_matches('<');
    !inner.starts_with('#') && !inner.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme))
}
