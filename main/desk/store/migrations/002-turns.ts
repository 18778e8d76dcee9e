/**
 * What agents have written since a person acted: `kind` and `ref` say on which thread, or to which peer as a new handoff. All
 * of one count lies together, and is at most as much as an agent may write.
 */
export const turns = `
CREATE TABLE turns (
  account TEXT NOT NULL,
  kind TEXT NOT NULL,
  ref TEXT NOT NULL,
  key TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (account, kind, ref, key)
) WITHOUT ROWID, STRICT;
`;
