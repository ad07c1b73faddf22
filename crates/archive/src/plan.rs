//! Explains every query: none reads a growing table from end to end.

use std::collections::BTreeSet;

use rusqlite::Connection;

use crate::migrate::{self, MIGRATIONS, Stamp};
use crate::read::filter::{self, ConversationFilter, Dated, TrustFilter};
use crate::read::findings::{self, FindingFilter};
use crate::read::{citations, conversations, messages, overview, runs};
use crate::table::{
    citation, citation_event, connection, conversation, finding, foreign_source, message, note,
    record, run, segment, service, setting, source, tool_call, total,
};
use crate::{
    CitationEventId, ConversationId, Instant, MessageId, ServiceId, Severity, SourceId, again,
    hash, rebuild, search, take_out,
};

/// Tables that stay small: one row a service, a kind of total, a code, a setting, a schema version.
const SMALL: &[&str] = &["service", "total", "finding_total", "setting", "migration"];

/// Indexes over few rows of a growing table.
const FEW_ROWS: &[&str] = &["source_partial"];

/// Statements that are about a whole table by their nature.
const WHOLE_TABLE: &[&str] = &[source::RESET_DERIVED];

#[test]
fn no_query_scans_a_growing_table() {
    let conn = fresh();
    let mut seen = 0;
    for (name, sql) in fixed_statements() {
        let whole =
            rebuild::CLEAR_ALL.contains(&sql.as_str()) || WHOLE_TABLE.contains(&sql.as_str());
        if !whole {
            explain(&conn, &name, &sql);
        }
        seen += 1;
    }
    assert!(seen > 100, "only {seen} statements are listed");
}

#[test]
fn no_list_of_conversations_scans_and_only_narrowed_ones_sort() {
    let conn = fresh();
    for shape in 0..(1_u32 << 6) {
        for trust in TrustFilter::ALL {
            let on = |bit: u32| shape & (1 << bit) != 0;
            let filter = ConversationFilter {
                text: on(0).then(|| "bicycle".to_owned()),
                service: on(1).then_some(ServiceId(1)),
                since: on(2).then_some(Instant(0)),
                until: None,
                package: on(3).then(|| "p".to_owned()),
                trust: on(4).then_some((*trust, Instant(0))),
                finding: on(5).then(|| "c".to_owned()),
            };
            for dated in [Dated::Yes, Dated::No] {
                let query = filter::query(conversations::COLUMNS, &filter, dated, [0, 0], 201);
                let plan = explain(&conn, &format!("conversations {filter:?}"), &query.sql);
                let narrowed = filter.text.is_some()
                    || filter.package.is_some()
                    || filter.trust.is_some()
                    || filter.finding.is_some();
                let sorts = plan.iter().any(|line| line.contains("TEMP B-TREE FOR ORDER BY"));
                assert!(narrowed || !sorts, "{filter:?} sorts: {plan:#?}");
            }
        }
    }
}

#[test]
fn no_list_of_findings_sorts_or_scans() {
    let conn = fresh();
    for shape in 0..(1_u32 << 6) {
        let on = |bit: u32| shape & (1 << bit) != 0;
        let filter = FindingFilter {
            code: on(0).then(|| "c".to_owned()),
            severity: on(1).then_some(Severity::Error),
            source: on(2).then_some(SourceId(1)),
            conversation: on(3).then_some(ConversationId(1)),
            message: on(4).then_some(MessageId(1)),
            citation_event: on(5).then_some(CitationEventId(1)),
        };
        let (condition, values) = filter.condition();
        let plan = explain(&conn, &format!("findings {filter:?}"), &findings::page_sql(&condition));
        assert!(
            !plan.iter().any(|line| line.contains("TEMP B-TREE FOR ORDER BY")),
            "{filter:?} sorts: {plan:#?}"
        );
        if shape >= 4 {
            explain(&conn, &format!("totals {filter:?}"), &findings::totals_sql(&condition));
        }
        assert_eq!(values.len(), shape.count_ones() as usize);
    }
}

fn fixed_statements() -> Vec<(String, String)> {
    let tables: &[(&str, &[(&str, &str)])] = &[
        ("citation", citation::ALL),
        ("citation_event", citation_event::ALL),
        ("connection", connection::ALL),
        ("conversation", conversation::ALL),
        ("finding", finding::ALL),
        ("foreign_source", foreign_source::ALL),
        ("message", message::ALL),
        ("note", note::ALL),
        ("record", record::ALL),
        ("run", run::ALL),
        ("segment", segment::ALL),
        ("service", service::ALL),
        ("setting", setting::ALL),
        ("source", source::ALL),
        ("tool_call", tool_call::ALL),
        ("total", total::ALL),
        ("migrate", migrate::ALL),
        ("search", search::ALL),
        ("hash", hash::ALL),
        ("take out", take_out::ALL),
        ("again", again::ALL),
        ("read citations", citations::ALL),
        ("read conversations", conversations::ALL),
        ("read messages", messages::ALL),
        ("read overview", overview::ALL),
        ("read runs", runs::ALL),
        ("verify", crate::verify::BYTES_ALL),
        ("verify touched", crate::verify::TOUCHED_ALL),
    ];
    tables
        .iter()
        .flat_map(|(table, all)| {
            all.iter().map(move |(name, sql)| (format!("{table}.{name}"), (*sql).to_owned()))
        })
        .collect()
}

/// Fails on a line of the plan that reads a growing table without a key.
fn explain(conn: &Connection, name: &str, sql: &str) -> Vec<String> {
    let mut statement = conn
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
        .unwrap_or_else(|error| panic!("{name}: {error}\n{sql}"));
    let lines: Vec<String> = statement
        .raw_query()
        .mapped(|row| row.get::<_, String>(3))
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let tables = tables_of(conn);
    for line in lines.iter().filter_map(|line| line.strip_prefix("SCAN ")) {
        let what = line.split_whitespace().next().unwrap_or_default();
        let table = of_alias(sql, what, &tables);
        let growing = tables.contains(&table) && !SMALL.contains(&table.as_str());
        // Full text: a match is a search, whatever SQLite calls it.
        let matched = line.contains("VIRTUAL TABLE INDEX") && line.contains(":M");
        let few = FEW_ROWS.iter().any(|index| line.contains(index));
        assert!(!growing || matched || few, "{name} scans {table}: {line}\n{sql}");
    }
    lines
}

fn tables_of(conn: &Connection) -> BTreeSet<String> {
    let mut statement =
        conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// The table that an alias stands for in a statement.
fn of_alias(sql: &str, alias: &str, tables: &BTreeSet<String>) -> String {
    let words: Vec<&str> = sql
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    words
        .windows(2)
        .find(|pair| pair[1] == alias && tables.contains(pair[0]))
        .map_or_else(|| alias.to_owned(), |pair| pair[0].to_owned())
}

fn fresh() -> Connection {
    let mut conn = Connection::open_in_memory().unwrap();
    conn.execute_batch(again::PLACES).unwrap();
    migrate::apply(&mut conn, MIGRATIONS, 0, Stamp { program: "test", now: Instant(0) }).unwrap();
    conn
}
