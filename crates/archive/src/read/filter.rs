//! Which conversations a list shows, as SQL put together from fixed parts.

use rusqlite::ToSql;

use crate::{Instant, ServiceId};

/// Newest matches of a text that are looked at; a page says when there were more.
pub const TEXT_WINDOW: u32 = 20_000;

/// Longest text searched for, in bytes, and most words of it; the rest is left out.
const MAX_TEXT_BYTES: usize = 1024;
const MAX_WORDS: usize = 32;

/// Which conversations to list; all conditions hold together.
#[derive(Debug, Clone, Default)]
pub struct ConversationFilter {
    /// Words that all occur in one message, or all in one cited record; the last may be the start of one.
    pub text: Option<String>,
    /// Only this service.
    pub service: Option<ServiceId>,
    /// Last activity at or after this instant.
    pub since: Option<Instant>,
    /// Last activity before this instant.
    pub until: Option<Instant>,
    /// Cites a package with this id.
    pub package: Option<String>,
    /// Cites a record of which this is stated, or true by its own dates at the instant beside it.
    pub trust: Option<(TrustFilter, Instant)>,
    /// Has a finding of this code.
    pub finding: Option<String>,
}

/// What can be asked of cited records. The word of a state comes from `moca`; this only narrows a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrustFilter {
    /// `status` is `draft`.
    Draft,
    /// `status` is `deprecated`.
    Deprecated,
    /// Stated stale, or past its `staleAfter`.
    Stale,
    /// Stated not in force, or outside its `validFrom`–`validUntil`.
    NotInForce,
    /// Stated superseded.
    Superseded,
    /// Stated contested.
    Contested,
    /// The package is not signed.
    Unsigned,
    /// The record is invalid.
    Invalid,
}

impl TrustFilter {
    /// Every value.
    pub const ALL: &[Self] = &[
        Self::Draft,
        Self::Deprecated,
        Self::Stale,
        Self::NotInForce,
        Self::Superseded,
        Self::Contested,
        Self::Unsigned,
        Self::Invalid,
    ];

    /// Condition on `record`, each part of which has an index; `:now` may occur.
    fn condition(self) -> &'static str {
        match self {
            Self::Draft => "status = 'draft'",
            Self::Deprecated => "status = 'deprecated'",
            Self::Stale => "stale = 1 OR stale_after_at <= :now",
            Self::NotInForce => "in_force = 0 OR valid_from_at > :now OR valid_until_at < :now",
            Self::Superseded => "superseded = 1",
            Self::Contested => "contested = 1",
            Self::Unsigned => "signed = 0",
            Self::Invalid => "valid = 0",
        }
    }

    fn uses_now(self) -> bool {
        matches!(self, Self::Stale | Self::NotInForce)
    }
}

/// The statement of a filter, with its values.
pub(crate) struct Query<'f> {
    pub(crate) sql: String,
    pub(crate) values: Vec<(&'static str, Value<'f>)>,
}

/// A value that a statement borrows or owns.
pub(crate) enum Value<'f> {
    Borrowed(&'f dyn ToSql),
    Integer(i64),
    Text(String),
}

impl Value<'_> {
    pub(crate) fn as_sql(&self) -> &dyn ToSql {
        match self {
            Self::Borrowed(value) => *value,
            Self::Integer(value) => value,
            Self::Text(value) => value,
        }
    }
}

/// Whether a recording states a time of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dated {
    Yes,
    No,
}

/// Puts the statement for a page together: `before` is the key of the last row seen.
pub(crate) fn query<'f>(
    columns: &str,
    filter: &'f ConversationFilter,
    dated: Dated,
    before: [i64; 2],
    rows: u32,
) -> Query<'f> {
    let stated = match dated {
        Dated::Yes => "NOT NULL",
        Dated::No => "NULL",
    };
    let mut sql =
        format!("{columns} WHERE (c.newest_at, c.id) < (:newest, :id) AND c.last_at IS {stated}");
    let mut values = vec![
        (":newest", Value::Integer(before[0])),
        (":id", Value::Integer(before[1])),
        (":rows", Value::Integer(i64::from(rows))),
    ];
    if let Some(service) = &filter.service {
        sql.push_str(" AND c.service_id = :service");
        values.push((":service", Value::Borrowed(service)));
    }
    if let Some(since) = &filter.since {
        sql.push_str(" AND c.newest_at >= :since");
        values.push((":since", Value::Borrowed(since)));
    }
    if let Some(package) = &filter.package {
        sql.push_str(
            " AND c.id IN (SELECT i.conversation_id FROM package p JOIN record r ON r.package_id = p.id
              JOIN citation i ON i.record_id = r.id WHERE p.stated_id = :package)",
        );
        values.push((":package", Value::Borrowed(package)));
    }
    if let Some((trust, now)) = &filter.trust {
        sql.push_str(" AND c.id IN (SELECT i.conversation_id FROM record r JOIN citation i ON i.record_id = r.id WHERE ");
        sql.push_str(trust.condition());
        sql.push(')');
        if trust.uses_now() {
            values.push((":now", Value::Borrowed(now)));
        }
    }
    if let Some(code) = &filter.finding {
        sql.push_str(" AND c.id IN (SELECT f.conversation_id FROM finding f WHERE f.code = :code)");
        values.push((":code", Value::Borrowed(code)));
    }
    if let Some(text) = filter.text.as_deref().and_then(match_expression) {
        sql.push_str(
            " AND c.id IN (
              SELECT m.conversation_id FROM message m WHERE m.id IN
                (SELECT rowid FROM message_fts WHERE message_fts MATCH :text ORDER BY rowid DESC LIMIT :window)
              UNION SELECT i.conversation_id FROM citation i WHERE i.record_id IN
                (SELECT rowid FROM record_fts WHERE record_fts MATCH :text ORDER BY rowid DESC LIMIT :window))",
        );
        values.push((":text", Value::Text(text)));
        values.push((":window", Value::Integer(i64::from(TEXT_WINDOW))));
    }
    sql.push_str(" ORDER BY c.newest_at DESC, c.id DESC LIMIT :rows");
    Query { sql, values }
}

/// Words of a person as an FTS5 expression: every word quoted, so that none is an operator; the last may be the
/// start of one. `None` when there is no word.
pub(crate) fn match_expression(text: &str) -> Option<String> {
    let text = &text[..text.floor_char_boundary(MAX_TEXT_BYTES)];
    let words: Vec<String> = text
        .split(|c: char| c.is_whitespace() || c == '\0')
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .take(MAX_WORDS)
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect();
    (!words.is_empty()).then(|| format!("{}*", words.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_never_operators() {
        assert_eq!(match_expression("a OR b").as_deref(), Some("\"a\" \"OR\" \"b\"*"));
        assert_eq!(match_expression("x\" NEAR(y)").as_deref(), Some("\"x\"\"\" \"NEAR(y)\"*"));
        assert_eq!(match_expression("  * \" - ").as_deref(), None);
        assert_eq!(match_expression("text:secret*").as_deref(), Some("\"text:secret*\"*"));
        assert!(match_expression(&"word ".repeat(100_000)).is_some_and(|text| text.len() < 1000));
    }
}
