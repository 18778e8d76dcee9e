import type { Invite, InviteStore, Redemption } from '../key-ports.ts';
import type { AgentId, NewAgent, NewKey } from '../ports.ts';
import { readAgent, type AgentRow } from './agent-row.ts';
import { createAgentWriter } from './agent-writer.ts';
import type { Database } from './database.ts';

interface InviteRow {
  readonly id: string;
  readonly name: string;
  readonly role: string | null;
  readonly created_by: AgentId | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly withdrawn_at: number | null;
  readonly redeemed_at: number | null;
  readonly redeemed_by: AgentId | null;
}

/** Invites, in SQLite. */
export function createInviteStore(db: Database, clock: () => number): InviteStore {
  const insert = db.prepare(
    'INSERT INTO invite (id, hash, name, role, created_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const withdrawOpen = db.prepare(
    'UPDATE invite SET withdrawn_at = ? WHERE name = ? AND redeemed_at IS NULL AND withdrawn_at IS NULL AND expires_at > ?',
  );
  const withdrawOne = db.prepare(
    'UPDATE invite SET withdrawn_at = ? WHERE id = ? AND redeemed_at IS NULL AND withdrawn_at IS NULL AND expires_at > ?',
  );
  // ids grow with time
  const selectPage = db.prepare<[string, string, number], InviteRow>(
    "SELECT * FROM invite WHERE ? = '' OR id < ? ORDER BY id DESC LIMIT ?",
  );
  const selectByHash = db.prepare<[Uint8Array], InviteRow>('SELECT * FROM invite WHERE hash = ?');
  const selectAgent = db.prepare<[AgentId], AgentRow>('SELECT * FROM agent WHERE id = ?');
  const selectKey = db.prepare<[Uint8Array], { agent: AgentId; revoked_at: number | null; ends_at: number | null }>(
    'SELECT agent, revoked_at, ends_at FROM api_key WHERE hash = ?',
  );
  const use = db.prepare('UPDATE invite SET redeemed_at = ?, redeemed_by = ? WHERE id = ?');
  const writer = createAgentWriter(db);

  const add = db.transaction((invite: Parameters<InviteStore['add']>[0], now: number): void => {
    withdrawOpen.run(now, invite.name, now);
    const { id, hash, name, role = null, createdBy = null, expiresAt } = invite;
    insert.run(id, hash, name, role, createdBy, now, expiresAt);
  });

  const redeem = db.transaction(
    (hash: Uint8Array, key: NewKey, make: (invite: Invite) => NewAgent, now: number): Redemption => {
      const row = selectByHash.get(hash);
      if (row === undefined) return 'unknown';
      const invite = toInvite(row);
      const inviter = invite.createdBy;
      const holder = selectKey.get(key.hash);
      if (row.redeemed_by !== null) {
        const isSame =
          holder?.agent === row.redeemed_by &&
          holder.revoked_at === null &&
          (holder.ends_at ?? Number.POSITIVE_INFINITY) > now;
        const agent = isSame ? readAgent(selectAgent.get(row.redeemed_by)) : undefined;
        return agent === undefined ? 'used' : { agent, ...(inviter && { inviter }) };
      }
      // whoever is not there any more lets nobody in
      if (row.withdrawn_at !== null || inviter?.removedAt !== undefined) return 'withdrawn';
      if (row.expires_at <= now) return 'expired';
      if (holder !== undefined) return 'key_taken';
      const agent = writer.insert(make(invite), key, now);
      use.run(now, agent.id, row.id);
      return { agent, ...(inviter && { inviter }) };
    },
  );

  function toInvite(row: InviteRow): Invite {
    const createdBy = row.created_by === null ? undefined : readAgent(selectAgent.get(row.created_by));
    return {
      id: row.id,
      name: row.name,
      ...(row.role !== null && { role: row.role }),
      ...(createdBy && { createdBy }),
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      ...(row.withdrawn_at !== null && { withdrawnAt: row.withdrawn_at }),
      ...(row.redeemed_at !== null && { redeemedAt: row.redeemed_at }),
    };
  }

  return {
    // async, so that what SQLite throws is a rejection
    add: async (invite) => add.immediate(invite, clock()),
    list: async (before, limit) => selectPage.all(before, before, limit).map(toInvite),
    async withdraw(id) {
      const now = clock();
      return withdrawOne.run(now, id, now).changes > 0;
    },
    redeem: async (hash, key, make) => redeem.immediate(hash, key, make, clock()),
  };
}
