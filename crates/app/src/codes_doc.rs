//! `docs/findings.md`, made from the code tables.

use std::{fmt::Write, fs, path::Path};

use crate::codes;

/// What a table row needs.
struct Row {
    id: &'static str,
    severity: &'static str,
    meaning: &'static str,
    rule: &'static str,
}

fn rows() -> Vec<Row> {
    use agui::finding::Severity as A;
    use moca::Severity as M;
    let agui = agui::finding::CODES.iter().chain(codes::CODES).map(|code| Row {
        id: code.id,
        severity: match code.severity {
            A::Info => "info",
            A::Warning => "warning",
            A::Error => "error",
        },
        meaning: code.meaning,
        rule: code.rule,
    });
    let moca = moca::finding::CODES.iter().map(|code| Row {
        id: code.id,
        severity: match code.severity {
            M::Info => "info",
            M::Warning => "warning",
            M::Error => "error",
        },
        meaning: code.meaning,
        rule: code.rule,
    });
    let mut rows: Vec<Row> = agui.chain(moca).collect();
    rows.sort_by_key(|row| row.id);
    rows
}

fn document() -> String {
    let mut text = String::from(
        "# Findings\n\n\
         Anything wrong or noteworthy in a recording becomes a finding: a stable code, a severity, a place and a sentence. \
         A finding never costs its neighbours; the event it is about is kept as received.\n\n\
         | Severity | Meaning |\n| --- | --- |\n\
         | error | Content could not be used. |\n\
         | warning | A rule is broken; the content is usable. |\n\
         | info | Worth knowing; nothing is wrong. |\n\n\
         `agui.…` codes are about the AG-UI stream, `moca.…` about citation events and records, `recite.…` about the archive as a whole. \
         This page is made from the code tables: `UPDATE_DOCS=1 cargo test -p app findings_page`.\n\n\
         | Code | Severity | Meaning | Rule |\n| --- | --- | --- | --- |\n",
    );
    for row in rows() {
        let cell = |text: &str| text.replace('|', "\\|");
        writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            row.id,
            row.severity,
            cell(row.meaning),
            cell(row.rule)
        )
        .unwrap();
    }
    text
}

#[test]
fn findings_page_lists_every_code() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/findings.md");
    let made = document();
    #[allow(clippy::disallowed_methods, reason = "a test that writes the page when asked to")]
    let update = std::env::var("UPDATE_DOCS").is_ok();
    if update {
        fs::write(&page, &made).unwrap();
    }
    let held = fs::read_to_string(&page).unwrap_or_default();
    assert!(
        held == made,
        "docs/findings.md is not what the code tables make; run UPDATE_DOCS=1 cargo test -p app findings_page"
    );
}

#[test]
fn codes_are_unique() {
    let mut ids: Vec<&str> = rows().iter().map(|row| row.id).collect();
    let before = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), before);
}
