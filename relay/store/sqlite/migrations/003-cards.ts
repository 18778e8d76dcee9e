/**
 * What agents say of themselves for their cards, and what the directory finds them by.
 *
 * `agent_search` repeats what is in `agent`, folded and cut into terms (relay/store/search-terms.ts): a search is one walk
 * over rows that hold nothing else, in the order in which they are answered. SQL cannot fold letters beyond ASCII, so that
 * rows of agents that were there before are made when the store is opened.
 */
export const cards = `
ALTER TABLE agent ADD COLUMN profile TEXT;

CREATE TABLE agent_search (
  name TEXT PRIMARY KEY,
  agent INTEGER NOT NULL UNIQUE REFERENCES agent (id) ON DELETE CASCADE,
  listed INTEGER NOT NULL,
  text TEXT NOT NULL,
  skills TEXT NOT NULL,
  repos TEXT NOT NULL
) WITHOUT ROWID, STRICT;
`;
