//! Whom a damage concerns: sources and conversations by the names that people know.

use rusqlite::{Params, params};

use super::{Check, Touched};
use crate::value::stored;
use crate::{Source, SourceId};

/// Most conversations named with one damage, and most rows looked at for them.
pub const MAX_TOUCHED: u32 = 20;

statements! {
    OF_BYTES = "SELECT s.id, s.name, c.id, c.title FROM run r JOIN source s ON s.id = r.source_id
        JOIN conversation c ON c.id = r.conversation_id
        WHERE r.source_id = ?1 AND r.content_start < ?3 AND r.content_end > ?2 ORDER BY r.content_start LIMIT ?4";
    OF_SOURCE = "SELECT s.id, s.name, c.id, c.title FROM source s JOIN conversation c ON c.id IN (
            SELECT id FROM conversation WHERE source_id = ?1 UNION SELECT conversation_id FROM run WHERE source_id = ?1)
        WHERE s.id = ?1 ORDER BY c.id LIMIT ?2";
    OF_MESSAGE = "SELECT s.id, s.name, c.id, c.title FROM message m JOIN source s ON s.id = m.source_id
        JOIN conversation c ON c.id = m.conversation_id WHERE m.id = ?1 LIMIT ?2";
    OF_RECORD = "SELECT s.id, s.name, c.id, c.title FROM citation i JOIN citation_event e ON e.id = i.citation_event_id
        JOIN source s ON s.id = e.source_id JOIN conversation c ON c.id = i.conversation_id
        WHERE i.record_id = ?1 LIMIT ?2";
}

impl Check<'_> {
    /// By a range of a source's content.
    pub(super) fn touched_by_bytes(
        &self,
        source: &Source,
        bytes: &std::ops::Range<u64>,
    ) -> Vec<Touched> {
        let range = (stored(bytes.start), stored(bytes.end));
        let found = self.touched(OF_BYTES, params![source.id, range.0, range.1, MAX_TOUCHED]);
        or_alone(source, found)
    }

    /// By a source as a whole.
    pub(super) fn touched_by_source(&self, source: &Source) -> Vec<Touched> {
        or_alone(source, self.touched(OF_SOURCE, params![source.id, MAX_TOUCHED]))
    }

    /// By the row of a message.
    pub(super) fn touched_by_message(&self, message: i64) -> Vec<Touched> {
        self.touched(OF_MESSAGE, params![message, MAX_TOUCHED])
    }

    /// By the row of a record.
    pub(super) fn touched_by_record(&self, record: i64) -> Vec<Touched> {
        self.touched(OF_RECORD, params![record, MAX_TOUCHED])
    }

    /// What a statement finds; nothing where the damage itself is in its way.
    fn touched(&self, sql: &str, params: impl Params) -> Vec<Touched> {
        let rows = self.conn.prepare_cached(sql).and_then(|mut statement| {
            let rows = statement.query_map(params, |row| {
                Ok((row.get(0)?, row.get(1)?, (row.get(2)?, row.get(3)?)))
            })?;
            rows.collect::<rusqlite::Result<Vec<(SourceId, String, (_, String))>>>()
        });
        let mut touched: Vec<Touched> = Vec::new();
        for (source, name, conversation) in rows.unwrap_or_default() {
            match touched.iter_mut().find(|held| held.source == source) {
                Some(held) if held.conversations.contains(&conversation) => {}
                Some(held) => held.conversations.push(conversation),
                None => touched.push(Touched { source, name, conversations: vec![conversation] }),
            }
        }
        touched
    }
}

/// The source is known even where its conversations are not.
fn or_alone(source: &Source, found: Vec<Touched>) -> Vec<Touched> {
    if !found.is_empty() {
        return found;
    }
    vec![Touched { source: source.id, name: source.name.clone(), conversations: Vec::new() }]
}
