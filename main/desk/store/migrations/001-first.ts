/**
 * What the desk keeps beside `config.json`: the audit log, what waits to be sent, and the accounts on other relays.
 *
 * The audit log only grows. Its triggers keep our own mistakes out; whoever writes to the file by other means is found by
 * the hashes. A row that would replace another one fires no trigger of deletion, so rows only come at the end.
 *
 * Of what waits, the order is that of `position`; what belongs to one thread is sent in it.
 */
export const first = `
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  actor TEXT NOT NULL,
  account TEXT,
  peer TEXT,
  ref TEXT,
  detail TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_ref ON audit (ref, account) WHERE ref IS NOT NULL;
CREATE TRIGGER audit_is_not_updated BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit log only grows');
END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit log only grows');
END;
CREATE TRIGGER audit_grows_at_its_end BEFORE INSERT ON audit
WHEN NEW.seq <= (SELECT max(seq) FROM audit) BEGIN
  SELECT RAISE(ABORT, 'the audit log only grows');
END;
CREATE TABLE outbox (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  id TEXT NOT NULL,
  peer TEXT NOT NULL,
  kind TEXT NOT NULL,
  thread TEXT NOT NULL,
  request TEXT NOT NULL,
  author TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  findings TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  UNIQUE (account, id)
) STRICT;
CREATE INDEX outbox_by_thread ON outbox (account, thread, position);
CREATE TABLE account (
  id TEXT PRIMARY KEY,
  relay_id TEXT NOT NULL,
  relay_url TEXT NOT NULL,
  relay_name TEXT NOT NULL,
  alias TEXT NOT NULL UNIQUE,
  handle TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL
) WITHOUT ROWID, STRICT;
`;
