import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../../relay/handoffs/engine.ts';
import { grant } from '../../../relay/handoffs/lease.ts';
import type { Lease } from '../../../relay/store/ports.ts';
import type { Store } from '../../../relay/store/store.ts';
import { openDatabase } from '../../../relay/store/sqlite/database.ts';
import { createDirectory } from '../../../relay/store/sqlite/directory.ts';
import { givenUp } from '../../../relay/store/sqlite/migrations/006-given-up.ts';
import { MIGRATIONS } from '../../../relay/store/sqlite/migrations/index.ts';
import { openSqliteStore } from '../../../relay/store/sqlite/store.ts';
import { createTaskLog } from '../../../relay/store/sqlite/task-log.ts';
import { auditStore } from '../../support/store-audit.ts';
import { keyHash, newAgent, storeForTest } from '../../support/stores.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { ALICE, create, FRANK, PARTIES, receipt, says, step } from '../../support/threads.ts';

const NOW = 1_000_000;

/** A store in which handoffs come in one second after the other. */
async function setUp() {
  let now = NOW;
  const clock = (): number => (now += 1_000);
  const { store, file } = await storeForTest(clock);
  const engine = createEngine({ asksConsent: false, log: store.log, clock });
  const handOver = async (id: string): Promise<void> => {
    await engine.create({ ...PARTIES, id }, create());
  };
  const lease = (id: string, worker: string, change: Partial<Lease> = {}) =>
    engine.actOnLease(id, FRANK, (handoff, before, moment) => {
      const request = { worker, author: 'cli', leaseMs: 30_000, attempts: 5 } as const;
      const decision = grant(handoff, before, request, moment);
      if (decision.lease === undefined || decision.lease === 'over') throw new Error('no lease');
      return { ...decision, lease: { ...decision.lease, ...change } };
    });
  return { store, engine, file, handOver, lease };
}

const next = ({ leases }: Store, worker: string, now = NOW): Promise<string | undefined> =>
  leases.next(FRANK, worker, now);

describe('the next handoff of a worker', () => {
  test('is the oldest that is pending', async () => {
    const { store, handOver } = await setUp();
    expect(await next(store, 'w1')).toBeUndefined();
    for (const id of ['t1', 't2', 't3']) await handOver(id);
    expect(await next(store, 'w1')).toBe('t1');
    expect(await store.leases.next(ALICE, 'w1', NOW)).toBeUndefined();
  });

  test('is first of all what it has already, then what waits long enough', async () => {
    const { store, handOver, lease } = await setUp();
    for (const id of ['t1', 't2', 't3', 't4']) await handOver(id);
    await lease('t2', 'w1');
    await lease('t3', 'w2', { state: 'waiting', dueAt: NOW + 500 });
    await lease('t4', 'w2', { state: 'waiting', dueAt: NOW + 400 });
    expect(await next(store, 'w1', NOW + 500)).toBe('t2');
    expect(await next(store, 'w2', NOW + 500)).toBe('t4');
    expect(await next(store, 'w2', NOW + 399)).toBe('t1');
  });

  test('is none that somebody else is at, that waits for its sender, or that is held', async () => {
    const { store, engine, handOver, lease } = await setUp();
    for (const id of ['t1', 't2', 't3', 't4']) await handOver(id);
    await lease('t1', 'w1');
    await lease('t2', 'w1', { state: 'waiting', dueAt: 0 });
    await engine.act('t2', FRANK, () => [step('ask', { sessionId: 'w1' })]);
    await engine.act('t3', FRANK, () => [receipt('recipient', 'held', 1)]);
    await engine.act('t4', FRANK, () => [step('accept', { sessionId: 's1' })]);
    expect(await next(store, 'w2', NOW * 2)).toBeUndefined();
  });
});

describe('what is due', () => {
  test('is what has run out, and what has waited since the last look', async () => {
    const { store, handOver, lease } = await setUp();
    for (const id of ['t1', 't2', 't3', 't4']) await handOver(id);
    await lease('t1', 'w1', { dueAt: 100 });
    await lease('t2', 'w2', { dueAt: 300 });
    await lease('t3', 'w3', { state: 'waiting', dueAt: 200 });
    await lease('t4', 'w4', { state: 'waiting', dueAt: 50 });
    const due = async (after: number, now: number) =>
      (await store.leases.due(after, now)).map(({ taskId, state }) => `${taskId} ${state}`);
    expect(await due(0, 99)).toEqual(['t4 waiting']);
    expect(await due(50, 200)).toEqual(['t1 running', 't3 waiting']);
    expect(await due(200, 300)).toEqual(['t1 running', 't2 running']);
    // what has run out stays due; what has waited was told
    expect(await store.leases.nextDue(150)).toMatchObject({ runsOut: 100, waited: 200 });
    expect(await store.leases.nextDue(200)).toMatchObject({ runsOut: 100, waited: Infinity });
  });

  test('is nothing where there are no leases, and nobody is busy', async () => {
    const { store, handOver, lease } = await setUp();
    await handOver('t1');
    expect(await store.leases.nextDue(0)).toEqual({ runsOut: Infinity, waited: Infinity, since: Infinity });
    expect(await store.leases.busy()).toEqual([]);
    await lease('t1', 'w1');
    expect(await store.leases.busy()).toEqual([FRANK]);
  });
});

test('those that wait for a worker are found by their age, and none that rests or runs', async () => {
  const { store, handOver, lease } = await setUp();
  for (const id of ['t1', 't2', 't3', 't4']) await handOver(id);
  await lease('t1', 'w1', { state: 'running', since: 100 });
  await lease('t2', 'w2', { state: 'waiting', dueAt: 0, since: 100 });
  await lease('t3', 'w3', { state: 'waiting', dueAt: 900, since: 300 });
  await lease('t4', 'w4', { state: 'waiting', dueAt: 900, since: 200 });
  expect((await store.leases.nextDue(0)).since).toBe(200);
  expect(await store.leases.waitingSince(199)).toEqual([]);
  expect(await store.leases.waitingSince(300)).toEqual(['t4', 't3']);
});

test('times that lie too far ahead are brought nearer, and no other', async () => {
  const { store, handOver, lease } = await setUp();
  for (const id of ['t1', 't2', 't3']) await handOver(id);
  await lease('t1', 'w1', { dueAt: 5_000, since: 2_000 });
  await lease('t2', 'w2', { state: 'waiting', dueAt: 5_000, since: 900 });
  await lease('t3', 'w3', { state: 'waiting', dueAt: 0, since: 900 });
  await store.leases.bound(1_000, { runningMs: 3_000, waitingMs: 2_000 });
  expect(await store.leases.nextDue(0)).toEqual({ runsOut: 4_000, waited: 3_000, since: 900 });
  await store.leases.bound(900, { runningMs: 4_000, waitingMs: 3_000 });
  expect(await store.leases.nextDue(0)).toEqual({ runsOut: 4_000, waited: 3_000, since: 900 });
});

test('a lease goes with its handoff, in the same transaction', async () => {
  const { store, engine, file, handOver, lease } = await setUp();
  await handOver('t1');
  await lease('t1', 'w1');
  const db = new Sqlite(file, { readonly: true });
  onTestFinished(() => void db.close());
  const rows = db.prepare<[], { worker: string; number: number }>('SELECT worker, number FROM lease');
  expect(rows.all()).toEqual([{ worker: 'w1', number: 1 }]);
  await expect(engine.act('t1', FRANK, () => [step('complete'), step('complete')])).rejects.toThrow('completed');
  expect(rows.all()).toHaveLength(1);
  await engine.act('t1', FRANK, () => [step('complete', { sessionId: 'w1' })]);
  expect(rows.all()).toEqual([]);
  expect(auditStore(file)).toEqual([]);
  await store.close();
});

test('nobody but the recipient and the relay touches a lease', async () => {
  const { engine, handOver } = await setUp();
  await handOver('t1');
  const look = (id: string, caller: number | 'relay') =>
    engine.actOnLease(id, caller, (handoff) => ({ handoff, events: [] }));
  await expect(look('t1', ALICE)).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
  await expect(look('t2', 'relay')).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
  expect((await look('t1', 'relay')).handoff.id).toBe('t1');
});

test('a store from before there were workers has all that was in it, and takes leases', () => {
  const dir = tempDir();
  const options = { file: join(dir, 'relay.db'), backups: join(dir, 'backups'), clock: () => NOW };
  const old = openDatabase({ ...options, migrations: MIGRATIONS.slice(0, 1) });
  old.exec("INSERT INTO meta VALUES ('a', 'b')");
  old.close();
  const db = openDatabase({ ...options, migrations: MIGRATIONS.slice(0, 2) });
  onTestFinished(() => void db.close());
  expect(db.prepare("SELECT value FROM meta WHERE key = 'a'").pluck().get()).toBe('b');
  expect(db.prepare('SELECT count(*) FROM lease').pluck().get()).toBe(0);
});

test('leases from before their age was looked at: what was answered has a time, what rests has none', async () => {
  const dataDir = tempDir();
  const options = { file: join(dataDir, 'relay.db'), backups: join(dataDir, 'backups'), clock: () => NOW };
  // all but this one, since today's log knows no older schema
  const others = MIGRATIONS.filter((one) => one !== givenUp);
  const old = openDatabase({ ...options, migrations: others });
  const engine = createEngine({ asksConsent: false, log: createTaskLog(old, 'epoch'), clock: () => NOW });
  const directory = createDirectory(old, () => NOW);
  for (const name of ['alice', 'frank']) {
    await directory.createAgent(newAgent(name), { hash: keyHash(name.charCodeAt(0)), scopes: ['send', 'receive'] });
  }
  for (const id of ['rests', 'answered']) {
    await engine.create({ ...PARTIES, id }, create());
    await engine.actOnLease(id, FRANK, (handoff, before, moment) =>
      grant(handoff, before, { worker: id, author: 'cli', leaseMs: 30_000, attempts: 5 }, moment),
    );
    await engine.act(id, FRANK, () => [step('ask', { sessionId: id })]);
  }
  await engine.act('answered', ALICE, () => [says('sender', 'this one')]);
  old.exec('UPDATE lease SET due_at = 0');
  old.close();
  openDatabase({ ...options, migrations: [...others, givenUp] }).close();
  const store = openSqliteStore({ dataDir, clock: () => NOW });
  onTestFinished(() => store.close());
  expect(await store.leases.waitingSince(NOW)).toEqual(['answered']);
});
