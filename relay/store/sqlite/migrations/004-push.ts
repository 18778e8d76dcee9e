/**
 * Webhooks and their dead letters. The cursor says up to which version of its task a webhook has everything; with the
 * three columns after it the wait for the next attempt survives a restart.
 */
export const push = `
CREATE TABLE push_config (
  pk INTEGER PRIMARY KEY,
  task INTEGER NOT NULL REFERENCES task (pk),
  agent INTEGER NOT NULL REFERENCES agent (id),
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  token TEXT,
  scheme TEXT,
  credentials TEXT,
  wake_up INTEGER NOT NULL,
  generation TEXT NOT NULL,
  alias TEXT,
  cursor INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  failing_since INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  UNIQUE (task, agent, id)
) STRICT;

CREATE TABLE push_dead (
  config INTEGER NOT NULL REFERENCES push_config (pk) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  agent INTEGER NOT NULL,
  error TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  died_at INTEGER NOT NULL,
  PRIMARY KEY (config, version)
) WITHOUT ROWID, STRICT;
CREATE INDEX push_dead_by_agent ON push_dead (agent, died_at);
`;
