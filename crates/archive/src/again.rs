//! Derives some sources again: those that share threads, when they came in another order than they are read in.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, params};

use crate::table::setting;
use crate::take_out::OWN;
use crate::value::Sha256;
use crate::{Batch, ConversationId, Instant, Rebuild, Result, SourceId};

statements! {
    /// Whether another source holds a run of a thread that this source has.
    SHARES_A_THREAD = "SELECT EXISTS (SELECT 1 FROM (
            SELECT DISTINCT thread_id AS id FROM run WHERE source_id = ?1 AND thread_id IS NOT NULL
            UNION SELECT DISTINCT r.thread_id FROM run_occurrence o CROSS JOIN run r ON r.id = o.run_id
                WHERE o.source_id = ?1 AND r.thread_id IS NOT NULL) t
        WHERE EXISTS (SELECT 1 FROM run other WHERE other.thread_id = t.id AND other.source_id <> ?1))";
    THREADS = "SELECT DISTINCT thread_id FROM run WHERE source_id = ?1 AND thread_id IS NOT NULL
        UNION SELECT DISTINCT r.thread_id FROM run_occurrence o CROSS JOIN run r ON r.id = o.run_id
            WHERE o.source_id = ?1 AND r.thread_id IS NOT NULL";
    HOLDERS = "SELECT DISTINCT source_id FROM run WHERE thread_id = ?1
        UNION SELECT DISTINCT o.source_id FROM run r CROSS JOIN run_occurrence o ON o.run_id = r.id
            WHERE r.thread_id = ?1";
    FACTS = "SELECT s.name, s.sha256, s.state = 'complete',
        (SELECT min(started_at) FROM (
            SELECT started_at FROM run WHERE source_id = ?1 AND time_from = 'stated'
            UNION ALL SELECT r.started_at FROM run_occurrence o CROSS JOIN run r ON r.id = o.run_id
                WHERE o.source_id = ?1 AND r.time_from = 'stated'))
        FROM source s WHERE s.id = ?1";
    /// Sources that hold the parent of a run of this source, which it does not hold itself.
    PARENTS = "WITH child (thread_id, parent) AS (
            SELECT thread_id, stated_parent_id FROM run WHERE source_id = ?1 AND stated_parent_id IS NOT NULL
            UNION SELECT r.thread_id, r.stated_parent_id FROM run_occurrence o CROSS JOIN run r ON r.id = o.run_id
                WHERE o.source_id = ?1 AND r.stated_parent_id IS NOT NULL),
        held (child, source_id) AS (
            SELECT c.thread_id || char(0) || c.parent, p.source_id FROM child c
                CROSS JOIN run p ON p.thread_id = c.thread_id AND p.stated_id = c.parent
            UNION SELECT c.thread_id || char(0) || c.parent, o.source_id FROM child c
                CROSS JOIN run p ON p.thread_id = c.thread_id AND p.stated_id = c.parent
                CROSS JOIN run_occurrence o ON o.run_id = p.id)
        SELECT DISTINCT source_id FROM held WHERE child NOT IN (SELECT child FROM held WHERE source_id = ?1)";
    /// The conversation of each run by its place, before it is derived again.
    KEEP_PLACES = "INSERT OR IGNORE INTO temp.place (source_id, first_event, conversation_id)
        SELECT source_id, first_event, conversation_id FROM run WHERE source_id = ?1
        UNION ALL SELECT o.source_id, o.first_event, r.conversation_id FROM run_occurrence o
            CROSS JOIN run r ON r.id = o.run_id WHERE o.source_id = ?1";
    HIGHEST_ID = "SELECT max(id) FROM conversation";
    HOLD_ID = "INSERT INTO conversation (id, source_id, title, title_from, newest_at) VALUES (?1, ?2, '', 'none', 0)";
    RELEASE_ID = "DELETE FROM conversation WHERE id = ?1";
    CONVERSATIONS = "SELECT id FROM conversation WHERE source_id = ?1 ORDER BY id";
    FORMER_ID = "SELECT min(p.conversation_id) FROM run r CROSS JOIN temp.place p
        ON p.source_id = r.source_id AND p.first_event = r.first_event WHERE r.conversation_id = ?1";
}

/// Where the conversation of each run is kept by its place.
pub(crate) const PLACES: &str =
    "CREATE TEMP TABLE place (source_id INTEGER NOT NULL, first_event INTEGER NOT NULL,
    conversation_id INTEGER NOT NULL, PRIMARY KEY (source_id, first_event)) WITHOUT ROWID";

/// Until the end of the transaction rows may refer to what is not there.
const DEFER: &str = "PRAGMA defer_foreign_keys = ON";

/// What has a conversation's id, and the conversation itself.
const RENUMBER: &[&str] = &[
    "UPDATE run SET conversation_id = ?2 WHERE conversation_id = ?1",
    "UPDATE message SET conversation_id = ?2 WHERE conversation_id = ?1",
    "UPDATE message_alias SET conversation_id = ?2 WHERE conversation_id = ?1",
    "UPDATE tool_call SET conversation_id = ?2 WHERE conversation_id = ?1",
    "UPDATE citation_event SET conversation_id = ?2 WHERE conversation_id = ?1",
    "UPDATE citation SET conversation_id = ?2 WHERE conversation_id = ?1",
    "UPDATE finding SET conversation_id = ?2 WHERE conversation_id = ?1",
    "UPDATE foreign_source SET conversation_id = ?2 WHERE conversation_id = ?1",
    "UPDATE thread_state SET conversation_id = ?2 WHERE conversation_id = ?1",
    "UPDATE conversation SET id = ?2 WHERE id = ?1",
];

/// A source among those that share threads with each other, with what orders them: equal for every order of import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relative {
    /// Its row.
    pub source: SourceId,
    /// Earliest time that a run of it states.
    pub first_at: Option<Instant>,
    /// Its name.
    pub name: String,
    /// SHA-256 of its bytes as given.
    pub sha256: Sha256,
    /// It was taken in to its end.
    pub complete: bool,
    /// Sources with the parents of its runs.
    pub parents: BTreeSet<SourceId>,
}

/// Conversations that a source takes out of the way while others are derived again.
pub struct Former {
    sources: Vec<SourceId>,
    held: ConversationId,
}

impl Batch {
    /// A setting as this transaction sees it.
    ///
    /// # Errors
    /// Storage.
    pub fn setting(&self, key: &str) -> Result<Option<String>> {
        Ok(self.statement(setting::GET)?.query_row([key], |row| row.get(0)).optional()?)
    }

    /// Keeps a setting with this transaction; `None` removes it.
    ///
    /// # Errors
    /// Storage.
    pub fn keep_setting(&mut self, key: &str, value: Option<&str>) -> Result<()> {
        match value {
            Some(value) => self.execute(setting::SET, [key, value]),
            None => self.execute(setting::REMOVE, [key]),
        }
        .map(drop)
    }

    /// Whether another source has runs of a thread that this source has runs of.
    ///
    /// # Errors
    /// Storage.
    pub fn shares_a_thread(&self, source: SourceId) -> Result<bool> {
        Ok(self.statement(SHARES_A_THREAD)?.query_row([source], |row| row.get(0))?)
    }

    /// All sources that share a thread with this one, or with one of those, and so on; itself among them. Sources of
    /// different families have no conversation in common.
    ///
    /// # Errors
    /// Storage.
    pub fn family(&self, source: SourceId) -> Result<Vec<Relative>> {
        let mut found = BTreeSet::from([source]);
        let mut threads: BTreeSet<String> = BTreeSet::new();
        let mut open = vec![source];
        while let Some(source) = open.pop() {
            for thread in self.column::<String>(THREADS, source)? {
                if !threads.insert(thread.clone()) {
                    continue;
                }
                let mut holders = self.statement(HOLDERS)?;
                for holder in holders.query_map([&thread], |row| row.get(0))? {
                    let holder: SourceId = holder?;
                    if found.insert(holder) {
                        open.push(holder);
                    }
                }
            }
        }
        found.into_iter().map(|source| self.relative(source)).collect()
    }

    fn relative(&self, source: SourceId) -> Result<Relative> {
        let parents = self.column::<SourceId>(PARENTS, source)?.into_iter().collect();
        Ok(self.statement(FACTS)?.query_row([source], |row| {
            Ok(Relative {
                source,
                name: row.get(0)?,
                sha256: row.get(1)?,
                complete: row.get(2)?,
                first_at: row.get(3)?,
                parents,
            })
        })?)
    }

    fn column<T: rusqlite::types::FromSql>(&self, sql: &str, source: SourceId) -> Result<Vec<T>> {
        let mut statement = self.statement(sql)?;
        let rows = statement.query_map([source], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

impl<'w> Rebuild<'w> {
    /// One transaction in which nothing is emptied yet.
    pub(crate) fn begin_partly(batch: &'w mut Batch) -> Result<Self> {
        batch.begin()?;
        Ok(Self::of(batch))
    }

    /// Empties what was derived of these sources, a whole family, so that they can be derived again.
    ///
    /// # Errors
    /// Storage.
    pub fn forget(&mut self, family: &[SourceId]) -> Result<Former> {
        // What waits for the end of the batch must be there to be taken away.
        self.index_new_texts()?;
        self.write_counts()?;
        self.conn.execute_batch(PLACES)?;
        // Rows of one source refer to rows of another; at the end all is there again.
        self.conn.execute_batch(DEFER)?;
        for source in family {
            self.execute(KEEP_PLACES, [source])?;
        }
        let highest: Option<i64> = self.statement(HIGHEST_ID)?.query_row([], |row| row.get(0))?;
        for sql in OWN {
            for source in family {
                self.execute(sql, [source])?;
            }
        }
        self.count_again()?;
        // New conversations get ids above all former ones, so that each can be given its own back.
        let held = ConversationId(highest.unwrap_or(0) + 1);
        if let Some(first) = family.first() {
            self.execute(HOLD_ID, params![held, first])?;
        }
        Ok(Former { sources: family.to_vec(), held })
    }

    /// Gives conversations the ids that they had before: of several that are one now, the oldest.
    ///
    /// # Errors
    /// Storage.
    pub fn give_ids_back(&mut self, former: Former) -> Result<()> {
        self.execute(RELEASE_ID, [former.held])?;
        self.write_counts()?;
        let mut taken: BTreeSet<ConversationId> = BTreeSet::new();
        for source in former.sources {
            for id in self.column::<ConversationId>(CONVERSATIONS, source)? {
                let before: Option<ConversationId> =
                    self.statement(FORMER_ID)?.query_row([id], |row| row.get(0))?;
                let Some(before) = before.filter(|before| taken.insert(*before)) else { continue };
                for sql in RENUMBER {
                    self.execute(sql, params![id, before])?;
                }
            }
        }
        self.conn.execute_batch("DROP TABLE temp.place")?;
        Ok(())
    }
}
