import { describe, expect, it } from 'vitest';
import { startCuttingProxy } from './cutting-proxy.ts';
import { listen, openDesk, startRelay } from './support.ts';
import { written } from '../../support/written.ts';

/** Frank's desk reaches the relay over a wire that is cut, Alice's over one that is not. */
async function overABadWire() {
  const wire = await startCuttingProxy();
  const running = await startRelay({ publicUrl: wire.url });
  wire.target = running.url;
  const [alice, frank] = await Promise.all(
    [
      { name: 'alice', url: running.url },
      { name: 'frank', url: wire.url },
    ].map(async ({ name, url }) => {
      const { handle, apiKey } = await running.relay.register({ handle: name, contacts: 'auto' });
      return openDesk(url, { handle, apiKey });
    }),
  );
  if (alice === undefined || frank === undefined) throw new Error('two desks were opened');
  return { wire, alice, frank };
}

describe('over a wire that is cut again and again', () => {
  it('every event of a thread is told once and in order', async () => {
    const { wire, alice, frank } = await overABadWire();
    const ear = listen(frank);
    let pieces = 0;
    wire.cuts = (piece) => {
      if (piece.includes('event: handoff')) pieces += 1;
      return pieces % 4 === 3;
    };
    const { task_id: id } = written(await alice.call('sendHandoff', { to: 'frank', body: 'Hello' }, 'human'));
    const say = async (body: string) => {
      const { version } = written(await alice.call('sendMessage', { task_id: id, body }, 'human'));
      return () => ear.hear((event) => event.type === 'item' && event.event.version === version);
    };
    // one at a time, so that some are cut as they come, then a heap that is replayed
    for (let i = 0; i < 16; i += 1) {
      const isHeard = await say(`Message ${i}`);
      await isHeard();
    }
    const heard = await Promise.all(Array.from({ length: 16 }, (_, i) => say(`More ${i}`)));
    await Promise.all(heard.map((isHeard) => isHeard()));

    const versions = ear.events.flatMap((event) => (event.type === 'item' ? [event.event.version] : []));
    expect(versions).toEqual(versions.map((_, i) => i + 1));
    expect(
      ear.events.filter((event) => event.type === 'account' && event.account.state === 'offline').length,
    ).toBeGreaterThan(3);
    expect(ear.events.filter(({ type }) => type === 'reload')).toHaveLength(1);
  });

  it('a write whose answer is lost after the relay did it is done once, and answered', async () => {
    const { wire, alice, frank } = await overABadWire();
    let lost = 0;
    const loseOneAnswer = () => {
      lost = 0;
      wire.cuts = (piece) => piece.includes('"jsonrpc"') && (lost += 1) === 1;
    };
    loseOneAnswer();
    const { task_id: id } = written(await frank.call('sendHandoff', { to: 'alice', body: 'Hello' }, 'human'));
    expect(lost).toBe(2);
    loseOneAnswer();
    await frank.call('sendMessage', { task_id: id, body: 'And this' }, 'human');
    expect(lost).toBe(2);
    loseOneAnswer();
    await frank.call('updateHandoff', { task_id: id, transition: 'cancel' }, 'human');
    expect(lost).toBe(2);

    wire.cuts = () => false;
    expect((await alice.call('listHandoffs', {}, 'human')).items).toHaveLength(1);
    const { events } = await alice.call('getThread', { task_id: id }, 'human');
    const kinds = events.filter(({ kind }) => kind !== 'receipt').map(({ kind }) => kind);
    expect(kinds).toEqual(['created', 'message', 'status']);
  });

  it('a list is never half of one', async () => {
    const wire = await startCuttingProxy();
    const running = await startRelay({ publicUrl: wire.url });
    wire.target = running.url;
    const { handle: sender, apiKey: senderKey } = await running.relay.register({ handle: 'alice', contacts: 'auto' });
    const alice = await openDesk(running.url, { handle: sender, apiKey: senderKey });
    const { handle, apiKey } = await running.relay.register({ handle: 'frank', contacts: 'auto' });
    for (let i = 0; i < 5; i += 1) await alice.call('sendHandoff', { to: 'frank', body: `Handoff ${i}` }, 'cli');

    let answers = 0;
    // the third of four lists, twice
    wire.cuts = (piece) => piece.includes('next_cursor') && [3, 6].includes((answers += 1));
    const frank = await openDesk(wire.url, { handle, apiKey });
    expect((await frank.call('getSnapshot', {}, 'human')).items).toEqual([]);
    await listen(frank).hear(({ type }) => type === 'reload');
    expect((await frank.call('getSnapshot', {}, 'human')).items).toHaveLength(5);
  });
});
