import { describe, expect, it } from 'vitest';
import type { Desk } from '../../../main/desk/desk.ts';
import {
  accountIs,
  accountOf,
  dataFolder,
  listen,
  openDesk,
  startRelay,
  type Ear,
  type RunningRelay,
} from './support.ts';
import { written } from '../../support/written.ts';

async function deskOf(running: RunningRelay, name: string, options: Parameters<typeof openDesk>[1] = {}) {
  const { handle, apiKey } = await running.relay.register({ handle: name, contacts: 'auto' });
  const desk = await openDesk(running.url, { handle, apiKey, ...options });
  return { desk, apiKey, ear: listen(desk) };
}

/** Summaries of the handoffs whose beginning this desk was told of, in the order in which it was. */
function heard(ear: Ear): string[] {
  return ear.events.flatMap((event) =>
    event.type === 'item' && event.event.kind === 'created' ? [event.event.summary] : [],
  );
}

const send = async (desk: Desk, body: string, key?: string) =>
  written(
    await desk.call(
      'sendHandoff',
      { to: 'frank', body, ...(key === undefined ? {} : { idempotency_key: key }) },
      'human',
    ),
  );

const tellsOf = (ear: Ear, summary: string) =>
  ear.hear((event) => event.type === 'item' && event.item.handoff.summary === summary);

const isBack = (ear: Ear) =>
  ear.hear(
    (event) =>
      event.type === 'account' &&
      event.account.state === 'connected' &&
      ear.events.some((e) => e.type === 'account' && e.account.state === 'offline' && e.seq < event.seq),
  );

describe('a relay that goes away and comes back where it was', () => {
  it('finds its desks again by itself, and nothing is lost or told twice', async () => {
    const running = await startRelay();
    const alice = await deskOf(running, 'alice');
    const frank = await deskOf(running, 'frank');
    await send(alice.desk, 'Before');
    await tellsOf(frank.ear, 'Before');

    await running.stop();
    expect(await accountIs(frank.ear, ({ state }) => state === 'offline')).toMatchObject({ handle: 'frank@acme' });
    await expect(send(alice.desk, 'Down', 'k-down')).rejects.toMatchObject({ reason: 'RELAY_UNREACHABLE' });

    await running.restart();
    await isBack(alice.ear);
    const again = await send(alice.desk, 'Down', 'k-down');
    expect((await send(alice.desk, 'Down', 'k-down')).task_id).toBe(again.task_id);
    await send(alice.desk, 'After');
    await tellsOf(frank.ear, 'After');
    await isBack(frank.ear);

    expect(heard(frank.ear)).toEqual(['Before', 'Down', 'After']);
    expect(frank.ear.events.map(({ seq }) => seq)).toEqual(frank.ear.events.map((_, i) => i + 1));
    // it resumed where it was, so there was no need to list anew
    expect(frank.ear.events.filter(({ type }) => type === 'reload')).toHaveLength(1);
    const { items } = await frank.desk.call('listHandoffs', {}, 'human');
    expect(items.map(({ handoff }) => handoff.summary)).toEqual(['After', 'Down', 'Before']);
  });

  it('replays what was written while the desk was away, once and in order', async () => {
    const running = await startRelay();
    const alice = await deskOf(running, 'alice');
    // so slow to come back that everything below is written before it does
    const frank = await deskOf(running, 'frank', { timing: { firstRetryMs: 60_000, lastRetryMs: 60_000 } });
    await send(alice.desk, 'Before');
    await tellsOf(frank.ear, 'Before');
    await running.restart();
    await accountIs(frank.ear, ({ state }) => state === 'offline');
    await isBack(alice.ear);
    const bodies = Array.from({ length: 40 }, (_, i) => `While away ${i}`);
    for (const body of bodies) await send(alice.desk, body);

    frank.desk.wake();
    await tellsOf(frank.ear, 'While away 39');
    expect(heard(frank.ear)).toEqual(['Before', ...bodies]);
    expect(frank.ear.events.filter(({ type }) => type === 'reload')).toHaveLength(1);
  });

  it('with another store makes the desk list anew, and forget what is not there', async () => {
    const running = await startRelay();
    const alice = await deskOf(running, 'alice');
    const frank = await deskOf(running, 'frank', { timing: { firstRetryMs: 60_000, lastRetryMs: 60_000 } });
    await send(alice.desk, 'Gone');
    await tellsOf(frank.ear, 'Gone');

    await running.restart(await dataFolder());
    await accountIs(frank.ear, ({ state }) => state === 'offline');
    await running.relay.register({ handle: 'frank', apiKey: frank.apiKey, contacts: 'auto' });
    const mia = await deskOf(running, 'mia');
    await send(mia.desk, 'New');
    frank.desk.wake();
    await frank.ear.hear(({ type, seq }) => type === 'reload' && seq > 2);
    const { items } = await frank.desk.call('getSnapshot', {}, 'human');
    expect(items.map(({ handoff }) => handoff.summary)).toEqual(['New']);
  });
});

describe('one desk an account', () => {
  it('is what the relay keeps to: a second one is told that the account is in use', async () => {
    const running = await startRelay();
    const { apiKey } = await deskOf(running, 'frank', { deskId: 'first' });
    const second = await openDesk(running.url, { handle: 'frank@acme', apiKey, deskId: 'second' });
    expect(await accountOf(second)).toMatchObject({ state: 'offline', detail: 'in use by another desk' });
  });

  it('may come back while its dead stream is still open', async () => {
    const running = await startRelay();
    const first = await deskOf(running, 'frank', {
      deskId: 'same',
      timing: { firstRetryMs: 60_000, lastRetryMs: 60_000 },
    });
    const again = await openDesk(running.url, { handle: 'frank@acme', apiKey: first.apiKey, deskId: 'same' });
    expect(await accountOf(again)).toMatchObject({ state: 'connected' });
    await accountIs(first.ear, ({ state }) => state === 'offline');
  });
});

describe('a key', () => {
  it('that the relay never gave is not tried twice', async () => {
    const running = await startRelay();
    const desk = await openDesk(running.url, { apiKey: 'arl_nothing' });
    expect(await accountOf(desk)).toMatchObject({ state: 'key_revoked' });
    await expect(desk.call('listHandoffs', {}, 'cli')).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
  });
});
