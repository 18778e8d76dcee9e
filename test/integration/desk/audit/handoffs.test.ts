import { describe, expect, it } from 'vitest';
import { openAudit } from '../../../support/audit.ts';
import { listen, openDesk, startRelay } from '../support.ts';
import { written } from '../../../support/written.ts';

describe('handoffs of a desk', () => {
  it('are in its audit log, also those that came while it was closed, each once', async () => {
    const running = await startRelay();
    const accounts = await Promise.all(
      ['frank', 'alice'].map((handle) => running.relay.register({ handle, contacts: 'auto' })),
    );
    const [frank, alice] = accounts;
    if (frank === undefined || alice === undefined) throw new Error('two were registered');
    const { audit } = await openAudit();
    const noted = (): unknown[] =>
      audit
        .list({ actions: ['handoff_sent', 'handoff_received', 'handoff_transition'] }, { limit: 100 })
        .rows.map(({ action, actor, detail }) => [action, actor, (detail as { state: string }).state])
        .toReversed();
    const atFrank = await openDesk(running.url, { ...frank, audit });
    const ear = listen(atFrank);
    const atAlice = await openDesk(running.url, alice);

    const first = written(await atAlice.call('sendHandoff', { to: 'frank', body: 'First' }, 'human'));
    await ear.hear((event) => event.type === 'item' && event.item.task_id === first.task_id);
    await atFrank.call('updateHandoff', { task_id: first.task_id, transition: 'accept' }, 'codex');
    await ear.hear((event) => event.type === 'item' && event.event.kind === 'status');
    const soFar = [
      ['handoff_received', 'peer', 'pending'],
      ['handoff_transition', 'codex', 'accepted'],
    ];
    expect(noted()).toEqual(soFar);

    await atFrank.close();
    await atAlice.call('sendHandoff', { to: 'frank', body: 'Second' }, 'human');
    const again = await openDesk(running.url, { ...frank, audit });
    const missed = [...soFar, ['handoff_received', 'desk', 'pending']];
    expect(noted()).toEqual(missed);

    await again.close();
    await openDesk(running.url, { ...frank, audit });
    expect(noted()).toEqual(missed);
    expect(await audit.verify()).toMatchObject({ ok: true, rows: 6 });
  });
});
