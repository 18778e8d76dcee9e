import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { RelayError } from '../../../relay/contract/reasons.ts';
import { createEngine, type Engine } from '../../../relay/handoffs/engine.ts';
import type { Commit, Decision, Handoff, TaskLog } from '../../../relay/store/ports.ts';
import { createGroupCommit } from '../../../relay/store/sqlite/group-commit.ts';
import { auditStore } from '../../support/store-audit.ts';
import { logForTest } from '../../support/stores.ts';
import { ALICE, create, FRANK, handoffIn, message, PARTIES, says, step, thread } from '../../support/threads.ts';
import { commitsInWal } from '../../support/wal.ts';

const EXT_BOT = 3;
const NOBODY = 99;

async function setUp() {
  const { db, log, file } = await logForTest();
  const engine = createEngine({ asksConsent: false, log, clock: Date.now });
  const told: (readonly Commit[])[] = [];
  log.onCommit((commits) => told.push(commits));
  return { db, log, file, engine, told };
}

function send(engine: Engine, id: string, sender = ALICE, recipient = FRANK) {
  return engine.create({ ...PARTIES, id, sender, recipient }, create());
}

/** A write that the schema refuses: its second event has a version that is taken. */
function brokenWrite(log: TaskLog, id: string) {
  const { handoff, events } = thread(step('accept'));
  const twice = events.map((event) => ({ ...event, version: 1 }));
  return log.transact({}, () => ({ handoff: { ...handoff, id }, events: twice }));
}

/** Numbers that each agent's feed has, as the listeners were told. */
function toldSeqs(told: readonly (readonly Commit[])[], agent: number): readonly number[] {
  return told
    .flat()
    .flatMap(({ feeds, events }) =>
      feeds.flatMap((feed) => (feed.agent === agent ? events.map((_event, index) => feed.firstSeq + index) : [])),
    );
}

const oneTo = (n: number): readonly number[] => Array.from({ length: n }, (_none, index) => index + 1);

describe('what is written in one turn of the event loop', () => {
  test('shares one COMMIT', async () => {
    const { engine, file, told } = await setUp();
    const before = commitsInWal(file);
    await Promise.all(oneTo(50).map((n) => send(engine, `task-${n}`)));
    expect(commitsInWal(file) - before).toBe(1);
    expect(told).toHaveLength(1);
    expect(auditStore(file)).toEqual([]);
  });

  test('shares it with what the next turns bring, as long as each brings more', async () => {
    const { engine, file } = await setUp();
    const before = commitsInWal(file);
    const sending: Promise<unknown>[] = [];
    for (const n of oneTo(4)) {
      sending.push(send(engine, `task-${n}`));
      await turn();
    }
    await Promise.all(sending);
    expect(commitsInWal(file) - before).toBe(1);
  });

  test('is apart from what is written when it has been answered', async () => {
    const { engine, file } = await setUp();
    const before = commitsInWal(file);
    for (const n of oneTo(5)) await send(engine, `task-${n}`);
    expect(commitsInWal(file) - before).toBe(5);
  });

  test('is done in the order in which it was asked for', async () => {
    const { engine, told } = await setUp();
    const names = oneTo(20).map((n) => `task-${n}`);
    await Promise.all(names.map((name) => send(engine, name)));
    expect(told.flat().map(({ handoff }) => handoff.id)).toEqual(names);
  });

  test('is told to listeners before anybody has an answer', async () => {
    const { engine, told } = await setUp();
    const seen: number[] = [];
    await Promise.all(oneTo(3).map(async (n) => send(engine, `task-${n}`).then(() => seen.push(told.flat().length))));
    expect(seen).toEqual([3, 3, 3]);
  });

  test('is seen by no reader before its COMMIT', async () => {
    const { engine, log } = await setUp();
    const sending = send(engine, 'task-1');
    expect(await log.readHandoff('task-1')).toBeUndefined();
    await sending;
    expect(await log.readHandoff('task-1')).toMatchObject({ state: 'pending' });
  });

  test('with nothing in it commits nothing', async () => {
    const { file, log, told } = await setUp();
    const before = commitsInWal(file);
    await log.transact({}, () => ({ handoff: handoffIn('pending'), events: [] }));
    await turn();
    expect(commitsInWal(file)).toBe(before);
    expect(told).toEqual([]);
  });
});

describe('one that fails takes no other with it', () => {
  const REFUSAL = new RelayError('STATE_CHANGED', 'It changed.');
  const BUG = new TypeError('undefined is not a function');

  test.each([
    ['refuses', REFUSAL],
    ['breaks', BUG],
  ])('when its decision %s', async (_how, error) => {
    const { engine, log, file, told } = await setUp();
    const results = await Promise.allSettled([
      send(engine, 'task-1'),
      log.transact({}, () => {
        throw error;
      }),
      send(engine, 'task-2'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: error });
    expect(toldSeqs(told, ALICE)).toEqual([1, 2]);
    expect(auditStore(file)).toEqual([]);
  });

  test('when its write breaks a rule of the schema, of which nothing is left', async () => {
    const { engine, log, file, told } = await setUp();
    const results = await Promise.allSettled([
      send(engine, 'task-1'),
      brokenWrite(log, 'task-2'),
      send(engine, 'task-3'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_UNIQUE' } });
    expect(await log.readHandoff('task-2')).toBeUndefined();
    expect(toldSeqs(told, ALICE)).toEqual([1, 2]);
    expect(auditStore(file)).toEqual([]);
  });

  test('even when what fails is the COMMIT', async () => {
    const { engine, log, db, file, told } = await setUp();
    await send(engine, 'task-0', EXT_BOT, ALICE);
    const lateFailure = log.transact({}, (): Decision => {
      // its recipient does not exist, which is found out at the very end
      db.pragma('defer_foreign_keys = ON');
      const { handoff, events } = thread();
      return { handoff: { ...handoff, id: 'task-2', recipient: NOBODY }, events };
    });
    const results = await Promise.allSettled([
      send(engine, 'task-1'),
      lateFailure,
      send(engine, 'task-3', FRANK, ALICE),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } });
    await send(engine, 'task-4', EXT_BOT, ALICE);
    expect(toldSeqs(told, ALICE)).toEqual([1, 2, 3, 4]);
    expect(toldSeqs(told, NOBODY)).toEqual([]);
    expect(auditStore(file)).toEqual([]);
  });

  test('nor do failures leave anything behind in the next group', async () => {
    const { engine, log, file, told } = await setUp();
    for (const n of oneTo(4)) {
      await Promise.allSettled([brokenWrite(log, `broken-${n}`), brokenWrite(log, `broken-too-${n}`)]);
      await send(engine, `task-${n}`);
    }
    expect(toldSeqs(told, FRANK)).toEqual([1, 2, 3, 4]);
    expect(auditStore(file)).toEqual([]);
  });
});

describe('a full disk', () => {
  test('refuses what does not fit, stores what does, and is no end', async () => {
    const { engine, db, file, log, told } = await setUp();
    await send(engine, 'task-1');
    const limit = Number(db.pragma('page_count', { simple: true })) + 4;
    db.pragma(`max_page_count = ${limit}`);
    const write = (text: string) => engine.act('task-1', ALICE, () => [says('sender', text)]);
    const results = await Promise.allSettled([write('small'), write('big'.repeat(100_000)), write('small too')]);
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      {
        reason: {
          reason: 'STORAGE_FAILED',
          message: expect.stringMatching(/database or disk is full.*Free some space/),
        },
      },
      { status: 'fulfilled' },
    ]);
    db.pragma(`max_page_count = ${limit + 1_000}`);
    expect(await write('big'.repeat(100_000))).toMatchObject({ handoff: { version: 4 } });
    expect((await log.readTask('task-1', 0, -1))?.events).toHaveLength(4);
    expect(toldSeqs(told, FRANK)).toEqual([1, 2, 3, 4]);
    expect(auditStore(file)).toEqual([]);
  });

  test('that has room for nothing refuses everything', async () => {
    const { engine, db, file } = await setUp();
    await send(engine, 'task-1');
    db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`);
    const write = () => engine.act('task-1', ALICE, () => [says('sender', 'big'.repeat(100_000))]);
    for (const result of await Promise.allSettled([write(), write()])) {
      expect(result).toMatchObject({ reason: { reason: 'STORAGE_FAILED' } });
    }
    expect(auditStore(file)).toEqual([]);
  });
});

describe('a listener', () => {
  test('may write: that is the next group', async () => {
    const { engine, log, file } = await setUp();
    const answers: Promise<unknown>[] = [];
    log.onCommit((commits) => {
      for (const { handoff } of commits) {
        if (handoff.version === 1) answers.push(engine.act(handoff.id, FRANK, () => [step('accept')]));
      }
    });
    await Promise.all(oneTo(3).map((n) => send(engine, `task-${n}`)));
    await Promise.all(answers);
    expect(answers).toHaveLength(3);
    expect(auditStore(file)).toEqual([]);
  });

  test('that unsubscribes is told nothing more', async () => {
    const { engine, log } = await setUp();
    let told = 0;
    const stop = log.onCommit(() => told++);
    await send(engine, 'task-1');
    stop();
    await send(engine, 'task-2');
    expect(told).toBe(1);
  });

  test('that breaks keeps nobody from the answer to what is stored', async () => {
    const { db } = await logForTest();
    const group = createGroupCommit(db, {
      committed: () => {
        throw new Error('a listener broke');
      },
      rolledBack: () => undefined,
    });
    const results = Promise.allSettled([
      group.submit(() => db.exec("INSERT INTO meta VALUES ('a', 'b')")),
      group.submit(() => {
        throw new RelayError('STATE_CHANGED', 'It changed.');
      }),
    ]);
    expect(() => group.close()).toThrow('a listener broke');
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(db.prepare("SELECT value FROM meta WHERE key = 'a'").pluck().get()).toBe('b');
  });
});

describe('closing', () => {
  test('commits what waits, then refuses', async () => {
    const { engine, log, file } = await setUp();
    const waiting = [send(engine, 'task-1'), send(engine, 'task-2')];
    log.close();
    await Promise.all(waiting);
    await expect(send(engine, 'task-3')).rejects.toMatchObject({
      reason: 'SHUTTING_DOWN',
      message: expect.stringContaining('try again'),
    });
    expect(auditStore(file)).toEqual([]);
  });

  test('refuses those, too, that wait in a group that fails', async () => {
    const { log, db } = await setUp();
    const broken = Promise.allSettled([brokenWrite(log, 'task-1')]);
    log.close();
    expect(await broken).toMatchObject([{ status: 'rejected' }]);
    expect(db.inTransaction).toBe(false);
  });
});

describe('reading', () => {
  test('gives a handoff and what came after a version, as of one moment', async () => {
    const { engine, log } = await setUp();
    await send(engine, 'task-1');
    for (const n of oneTo(9)) await engine.act('task-1', ALICE, () => [says('sender', `${n}`)]);
    const versions = async (after: number, limit: number): Promise<readonly number[] | undefined> =>
      (await log.readTask('task-1', after, limit))?.events.map(({ version }) => version);
    expect(await versions(0, -1)).toEqual(oneTo(10));
    expect(await versions(7, 100)).toEqual([8, 9, 10]);
    expect(await versions(2, 3)).toEqual([3, 4, 5]);
    expect(await versions(10, 5)).toEqual([]);
    expect(await versions(0, 0)).toEqual([]);
    expect((await log.readTask('task-1', 2, 1))?.handoff.version).toBe(10);
    expect(await log.readTask('nobody', 0, 1)).toBeUndefined();
  });

  test('gives back what was written, whatever it is made of', async () => {
    const { engine, log } = await setUp();
    const odd = message('\u0000\u{1F600}"\\\u2028', {
      metadata: { deep: [[[{ a: null, b: -0.5, c: 1e300, '': false }]]], '\u0000': '\uFFFD' },
      referenceTaskIds: ['a'],
    });
    const proposedAction = { description: 'd', target_files: [], rationale: '', suggested_diff: '' };
    const said = create({ message: odd, summary: '\u0000x', intent: 'propose_action', proposedAction, bornLive: true });
    const { handoff, events } = await engine.create(PARTIES, said);
    expect(await log.readTask(PARTIES.id, 0, -1)).toStrictEqual({ handoff, events, more: false });
  });

  test('of a feed goes on where it stopped, and says where its end is', async () => {
    const { engine, log } = await setUp();
    for (const n of oneTo(5)) await send(engine, `task-${n}`);
    const seqs = async (after: number, limit: number): Promise<unknown> => {
      const { entries, head } = await log.readFeed(FRANK, after, limit);
      return [entries.map(({ seq }) => seq), head];
    };
    expect(await seqs(0, 100)).toEqual([[1, 2, 3, 4, 5], 5]);
    expect(await seqs(2, 2)).toEqual([[3, 4], 5]);
    expect(await seqs(5, 2)).toEqual([[], 5]);
    expect(await seqs(0, 0)).toEqual([[], 5]);
    expect(await log.readFeed(EXT_BOT, 0, 100)).toEqual({ entries: [], head: 0 });
  });

  test('rejects, and does not throw, when the store is closed', async () => {
    const { log, db } = await setUp();
    db.close();
    const reads: (() => Promise<Handoff | object | undefined>)[] = [
      () => log.readHandoff('task-1'),
      () => log.readTask('task-1', 0, 1),
      () => log.readFeed(ALICE, 0, 1),
      () => log.list({ viewer: ALICE, limit: 1, countTotal: false }),
    ];
    for (const read of reads) await expect(read()).rejects.toThrow('not open');
  });
});
