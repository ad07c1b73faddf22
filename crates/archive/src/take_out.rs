//! Takes a partial source out again: what a cancelled or broken import leaves.

use rusqlite::OptionalExtension;

use crate::table::{segment, source};
use crate::{Batch, Error, Rebuild, Result, SourceId, SourceState};

statements! {
    /// Whether rows of other sources stand in a conversation that this source touched.
    ENTANGLED = "SELECT EXISTS (
        SELECT 1 FROM run WHERE source_id = ?1
            AND conversation_id NOT IN (SELECT id FROM conversation WHERE source_id = ?1)
        UNION ALL SELECT 1 FROM message WHERE source_id = ?1
            AND conversation_id NOT IN (SELECT id FROM conversation WHERE source_id = ?1)
        UNION ALL SELECT 1 FROM conversation c JOIN run r ON r.conversation_id = c.id
            WHERE c.source_id = ?1 AND r.source_id <> ?1
        UNION ALL SELECT 1 FROM conversation c JOIN message m ON m.conversation_id = c.id
            WHERE c.source_id = ?1 AND m.source_id <> ?1
        UNION ALL SELECT 1 FROM run r JOIN run_occurrence o ON o.run_id = r.id
            WHERE r.source_id = ?1 AND o.source_id <> ?1)";
    FORGET_MESSAGES = "INSERT INTO message_fts (message_fts, rowid, text) SELECT 'delete', id, text FROM message
        WHERE source_id = ?1 AND text <> '' AND class NOT IN ('tool', 'activity')";
    FOREIGN_SOURCES = "DELETE FROM foreign_source WHERE source_id = ?1";
    FINDINGS = "DELETE FROM finding WHERE source_id = ?1";
    CITATIONS = "DELETE FROM citation WHERE citation_event_id IN (SELECT id FROM citation_event WHERE source_id = ?1)";
    CITATION_EVENTS = "DELETE FROM citation_event WHERE source_id = ?1";
    SEGMENTS = "DELETE FROM tool_call_segment WHERE source_id = ?1";
    TOOL_CALLS = "DELETE FROM tool_call WHERE source_id = ?1";
    EDITS = "DELETE FROM message_edit WHERE source_id = ?1";
    ALIASES = "DELETE FROM message_alias WHERE source_id = ?1";
    MESSAGES = "DELETE FROM message WHERE source_id = ?1";
    OCCURRENCES = "DELETE FROM run_occurrence WHERE source_id = ?1";
    RUNS = "DELETE FROM run WHERE source_id = ?1";
    STATES = "DELETE FROM thread_state WHERE conversation_id IN (SELECT id FROM conversation WHERE source_id = ?1)";
    CONVERSATIONS = "DELETE FROM conversation WHERE source_id = ?1";
    CONNECTIONS = "DELETE FROM connection WHERE source_id = ?1";
}

/// What was first met in the source, in the order in which rows may go.
pub(crate) const OWN: &[&str] = &[
    FORGET_MESSAGES,
    FOREIGN_SOURCES,
    FINDINGS,
    CITATIONS,
    CITATION_EVENTS,
    SEGMENTS,
    TOOL_CALLS,
    EDITS,
    ALIASES,
    MESSAGES,
    OCCURRENCES,
    RUNS,
    STATES,
    CONVERSATIONS,
    CONNECTIONS,
];

/// Rows that nothing refers to any more once the citations and conversations of a source are gone.
/// These look at every record once: taking a source out is rare.
pub(crate) const SWEEP: &[&str] = &[
    "INSERT INTO record_fts (record_fts, rowid, title, description, text)
        SELECT 'delete', id, title, description, text FROM record r
        WHERE NOT EXISTS (SELECT 1 FROM citation WHERE record_id = r.id)",
    "DELETE FROM signer WHERE NOT EXISTS (SELECT 1 FROM citation c WHERE c.record_id = signer.record_id)",
    "DELETE FROM review WHERE NOT EXISTS (SELECT 1 FROM citation c WHERE c.record_id = review.record_id)",
    "DELETE FROM relation WHERE NOT EXISTS (SELECT 1 FROM citation c WHERE c.record_id = relation.record_id)",
    "DELETE FROM record WHERE NOT EXISTS (SELECT 1 FROM citation c WHERE c.record_id = record.id)",
    "DELETE FROM node WHERE NOT EXISTS (SELECT 1 FROM record r WHERE r.node_id = node.id)",
    "DELETE FROM package WHERE NOT EXISTS (SELECT 1 FROM record r WHERE r.package_id = package.id)
        AND NOT EXISTS (SELECT 1 FROM node n WHERE n.package_id = package.id)",
    "DELETE FROM service WHERE NOT EXISTS (SELECT 1 FROM conversation c WHERE c.service_id = service.id)
        AND NOT EXISTS (SELECT 1 FROM connection n WHERE n.service_id = service.id)",
];

/// What became of a source that was to be taken out.
pub enum TakenOut<'w> {
    /// It is gone, with all that was first met in it.
    Gone,
    /// Other sources have runs in its conversations, whose rows it may have changed. It is gone within this
    /// rebuild: derive the other sources again and finish; dropped, the source stays partial.
    ByRebuild(Rebuild<'w>),
}

impl<'w> TakenOut<'w> {
    pub(crate) fn begin(batch: &'w mut Batch, id: SourceId) -> Result<Self> {
        let held = batch.source(id)?.ok_or_else(|| Error::NotFound(format!("source {id}")))?;
        if held.state == SourceState::Complete {
            return Err(Error::BadInput(format!(
                "source {id} is complete, and an archive only adds"
            )));
        }
        let entangled: Option<bool> =
            batch.statement(ENTANGLED)?.query_row([id], |row| row.get(0)).optional()?;
        if entangled == Some(true) {
            let rebuild = Rebuild::begin(batch)?;
            rebuild.execute(segment::OF_SOURCE_CLEAR, [id])?;
            rebuild.execute(source::DELETE, [id])?;
            return Ok(Self::ByRebuild(rebuild));
        }
        batch.begin()?;
        let done = batch.remove_source(id).and_then(|()| batch.commit());
        if done.is_err() {
            batch.roll_back();
        }
        done.map(|()| Self::Gone)
    }
}

impl Batch {
    fn remove_source(&mut self, id: SourceId) -> Result<()> {
        for sql in OWN {
            self.execute(sql, [id])?;
        }
        for sql in SWEEP {
            self.execute(sql, [])?;
        }
        self.count_again()?;
        self.execute(segment::OF_SOURCE_CLEAR, [id])?;
        self.execute(source::DELETE, [id]).map(drop)
    }
}
