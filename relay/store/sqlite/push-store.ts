import type { Generation } from '../../contract/generation.ts';
import type { BuriedLetter, NewPushConfig, PushConfig, PushStore } from '../ports.ts';
import type { Database } from './database.ts';

interface ConfigRow {
  readonly pk: number;
  readonly task_id: string;
  readonly agent: number;
  readonly id: string;
  readonly url: string;
  readonly token: string | null;
  readonly scheme: string | null;
  readonly credentials: string | null;
  readonly wake_up: number;
  readonly generation: Generation;
  readonly alias: string | null;
  readonly cursor: number;
  readonly attempts: number;
  readonly failing_since: number;
  readonly next_at: number;
}

interface LetterRow {
  readonly task_id: string;
  readonly id: string;
  readonly url: string;
  readonly version: number;
  readonly error: string;
  readonly attempts: number;
  readonly died_at: number;
}

const SELECT = 'SELECT c.*, t.id AS task_id FROM push_config c JOIN task t ON t.pk = c.task';

/**
 * Webhooks and what is left to deliver to them, in SQLite.
 * @param transact runs work in a transaction of the log; resolves after its COMMIT
 */
export function createPushStore(db: Database, transact: <T>(work: () => T) => Promise<T>): PushStore {
  const selectOne = db.prepare<[number], ConfigRow>(`${SELECT} WHERE c.pk = ?`);
  const selectAll = db.prepare<[string, number], ConfigRow>(`${SELECT} WHERE t.id = ? AND c.agent = ? ORDER BY c.pk`);
  const selectLive = db.prepare<[], ConfigRow & { readonly is_due: number }>(
    `SELECT c.*, t.id AS task_id, c.cursor < t.last_version AS is_due FROM push_config c JOIN task t ON t.pk = c.task
      WHERE t.closed = 0 OR is_due ORDER BY c.pk`,
  );
  const insert = db.prepare(
    `INSERT INTO push_config (task, agent, id, url, token, scheme, credentials, wake_up, generation, alias, cursor, attempts, failing_since, next_at)
     SELECT pk, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0 FROM task
      WHERE id = ? AND EXISTS (SELECT 1 FROM agent WHERE id = ? AND removed_at IS NULL)`,
  );
  const readdress = db.prepare(
    `UPDATE push_config SET url = ?, token = ?, scheme = ?, credentials = ?, wake_up = ?, generation = ?, alias = ?,
       attempts = 0, failing_since = 0, next_at = 0 WHERE pk = ?`,
  );
  const remove = db.prepare('DELETE FROM push_config WHERE pk = ?');
  const move = db.prepare(
    'UPDATE push_config SET cursor = ?, attempts = 0, failing_since = 0, next_at = 0 WHERE pk = ?',
  );
  const fail = db.prepare('UPDATE push_config SET attempts = ?, failing_since = ?, next_at = ? WHERE pk = ?');
  const bury = db.prepare(
    `INSERT OR REPLACE INTO push_dead (config, version, agent, error, attempts, died_at)
     SELECT pk, ?, agent, ?, ?, ? FROM push_config WHERE pk = ?`,
  );
  const selectDead = db.prepare<[number, number], LetterRow>(
    `SELECT t.id AS task_id, c.id, c.url, d.version, d.error, d.attempts, d.died_at
       FROM push_dead d JOIN push_config c ON c.pk = d.config JOIN task t ON t.pk = c.task
      WHERE d.agent = ? ORDER BY d.died_at DESC, d.config, d.version DESC LIMIT ?`,
  );
  const firstDead = db.prepare<[number], { version: number | null }>(
    'SELECT min(version) AS version FROM push_dead WHERE config = ?',
  );
  const unbury = db.prepare('DELETE FROM push_dead WHERE config = ?');
  const prune = db.prepare(
    `DELETE FROM push_config WHERE pk IN (
       SELECT c.pk FROM push_config c JOIN task t ON t.pk = c.task
        WHERE t.closed = 1 AND t.updated_at < ? AND c.cursor >= t.last_version
          AND NOT EXISTS (SELECT 1 FROM push_dead d WHERE d.config = c.pk))`,
  );

  const one = (pk: number | bigint): PushConfig => {
    const row = selectOne.get(Number(pk));
    if (row === undefined) throw new Error('a webhook that was just there');
    return read(row);
  };

  return {
    put: (config) =>
      transact(() => {
        const known = selectAll.all(config.taskId, config.agent);
        const { id, agent, cursor, taskId } = config;
        const same = known.find((row) => row.id === id);
        if (same !== undefined) {
          // the same call once more must not begin anew what waits for its next attempt
          const isChanged = !isSame(same, config);
          if (isChanged) readdress.run(...address(config), same.pk);
          return { config: one(same.pk), isChanged };
        }
        const { changes, lastInsertRowid } = insert.run(agent, id, ...address(config), cursor, taskId, agent);
        if (changes === 0) return undefined;
        return { config: one(lastInsertRowid), isChanged: true };
      }),
    list: async (taskId, agent) => selectAll.all(taskId, agent).map(read),
    remove: (taskId, agent, id) =>
      transact(() => {
        const found = selectAll.all(taskId, agent).find((row) => row.id === id);
        if (found !== undefined) remove.run(found.pk);
        return found?.pk;
      }),
    live: async () => selectLive.all().map((row) => ({ config: read(row), isDue: row.is_due === 1 })),
    noteDelivered: (pk, cursor) =>
      transact(() => {
        move.run(cursor, pk);
      }),
    noteFailed: (pk, { attempts, since, nextAt }) =>
      transact(() => {
        fail.run(attempts, since, nextAt, pk);
      }),
    bury: (pk, { version, error, attempts, diedAt }) =>
      transact(() => {
        bury.run(version, error, attempts, diedAt, pk);
        move.run(version, pk);
      }),
    deadLetters: async (agent, limit) => selectDead.all(agent, limit).map(readLetter),
    revive: (taskId, agent) =>
      transact(() =>
        selectAll.all(taskId, agent).flatMap(({ pk, cursor }) => {
          const version = firstDead.get(pk)?.version ?? null;
          if (version === null) return [];
          move.run(Math.min(cursor, version - 1), pk);
          unbury.run(pk);
          return one(pk);
        }),
      ),
    prune: (closedBefore) =>
      transact(() => {
        prune.run(closedBefore);
      }),
  };
}

type Address = Omit<NewPushConfig, 'taskId' | 'agent' | 'id' | 'cursor'>;

/** Where and how it is told, in the order of the columns. */
function address({ url, token, authentication, wakeUp, generation, alias }: Address) {
  const { scheme = null, credentials = null } = authentication ?? {};
  return [url, token ?? null, scheme, credentials, wakeUp ? 1 : 0, generation, alias ?? null] as const;
}

function isSame(row: ConfigRow, config: Address): boolean {
  const known = address(read(row));
  return address(config).every((value, i) => value === known[i]);
}

function read(row: ConfigRow): PushConfig {
  const { scheme, credentials } = row;
  return {
    pk: row.pk,
    taskId: row.task_id,
    agent: row.agent,
    id: row.id,
    url: row.url,
    ...(row.token === null ? {} : { token: row.token }),
    ...(scheme === null ? {} : { authentication: { scheme, ...(credentials === null ? {} : { credentials }) } }),
    wakeUp: row.wake_up === 1,
    generation: row.generation,
    ...(row.alias === null ? {} : { alias: row.alias }),
    cursor: row.cursor,
    ...(row.attempts === 0
      ? {}
      : { failure: { attempts: row.attempts, since: row.failing_since, nextAt: row.next_at } }),
  };
}

function readLetter(row: LetterRow): BuriedLetter {
  const { task_id: taskId, id: configId, url, version, error, attempts, died_at: diedAt } = row;
  return { taskId, configId, url, version, error, attempts, diedAt };
}
