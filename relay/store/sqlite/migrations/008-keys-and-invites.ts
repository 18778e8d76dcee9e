/**
 * Keys that end, and invites. `successor` is the key that came of a rotation: asked for again, the same one is the answer.
 * An agent whose `role_given` is 1 has its role from an invite, and changes it not.
 */
export const keysAndInvites = `
ALTER TABLE api_key ADD COLUMN ends_at INTEGER;
ALTER TABLE api_key ADD COLUMN successor INTEGER REFERENCES api_key (id);
ALTER TABLE agent ADD COLUMN role_given INTEGER NOT NULL DEFAULT 0;
CREATE TABLE invite (
  id TEXT PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT,
  created_by INTEGER REFERENCES agent (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  withdrawn_at INTEGER,
  redeemed_at INTEGER,
  redeemed_by INTEGER REFERENCES agent (id)
) WITHOUT ROWID, STRICT;
CREATE INDEX invite_open ON invite (name) WHERE redeemed_at IS NULL AND withdrawn_at IS NULL;
`;
