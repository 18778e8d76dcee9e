import { z } from 'zod';
import { RelayError } from '../../contract/reasons.ts';
import type { Agent, AgentId, Directory, NewAgent, Scopes } from '../ports.ts';
import type { Database } from './database.ts';

interface AgentRow {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly kind: Agent['kind'];
  readonly replies: Agent['replies'];
  readonly display_name: string;
  readonly description: string;
  readonly role: string | null;
  readonly skills: string;
  readonly repos: string;
  readonly listed: number;
  readonly created_at: number;
  readonly updated_at: number;
}
interface KeyRow {
  readonly id: number;
  readonly agent: number;
  readonly scopes: string;
}

const textsSchema = z.array(z.string());
const scopesSchema = z.array(z.enum(['send', 'receive', 'contacts', 'admin']));

/** Agents and the hashes of their keys, in SQLite. */
export function createDirectory(db: Database, clock: () => number): Directory {
  const selectByName = db.prepare<[string], AgentRow>('SELECT * FROM agent WHERE name = ?');
  const selectById = db.prepare<[number], AgentRow>('SELECT * FROM agent WHERE id = ?');
  const insertAgent = db.prepare(
    `INSERT INTO agent (uid, name, kind, replies, display_name, description, role, skills, repos, listed, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertKey = db.prepare('INSERT INTO api_key (agent, hash, scopes, created_at) VALUES (?, ?, ?, ?)');
  const selectKey = db.prepare<[Uint8Array], KeyRow>(
    'SELECT id, agent, scopes FROM api_key WHERE hash = ? AND revoked_at IS NULL',
  );
  const touch = db.prepare('UPDATE api_key SET last_used_at = ? WHERE id = ?');

  const insert = db.transaction((agent: NewAgent, hash: Uint8Array, scopes: Scopes, now: number): AgentId => {
    if (selectByName.get(agent.name) !== undefined) throw handleTaken(agent.name);
    const { lastInsertRowid } = insertAgent.run(
      agent.uid,
      agent.name,
      agent.kind,
      agent.replies,
      agent.displayName,
      agent.description,
      agent.role ?? null,
      JSON.stringify(agent.skills),
      JSON.stringify(agent.repos),
      agent.listed ? 1 : 0,
      now,
      now,
    );
    insertKey.run(lastInsertRowid, hash, JSON.stringify(scopes), now);
    return Number(lastInsertRowid);
  });

  return {
    // async, so that what SQLite throws is a rejection
    async createAgent(agent, { hash, scopes }) {
      const now = clock();
      return { ...agent, id: insert.immediate(agent, hash, scopes, now), createdAt: now, updatedAt: now };
    },
    agentByName: async (name) => read(selectByName.get(name)),
    agentById: async (id) => read(selectById.get(id)),
    async keyByHash(hash) {
      const key = selectKey.get(hash);
      const agent = key && read(selectById.get(key.agent));
      return key && agent && { id: key.id, agent, scopes: scopesSchema.parse(JSON.parse(key.scopes)) };
    },
    async touchKey(keyId, at) {
      touch.run(at, keyId);
    },
  };
}

function read(row: AgentRow | undefined): Agent | undefined {
  if (row === undefined) return undefined;
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    kind: row.kind,
    replies: row.replies,
    displayName: row.display_name,
    description: row.description,
    ...(row.role === null ? {} : { role: row.role }),
    skills: textsSchema.parse(JSON.parse(row.skills)),
    repos: textsSchema.parse(JSON.parse(row.repos)),
    listed: row.listed === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function handleTaken(name: string): RelayError {
  return new RelayError('HANDLE_TAKEN', `${name} is registered already. Choose another name.`, {
    metadata: { handle: name },
  });
}
