//! One hash over everything derived, by nature and not by row: equal for equal archives, whatever order their rows
//! were written in. For the tests of rebuild, resume and restore.

use rusqlite::types::ValueRef;
use rusqlite::{Params, Row};
use sha2::Digest;

use crate::{Reader, Result, Sha256};

/// A hash over the digests of rows in any order.
#[derive(Default)]
struct Bag(Vec<[u8; 32]>);

statements! {
    CONVERSATIONS = "SELECT id FROM conversation WHERE id > ?1 ORDER BY id LIMIT 1";
    CONVERSATION = "SELECT s.sha256, v.key, c.thread_id, c.title, c.title_from, c.runs, c.messages, c.answers,
        c.citation_events, c.citations, c.findings, c.first_at, c.last_at, c.newest_at
        FROM conversation c JOIN source s ON s.id = c.source_id LEFT JOIN service v ON v.id = c.service_id
        WHERE c.id = ?1";
    STATE = "SELECT state, fold FROM thread_state WHERE conversation_id = ?1";
    RUNS = "SELECT s.sha256, n.number, r.number, r.thread_id, r.stated_id, r.stated_parent_id, p.hash, r.parent_means,
        r.protocol_version, w.hash, r.ending, r.ending_detail, r.started, r.question, r.compacted, r.hash,
        r.first_event, r.events, r.content_start, r.content_end, r.started_at, r.ended_at, r.time_from, r.usage, r.extra
        FROM run r JOIN source s ON s.id = r.source_id JOIN connection n ON n.id = r.connection_id
        LEFT JOIN run p ON p.id = r.parent_id LEFT JOIN run w ON w.id = r.variant_id WHERE r.conversation_id = ?1";
    OCCURRENCES = "SELECT r.number, s.sha256, n.number, o.first_event, o.events, o.content_start, o.content_end
        FROM run r JOIN run_occurrence o ON o.run_id = r.id JOIN source s ON s.id = o.source_id
        JOIN connection n ON n.id = o.connection_id WHERE r.conversation_id = ?1";
    MESSAGES = "SELECT s.sha256, r.number, m.number, m.position, m.stated_id, m.id_derived, m.role, m.class, m.name,
        m.origin, m.text, m.text_sha256, m.text_size, m.cut, m.ending, m.answers_call, m.activity_type, m.content,
        m.extra, m.encrypted, m.subagent_run_id, m.first_event, m.content_start, m.content_end, m.timestamp, m.stated_at
        FROM message m JOIN source s ON s.id = m.source_id LEFT JOIN run r ON r.id = m.run_id
        WHERE m.conversation_id = ?1";
    ALIASES = "SELECT s.sha256, m.number, r.number, a.alias, a.reason, a.event
        FROM message_alias a JOIN source s ON s.id = a.source_id JOIN message m ON m.id = a.message_id
        LEFT JOIN run r ON r.id = a.run_id WHERE a.conversation_id = ?1";
    EDITS = "SELECT s.sha256, m.number, r.number, e.origin, e.text, e.event
        FROM message m JOIN message_edit e ON e.message_id = m.id JOIN source s ON s.id = e.source_id
        LEFT JOIN run r ON r.id = e.run_id WHERE m.conversation_id = ?1";
    CALLS = "SELECT s.sha256, m.number, r.number, t.number, t.stated_id, t.id_derived, t.name, w.number, t.first_event,
        t.extra FROM tool_call t JOIN source s ON s.id = t.source_id JOIN message m ON m.id = t.message_id
        LEFT JOIN run r ON r.id = t.run_id LEFT JOIN message w ON w.id = t.result_message_id
        WHERE t.conversation_id = ?1";
    SEGMENTS = "SELECT s.sha256, t.number, g.number, r.number, g.first_event, g.arguments, g.ending, g.same_as
        FROM tool_call t JOIN tool_call_segment g ON g.tool_call_id = t.id JOIN source s ON s.id = g.source_id
        LEFT JOIN run r ON r.id = g.run_id WHERE t.conversation_id = ?1";
    EVENTS = "SELECT s.sha256, r.number, m.number, e.stated_message_id, e.found_by, e.state, e.version, e.computed,
        e.computed_at, e.received_at, e.canonical_sha256, e.reasons, e.shown, e.citations, e.event, e.content_start,
        e.content_end FROM citation_event e JOIN source s ON s.id = e.source_id JOIN run r ON r.id = e.run_id
        LEFT JOIN message m ON m.id = e.message_id WHERE e.conversation_id = ?1";
    CITATIONS = "SELECT s.sha256, e.event, c.number, r.sha256, c.marker, c.reason
        FROM citation_event e JOIN citation c ON c.citation_event_id = e.id JOIN source s ON s.id = e.source_id
        LEFT JOIN record r ON r.id = c.record_id WHERE e.conversation_id = ?1";
    FOREIGN = "SELECT s.sha256, r.number, m.number, f.stated_message_id, f.origin, f.title, f.url, f.host, f.event,
        f.content_start, f.content_end FROM foreign_source f JOIN source s ON s.id = f.source_id
        LEFT JOIN run r ON r.id = f.run_id LEFT JOIN message m ON m.id = f.message_id WHERE f.conversation_id = ?1";
    FINDINGS = "SELECT s.sha256, r.number, m.number, e.event, f.code, f.severity, f.message, f.event, f.content_start,
        f.content_end, f.excerpt, f.times FROM finding f JOIN source s ON s.id = f.source_id
        LEFT JOIN run r ON r.id = f.run_id LEFT JOIN message m ON m.id = f.message_id
        LEFT JOIN citation_event e ON e.id = f.citation_event_id WHERE f.conversation_id = ?1";
    FINDINGS_ALONE = "SELECT s.sha256, f.code, f.severity, f.message, f.event, f.content_start, f.content_end, f.excerpt,
        f.times FROM finding f JOIN source s ON s.id = f.source_id WHERE f.conversation_id IS NULL";
}

/// Read once over the whole archive.
const WHOLE: &[&str] = &[
    "SELECT sha256, state, content_sha256, content_size, derived_version, events, runs, conversations, messages,
        citation_events, citations, findings FROM source",
    "SELECT s.sha256, c.number, v.key, c.name, c.url, c.method, c.status, c.transport, c.started, c.redacted,
        c.citations_unknown FROM connection c JOIN source s ON s.id = c.source_id
        LEFT JOIN service v ON v.id = c.service_id",
    "SELECT key, name FROM service",
    "SELECT r.sha256, r.canonical_sha256, r.valid, r.reasons, r.newer, r.ref_rebuilt, p.stated_id, p.version, p.digest,
        n.ref, n.stated_id, n.path, n.type, r.node_digest, r.locale, r.title, r.description, r.text, r.span_start,
        r.span_end, r.signed, r.status, r.stale, r.in_force, r.superseded, r.contested, r.stale_after, r.stale_after_at,
        r.valid_from, r.valid_from_at, r.valid_until, r.valid_until_at FROM record r
        LEFT JOIN package p ON p.id = r.package_id LEFT JOIN node n ON n.id = r.node_id",
    "SELECT r.sha256, s.number, s.signer FROM signer s JOIN record r ON r.id = s.record_id",
    "SELECT r.sha256, v.number, v.kind, v.reviewer, v.stated, v.stated_at, v.outcome, v.scope, v.signer
        FROM review v JOIN record r ON r.id = v.record_id",
    "SELECT r.sha256, l.number, l.kind, l.ref FROM relation l JOIN record r ON r.id = l.record_id",
    "SELECT stated_id, version, digest FROM package",
    "SELECT p.stated_id, p.version, p.digest, n.ref, n.stated_id, n.path, n.type
        FROM node n JOIN package p ON p.id = n.package_id",
    "SELECT name, value FROM total WHERE value <> 0",
    "SELECT code, severity, findings FROM finding_total WHERE findings <> 0",
    FINDINGS_ALONE,
];

const OF_CONVERSATION: &[&str] = &[
    CONVERSATION,
    STATE,
    RUNS,
    OCCURRENCES,
    MESSAGES,
    ALIASES,
    EDITS,
    CALLS,
    SEGMENTS,
    EVENTS,
    CITATIONS,
    FOREIGN,
    FINDINGS,
];

impl Reader {
    /// One hash over all derived rows. Notes, settings and row ids are not in it.
    ///
    /// # Errors
    /// Storage; damaged; cancelled.
    pub fn content_hash(&self) -> Result<Sha256> {
        let mut whole = Bag::default();
        for (number, sql) in (0_u8..).zip(WHOLE) {
            self.add(&mut whole, number, sql, [])?;
        }
        let mut last = 0_i64;
        while let Some(id) = self.row(CONVERSATIONS, [last], |row| row.get::<_, i64>(0))? {
            let mut conversation = Bag::default();
            for (number, sql) in (0_u8..).zip(OF_CONVERSATION) {
                self.add(&mut conversation, number, sql, [id])?;
            }
            whole.0.push(conversation.finish());
            last = id;
        }
        Ok(Sha256(whole.finish()))
    }

    fn add(&self, bag: &mut Bag, table: u8, sql: &str, params: impl Params) -> Result<()> {
        let mut statement = self.conn.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params)?;
        while let Some(row) = rows.next()? {
            bag.0.push(row_digest(table, columns, row)?);
        }
        Ok(())
    }
}

impl Bag {
    fn finish(mut self) -> [u8; 32] {
        self.0.sort_unstable();
        let mut hasher = sha2::Sha256::new();
        self.0.iter().for_each(|digest| hasher.update(digest));
        hasher.finalize().into()
    }
}

/// Every value with its type and length, so that no two rows read the same.
fn row_digest(table: u8, columns: usize, row: &Row<'_>) -> Result<[u8; 32]> {
    let mut hasher = sha2::Sha256::new();
    hasher.update([table]);
    for column in 0..columns {
        match row.get_ref(column)? {
            ValueRef::Null => hasher.update([0]),
            ValueRef::Integer(value) => {
                hasher.update([1]);
                hasher.update(value.to_be_bytes());
            }
            ValueRef::Real(value) => {
                hasher.update([2]);
                hasher.update(value.to_bits().to_be_bytes());
            }
            ValueRef::Text(bytes) => {
                hasher.update([3]);
                hasher.update((bytes.len() as u64).to_be_bytes());
                hasher.update(bytes);
            }
            ValueRef::Blob(bytes) => {
                hasher.update([4]);
                hasher.update((bytes.len() as u64).to_be_bytes());
                hasher.update(bytes);
            }
        }
    }
    Ok(hasher.finalize().into())
}
