//! One small package for each code that a manifest or a node can come to.

use moca_reader::{Options, Severity};
use serde_json::json;

use crate::fixture::{NOW, Package};

const ID: &str = "https://example.com/p";

/// Code, severity, file, package.
type Case = (&'static str, Severity, Option<&'static str>, Package);

fn manifest(more: serde_json::Value) -> Package {
    let mut manifest = json!({ "id": ID, "version": "1.0.0" });
    manifest.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    Package::with_manifest(manifest).node("a.md", "", "Body.")
}

fn plain() -> Package {
    manifest(json!({}))
}

fn cases() -> Vec<Case> {
    use Severity::{Error, Info, Warning};
    let (m, b) = (Some("moca.json"), Some("content/b.md"));
    let pin = json!({ "id": "https://example.com/m", "version": "1.0.0", "digest": format!("sha256:{}", "0".repeat(64)) });
    let evidence = |source: &str, exact: &str| {
        format!(
            "sources: [{{id: s, resource: ../sources/s.txt}}]\n\
             moca: {{evidence: [{{source: {source}, selector: {{type: TextQuoteSelector, exact: {exact}}}}}]}}"
        )
    };
    let with_source = || plain().file("sources/s.txt", "There.");
    vec![
        ("M001_MANIFEST_INVALID_JSON", Error, m, plain().file("moca.json", "{")),
        ("M002_MANIFEST_SCHEMA", Error, m, manifest(json!({ "version": "1" }))),
        ("M003_NO_CONTENT", Error, None, Package::new(ID, "1.0.0")),
        ("M004_UNKNOWN_KEY", Info, m, manifest(json!({ "colour": "red" }))),
        ("M005_DUPLICATE_MEMBER", Error, m, manifest(json!({ "members": [pin, pin] }))),
        (
            "M006_VALIDITY_WINDOW_INVALID",
            Warning,
            m,
            manifest(json!({ "validFrom": "2026-02-01", "validUntil": "2026-02-01" })),
        ),
        ("M007_UNREGISTERED_URN", Info, m, manifest(json!({ "id": "urn:bikes:p" }))),
        ("M008_DIGEST_V1_PACKAGE", Info, m, manifest(json!({ "mocaVersion": "0.3" }))),
        (
            "F001_PROFILE_UNRECOGNISED",
            Info,
            m,
            manifest(json!({ "profiles": { "https://example.com/profile": {} } })),
        ),
        ("C001_FRONTMATTER_MISSING", Error, b, plain().file("content/b.md", "Body.")),
        ("C002_FRONTMATTER_INVALID", Error, b, plain().file("content/b.md", "---\na: [\n---\n")),
        ("C003_TYPE_MISSING", Error, b, plain().file("content/b.md", "---\ntitle: T\n---\n")),
        (
            "C004_RESERVED_FILE_INVALID",
            Error,
            Some("content/sub/index.md"),
            plain().file("content/sub/index.md", "---\ntype: Note\n---\n"),
        ),
        ("C005_FIELD_INVALID", Warning, b, plain().node("b.md", "status: gone", "")),
        (
            "C006_EVIDENCE_SOURCE_UNKNOWN",
            Warning,
            b,
            with_source().node("b.md", &evidence("other", "There."), ""),
        ),
        ("C007_LINK_UNRESOLVED", Warning, b, plain().node("b.md", "", "[a](gone.md)")),
        ("C008_UNSAFE_PATH", Error, b, plain().node("b.md", "", "[a](../../a.md)")),
        (
            "C009_LOCALE_ORPHAN",
            Warning,
            Some("content/b.fr.md"),
            manifest(json!({ "locales": ["fr"] })).node("b.fr.md", "", ""),
        ),
        (
            "C010_VALIDITY_WINDOW_INVALID",
            Warning,
            b,
            plain().node("b.md", "moca: {valid_from: 2026-02-01, valid_until: 2026-01-01}", ""),
        ),
        (
            "C011_EVIDENCE_SELECTOR_UNMATCHED",
            Warning,
            b,
            with_source().node("b.md", &evidence("s", "Absent."), ""),
        ),
    ]
}

#[test]
fn each_code_is_found_with_its_severity_and_file() {
    for (code, severity, file, package) in cases() {
        let result = package.read_plainly();
        let found: Vec<_> = result
            .diagnostics
            .iter()
            .map(|d| (d.code.as_str(), d.severity, d.file.as_deref()))
            .collect();
        assert_eq!(found, [(code, severity, file)]);
        assert_eq!(result.valid, severity != Severity::Error, "{code}");
    }
}

#[test]
fn strict_mode_makes_every_warning_an_error_and_changes_nothing_else() {
    let strict = Options { strict: true, ..Options::at(NOW) };
    for (code, severity, _, package) in cases() {
        let (plain, result) = (package.read_plainly(), package.read(&strict));
        let expected = match severity {
            Severity::Warning => Severity::Error,
            other => other,
        };
        assert_eq!(
            (result.diagnostics[0].code.as_str(), result.diagnostics[0].severity),
            (code, expected)
        );
        assert_eq!(result.diagnostics.len(), 1, "{code}");
        assert_eq!(result.valid, expected != Severity::Error, "{code}");
        assert_eq!(result.digest, plain.digest, "{code}");
        assert_eq!(result.capabilities.is_empty(), !result.valid, "{code}");
    }
}

#[test]
fn a_manifest_may_begin_with_one_byte_order_mark_which_its_digest_covers() {
    let bare = plain();
    let manifest = format!(r#"{{"id":"{ID}","version":"1.0.0","title":"Fixture"}}"#);
    let marked = bare.clone().file("moca.json", format!("\u{feff}{manifest}"));
    let (bare, read) =
        (bare.file("moca.json", manifest.clone()).read_plainly(), marked.read_plainly());
    assert!(read.valid && read.diagnostics.is_empty(), "{:?}", read.diagnostics);
    assert_ne!(read.digest, bare.digest);
    let twice = plain().file("moca.json", format!("\u{feff}\u{feff}{manifest}")).read_plainly();
    assert_eq!(twice.diagnostics[0].code.as_str(), "M001_MANIFEST_INVALID_JSON");
}

#[test]
fn what_is_not_json_in_utf8_is_no_manifest() {
    let utf16: Vec<u8> = "{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let deep = ["[".repeat(200), "]".repeat(200)].concat();
    let bad: [&[u8]; 6] = [
        b"",
        b"{\"id\": \"\xff\"}",
        &utf16,
        br#"{"a": "\ud800"}"#,
        br#"{"a": 1e999}"#,
        deep.as_bytes(),
    ];
    for bytes in bad {
        let result = plain().file("moca.json", bytes).read_plainly();
        let found: Vec<_> = result.diagnostics.iter().map(|d| d.code.as_str()).collect();
        assert_eq!(found, ["M001_MANIFEST_INVALID_JSON"], "{:?}", String::from_utf8_lossy(bytes));
        assert!(result.digest.is_none() && result.manifest.is_none());
    }
}
