/**
 * Leases of workers: one row for a handoff that a worker has taken up, until it is closed or somebody else takes it over.
 * `running` 1 runs out at `due_at`; 0 waits, and may be leased from `due_at` on. The first index finds an agent's work,
 * the second what is due next of all.
 */
export const leases = `
CREATE TABLE lease (
  task INTEGER PRIMARY KEY REFERENCES task (pk),
  agent INTEGER NOT NULL REFERENCES agent (id),
  worker TEXT NOT NULL,
  running INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  number INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  since INTEGER NOT NULL
) STRICT;
CREATE INDEX lease_by_agent ON lease (agent, running, due_at);
CREATE INDEX lease_by_due ON lease (running, due_at);
`;
