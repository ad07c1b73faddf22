//! The frontmatter that most nodes have, read without a YAML parser: block mappings and lists of
//! scalars on one line each. Whatever is not plainly that is left to [`super::yaml`]; what is read
//! here is read to the same value, which a test holds against the parser with generated texts.

use std::sync::Arc;

use super::yaml::resolve_unless_text;
use crate::text::Text;
use crate::value::Value;

/// Nested deeper than this is left to the parser.
const MAX_DEPTH: usize = 8;
/// Mappings with more members are left to the parser, which looks for repeated keys faster.
const MAX_MEMBERS: usize = 64;

/// The value of `text`, if it is as plain as described and could not be nested deeper than
/// `max_depth`; the caller has refused unprintable characters. Values share `whole`, of which
/// `text` should be a part.
pub(super) fn parse(whole: &Arc<str>, text: &str, max_depth: usize) -> Option<Value> {
    // The root and a list on one line come on top.
    if max_depth < MAX_DEPTH + 2 {
        return None;
    }
    if memchr::memchr2(b'\t', b'\r', text.as_bytes()).is_some() {
        return None;
    }
    // Line and zero-width separators, which YAML 1.1 took for more than characters.
    let is_odd = |c: char| matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}');
    if !text.is_ascii() && text.contains(is_odd) {
        return None;
    }
    let lines = Lines::new(text);
    let mut plain = Plain { whole, lines, members: Vec::new(), items: Vec::new() };
    let value = plain.mapping(0, 0)?;
    plain.lines.current.is_none().then_some(value)
}

/// Lines yet to be read; a list item's content is put in their front as a line of its own.
struct Lines<'a> {
    current: Option<Line<'a>>,
    rest: &'a str,
}

#[derive(Clone, Copy)]
struct Line<'a> {
    indent: usize,
    text: &'a str,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let mut lines = Self { current: None, rest: text };
        lines.advance();
        lines
    }

    fn advance(&mut self) {
        if self.rest.is_empty() {
            self.current = None;
            return;
        }
        let (line, rest) = match memchr::memchr(b'\n', self.rest.as_bytes()) {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, ""),
        };
        let indent = line.bytes().take_while(|&b| b == b' ').count();
        self.current = Some(Line { indent, text: &line[indent..] });
        self.rest = rest;
    }
}

/// One text on its way. Collections that are not closed yet have their parts in one pile each, so
/// that a closed one is allocated once and in its size.
struct Plain<'a> {
    whole: &'a Arc<str>,
    lines: Lines<'a>,
    members: Vec<(Text, Value)>,
    items: Vec<Value>,
}

impl<'a> Plain<'a> {
    fn mapping(&mut self, indent: usize, depth: usize) -> Option<Value> {
        let first = self.members.len();
        while let Some(line) = self.lines.current.filter(|line| line.indent >= indent) {
            if line.indent > indent {
                return None;
            }
            let (key, rest) = split_key(line.text)?;
            let known = &self.members[first..];
            if known.len() > MAX_MEMBERS || known.iter().any(|(known, _)| *known == *key) {
                return None;
            }
            self.lines.advance();
            let value = match rest {
                "" => self.nested(indent, depth)?,
                text => self.one_line(text, indent)?,
            };
            self.members.push((Text::part_of(self.whole, key), value));
        }
        let members = self.members.drain(first..);
        (members.len() > 0).then(|| Value::Map(members.collect()))
    }

    /// What stands below a key without a value.
    fn nested(&mut self, indent: usize, depth: usize) -> Option<Value> {
        if depth >= MAX_DEPTH {
            return None;
        }
        let Some(next) = self.lines.current else { return Some(Value::Null) };
        let is_item = next.text.starts_with("- ");
        match next.indent {
            below if below > indent && is_item => self.list(below, depth + 1),
            below if below > indent => self.mapping(below, depth + 1),
            same if same == indent && is_item => self.list(indent, depth + 1),
            _ if next.text.is_empty() => None,
            _ => Some(Value::Null),
        }
    }

    fn list(&mut self, indent: usize, depth: usize) -> Option<Value> {
        let first = self.items.len();
        while let Some(line) = self.lines.current.filter(|line| line.indent >= indent) {
            let Some(text) = line.text.strip_prefix("- ") else {
                // A key at the indent of a list that stands directly below its own key.
                if line.indent == indent && split_key(line.text).is_some() {
                    break;
                }
                return None;
            };
            if line.indent > indent || depth >= MAX_DEPTH {
                return None;
            }
            let item = if split_key(text).is_some() {
                let inner = indent + 2;
                self.lines.current = Some(Line { indent: inner, text });
                self.mapping(inner, depth + 1)?
            } else {
                self.lines.advance();
                self.one_line(text, indent)?
            };
            self.items.push(item);
        }
        Some(Value::Seq(self.items.drain(first..).collect()))
    }

    /// A value that ends with its line: the next one must not be indented deeper.
    fn one_line(&self, text: &'a str, indent: usize) -> Option<Value> {
        if self.lines.current.is_some_and(|next| next.indent > indent || next.text.is_empty()) {
            return None;
        }
        match text.as_bytes() {
            [quote @ (b'"' | b'\''), inner @ .., end] if quote == end => {
                let plain = memchr::memchr2(*quote, b'\\', inner).is_none();
                plain.then(|| self.text(&text[1..text.len() - 1]))
            }
            [b'[', .., b']'] => self.flow_list(&text[1..text.len() - 1]),
            [first, ..] if is_plain_start(*first) && is_plain(text) => Some(self.scalar(text)),
            _ => None,
        }
    }

    /// Words on one line, with `, ` between them.
    fn flow_list(&self, inner: &'a str) -> Option<Value> {
        if inner.is_empty() {
            return Some(Value::seq([]));
        }
        let word = |word: &str| {
            let starts = word.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric());
            let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/');
            (starts && word.bytes().all(plain)).then(|| self.scalar(word))
        };
        inner.split(", ").map(word).collect::<Option<_>>().map(Value::Seq)
    }

    fn scalar(&self, text: &str) -> Value {
        resolve_unless_text(text).unwrap_or_else(|| self.text(text))
    }

    fn text(&self, text: &str) -> Value {
        Value::String(Text::part_of(self.whole, text))
    }
}

/// `name:` and what follows it. Only names that no schema could take for anything but text.
fn split_key(text: &str) -> Option<(&str, &str)> {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let length = text.bytes().take_while(is_word).count();
    let (key, rest) = (&text[..length], text[length..].strip_prefix(':')?);
    let is_name = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && !["null", "true", "false"].iter().any(|word| key.eq_ignore_ascii_case(word));
    let rest = match rest {
        "" => "",
        more => more.strip_prefix(' ').filter(|more| !more.is_empty())?,
    };
    is_name.then_some((key, rest))
}

fn is_plain_start(first: u8) -> bool {
    first.is_ascii_alphanumeric() || matches!(first, b'/' | b'.' | b'_')
}

/// No comment, no key, no blank at the end.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    !matches!(bytes.last(), Some(b' ' | b':'))
        && memchr::memchr2_iter(b':', b'#', bytes).all(|at| match bytes[at] {
            b':' => bytes.get(at + 1) != Some(&b' '),
            _ => bytes[at - 1] != b' ',
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;

    use super::super::yaml;

    /// Values, the plain ones first.
    const VALUES: &[&str] = &[
        "",
        "",
        "",
        "a",
        "a b",
        "12",
        "1.5",
        "0x1F",
        "null",
        "é",
        "a:b",
        "a#b",
        "http://x/y?z#w",
        ".5",
        "_x",
        "2026-10-01T00:00:00Z",
        "../x.md",
        "x:y: z",
        "\"q\"",
        "\"a: b\"",
        "'q'",
        "[a, b]",
        "[]",
        "~",
        "# c",
        "a # c",
        "a ",
        "a:",
        "\"\\n\"",
        "''",
        "\"a\" b",
        "'it''s'",
        "[a,b]",
        "[a, [b]]",
        "[a, ]",
        "[1, x-y]",
        "{a: b}",
        "&x a",
        "*x",
        "!!str 1",
        "|",
        ">-",
        "? a",
        "---",
        "...",
        "- a",
        "- a: b",
        "%",
        "@",
        "`",
        "\u{a0}",
        "\u{2028}",
        "-1",
        "+1",
        "0o7",
        "1e3",
        ".inf",
        "true",
        "Null",
        "- ",
        ": ",
        "b: c",
        "-",
    ];
    const INDENTS: &[&str] = &["", "", "", "  ", "  ", "    ", "    ", "      ", " ", "   "];
    const STARTS: &[&str] = &[
        "a: ", "b: ", "c: ", "d: ", "e:", "f:", "g:", "- ", "- a: ", "- b: ", "- c:", "",
        "\"k\": ", "a :",
    ];

    /// Any line.
    fn line() -> impl Strategy<Value = String> {
        let pick = prop::sample::select;
        (pick(INDENTS), pick(STARTS), pick(VALUES)).prop_map(|(indent, start, value)| {
            let start = if value.is_empty() { start.trim_end() } else { start };
            format!("{indent}{start}{value}")
        })
    }

    #[derive(Clone, Debug)]
    enum Tree {
        Scalar(&'static str),
        Map(Vec<Tree>),
        List(Vec<Tree>),
    }

    fn tree() -> impl Strategy<Value = Tree> {
        let scalar = prop::sample::select(&VALUES[..VALUES.len() / 2]).prop_map(Tree::Scalar);
        scalar.prop_recursive(4, 12, 3, |inner| {
            let some = prop::collection::vec(inner, 1..4);
            prop_oneof![some.clone().prop_map(Tree::Map), some.prop_map(Tree::List)]
        })
    }

    /// Lines of a tree below a key at `indent`; a list may stand at the indent of its key.
    fn write(tree: &Tree, indent: usize, flat: bool, out: &mut Vec<String>) {
        let below = match tree {
            Tree::List(_) if flat => indent,
            _ => indent + 2,
        };
        let children = match tree {
            Tree::Scalar(_) => return,
            Tree::Map(children) | Tree::List(children) => children,
        };
        for (i, child) in children.iter().enumerate() {
            let start = match tree {
                Tree::List(_) => "- ".to_owned(),
                _ => format!("{}: ", char::from(b'a' + u8::try_from(i).unwrap())),
            };
            let spaces = " ".repeat(below);
            match child {
                Tree::Scalar(value) => {
                    out.push(format!("{spaces}{start}{value}").trim_end().into());
                }
                Tree::Map(_) if start == "- " => {
                    let first = out.len();
                    write(child, below, flat, out);
                    out[first].replace_range(below..below + 2, "- ");
                }
                deeper => {
                    out.push(format!("{spaces}{}", start.trim_end()));
                    write(deeper, below, flat, out);
                }
            }
        }
    }

    /// A plain document, sometimes with a line replaced by any other.
    fn document() -> impl Strategy<Value = String> {
        let odd = prop::option::weighted(0.4, (any::<prop::sample::Index>(), line()));
        (prop::collection::vec(tree(), 1..4), any::<bool>(), odd).prop_map(|(trees, flat, odd)| {
            let mut lines = Vec::new();
            for (tree, key) in trees.iter().zip(["x", "y", "z"]) {
                match tree {
                    Tree::Scalar(value) => lines.push(format!("{key}: {value}").trim_end().into()),
                    deeper => {
                        lines.push(format!("{key}:"));
                        write(deeper, 0, flat, &mut lines);
                    }
                }
            }
            if let Some((at, line)) = odd {
                let at = at.index(lines.len());
                lines[at] = line;
            }
            format!("{}\n", lines.join("\n"))
        })
    }

    #[test]
    fn what_is_read_plainly_is_what_the_parser_reads() {
        let config =
            ProptestConfig { cases: 20_000, failure_persistence: None, ..Default::default() };
        let read = std::cell::Cell::new(0);
        TestRunner::new(config)
            .run(&document(), |text| {
                if let Some(plain) = super::parse(&text.as_str().into(), &text, 100) {
                    read.set(read.get() + 1);
                    let parsed = yaml::parse_with_parser(&text, 100);
                    prop_assert_eq!(Ok(plain), parsed, "{:?}", text);
                }
                Ok(())
            })
            .unwrap();
        assert!(read.get() > 2_000, "only {} texts were plain", read.get());
    }

    #[test]
    fn an_ordinary_frontmatter_is_read_plainly() {
        let text = "type: Policy\ntitle: Refund window\ntags: [refunds, policy]\ngenerated:\n  by: a/2.1\n  \
                    at: 2026-07-30T09:00:00Z\nverified:\n  - by: human:sam\n    at: 2026-08-14\nsources:\n- id: s\n  \
                    resource: ../sources/a.txt\nmoca:\n  audience: public\n  evidence:\n    - source: s\n      \
                    selector:\n        type: TextQuoteSelector\n        exact: \"Within 30 days.\"\nempty:\n";
        let plain = super::parse(&text.into(), text, 100);
        assert!(plain.is_some());
        assert_eq!(plain, yaml::parse_with_parser(text, 100).ok());
    }
}
