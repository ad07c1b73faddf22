//! References from nodes: what is found, what is missing, what would lead out of the package.

use moca_reader::{Code, ReadResult};

use crate::fixture::Package;

fn read(body: &str) -> ReadResult {
    Package::new("https://example.com/l", "1.0.0")
        .node("sub/n.md", "title: T", body)
        .node("other.md", "", "")
        .file("sources/a b.txt", "x")
        .read_plainly()
}

#[track_caller]
fn assert_found(body: &str, expected: &[(Code, u32)]) {
    let found: Vec<(Code, u32)> =
        read(body).diagnostics.iter().map(|d| (d.code, d.line.unwrap_or(0))).collect();
    assert_eq!(found, expected, "{body:?}");
}

#[test]
fn links_to_files_of_the_package_are_fine() {
    for body in [
        "[a](../other.md)",
        "[a](/other.md#x)",
        "![a](<../../sources/a b.txt> \"T\")",
        "[a](../../sources/a%20b.txt?q) [b](n.md)",
        "[a](#here) [b](https://e.x/none.md) [c](mailto:x) [d](C:/x) [e]()",
        "`[a](none.md)`\n\n~~~\n[a](none.md)\n~~~\n[a][none.md]\n\\`",
        "[a](%zz.md) [a](%ff.md)",
    ] {
        assert_found(body, &[]);
    }
}

/// Lines count from the top of the file; the body begins in line 5.
#[test]
fn missing_files_and_ways_out_are_reported_with_their_line() {
    assert_found("[a](none.md)", &[(Code::LinkUnresolved, 5)]);
    assert_found("\n\n![a]( none.md 'T' )", &[(Code::LinkUnresolved, 7)]);
    assert_found("[a](../../../x)", &[(Code::UnsafePath, 5)]);
    assert_found("[a](%2e%2e/..%2f../x)", &[(Code::UnsafePath, 5)]);
    assert_found("[a](/../../etc/passwd)", &[(Code::UnsafePath, 5)]);
    assert_found("`x` [a](none.md) [b](none.md)", &[(Code::LinkUnresolved, 5); 2]);
    assert_found("```\n[a](none.md)\n```\n[b](none.md)", &[(Code::LinkUnresolved, 8)]);
    assert!(!read("[a](../../../x)").valid);
    assert!(read("[a](none.md)").valid);
}

/// Each shape twice as long takes about twice as long, not four times.
#[test]
fn a_hostile_body_is_read_in_one_go() {
    let spaces = " ".repeat(50_000);
    for unit in ["[", "](", "[](", "`", "`[](", "[a](b ", "[a](<", "![", "~~~\n", "[a](b \""] {
        let time = |length: usize| {
            let body = unit.repeat(length / unit.len()) + &spaces[..length / 4];
            let started = std::time::Instant::now();
            read(&body);
            started.elapsed()
        };
        let (short, long) = (time(50_000), time(200_000));
        // Room for a busy machine; quadratic work on the long body would take a minute.
        assert!(
            long < short * 12 + std::time::Duration::from_secs(3),
            "{unit:?} {short:?} {long:?}"
        );
    }
}
