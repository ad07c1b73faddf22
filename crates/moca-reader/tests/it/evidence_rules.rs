//! The hand-written scans give what the contract's patterns give (`facts/moca-reader §6.2`).

use moca_reader::Value;
use moca_reader::evidence::{SourceKind, SourceText};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use regex::bytes::Regex as Bytes;
use regex::{Captures, Regex};
use serde_json::json;

/// White space as ECMAScript's `\s` has it.
const SPACE: &str = r"[[\s&&[^\x{85}]]\x{FEFF}]";

fn pattern(text: &str) -> Regex {
    Regex::new(&text.replace(r"\s", SPACE)).unwrap()
}

fn markdown(source: &str) -> String {
    let links = pattern(r"!?\[([^\]]*)\]\([^)]*\)").replace_all(source, "$1").into_owned();
    let (heading, list) = (pattern(r"^\s*#{1,6}\s+"), pattern(r"^\s*(?:[-*+]|[0-9]+[.)])\s+"));
    let line = |line: &str| list.replace(&heading.replace(line, ""), "").into_owned();
    let lines: Vec<String> = links.split('\n').map(line).collect();
    lines.join("\n").replace(['*', '_', '`'], "")
}

fn html(source: &str) -> String {
    let element = |name| format!(r"(?is-u)<{name}\b[^>]*>.*?</{name}(?u:{SPACE})*>");
    let both = format!("{}|{}", element("script"), element("style"));
    let without = Bytes::new(&both).unwrap().replace_all(source.as_bytes(), b"".as_slice());
    let text = String::from_utf8(without.into_owned()).unwrap();
    references(&pattern("<[^>]*>").replace_all(&text, ""))
}

fn references(text: &str) -> String {
    let decode = |found: &Captures<'_>| {
        let name = found[1].to_ascii_lowercase();
        let number = match name.strip_prefix('#') {
            Some(number) => match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => number.parse().ok(),
            },
            None => match name.as_str() {
                "amp" => Some('&'.into()),
                "lt" => Some('<'.into()),
                "gt" => Some('>'.into()),
                "quot" => Some('"'.into()),
                "apos" => Some('\''.into()),
                "nbsp" => Some(0xa0),
                _ => None,
            },
        };
        match number.filter(|&n| n <= 0x10_ffff) {
            Some(code) => char::from_u32(code).unwrap_or('\u{fffd}').to_string(),
            None => found[0].to_owned(),
        }
    };
    let reference = Regex::new("&((?i)#x[0-9a-f]+|#[0-9]+|[a-zA-Z]+);").unwrap();
    reference.replace_all(text, decode).into_owned()
}

/// Text made of the pieces that the rules look at.
fn pieces() -> impl Strategy<Value = String> {
    let marks = [
        "[",
        "]",
        "(",
        ")",
        "](",
        "!",
        "#",
        "## ",
        "####### ",
        "- ",
        "* ",
        "+",
        "1. ",
        "12)",
        "*",
        "_",
        "`",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\u{85}",
        "\u{feff}",
        "\u{a0}",
        "<",
        ">",
        "</",
        "<script",
        "</script",
        "<SCRIPT>",
        "</Script\u{a0}>",
        "<style>",
        "</style >",
        "<styles>",
        "<\u{17f}cript>",
        "&",
        ";",
        "&amp;",
        "&LT;",
        "&#",
        "&#x",
        "41;",
        "&#x1F600;",
        "&#xD800;",
        "&#1114112;",
        "&nbsp;",
        "a",
        "é",
        "😀",
        "word",
    ];
    vec(select(marks.to_vec()), 0..40).prop_map(|pieces| pieces.concat())
}

fn text(kind: SourceKind, source: &str) -> String {
    SourceText::new(kind, source.as_bytes()).as_str().to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn markdown_is_normalised_as_the_patterns_say(source in pieces()) {
        prop_assert_eq!(text(SourceKind::Markdown, &source), markdown(&source));
    }

    #[test]
    fn html_is_normalised_as_the_patterns_say(source in pieces()) {
        prop_assert_eq!(text(SourceKind::Html, &source), html(&source));
    }

    #[test]
    fn quote_matches_exactly_where_the_text_has_it(
        source in "[ab]{0,12}", prefix in "[ab]{0,2}", exact in "[ab]{1,3}", suffix in "[ab]{0,2}",
    ) {
        let selector: Value = serde_json::from_value(json!({
            "type": "TextQuoteSelector", "exact": exact, "prefix": prefix, "suffix": suffix,
        })).unwrap();
        let matched = SourceText::new(SourceKind::Text, source.as_bytes()).matches(&selector);
        let expected = (0..source.len()).any(|at| {
            source[at..].starts_with(&exact)
                && source[..at].ends_with(&prefix)
                && source[at + exact.len()..].starts_with(&suffix)
        });
        prop_assert_eq!(matched, Some(expected));
    }

    #[test]
    fn any_bytes_are_normalised_without_a_panic(bytes in vec(any::<u8>(), 0..200)) {
        for kind in [SourceKind::Text, SourceKind::Markdown, SourceKind::Html, SourceKind::WebVtt] {
            let text = SourceText::new(kind, &bytes);
            prop_assert!(text.code_points() <= text.as_str().len());
        }
    }
}
