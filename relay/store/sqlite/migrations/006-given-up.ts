/**
 * Finds what the relay gives up: leases that wait for a worker, by their age, and what was for agents that were removed.
 * Leases with `due_at` 0 rest until their sender has answered; those that were answered before an answer's time stood there
 * get one.
 */
export const givenUp = `
UPDATE lease SET due_at = max(1, since) WHERE running = 0 AND due_at = 0
  AND task IN (SELECT pk FROM task WHERE state = 'accepted');
CREATE INDEX lease_by_age ON lease (since) WHERE running = 0 AND due_at > 0;
CREATE INDEX agent_removed ON agent (removed_at) WHERE removed_at IS NOT NULL;
`;
