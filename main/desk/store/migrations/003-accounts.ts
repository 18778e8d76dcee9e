/**
 * Relays by their ids, each with a name of our own, and the accounts on them; an own relay is among the relays, but its
 * account is in `config.json`. Those who were invited are listed as teammates when they have come.
 */
export const accounts = `
DROP TABLE account;
CREATE TABLE relay (
  id TEXT PRIMARY KEY,
  alias TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  url TEXT NOT NULL
) WITHOUT ROWID, STRICT;
CREATE TABLE account (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  relay_id TEXT NOT NULL REFERENCES relay (id),
  name TEXT NOT NULL,
  UNIQUE (relay_id, name)
) STRICT;
CREATE TABLE invited (
  account TEXT NOT NULL,
  peer TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (account, peer)
) WITHOUT ROWID, STRICT;
`;
