import type { Word } from '../../contract/contact.ts';
import type { AgentId, ContactStore, Relation, Standing, WordChange } from '../ports.ts';
import { toAgent, type AgentRow } from './agent-row.ts';
import type { Database } from './database.ts';

/** What an agent wants with another one, read inside the transaction that is open. */
export type ReadStanding = (from: AgentId, to: AgentId) => Standing;

export function createStandings(db: Database): ReadStanding {
  const select = db.prepare<[number, number, number, number, number, number], StandingRow>(
    `SELECT (SELECT word FROM contact WHERE agent = ? AND about = ?) AS word,
       EXISTS (SELECT 1 FROM block WHERE agent = ? AND about = ?) AS blocked,
       EXISTS (SELECT 1 FROM block WHERE agent = ? AND about = ?) AS blocks`,
  );
  return (from, to) => {
    const row = select.get(to, from, to, from, from, to);
    return {
      ...(row?.word && { word: row.word }),
      isBlocked: row?.blocked === 1,
      hasBlocked: row?.blocks === 1,
    };
  };
}

interface StandingRow {
  readonly word: Word | null;
  readonly blocked: number;
  readonly blocks: number;
}

interface RelationRow extends AgentRow {
  readonly incoming: Word | null;
  readonly note: string | null;
  readonly outgoing: Word | null;
  readonly blocks: number;
  readonly blocked: number;
  readonly since: number | null;
}

/** How the store's writes are done and told (relay/store/sqlite/task-log.ts). */
export interface Telling {
  /** Runs work in the next group of commits. */
  submit<T>(work: () => T): Promise<T>;
  /** Inside such work: a row in the feed of an agent, about another one. */
  tell(agent: AgentId, about: AgentId): void;
}

/** Contacts and blocks, in SQLite. */
export function createContactStore(db: Database, clock: () => number, { submit, tell }: Telling): ContactStore {
  const standing = createStandings(db);
  const put = db.prepare(
    `INSERT INTO contact (agent, about, word, note, since) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET word = excluded.word, note = excluded.note, since = excluded.since`,
  );
  const drop = db.prepare('DELETE FROM contact WHERE agent = ? AND about = ?');
  const countWaiting = db
    .prepare<[AgentId], number>("SELECT count(*) FROM contact WHERE agent = ? AND word = 'requested'")
    .pluck();
  const block = db.prepare('INSERT INTO block (agent, about, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const unblock = db.prepare('DELETE FROM block WHERE agent = ? AND about = ?');
  const columns = `agent.*, mine.word AS incoming, mine.note AS note, theirs.word AS outgoing,
    own.agent IS NOT NULL AS blocks, EXISTS (SELECT 1 FROM block WHERE agent = met.about AND about = @me) AS blocked,
    coalesce(own.since, mine.since, theirs.since) AS since`;
  const joins = `JOIN agent ON agent.id = met.about
    LEFT JOIN contact AS mine ON mine.agent = @me AND mine.about = met.about
    LEFT JOIN contact AS theirs ON theirs.agent = met.about AND theirs.about = @me
    LEFT JOIN block AS own ON own.agent = @me AND own.about = met.about`;
  const selectOne = db.prepare<[Record<string, unknown>], RelationRow>(
    `SELECT ${columns} FROM (SELECT @peer AS about) AS met ${joins}`,
  );
  const selectPage = db.prepare<[Record<string, unknown>], RelationRow>(
    `WITH met AS (
       SELECT about FROM contact WHERE agent = @me
       UNION SELECT agent FROM contact WHERE about = @me
       UNION SELECT about FROM block WHERE agent = @me)
     SELECT ${columns} FROM met ${joins}
     WHERE agent.name > @after AND agent.removed_at IS NULL ORDER BY agent.name LIMIT @limit`,
  );

  function write({ agent, about, word, note }: WordChange): void {
    if (word === 'none') drop.run(agent, about);
    else put.run(agent, about, word, note ?? null, clock());
  }

  return {
    change: (from, to, decide) =>
      submit(() => {
        const { changes, value } = decide(standing(from, to), countWaiting.get(to) ?? 0);
        for (const change of changes) write(change);
        if (changes.length > 0) {
          tell(from, to);
          tell(to, from);
        }
        return value;
      }),
    setBlocked: (agent, peer, isBlocked) =>
      submit(() => {
        const { changes } = isBlocked ? block.run(agent, peer, clock()) : unblock.run(agent, peer);
        // the other one is not told
        if (changes > 0) tell(agent, peer);
      }),
    async relation(agent, peer) {
      const row = selectOne.get({ me: agent, peer });
      return row && toRelation(row);
    },
    relations: async (agent, after, limit) => selectPage.all({ me: agent, after, limit }).map(toRelation),
    knows: async (agent, peer) => standing(peer, agent).word === 'accepted',
  };
}

function toRelation(row: RelationRow): Relation {
  return {
    peer: toAgent(row),
    ...(row.incoming === null ? {} : { incoming: row.incoming }),
    ...(row.outgoing === null ? {} : { outgoing: row.outgoing }),
    blocks: row.blocks === 1,
    isBlocked: row.blocked === 1,
    ...(row.note === null ? {} : { note: row.note }),
    ...(row.since === null ? {} : { since: row.since }),
  };
}
