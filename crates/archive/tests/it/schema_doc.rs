//! `docs/schema.md` names every table, view and column, and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::*;

#[test]
fn the_schema_document_is_the_schema() {
    let (place, _archive) = created();
    let conn = rusqlite::Connection::open(&place.path).unwrap();
    let mut statement = conn
        .prepare(
            "SELECT s.name, c.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c
             WHERE s.type IN ('table', 'view') AND s.name NOT GLOB 'sqlite_*' AND s.name NOT GLOB '*_fts_*'
             ORDER BY s.name, c.cid",
        )
        .unwrap();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    for row in rows {
        let (table, column): (String, String) = row.unwrap();
        found.entry(table).or_default().push(column);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema.md");
    let documented = documented(&fs::read_to_string(path).unwrap());
    assert_eq!(documented, found);
}

/// Sections `### name` with rows `| column | … |`.
fn documented(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut table = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("### ") {
            table = Some(name.trim_matches('`').to_owned());
            tables.entry(name.trim_matches('`').to_owned()).or_default();
        } else if line.starts_with('#') {
            table = None;
        } else if let (Some(table), Some(row)) = (&table, line.strip_prefix("| `")) {
            let column = row.split('`').next().unwrap().to_owned();
            tables.get_mut(table).unwrap().push(column);
        }
    }
    tables
}
