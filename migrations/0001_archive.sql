-- Recite archive, schema 1. Immutable once landed; docs/schema.md describes every table.
-- Instants (columns *_at of type INTEGER) are microseconds since 1970-01-01T00:00:00Z; stated times keep their text beside.
-- Checks of more than two words are written with OR: SQLite builds a table in memory for a longer IN at every row.
-- Booleans are 0 or 1. Hashes are SHA-256, 32 bytes. "Derived" tables can be made again from source and segment.

CREATE TABLE migration (
  version    INTEGER PRIMARY KEY,
  name       TEXT    NOT NULL,
  sha256     BLOB    NOT NULL CHECK (length(sha256) = 32),
  applied_at INTEGER NOT NULL,
  program    TEXT    NOT NULL
) STRICT;

-- ---------------------------------------------------------------- original bytes

CREATE TABLE source (
  id              INTEGER PRIMARY KEY,
  sha256          BLOB    NOT NULL CHECK (length(sha256) = 32),
  size            INTEGER NOT NULL CHECK (size >= 0),
  name            TEXT    NOT NULL,
  format          TEXT    NOT NULL,
  carrier         TEXT    NOT NULL,
  kept            TEXT    NOT NULL CHECK (kept IN ('as-is', 'reduced')),
  via             TEXT    NOT NULL,
  received_at     INTEGER,
  imported_at     INTEGER NOT NULL,
  left_out        TEXT,
  state           TEXT    NOT NULL CHECK (state IN ('partial', 'complete')),
  content_sha256  BLOB    NOT NULL CHECK (length(content_sha256) = 32),
  content_size    INTEGER NOT NULL CHECK (content_size >= 0),
  carrier_size    INTEGER NOT NULL CHECK (carrier_size >= 0),
  resume          TEXT,
  derived_version INTEGER NOT NULL DEFAULT 0,
  events          INTEGER NOT NULL DEFAULT 0,
  runs            INTEGER NOT NULL DEFAULT 0,
  conversations   INTEGER NOT NULL DEFAULT 0,
  messages        INTEGER NOT NULL DEFAULT 0,
  citation_events INTEGER NOT NULL DEFAULT 0,
  citations       INTEGER NOT NULL DEFAULT 0,
  findings        INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX source_by_sha256 ON source (sha256);
CREATE INDEX source_partial ON source (id) WHERE state = 'partial';

CREATE TABLE segment (
  id        INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  stream    TEXT    NOT NULL CHECK (stream IN ('content', 'carrier')),
  start     INTEGER NOT NULL CHECK (start >= 0),
  size      INTEGER NOT NULL CHECK (size > 0),
  sha256    BLOB    NOT NULL CHECK (length(sha256) = 32),
  zstd      BLOB    NOT NULL
) STRICT;
CREATE UNIQUE INDEX segment_by_place ON segment (source_id, stream, start);

-- ---------------------------------------------------------------- derived: where it came from

CREATE TABLE service (
  id   INTEGER PRIMARY KEY,
  key  TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL
) STRICT;

CREATE TABLE connection (
  id                INTEGER PRIMARY KEY,
  source_id         INTEGER NOT NULL REFERENCES source (id),
  number            INTEGER NOT NULL,
  service_id        INTEGER REFERENCES service (id),
  name              TEXT,
  url               TEXT,
  method            TEXT,
  status            INTEGER,
  transport         TEXT,
  started           TEXT,
  redacted          TEXT,
  citations_unknown INTEGER NOT NULL DEFAULT 0 CHECK (citations_unknown IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX connection_by_number ON connection (source_id, number);
CREATE INDEX connection_by_service ON connection (service_id);

-- ---------------------------------------------------------------- derived: the folded view

CREATE TABLE conversation (
  id              INTEGER PRIMARY KEY,
  source_id       INTEGER NOT NULL REFERENCES source (id),
  service_id      INTEGER REFERENCES service (id),
  thread_id       TEXT,
  title           TEXT    NOT NULL DEFAULT '',
  title_from      TEXT    NOT NULL DEFAULT 'none',
  runs            INTEGER NOT NULL DEFAULT 0,
  messages        INTEGER NOT NULL DEFAULT 0,
  answers         INTEGER NOT NULL DEFAULT 0,
  citation_events INTEGER NOT NULL DEFAULT 0,
  citations       INTEGER NOT NULL DEFAULT 0,
  findings        INTEGER NOT NULL DEFAULT 0,
  first_at        INTEGER,
  last_at         INTEGER,
  newest_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX conversation_by_newest ON conversation (newest_at, id);
CREATE INDEX conversation_by_thread ON conversation (thread_id);
CREATE INDEX conversation_by_service ON conversation (service_id, newest_at, id);
CREATE INDEX conversation_by_source ON conversation (source_id);

CREATE TABLE thread_state (
  conversation_id INTEGER PRIMARY KEY REFERENCES conversation (id),
  state           TEXT,
  fold            TEXT
) STRICT;

CREATE TABLE run (
  id               INTEGER PRIMARY KEY,
  source_id        INTEGER NOT NULL REFERENCES source (id),
  connection_id    INTEGER NOT NULL REFERENCES connection (id),
  conversation_id  INTEGER NOT NULL REFERENCES conversation (id),
  number           INTEGER NOT NULL,
  thread_id        TEXT,
  stated_id        TEXT,
  stated_parent_id TEXT,
  parent_id        INTEGER REFERENCES run (id),
  parent_means     TEXT,
  protocol_version TEXT,
  variant_id       INTEGER REFERENCES run (id),
  ending           TEXT    NOT NULL,
  ending_detail    TEXT,
  started          INTEGER NOT NULL CHECK (started IN (0, 1)),
  question         TEXT    NOT NULL,
  compacted        INTEGER NOT NULL CHECK (compacted IN (0, 1)),
  hash             BLOB    NOT NULL CHECK (length(hash) = 32),
  first_event      INTEGER NOT NULL,
  events           INTEGER NOT NULL,
  content_start    INTEGER NOT NULL,
  content_end      INTEGER NOT NULL,
  started_at       INTEGER,
  ended_at         INTEGER,
  time_from        TEXT,
  usage            TEXT,
  extra            TEXT
) STRICT;
CREATE UNIQUE INDEX run_by_number ON run (conversation_id, number);
CREATE INDEX run_by_stated_ids ON run (thread_id, stated_id);
CREATE INDEX run_by_source ON run (source_id, thread_id);
CREATE INDEX run_by_connection ON run (connection_id);
CREATE INDEX run_by_parent ON run (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX run_by_variant ON run (variant_id) WHERE variant_id IS NOT NULL;

CREATE TABLE run_occurrence (
  id            INTEGER PRIMARY KEY,
  run_id        INTEGER NOT NULL REFERENCES run (id),
  source_id     INTEGER NOT NULL REFERENCES source (id),
  connection_id INTEGER NOT NULL REFERENCES connection (id),
  first_event   INTEGER NOT NULL,
  events        INTEGER NOT NULL,
  content_start INTEGER NOT NULL,
  content_end   INTEGER NOT NULL
) STRICT;
CREATE INDEX run_occurrence_by_run ON run_occurrence (run_id);
CREATE INDEX run_occurrence_by_source ON run_occurrence (source_id);
CREATE INDEX run_occurrence_by_connection ON run_occurrence (connection_id);

CREATE TABLE message (
  id              INTEGER PRIMARY KEY,
  source_id       INTEGER NOT NULL REFERENCES source (id),
  conversation_id INTEGER NOT NULL REFERENCES conversation (id),
  run_id          INTEGER REFERENCES run (id),
  number          INTEGER NOT NULL,
  position        INTEGER NOT NULL,
  stated_id       TEXT,
  id_derived      INTEGER NOT NULL CHECK (id_derived IN (0, 1)),
  role            TEXT    NOT NULL,
  class           TEXT    NOT NULL,
  name            TEXT,
  origin          TEXT    NOT NULL,
  text            TEXT    NOT NULL,
  text_sha256     BLOB    NOT NULL CHECK (length(text_sha256) = 32),
  text_size       INTEGER NOT NULL,
  cut             INTEGER NOT NULL CHECK (cut IN (0, 1)),
  ending          TEXT    NOT NULL CHECK (ending = 'open' OR ending = 'ended' OR ending = 'implied' OR ending = 'whole'),
  answers_call    TEXT,
  activity_type   TEXT,
  content         TEXT,
  extra           TEXT,
  encrypted       INTEGER NOT NULL CHECK (encrypted IN (0, 1)),
  subagent_run_id TEXT,
  first_event     INTEGER,
  content_start   INTEGER,
  content_end     INTEGER,
  timestamp       TEXT,
  stated_at       INTEGER
) STRICT;
CREATE UNIQUE INDEX message_by_number ON message (conversation_id, number);
CREATE INDEX message_by_position ON message (conversation_id, position, id);
CREATE INDEX message_by_stated_id ON message (conversation_id, stated_id);
CREATE INDEX message_by_run ON message (run_id);
CREATE INDEX message_by_source ON message (source_id);

CREATE TABLE message_alias (
  id              INTEGER PRIMARY KEY,
  message_id      INTEGER NOT NULL REFERENCES message (id),
  source_id       INTEGER NOT NULL REFERENCES source (id),
  conversation_id INTEGER NOT NULL REFERENCES conversation (id),
  run_id          INTEGER REFERENCES run (id),
  alias           TEXT    NOT NULL,
  reason          TEXT    NOT NULL,
  event           INTEGER
) STRICT;
CREATE INDEX message_alias_by_alias ON message_alias (conversation_id, alias);
CREATE INDEX message_alias_by_message ON message_alias (message_id);
CREATE INDEX message_alias_by_run ON message_alias (run_id);
CREATE INDEX message_alias_by_source ON message_alias (source_id);

CREATE TABLE message_edit (
  id         INTEGER PRIMARY KEY,
  source_id  INTEGER NOT NULL REFERENCES source (id),
  message_id INTEGER NOT NULL REFERENCES message (id),
  run_id     INTEGER REFERENCES run (id),
  origin     TEXT    NOT NULL,
  text       TEXT    NOT NULL,
  event      INTEGER
) STRICT;
CREATE INDEX message_edit_by_message ON message_edit (message_id, id);
CREATE INDEX message_edit_by_run ON message_edit (run_id);
CREATE INDEX message_edit_by_source ON message_edit (source_id);

CREATE TABLE tool_call (
  id                INTEGER PRIMARY KEY,
  source_id         INTEGER NOT NULL REFERENCES source (id),
  conversation_id   INTEGER NOT NULL REFERENCES conversation (id),
  message_id        INTEGER NOT NULL REFERENCES message (id),
  run_id            INTEGER REFERENCES run (id),
  number            INTEGER NOT NULL,
  stated_id         TEXT    NOT NULL,
  id_derived        INTEGER NOT NULL CHECK (id_derived IN (0, 1)),
  name              TEXT    NOT NULL,
  result_message_id INTEGER REFERENCES message (id),
  first_event       INTEGER,
  extra             TEXT
) STRICT;
CREATE UNIQUE INDEX tool_call_by_number ON tool_call (conversation_id, number);
CREATE INDEX tool_call_by_message ON tool_call (message_id, number);
CREATE INDEX tool_call_by_stated_id ON tool_call (conversation_id, stated_id);
CREATE INDEX tool_call_by_run ON tool_call (run_id);
CREATE INDEX tool_call_by_source ON tool_call (source_id);
CREATE INDEX tool_call_by_result ON tool_call (result_message_id) WHERE result_message_id IS NOT NULL;

CREATE TABLE tool_call_segment (
  tool_call_id INTEGER NOT NULL REFERENCES tool_call (id),
  number       INTEGER NOT NULL,
  source_id    INTEGER NOT NULL REFERENCES source (id),
  run_id       INTEGER REFERENCES run (id),
  first_event  INTEGER,
  arguments    TEXT    NOT NULL,
  ending       TEXT    NOT NULL CHECK (ending = 'open' OR ending = 'ended' OR ending = 'implied' OR ending = 'whole'),
  same_as      INTEGER,
  PRIMARY KEY (tool_call_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX tool_call_segment_by_run ON tool_call_segment (run_id);
CREATE INDEX tool_call_segment_by_source ON tool_call_segment (source_id);

-- ---------------------------------------------------------------- derived: citations

CREATE TABLE package (
  id         INTEGER PRIMARY KEY,
  stated_id  TEXT NOT NULL,
  version    TEXT NOT NULL,
  digest     TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX package_by_name ON package (stated_id, version, digest);
CREATE INDEX package_by_digest ON package (digest);

CREATE TABLE node (
  id         INTEGER PRIMARY KEY,
  package_id INTEGER NOT NULL REFERENCES package (id),
  ref        TEXT    NOT NULL,
  stated_id  TEXT    NOT NULL,
  path       TEXT    NOT NULL,
  type       TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX node_by_ref ON node (ref, package_id, stated_id, path, type);
CREATE INDEX node_by_package ON node (package_id, stated_id);

CREATE TABLE record (
  id               INTEGER PRIMARY KEY,
  sha256           BLOB    NOT NULL CHECK (length(sha256) = 32),
  canonical_sha256 BLOB    CHECK (length(canonical_sha256) = 32),
  json             BLOB    NOT NULL,
  valid            INTEGER NOT NULL CHECK (valid IN (0, 1)),
  reasons          TEXT,
  newer            TEXT,
  ref_rebuilt      INTEGER NOT NULL CHECK (ref_rebuilt IN (0, 1)),
  package_id       INTEGER REFERENCES package (id),
  node_id          INTEGER REFERENCES node (id),
  node_digest      TEXT,
  locale           TEXT,
  title            TEXT,
  description      TEXT,
  text             TEXT,
  span_start       INTEGER,
  span_end         INTEGER,
  signed           INTEGER CHECK (signed IN (0, 1)),
  status           TEXT,
  stale            INTEGER CHECK (stale IN (0, 1)),
  in_force         INTEGER CHECK (in_force IN (0, 1)),
  superseded       INTEGER CHECK (superseded IN (0, 1)),
  contested        INTEGER CHECK (contested IN (0, 1)),
  stale_after      TEXT,
  stale_after_at   INTEGER,
  valid_from       TEXT,
  valid_from_at    INTEGER,
  valid_until      TEXT,
  valid_until_at   INTEGER
) STRICT;
CREATE UNIQUE INDEX record_by_sha256 ON record (sha256);
CREATE INDEX record_by_canonical ON record (canonical_sha256);
CREATE INDEX record_by_node ON record (node_id);
CREATE INDEX record_by_package ON record (package_id);
CREATE INDEX record_by_stale ON record (stale);
CREATE INDEX record_by_stale_after ON record (stale_after_at);
CREATE INDEX record_by_in_force ON record (in_force);
CREATE INDEX record_by_valid_from ON record (valid_from_at);
CREATE INDEX record_by_valid_until ON record (valid_until_at);
CREATE INDEX record_by_superseded ON record (superseded);
CREATE INDEX record_by_contested ON record (contested);
CREATE INDEX record_by_valid ON record (valid);
CREATE INDEX record_by_signed ON record (signed);
CREATE INDEX record_by_status ON record (status);

CREATE TABLE signer (
  record_id INTEGER NOT NULL REFERENCES record (id),
  number    INTEGER NOT NULL,
  signer    TEXT    NOT NULL,
  PRIMARY KEY (record_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX signer_by_name ON signer (signer);

CREATE TABLE review (
  record_id INTEGER NOT NULL REFERENCES record (id),
  number    INTEGER NOT NULL,
  kind      TEXT    NOT NULL CHECK (kind IN ('attested', 'declared')),
  reviewer  TEXT    NOT NULL,
  stated    TEXT,
  stated_at INTEGER,
  outcome   TEXT,
  scope     TEXT,
  signer    TEXT,
  PRIMARY KEY (record_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE relation (
  record_id INTEGER NOT NULL REFERENCES record (id),
  number    INTEGER NOT NULL,
  kind      TEXT    NOT NULL CHECK (kind IN ('superseded-by', 'contested-by')),
  ref       TEXT    NOT NULL,
  PRIMARY KEY (record_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX relation_by_ref ON relation (ref);

CREATE TABLE citation_event (
  id                INTEGER PRIMARY KEY,
  source_id         INTEGER NOT NULL REFERENCES source (id),
  run_id            INTEGER NOT NULL REFERENCES run (id),
  conversation_id   INTEGER NOT NULL REFERENCES conversation (id),
  message_id        INTEGER REFERENCES message (id),
  stated_message_id TEXT,
  found_by          TEXT,
  state             TEXT    NOT NULL
    CHECK (state = 'applied' OR state = 'empty' OR state = 'unknown-version' OR state = 'unknown-message' OR state = 'invalid'),
  version           TEXT,
  computed          TEXT,
  computed_at       INTEGER,
  received_at       INTEGER,
  canonical_sha256  BLOB    CHECK (length(canonical_sha256) = 32),
  reasons           TEXT,
  shown             INTEGER NOT NULL CHECK (shown IN (0, 1)),
  citations         INTEGER NOT NULL,
  event             INTEGER NOT NULL,
  content_start     INTEGER NOT NULL,
  content_end       INTEGER NOT NULL
) STRICT;
CREATE INDEX citation_event_by_message ON citation_event (message_id, id) WHERE message_id IS NOT NULL;
CREATE INDEX citation_event_by_conversation ON citation_event (conversation_id, id);
CREATE INDEX citation_event_without_message ON citation_event (conversation_id, id) WHERE message_id IS NULL;
CREATE INDEX citation_event_by_run ON citation_event (run_id);
CREATE INDEX citation_event_by_source ON citation_event (source_id);
CREATE INDEX citation_event_by_stated ON citation_event (conversation_id, stated_message_id);

CREATE TABLE citation (
  id                INTEGER PRIMARY KEY,
  citation_event_id INTEGER NOT NULL REFERENCES citation_event (id),
  number            INTEGER NOT NULL,
  conversation_id   INTEGER NOT NULL REFERENCES conversation (id),
  record_id         INTEGER REFERENCES record (id),
  marker            TEXT,
  reason            TEXT
) STRICT;
CREATE UNIQUE INDEX citation_by_event ON citation (citation_event_id, number);
CREATE INDEX citation_by_record ON citation (record_id, conversation_id);
CREATE INDEX citation_by_conversation ON citation (conversation_id);

-- ---------------------------------------------------------------- derived: what is wrong, what else was named

CREATE TABLE finding (
  id                INTEGER PRIMARY KEY,
  source_id         INTEGER NOT NULL REFERENCES source (id),
  conversation_id   INTEGER REFERENCES conversation (id),
  run_id            INTEGER REFERENCES run (id),
  message_id        INTEGER REFERENCES message (id),
  citation_event_id INTEGER REFERENCES citation_event (id),
  code              TEXT    NOT NULL,
  severity          TEXT    NOT NULL CHECK (severity = 'info' OR severity = 'warning' OR severity = 'error'),
  message           TEXT    NOT NULL,
  event             INTEGER,
  content_start     INTEGER,
  content_end       INTEGER,
  excerpt           TEXT,
  times             INTEGER NOT NULL CHECK (times > 0)
) STRICT;
CREATE INDEX finding_by_source ON finding (source_id, id);
CREATE INDEX finding_by_conversation ON finding (conversation_id, id);
CREATE INDEX finding_by_code ON finding (code, id);
CREATE INDEX finding_by_severity ON finding (severity, id);
CREATE INDEX finding_by_run ON finding (run_id);
CREATE INDEX finding_by_message ON finding (message_id);
CREATE INDEX finding_by_citation_event ON finding (citation_event_id);

CREATE TABLE total (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE finding_total (
  code     TEXT PRIMARY KEY,
  severity TEXT    NOT NULL,
  findings INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE foreign_source (
  id                INTEGER PRIMARY KEY,
  source_id         INTEGER NOT NULL REFERENCES source (id),
  conversation_id   INTEGER NOT NULL REFERENCES conversation (id),
  run_id            INTEGER REFERENCES run (id),
  message_id        INTEGER REFERENCES message (id),
  origin            TEXT NOT NULL,
  stated_message_id TEXT,
  title             TEXT,
  url               TEXT,
  host              TEXT,
  event             INTEGER,
  content_start     INTEGER,
  content_end       INTEGER
) STRICT;
CREATE INDEX foreign_source_by_conversation ON foreign_source (conversation_id, id);
CREATE INDEX foreign_source_by_run ON foreign_source (run_id);
CREATE INDEX foreign_source_by_source ON foreign_source (source_id);
CREATE INDEX foreign_source_by_message ON foreign_source (message_id);

-- ---------------------------------------------------------------- what the user made: never rebuilt, keyed by nature

CREATE TABLE note (
  id       INTEGER PRIMARY KEY,
  subject  TEXT    NOT NULL CHECK (subject = 'record' OR subject = 'node' OR subject = 'package' OR subject = 'run' OR subject = 'source'),
  key      TEXT    NOT NULL,
  kind     TEXT    NOT NULL CHECK (kind IN ('note', 'acknowledged')),
  text     TEXT    NOT NULL,
  made_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX note_by_subject ON note (subject, key, id);

CREATE TABLE setting (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- ---------------------------------------------------------------- full text: external content, rebuildable

CREATE VIRTUAL TABLE message_fts USING fts5 (
  text, content = 'message', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE record_fts USING fts5 (
  title, description, text, content = 'record', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);

-- ---------------------------------------------------------------- views with plain names, for any SQLite tool

CREATE VIEW sources AS
SELECT id, name, format, carrier, kept, state, size AS bytes, lower(hex(sha256)) AS sha256,
       strftime('%Y-%m-%dT%H:%M:%SZ', imported_at / 1000000, 'unixepoch') AS imported,
       events, runs, conversations, messages, citation_events, citations, findings
FROM source;

CREATE VIEW conversations AS
SELECT c.id, c.title, c.thread_id AS thread, s.name AS service, c.runs, c.messages, c.answers, c.citations, c.findings,
       strftime('%Y-%m-%dT%H:%M:%SZ', c.first_at / 1000000, 'unixepoch') AS first,
       strftime('%Y-%m-%dT%H:%M:%SZ', c.last_at / 1000000, 'unixepoch') AS last
FROM conversation c LEFT JOIN service s ON s.id = c.service_id;

CREATE VIEW runs AS
SELECT r.id, r.conversation_id AS conversation, r.number, r.thread_id AS thread, r.stated_id AS run, r.stated_parent_id AS parent,
       r.ending, r.events, r.source_id AS source, r.content_start, r.content_end, lower(hex(r.hash)) AS hash
FROM run r;

CREATE VIEW messages AS
SELECT id, conversation_id AS conversation, position, stated_id AS message, role, class, text, ending, run_id AS run
FROM message;

CREATE VIEW citations AS
SELECT c.id, e.conversation_id AS conversation, e.message_id AS message, e.state, c.number, c.marker,
       n.ref, p.stated_id AS package, p.version, p.digest, r.title, e.computed,
       r.valid, r.signed, r.status, r.stale, r.in_force, r.superseded, r.contested, lower(hex(r.sha256)) AS record_sha256
FROM citation c
JOIN citation_event e ON e.id = c.citation_event_id
LEFT JOIN record r ON r.id = c.record_id
LEFT JOIN node n ON n.id = r.node_id
LEFT JOIN package p ON p.id = r.package_id;

CREATE VIEW records AS
SELECT r.id, lower(hex(r.sha256)) AS sha256, n.ref, p.stated_id AS package, p.version, p.digest, r.title, r.status,
       r.stale, r.in_force, r.superseded, r.contested, r.stale_after, r.valid_from, r.valid_until, CAST(r.json AS TEXT) AS json
FROM record r
LEFT JOIN node n ON n.id = r.node_id
LEFT JOIN package p ON p.id = r.package_id;

CREATE VIEW findings AS
SELECT f.id, f.code, f.severity, f.message, s.name AS source, f.conversation_id AS conversation, f.run_id AS run, f.event, f.excerpt, f.times
FROM finding f JOIN source s ON s.id = f.source_id;
