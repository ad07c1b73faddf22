//! From documents to nodes: locale variants of one name belong together
//! (`facts/moca-reader §2.5, §2.6`).

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Document, FOLDER, Node, Representation};
use crate::diagnostic::{Code, Diagnostics};
use crate::schema::is_language_tag;
use crate::text::Text;

/// Groups documents into nodes, nodes and their variants in the reference's order.
pub(crate) fn collect(
    documents: Vec<Document>,
    locales: &[Text],
    found: &mut Diagnostics,
) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::with_capacity(documents.len());
    let mut places: HashMap<Text, usize> = HashMap::with_capacity(documents.len());
    for document in documents {
        let (path, locale) = identify(&document.file, locales);
        let representation = Representation {
            locale,
            file: document.file,
            digest: document.digest,
            frontmatter: document.frontmatter,
            evidence: document.evidence,
            span: document.span,
            content: document.content,
        };
        match places.get(&path) {
            Some(&place) => nodes[place].representations.push(representation),
            None => {
                places.insert(path.clone(), nodes.len());
                nodes.push(Node { path, representations: vec![representation] });
            }
        }
    }
    nodes.sort_by(|a, b| utf16_order(&a.path, &b.path));
    for node in &mut nodes {
        node.representations.sort_by(|a, b| match (&a.locale, &b.locale) {
            (Some(a), Some(b)) => a.cmp(b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        });
        let first = &node.representations[0];
        if first.locale.is_some() {
            let why = format!("a variant of {}, which has no default file", node.path);
            found.file(Code::LocaleOrphan, &*first.file, why);
        }
    }
    nodes
}

/// Node path and locale of a file; the locale is spelt as in the manifest.
fn identify(file: &Text, locales: &[Text]) -> (Text, Option<Text>) {
    let path = file.strip_prefix(FOLDER).unwrap_or(file);
    let stem = &path[..path.len() - ".md".len()];
    if let Some((name, tag)) = stem.rsplit_once('.')
        && is_language_tag(tag)
        && let Some(locale) = locales.iter().rfind(|known| known.eq_ignore_ascii_case(tag))
    {
        return (format!("{name}.md").into(), Some(locale.clone()));
    }
    (file.part(path), None)
}

/// Order by UTF-16 code units, which differs from that of UTF-8 beyond U+FFFF.
pub(crate) fn utf16_order(a: &str, b: &str) -> Ordering {
    if a.is_ascii() && b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}
