/**
 * Agents that were removed. They keep their rows: threads name them, and a name that trust was given to never becomes
 * another's. `task_open` holds what is under way and nothing else, so that it can be counted without a walk over all
 * that is done.
 */
export const removals = `
ALTER TABLE agent ADD COLUMN removed_at INTEGER;
CREATE INDEX api_key_by_agent ON api_key (agent);
CREATE INDEX task_open ON task (state) WHERE closed = 0;
`;
