import { describe, expect, test } from 'vitest';
import type { Command } from '../../../relay/handoffs/command.ts';
import { createEngine } from '../../../relay/handoffs/engine.ts';
import { auditStore } from '../../support/store-audit.ts';
import { logForTest } from '../../support/stores.ts';
import { ALICE, artifact, create, FRANK, message, PARTIES, receipt, says, step } from '../../support/threads.ts';

const BIG = 'x'.repeat(10_000);

/** A message of the sender whose size is that of its text. */
const saysAtLength = (text: string): Command => ({
  type: 'message',
  actor: 'sender',
  author: 'human',
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }] },
});

async function setUp(threadSize?: number) {
  const { db, log, file } = await logForTest(threadSize);
  const engine = createEngine({ asksConsent: false, log, clock: Date.now });
  await engine.create(PARTIES, create({ message: message('first') }));
  const act = (agent: number, ...commands: readonly Command[]) => engine.act(PARTIES.id, agent, () => commands);
  return { db, log, file, act };
}

describe('a thread that is full', () => {
  async function full() {
    const run = await setUp(100_000);
    for (let n = 0; n < 9; n++) await run.act(ALICE, saysAtLength(BIG));
    return run;
  }

  test('takes nothing more, says what to do, and has stored nothing of it', async () => {
    const { act, log, file } = await full();
    await expect(act(ALICE, saysAtLength(BIG))).rejects.toMatchObject({
      reason: 'THREAD_TOO_LARGE',
      message: expect.stringContaining('new handoff'),
    });
    expect((await log.readHandoff(PARTIES.id))?.version).toBe(10);
    expect(auditStore(file)).toEqual([]);
  });

  test('is full of small events too', async () => {
    const { act } = await setUp(10_000);
    const fill = async (): Promise<void> => {
      for (let n = 0; n < 100; n++) await act(ALICE, says('sender', ''));
    };
    await expect(fill()).rejects.toMatchObject({ reason: 'THREAD_TOO_LARGE' });
    // or nobody could ever take it up to end it
    expect((await act(FRANK, step('accept'))).handoff.state).toBe('accepted');
  });

  test('can still be acknowledged, and ended with words and a result', async () => {
    const { act } = await full();
    await act(FRANK, receipt('recipient', 'surfaced', 10));
    const { handoff } = await act(FRANK, step('accept'), step('complete', { message: message(BIG) }));
    expect(handoff).toMatchObject({ state: 'completed', version: 13 });
  });

  test('takes what fits when others of the same group do not', async () => {
    const { act, file } = await full();
    const results = await Promise.allSettled([
      act(ALICE, says('sender', 'small')),
      act(ALICE, saysAtLength(BIG)),
      act(ALICE, says('sender', 'small too')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(auditStore(file)).toEqual([]);
  });
});

describe('a page of a thread', () => {
  test('ends when it has a few megabytes, has one event at least, and says whether more follow', async () => {
    const { act, log } = await setUp();
    const megabyte = 'x'.repeat(1_000_000);
    for (let n = 0; n < 9; n++) await act(ALICE, saysAtLength(megabyte));
    const first = await log.readTask(PARTIES.id, 0, 200);
    expect(first?.more).toBe(true);
    expect(first?.events.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
    const second = await log.readTask(PARTIES.id, 5, 200);
    expect(second?.events.map(({ version }) => version)).toEqual([6, 7, 8, 9]);
    const last = await log.readTask(PARTIES.id, 9, 200);
    expect([last?.events.length, last?.more]).toEqual([1, false]);
  });

  test('says whether more follow where the number of events ends it', async () => {
    const { act, log } = await setUp();
    await act(ALICE, says('sender', 'a'), says('sender', 'b'));
    const more = async (limit: number) => (await log.readTask(PARTIES.id, 0, limit))?.more;
    expect(await Promise.all([0, 2, 3, 4].map(more))).toEqual([true, true, false, false]);
  });
});

describe('a conversation', () => {
  async function long() {
    const run = await setUp();
    await run.act(FRANK, step('accept'), artifact());
    for (const text of ['a', 'b', 'c']) await run.act(ALICE, says('sender', text));
    await run.act(FRANK, receipt('recipient', 'surfaced', 6));
    await run.act(FRANK, says('recipient', 'd'));
    return run;
  }
  const kinds = async (run: Awaited<ReturnType<typeof long>>, messages: number | undefined, artifacts: boolean) =>
    (
      await run.log.readConversation(PARTIES.id, { artifacts, ...(messages === undefined ? {} : { messages }) })
    )?.events.map(({ version, kind }) => `${version} ${kind}`);

  test('is all of it but the receipts, in order', async () => {
    expect(await kinds(await long(), undefined, true)).toEqual([
      '1 created',
      '2 status',
      '3 artifact',
      '4 message',
      '5 message',
      '6 message',
      '8 message',
    ]);
  });

  test('is no more than is asked for, and the status', async () => {
    const run = await long();
    expect(await kinds(run, 0, false)).toEqual(['8 message']);
    expect(await kinds(run, 1, false)).toEqual(['6 message', '8 message']);
    expect(await kinds(run, 3, true)).toEqual(['3 artifact', '4 message', '5 message', '6 message', '8 message']);
    // a step without words is no message; those before the last one that is shown need not be there
    expect((await kinds(run, 4, false))?.filter((one) => !one.endsWith('status'))).toEqual([
      '1 created',
      '4 message',
      '5 message',
      '6 message',
      '8 message',
    ]);
  });

  test('that ends with the sender has as many messages as are asked for', async () => {
    const run = await long();
    await run.act(ALICE, says('sender', 'e'));
    expect(await kinds(run, 0, false)).toEqual([]);
    expect(await kinds(run, 2, false)).toEqual(['8 message', '9 message']);
  });
});
