import type { AgentId, Directory } from '../ports.ts';
import { createAgentRemoval } from './agent-removal.ts';
import { createAgentSearch } from './agent-search.ts';
import { readAgent, type AgentRow } from './agent-row.ts';
import { createAgentWriter } from './agent-writer.ts';
import type { Database } from './database.ts';
import { readScopes } from './keys.ts';

interface KeyRow {
  readonly id: number;
  readonly agent: number;
  readonly scopes: string;
  readonly ends_at: number | null;
}

/** Agents and the hashes of their keys, in SQLite. */
export function createDirectory(db: Database, clock: () => number): Directory {
  const selectByName = db.prepare<[string], AgentRow>('SELECT * FROM agent WHERE name = ?');
  const selectById = db.prepare<[AgentId], AgentRow>('SELECT * FROM agent WHERE id = ?');
  const selectKey = db.prepare<[Uint8Array], KeyRow>(
    'SELECT id, agent, scopes, ends_at FROM api_key WHERE hash = ? AND revoked_at IS NULL',
  );
  const touch = db.prepare('UPDATE api_key SET last_used_at = ? WHERE id = ?');
  const search = createAgentSearch(db);
  const { insert, update } = createAgentWriter(db);
  const insertNow = db.transaction(insert);
  const updateNow = db.transaction(update);

  return {
    // async, so that what SQLite throws is a rejection
    createAgent: async (agent, key) => insertNow.immediate(agent, key, clock()),
    agentByName: async (name) => readAgent(selectByName.get(name)),
    agentById: async (id) => readAgent(selectById.get(id)),
    updateAgent: async (id, change) => updateNow.immediate(id, change, clock()),
    searchAgents: async (query) => search.find(query),
    ...createAgentRemoval(db, clock),
    async keyByHash(hash) {
      const key = selectKey.get(hash);
      const agent = key && readAgent(selectById.get(key.agent));
      if (key === undefined || agent === undefined) return undefined;
      const { id, ends_at: endsAt } = key;
      return { id, agent, scopes: readScopes(key.scopes), ...(endsAt !== null && { endsAt }) };
    },
    async touchKey(keyId, at) {
      touch.run(at, keyId);
    },
  };
}
