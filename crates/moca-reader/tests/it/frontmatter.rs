//! Frontmatter blocks (`facts/moca-reader §2.2`): where they end, what YAML they may hold, and
//! that a hostile one costs nothing.

use std::time::{Duration, Instant};

use moca_reader::{Code, Limits, Options, ReadResult};
use serde_json::{Value, json};

use crate::fixture::{NOW, Package};

fn read(text: impl Into<Vec<u8>>) -> ReadResult {
    Package::new("https://example.com/f", "1.0.0").file("content/a.md", text).read_plainly()
}

#[track_caller]
fn assert_code(text: &str, code: Code) {
    let result = read(text);
    let found: Vec<Code> = result.diagnostics.iter().map(|d| d.code).collect();
    assert!(found.contains(&code), "{code} not in {found:?} for {text:?}");
    assert!(!result.valid && result.nodes.is_empty());
}

/// Frontmatter and body of the one node.
#[track_caller]
fn node(text: &str) -> (Value, String) {
    let result = read(text);
    assert!(!result.nodes.is_empty(), "{:?} for {text:?}", result.diagnostics);
    let representation = &result.nodes[0].representations[0];
    let body = &representation.bytes()[representation.span.clone()];
    assert_eq!(body, representation.body().as_bytes());
    (json!(representation.frontmatter), representation.body().to_string())
}

#[test]
fn a_byte_order_mark_and_crlf_lines_are_read() {
    let expected = (json!({ "type": "Note", "title": "T" }), "Body é\r\n".to_owned());
    assert_eq!(node("\u{feff}---\r\ntype: Note\r\ntitle: T\r\n---\r\nBody é\r\n"), expected);
    assert_eq!(node("--- \t\ntype: Note\ntitle: T\n---\t \nBody é\r\n"), expected);
}

#[test]
fn a_block_closes_at_the_first_line_of_three_dashes() {
    assert_eq!(node("---\ntype: A\n---\n---\nb\n").1, "---\nb\n");
    assert_eq!(node("---\ntype: A\nt: |\n  ---\n---").0, json!({ "type": "A", "t": "---\n" }));
    assert_eq!(node("---\ntype: A --- b\n---\n").0["type"], "A --- b");
    assert_code("---\ntype: A\n--- b\n---\n", Code::FrontmatterInvalid);
    assert_code("---\ntype: A\n ---\n", Code::FrontmatterInvalid);
    assert_code("--- type: A\n---\n", Code::FrontmatterMissing);
    assert_code(" ---\ntype: A\n---\n", Code::FrontmatterMissing);
}

/// YAML 1.2, core schema: no dates, no `yes`, no octal by a leading zero, no merge keys.
#[test]
fn scalars_are_those_of_the_core_schema() {
    let yaml = "type: Note\na: [yes, no, on, off, y, 012, 0o17, 0x1F, 1_000, 1e3, .5, -.inf, 12:30]\n\
                b: [~, null, Null, '', true, True, tRUE, 2026-10-01, +7, -0, 1., 0b1, 0X1F, nan]\n\
                c: {<<: x, 1: a, 1.5: b, true: c, ~: d}\nd: !!str 12\ne: !!int \"3\"\nf: ! 12\n";
    let (frontmatter, _) = node(&format!("---\n{yaml}---\n"));
    let expected = json!({
        "type": "Note",
        "a": ["yes", "no", "on", "off", "y", 12, 15, 31, "1_000", 1000, 0.5, null, "12:30"],
        "b": [null, null, null, "", true, true, "tRUE", "2026-10-01", 7, 0, 1, "0b1", "0X1F", "nan"],
        "c": { "<<": "x", "1": "a", "1.5": "b", "true": "c", "null": "d" },
        "d": "12",
        "e": 3,
        "f": "12",
    });
    assert_eq!(frontmatter, expected);
}

#[test]
fn what_could_blow_up_or_surprise_is_refused() {
    for yaml in [
        "type: &a Note\ntitle: *a",
        "type: Note\nx: &x [1]\n<<: *x",
        "type: Note\ntype: Other",
        "type: Note\n? [a]\n: b",
        "type: Note\nx: !!binary aGk=",
        "type: Note\nx: !custom y",
        "type: Note\nx: !!map [a]",
        "type: Note\nx: !!int a",
        "type: Note\nx: \"\u{7}\"",
        "type: Note\nx: \u{fffe}",
        "type: Note\n...\nmore: 1",
        "type: Note\nx: [a",
        "type: Note\nx: {a: 1",
        "- type: Note",
        "Note",
        "%YAML 1.1\n%TAG ! x",
    ] {
        assert_code(&format!("---\n{yaml}\n---\n"), Code::FrontmatterInvalid);
    }
}

#[test]
fn nesting_ends_at_its_limit() {
    let nested = |depth: usize| {
        format!("---\ntype: N\nx: {}{}\n---\n", "[".repeat(depth), "]".repeat(depth))
    };
    assert_eq!(read(nested(99)).nodes.len(), 1);
    assert_code(&nested(100), Code::FrontmatterInvalid);
    let limits = Limits { max_frontmatter_depth: 32, ..Limits::default() };
    let options = Options { limits, ..Options::at(NOW) };
    let package =
        |depth| Package::new("https://example.com/f", "1.0.0").file("content/n.md", nested(depth));
    assert_eq!(package(31).read(&options).nodes.len(), 1);
    assert_eq!(package(32).read(&options).nodes.len(), 0);
}

#[test]
fn a_block_may_have_64_kib_and_no_more() {
    let block = |length: usize| {
        let head = "type: Note\nx: ";
        format!("---\n{head}{}\n---\n", "y".repeat(length - head.len() - 1))
    };
    assert_eq!(read(block(65_536)).nodes.len(), 1);
    assert_code(&block(65_537), Code::FrontmatterInvalid);
}

/// 64 KiB of each hostile shape is read or refused at once.
#[test]
fn hostile_blocks_are_over_quickly() {
    let fill = |unit: &str| unit.repeat(65_000 / unit.len());
    let lines =
        |line: &str| (0..65_000 / (line.len() + 6)).map(|i| format!("{line}{i}\n")).collect();
    let shapes: [String; 12] = [
        fill("["),
        fill("{"),
        fill("{a: "),
        fill("- "),
        fill("? "),
        fill("a: &x\n"),
        fill("&a "),
        fill("!!str "),
        fill("\"\\u0041"),
        format!("x: {}", fill("'' ")),
        lines("k: "),
        fill("#"),
    ];
    for shape in shapes {
        let started = Instant::now();
        let result = read(format!("---\ntype: Note\n{shape}\n---\n"));
        let elapsed = started.elapsed();
        // 50 ms with optimisation; tests run without, on a shared machine.
        assert!(elapsed < Duration::from_secs(2), "{elapsed:?} for {:?}", &shape[..20]);
        assert!(result.nodes.len() <= 1);
    }
}

/// A span counts bytes of the file, also where the file is not UTF-8.
#[test]
fn a_span_lies_inside_a_file_that_is_not_utf8() {
    let file = b"---\ntype: Note\ntitle: A\xffB\n---\nBo\xffdy\n";
    let result = read(file.as_slice());
    let representation = &result.nodes[0].representations[0];
    assert_eq!(&representation.bytes()[representation.span.clone()], b"Bo\xffdy\n");
    assert_eq!(representation.span.end, file.len());
    assert_eq!(representation.body(), "Bo\u{fffd}dy\n");
    assert_eq!(json!(representation.frontmatter)["title"], "A\u{fffd}B");
}

#[test]
fn a_node_larger_than_the_limit_is_refused() {
    let mut options = Options::at(NOW);
    options.limits.max_node_bytes = 1_000;
    let text = format!("---\ntype: Note\n---\n{}", "x".repeat(1_000));
    let package = Package::new("https://example.com/f", "1.0.0").file("content/a.md", text);
    let result = package.read(&options);
    assert_eq!(result.diagnostics[0].code, Code::FrontmatterInvalid);
    assert_eq!(result.digest, package.read_plainly().digest, "it is hashed all the same");
}
