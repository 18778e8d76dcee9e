/**
 * The first schema.
 *
 * Rows and random indexes are what a write costs, so: integer keys inside, task ids that grow (UUIDv7), one row for an
 * event with all its content, no second copy of a message, and receipts as cursors in the task's own row. `closed` comes before the time in both list indexes,
 * so that what is open is found without walking what is done.
 */
export const first = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;

CREATE TABLE agent (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  replies TEXT NOT NULL,
  display_name TEXT NOT NULL,
  description TEXT NOT NULL,
  role TEXT,
  skills TEXT NOT NULL,
  repos TEXT NOT NULL,
  listed INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_key (
  id INTEGER PRIMARY KEY,
  agent INTEGER NOT NULL REFERENCES agent (id),
  hash BLOB NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE TABLE task (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  context_id TEXT NOT NULL,
  sender INTEGER NOT NULL REFERENCES agent (id),
  recipient INTEGER NOT NULL REFERENCES agent (id),
  state TEXT NOT NULL,
  closed INTEGER NOT NULL,
  version INTEGER NOT NULL,
  last_version INTEGER NOT NULL,
  last_actor TEXT NOT NULL,
  session_id TEXT,
  born_live INTEGER NOT NULL,
  reply_only INTEGER NOT NULL,
  summary TEXT NOT NULL,
  intent TEXT,
  reason TEXT,
  artifact_types TEXT NOT NULL,
  sender_offered INTEGER NOT NULL,
  sender_surfaced INTEGER NOT NULL,
  sender_acked INTEGER NOT NULL,
  sender_held INTEGER NOT NULL,
  recipient_offered INTEGER NOT NULL,
  recipient_surfaced INTEGER NOT NULL,
  recipient_acked INTEGER NOT NULL,
  recipient_held INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  status_at INTEGER NOT NULL,
  size INTEGER NOT NULL
) STRICT;
CREATE INDEX task_by_sender ON task (sender, closed, status_at);
CREATE INDEX task_by_recipient ON task (recipient, closed, status_at);

CREATE TABLE task_event (
  seq INTEGER PRIMARY KEY,
  task INTEGER NOT NULL REFERENCES task (pk),
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  author TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (task, version)
) STRICT;

CREATE TABLE feed (
  agent INTEGER NOT NULL REFERENCES agent (id),
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  task INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (agent, seq)
) WITHOUT ROWID, STRICT;

CREATE TABLE idempotency (
  caller INTEGER NOT NULL,
  other INTEGER NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  digest BLOB NOT NULL,
  task INTEGER NOT NULL,
  PRIMARY KEY (caller, other, kind, key)
) WITHOUT ROWID, STRICT;
CREATE TABLE idempotency_new (
  seq INTEGER PRIMARY KEY,
  caller INTEGER NOT NULL,
  other INTEGER NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  digest BLOB NOT NULL,
  task INTEGER NOT NULL
) STRICT;
`;
