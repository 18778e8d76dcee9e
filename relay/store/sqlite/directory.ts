import { z } from 'zod';
import { RelayError } from '../../contract/reasons.ts';
import type { Agent, AgentChange, AgentId, Directory, NewAgent, Scopes } from '../ports.ts';
import { createAgentRemoval } from './agent-removal.ts';
import { createAgentSearch } from './agent-search.ts';
import { readAgent, type AgentRow } from './agent-row.ts';
import type { Database } from './database.ts';

interface KeyRow {
  readonly id: number;
  readonly agent: number;
  readonly scopes: string;
}

const scopesSchema = z.array(z.enum(['send', 'receive', 'contacts', 'admin']));

/** Agents and the hashes of their keys, in SQLite. */
export function createDirectory(db: Database, clock: () => number): Directory {
  const selectByName = db.prepare<[string], AgentRow>('SELECT * FROM agent WHERE name = ?');
  const selectById = db.prepare<[number], AgentRow>('SELECT * FROM agent WHERE id = ?');
  const insertAgent = db.prepare(
    `INSERT INTO agent (uid, name, kind, replies, display_name, description, role, skills, repos, listed, profile, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateAgent = db.prepare(
    `UPDATE agent SET display_name = ?, description = ?, role = ?, skills = ?, repos = ?, listed = ?, profile = ?, updated_at = ?
     WHERE id = ?`,
  );
  const search = createAgentSearch(db);
  const removal = createAgentRemoval(db, clock);
  const insertKey = db.prepare('INSERT INTO api_key (agent, hash, scopes, created_at) VALUES (?, ?, ?, ?)');
  const selectKey = db.prepare<[Uint8Array], KeyRow>(
    'SELECT id, agent, scopes FROM api_key WHERE hash = ? AND revoked_at IS NULL',
  );
  const touch = db.prepare('UPDATE api_key SET last_used_at = ? WHERE id = ?');

  const insert = db.transaction((agent: NewAgent, hash: Uint8Array, scopes: Scopes, now: number): AgentId => {
    const holder = selectByName.get(agent.name);
    if (holder !== undefined) throw handleTaken(agent.name, holder.removed_at !== null);
    const { lastInsertRowid } = insertAgent.run(
      agent.uid,
      agent.name,
      agent.kind,
      agent.replies,
      ...changeable(agent),
      now,
      now,
    );
    const id = Number(lastInsertRowid);
    insertKey.run(id, hash, JSON.stringify(scopes), now);
    search.index(id, agent);
    return id;
  });

  const update = db.transaction((id: AgentId, change: (agent: Agent) => AgentChange, now: number) => {
    const agent = readAgent(selectById.get(id));
    if (agent === undefined || agent.removedAt !== undefined) return undefined;
    const { uid, name, kind, replies, createdAt } = agent;
    const changed = change(agent);
    const updatedAt = Math.max(now, agent.updatedAt + 1);
    updateAgent.run(...changeable(changed), updatedAt, id);
    const after = { id, uid, name, kind, replies, ...changed, createdAt, updatedAt };
    search.index(id, after);
    return after;
  });

  return {
    // async, so that what SQLite throws is a rejection
    async createAgent(agent, { hash, scopes }) {
      const now = clock();
      return { ...agent, id: insert.immediate(agent, hash, scopes, now), createdAt: now, updatedAt: now };
    },
    agentByName: async (name) => readAgent(selectByName.get(name)),
    agentById: async (id) => readAgent(selectById.get(id)),
    updateAgent: async (id, change) => update.immediate(id, change, clock()),
    searchAgents: async (query) => search.find(query),
    ...removal,
    async keyByHash(hash) {
      const key = selectKey.get(hash);
      const agent = key && readAgent(selectById.get(key.agent));
      return key && agent && { id: key.id, agent, scopes: scopesSchema.parse(JSON.parse(key.scopes)) };
    },
    async touchKey(keyId, at) {
      touch.run(at, keyId);
    },
  };
}

/** The columns of what an agent may change, in the order of both statements. */
function changeable(agent: AgentChange) {
  return [
    agent.displayName,
    agent.description,
    agent.role ?? null,
    JSON.stringify(agent.skills),
    JSON.stringify(agent.repos),
    agent.listed ? 1 : 0,
    agent.profile === undefined ? null : JSON.stringify(agent.profile),
  ];
}

function handleTaken(name: string, wasRemoved: boolean): RelayError {
  return wasRemoved
    ? new RelayError(
        'HANDLE_TAKEN',
        `${name} was removed from this relay, and its name is kept for it. Choose another name, or have the relay's admin restore it.`,
        { metadata: { handle: name, cause: 'REMOVED' } },
      )
    : new RelayError('HANDLE_TAKEN', `${name} is registered already. Choose another name.`, {
        metadata: { handle: name },
      });
}
