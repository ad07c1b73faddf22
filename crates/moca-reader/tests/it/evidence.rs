//! Evidence: `matched` says that a passage is in the package's own source, and nothing else.

use moca_reader::{Limits, Options};
use serde_json::{Value, json};

use crate::fixture::{NOW, Package, codes};

const POLICY: &str = "## Refunds\n\nCustomers may request a **full refund** within [30 days](https://example.com/terms#refunds) of delivery.\n\n- Café orders are excluded.\n";

fn quote(exact: &str) -> Value {
    json!({ "type": "TextQuoteSelector", "exact": exact })
}

/// A node whose evidence is `selectors`, all against one source.
fn package(resource: &str, source: (&str, &str), selectors: &[Value]) -> Package {
    let evidence: Vec<Value> =
        selectors.iter().map(|s| json!({ "source": "s", "selector": s })).collect();
    let frontmatter = format!(
        "sources: [{{id: s, resource: {resource:?}}}]\nmoca: {{evidence: {}}}",
        Value::from(evidence)
    );
    Package::new("https://example.com/evidence", "1.0.0")
        .node("n.md", &frontmatter, "Body\n")
        .file(source.0, source.1)
}

fn matched(package: &Package, options: &Options) -> (Vec<Option<bool>>, Vec<&'static str>) {
    let result = package.read(options);
    let checks = &result.nodes[0].representations[0].evidence;
    (checks.iter().map(|check| check.matched).collect(), codes(&result))
}

fn plainly(resource: &str, source: (&str, &str), selectors: &[Value]) -> Vec<Option<bool>> {
    matched(&package(resource, source, selectors), &Options::at(NOW)).0
}

#[test]
fn quotes_are_looked_for_in_what_a_person_reads() {
    let selectors = [
        quote("Customers may request a full refund within 30 days of delivery."),
        quote("Café orders are excluded."),
        json!({ "type": "TextPositionSelector", "start": 0, "end": 100 }),
        json!({ "type": "TextPositionSelector", "start": 0, "end": 101 }),
        quote("a **full refund**"),
    ];
    let (found, codes) = matched(
        &package("../sources/policy.md", ("sources/policy.md", POLICY), &selectors),
        &Options::at(NOW),
    );
    assert_eq!(found, [Some(true), Some(true), Some(true), Some(false), Some(false)]);
    assert_eq!(codes, ["C011", "C011"]);
}

#[test]
fn only_sources_inside_the_package_are_looked_into() {
    let at = |resource| plainly(resource, ("sources/policy.md", POLICY), &[quote("Refunds")]);
    assert_eq!(at("../sources/policy.md"), [Some(true)]);
    assert_eq!(at("/../sources/policy.md"), [Some(true)]);
    assert_eq!(at("sources/policy.md"), [None]);
    assert_eq!(at("https://example.com/sources/policy.md"), [None]);
    assert_eq!(at("../sources/gone.md"), [None]);
    assert_eq!(at("../../sources/policy.md"), [None]);
    // Not under `sources/` or `media/`.
    assert_eq!(
        plainly("./other.txt", ("content/other.txt", "Refunds"), &[quote("Refunds")]),
        [None]
    );
    // A kind of file whose text nobody defined.
    assert_eq!(plainly("../media/a.pdf", ("media/a.pdf", "Refunds"), &[quote("Refunds")]), [None]);
}

#[test]
fn what_cannot_be_checked_is_neither_true_nor_false() {
    let selectors = [
        json!({ "type": "FragmentSelector", "value": "page=12", "conformsTo": "http://tools.ietf.org/rfc/rfc3778" }),
        json!({ "type": "CssSelector", "value": "p" }),
        json!("Refunds"),
        Value::Null,
    ];
    let found = plainly("../sources/policy.md", ("sources/policy.md", POLICY), &selectors);
    assert_eq!(found, [None, None, None, None]);
}

#[test]
fn recordings_are_matched_by_words_and_by_time() {
    let talk = "WEBVTT\n\n00:05.000 --> 00:09.500\n<b>Orders</b> over &pound;50\nship free.\n\n00:10.000 --> 00:14.000\n<v Presenter>Bye.\n";
    let during = |value: &str| json!({ "type": "FragmentSelector", "conformsTo": "http://www.w3.org/TR/media-frags/", "value": value });
    let selectors = [
        quote("Orders over &pound;50\nship free.\nBye."),
        during("t=6,8"),
        during("t=00:00:12"),
        during("t=9.5,10"),
        during("page=1"),
    ];
    let found = plainly("../media/talk.vtt", ("media/talk.vtt", talk), &selectors);
    assert_eq!(found, [Some(true), Some(true), Some(true), Some(false), Some(false)]);
}

#[test]
fn limits_leave_entries_unchecked() {
    let package = package(
        "../sources/a.txt",
        ("sources/a.txt", "Alpha\n"),
        &[quote("Alpha"), quote("Beta"), quote("Alpha")],
    );
    let with = |limits: Limits| matched(&package, &Options { limits, ..Options::at(NOW) });
    let few = Limits { max_evidence_per_node: 2, ..Limits::default() };
    assert_eq!(with(few), (vec![Some(true), Some(false), None], vec!["C011"]));
    let small = Limits { max_source_bytes_checked: 5, ..Limits::default() };
    assert_eq!(with(small), (vec![None, None, None], vec![]));
    let equal = Limits { max_source_bytes_checked: 6, ..Limits::default() };
    assert_eq!(with(equal).0, [Some(true), Some(false), Some(true)]);
    let one_scan = Limits { max_evidence_scan_bytes: 6, ..Limits::default() };
    assert_eq!(with(one_scan).0, [Some(true), None, None]);
}
