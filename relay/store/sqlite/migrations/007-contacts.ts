/**
 * Who may reach whom: what an agent has said about another one. Both tables are read by their primary key with every
 * write, and by the other agent when somebody lists. Those who had a handoff together know one another.
 */
export const contacts = `
ALTER TABLE agent ADD COLUMN contacts TEXT NOT NULL DEFAULT 'ask';
CREATE TABLE contact (
  agent INTEGER NOT NULL REFERENCES agent (id),
  about INTEGER NOT NULL REFERENCES agent (id),
  word TEXT NOT NULL,
  note TEXT,
  since INTEGER NOT NULL,
  PRIMARY KEY (agent, about)
) WITHOUT ROWID, STRICT;
CREATE INDEX contact_by_about ON contact (about, agent);
CREATE INDEX contact_waiting ON contact (agent) WHERE word = 'requested';
CREATE TABLE block (
  agent INTEGER NOT NULL REFERENCES agent (id),
  about INTEGER NOT NULL REFERENCES agent (id),
  since INTEGER NOT NULL,
  PRIMARY KEY (agent, about)
) WITHOUT ROWID, STRICT;
INSERT INTO contact (agent, about, word, since) SELECT recipient, sender, 'accepted', min(created_at) FROM task GROUP BY 1, 2;
INSERT INTO contact (agent, about, word, since) SELECT sender, recipient, 'accepted', min(created_at) FROM task GROUP BY 1, 2
  ON CONFLICT DO NOTHING;
`;
