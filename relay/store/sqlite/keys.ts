import { z } from 'zod';
import { scopeSchema } from '../../contract/keys.ts';
import type { KeyRecord, KeyRefusal, KeyStore } from '../key-ports.ts';
import type { AgentId, NewKey, Removed, Scopes } from '../ports.ts';
import { readAgent, type AgentRow } from './agent-row.ts';
import type { Database } from './database.ts';

interface KeyRow {
  readonly id: number;
  readonly agent: AgentId;
  readonly hash: Uint8Array;
  readonly scopes: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly ends_at: number | null;
  readonly successor: number | null;
}

const scopesSchema = z.array(scopeSchema);

/** Keys of agents, in SQLite. */
export function createKeyStore(db: Database, clock: () => number): KeyStore {
  const live = 'revoked_at IS NULL AND (ends_at IS NULL OR ends_at > ?)';
  const selectLive = db.prepare<[AgentId, number], KeyRow>(
    `SELECT * FROM api_key WHERE agent = ? AND ${live} ORDER BY id`,
  );
  const selectOne = db.prepare<[number, number], KeyRow>(`SELECT * FROM api_key WHERE id = ? AND ${live}`);
  const selectHash = db.prepare<[Uint8Array], { id: number }>('SELECT id FROM api_key WHERE hash = ?');
  const insert = db.prepare('INSERT INTO api_key (agent, hash, scopes, created_at) VALUES (?, ?, ?, ?)');
  const supersede = db.prepare('UPDATE api_key SET ends_at = ?, successor = ? WHERE id = ?');
  const revokeOne = db.prepare(`UPDATE api_key SET revoked_at = ? WHERE id = ? AND agent = ? AND ${live}`);
  const revokeAll = db.prepare<[number, AgentId]>(
    'UPDATE api_key SET revoked_at = ? WHERE agent = ? AND revoked_at IS NULL',
  );
  const dropWebhooks = db.prepare<[AgentId], { pk: number }>('DELETE FROM push_config WHERE agent = ? RETURNING pk');
  const selectAgent = db.prepare<[AgentId], AgentRow>('SELECT * FROM agent WHERE id = ? AND removed_at IS NULL');
  const setScopes = db.prepare('UPDATE api_key SET scopes = ? WHERE hash = ?');

  /** A key is made by one that has not ended and is not about to. */
  function refusal(by: KeyRow | undefined, hash: Uint8Array, most: number, now: number): KeyRefusal | undefined {
    if (by === undefined) return 'gone';
    if (by.successor !== null) return 'rotated';
    if (selectHash.get(hash) !== undefined) return 'taken';
    return selectLive.all(by.agent, now).length >= most ? 'full' : undefined;
  }

  function insertFor(agent: AgentId, { hash, scopes }: NewKey, now: number): number {
    return Number(insert.run(agent, hash, JSON.stringify(scopes), now).lastInsertRowid);
  }

  const add = db.transaction((by: number, key: NewKey, most: number, now: number): { id: number } | KeyRefusal => {
    const maker = selectOne.get(by, now);
    const refused = refusal(maker, key.hash, most, now);
    if (maker === undefined || refused !== undefined) return refused ?? 'gone';
    return { id: insertFor(maker.agent, key, now) };
  });

  const rotate = db.transaction(
    (id: number, hash: Uint8Array, endsAt: number, most: number, now: number): { endsAt: number } | KeyRefusal => {
      const old = selectOne.get(id, now);
      if (old !== undefined && old.successor !== null && old.ends_at !== null) {
        // both are hashes: how long a compare takes tells nobody anything (relay/identity/authenticate.ts)
        const isSame = Buffer.from(selectOne.get(old.successor, now)?.hash ?? []).equals(hash);
        return isSame ? { endsAt: old.ends_at } : 'rotated';
      }
      const refused = refusal(old, hash, most, now);
      if (old === undefined || refused !== undefined) return refused ?? 'gone';
      supersede.run(endsAt, insertFor(old.agent, { hash, scopes: readScopes(old.scopes) }, now), id);
      return { endsAt };
    },
  );

  const replaceAll = db.transaction((id: AgentId, { hash, scopes }: NewKey, now: number): Removed | undefined => {
    const agent = readAgent(selectAgent.get(id));
    if (agent === undefined) return undefined;
    const before = selectLive.all(id, now);
    const could = new Set([...scopes, ...before.flatMap((key) => readScopes(key.scopes))]);
    revokeAll.run(now, id);
    insertFor(id, { hash, scopes: scopeSchema.options.filter((scope) => could.has(scope)) }, now);
    return { agent, keyIds: before.map((key) => key.id), webhooks: dropWebhooks.all(id).map(({ pk }) => pk) };
  });

  return {
    // async, so that what SQLite throws is a rejection
    list: async (agent) => selectLive.all(agent, clock()).map(toRecord),
    add: async (by, key, most) => add.immediate(by, key, most, clock()),
    rotate: async (old, hash, endsAt, most) => rotate.immediate(old, hash, endsAt, most, clock()),
    async revoke(agent, keyId) {
      const now = clock();
      return revokeOne.run(now, keyId, agent, now).changes > 0;
    },
    replaceAll: async (agent, key) => replaceAll.immediate(agent, key, clock()),
    async setScopes(hash, scopes) {
      setScopes.run(JSON.stringify(scopes), hash);
    },
  };
}

/** The scopes of a key, as they were written. */
export function readScopes(text: string): Scopes {
  return scopesSchema.parse(JSON.parse(text));
}

function toRecord(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    scopes: readScopes(row.scopes),
    createdAt: row.created_at,
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
    ...(row.ends_at !== null && { endsAt: row.ends_at }),
  };
}
