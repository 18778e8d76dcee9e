import type { Agent, AgentId, Directory, Removed } from '../ports.ts';
import { readAgent, toAgent, type AgentRow } from './agent-row.ts';
import type { Database } from './database.ts';

/** How agents leave a relay and come back, in SQLite. */
export function createAgentRemoval(
  db: Database,
  clock: () => number,
): Pick<Directory, 'removeAgent' | 'restoreAgent' | 'listAgents'> {
  const selectById = db.prepare<[AgentId], AgentRow>('SELECT * FROM agent WHERE id = ?');
  const selectPage = db.prepare<[string, number], AgentRow>('SELECT * FROM agent WHERE name > ? ORDER BY name LIMIT ?');
  const setRemoved = db.prepare('UPDATE agent SET removed_at = ?, updated_at = max(?, updated_at + 1) WHERE id = ?');
  const revokeKeys = db.prepare<[number, AgentId], { id: number }>(
    'UPDATE api_key SET revoked_at = ? WHERE agent = ? AND revoked_at IS NULL RETURNING id',
  );
  const insertKey = db.prepare('INSERT INTO api_key (agent, hash, scopes, created_at) VALUES (?, ?, ?, ?)');
  // nobody finds who is not here
  const setFound = db.prepare('UPDATE agent_search SET listed = ? WHERE agent = ?');

  const dropWebhooks = db.prepare<[AgentId], { pk: number }>('DELETE FROM push_config WHERE agent = ? RETURNING pk');

  const remove = db.transaction((id: AgentId, now: number): Removed | undefined => {
    setRemoved.run(now, now, id);
    setFound.run(0, id);
    const keyIds = revokeKeys.all(now, id).map((key) => key.id);
    const webhooks = dropWebhooks.all(id).map(({ pk }) => pk);
    const agent = readAgent(selectById.get(id));
    return agent && { agent, keyIds, webhooks };
  });
  const restore = db.transaction((id: AgentId, hash: Uint8Array, scopes: string, now: number): Agent | undefined => {
    setRemoved.run(null, now, id);
    const agent = readAgent(selectById.get(id));
    if (agent === undefined) return undefined;
    setFound.run(agent.listed ? 1 : 0, id);
    insertKey.run(id, hash, scopes, now);
    return agent;
  });

  return {
    removeAgent: async (id) => remove.immediate(id, clock()),
    restoreAgent: async (id, { hash, scopes }) => restore.immediate(id, hash, JSON.stringify(scopes), clock()),
    listAgents: async (after, limit) => selectPage.all(after, limit).map(toAgent),
  };
}
