//! What a browser makes of rendered HTML, checked against the list of the crate's first page.

use html5ever::tendril::TendrilSink;
use html5ever::{LocalName, QualName, local_name, ns, parse_fragment};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

const BARE: [&str; 21] = [
    "p",
    "br",
    "wbr",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "blockquote",
    "pre",
    "code",
    "em",
    "strong",
    "del",
    "hr",
    "table",
    "thead",
    "tbody",
    "tr",
];

/// An element as a browser sees it.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

/// All elements in document order; the first is the fragment's root with the whole text.
pub(crate) fn elements(html: &str) -> Vec<Element> {
    let context = QualName::new(None, ns!(html), local_name!("div"));
    let dom =
        parse_fragment(RcDom::default(), Default::default(), context, vec![], false).one(html);
    let mut found = Vec::new();
    let mut waiting: Vec<Handle> = vec![dom.document.children.borrow()[0].clone()];
    while let Some(node) = waiting.pop() {
        match &node.data {
            NodeData::Element { name, attrs, .. } => {
                assert_eq!(name.ns, ns!(html), "foreign element in {html}");
                let attributes = attrs
                    .borrow()
                    .iter()
                    .map(|a| (LocalName::to_string(&a.name.local), a.value.to_string()))
                    .collect();
                let text = text(&node);
                found.push(Element { name: name.local.to_string(), attributes, text });
            }
            NodeData::Text { .. } => {}
            other => panic!("neither element nor text: {other:?}"),
        }
        waiting.extend(node.children.borrow().iter().rev().cloned());
    }
    found
}

fn text(node: &Handle) -> String {
    let mut text = String::new();
    let mut waiting = vec![node.clone()];
    while let Some(node) = waiting.pop() {
        if let NodeData::Text { contents } = &node.data {
            text.push_str(&contents.borrow());
        }
        waiting.extend(node.children.borrow().iter().rev().cloned());
    }
    text
}

/// Asserts that HTML for the app holds nothing outside the list; returns `(data-citation, data-place)`
/// of its cite buttons.
pub(crate) fn assert_only_listed(html: &str) -> Vec<(u32, u32)> {
    let mut cites = Vec::new();
    let elements = elements(html);
    assert_nothing_unseen(&elements[0].text);
    for element in &elements[1..] {
        let names: Vec<&str> = element.attributes.iter().map(|(name, _)| name.as_str()).collect();
        for (_, value) in &element.attributes {
            assert_nothing_unseen(value);
        }
        match element.name.as_str() {
            "button" => {
                assert_eq!(names, ["type", "class", "data-citation", "data-place"]);
                assert_eq!(element.attribute("type"), Some("button"));
                assert_eq!(element.attribute("class"), Some("cite"));
                let number = |name| element.attribute(name).unwrap().parse::<u32>().unwrap();
                cites.push((number("data-citation"), number("data-place")));
            }
            "a" => {
                assert_eq!(names, ["class", "role", "tabindex", "data-url", "data-host"]);
                assert_eq!(element.attribute("class"), Some("link"));
                let link = render::link(element.attribute("data-url").unwrap()).unwrap();
                assert_eq!(element.attribute("data-url"), Some(link.ascii_url.as_str()));
                assert_eq!(element.attribute("data-host"), Some(link.ascii_host.as_str()));
                assert!(
                    link.ascii_url.starts_with("http://") || link.ascii_url.starts_with("https://")
                );
            }
            "span" => {
                assert_eq!(element.attribute("class"), Some("mark"));
                let kind = element.attribute("data-mark").unwrap();
                match kind {
                    "hidden" | "stack" => assert_eq!(names, ["class", "data-mark", "title"]),
                    "image" | "link" | "host" => assert_eq!(names, ["class", "data-mark"]),
                    other => panic!("mark of an unknown kind: {other}"),
                }
            }
            "th" | "td" => assert!(names.is_empty() || names == ["align"], "{names:?}"),
            "ol" if names == ["start"] => {
                let start = element.attribute("start").unwrap();
                assert!(start.bytes().all(|b| b.is_ascii_digit()), "{start}");
            }
            name => {
                assert!(BARE.contains(&name), "<{name}> is not on the list");
                assert!(names.is_empty(), "<{name}> with {names:?}");
            }
        }
    }
    cites
}

/// Asserts that a text holds no raw control, bidi control, tag or noncharacter.
pub(crate) fn assert_nothing_unseen(text: &str) {
    for c in text.chars() {
        let raw = (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200B}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
                | '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FDD0}'..='\u{FDEF}'
                | '\u{FFF9}'..='\u{FFFC}' | '\u{E0000}'..='\u{E007F}')
            || c as u32 & 0xFFFE == 0xFFFE;
        assert!(!raw, "U+{:04X} is raw in {text:?}", c as u32);
    }
}
