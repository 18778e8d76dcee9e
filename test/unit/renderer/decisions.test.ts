import { describe, expect, it } from 'vitest';
import type { InboxItem, Kept, WriteResult } from '../../../relay/contract/desk-api.ts';
import type { OutboxItem } from '../../../relay/contract/outbox.ts';
import type { TrustView } from '../../../relay/contract/trust.ts';
import { createActions, type WindowActions } from '../../../renderer/state/actions.ts';
import { createComposeStore, type ComposeStore } from '../../../renderer/state/compose-store.ts';
import { canTrust } from '../../../renderer/state/decisions.ts';
import { createDeskStore, dispatch, type DeskStore } from '../../../renderer/state/desk-store.ts';
import { outboxKey } from '../../../renderer/state/item.ts';
import type { Storage } from '../../../renderer/state/storage.ts';
import { createUiStore, type UiStore } from '../../../renderer/state/ui-store.ts';
import { created, heldItem, item, LISTED, snapshot, thread, UNKNOWN, unsent, UNUSABLE } from './samples.ts';
import { refused, ScriptedDesk, settle } from './scripted-desk.ts';

// What a person decides about: who is trusted, and what leaves.

const SENT: WriteResult = { status: 'sent', task_id: 'new', version: 1, state: 'pending', receipt: 'queued' };
const STILL: Kept = { status: 'queued', reason: 'They were asked.', outbox_id: 'o1', findings: [] };
const TRUST: TrustView = {
  path: '/home/alice/trust.yaml',
  usable: true,
  findings: [],
  defaults: LISTED.grants,
  unknown: { policy: 'hold', rule: UNKNOWN.rule },
  teammates: [],
  blocked: [],
};
const NOTHING_KEPT: Storage = { read: () => undefined, write: () => undefined };
const KEY = outboxKey(unsent());

interface Bench {
  readonly actions: WindowActions;
  readonly desk: DeskStore;
  readonly ui: UiStore;
  readonly compose: ComposeStore;
  readonly client: ScriptedDesk;
}

/** A window that shows the handoff, or what waits. */
function bench(client: ScriptedDesk, shown: InboxItem | OutboxItem, stacked = false): Bench {
  const desk = createDeskStore();
  const ui = createUiStore(NOTHING_KEPT);
  const compose = createComposeStore(NOTHING_KEPT);
  const [items, outbox] = 'id' in shown ? [[item()], [shown]] : [[shown], []];
  dispatch(desk, { type: 'snapshot', snapshot: snapshot({ items, outbox }) });
  const ports = { client, desk, ui, compose, retry: () => undefined, newKey: () => 'k1', isStacked: () => stacked };
  const actions = createActions(ports);
  const { account } = shown;
  if ('id' in shown) actions.select({ account, outboxId: shown.id }, true);
  else {
    actions.select({ account, taskId: shown.task_id }, true);
    dispatch(desk, { type: 'thread_requested' });
    dispatch(desk, { type: 'thread_loaded', thread: thread(shown, [created()]) });
  }
  actions.focusTaken();
  return { actions, desk, ui, compose, client };
}
const dock = ({ compose }: Bench, key: string): unknown => compose.getState().docks[key];

describe('trusting somebody', () => {
  const HELD = 'alice@acme t1';

  it('is asked about first, and then writes an entry without grants: the defaults count', async () => {
    const window = bench(new ScriptedDesk({ changeTrust: () => TRUST }), heldItem());
    window.actions.ask('trust');
    expect(dock(window, HELD)).toEqual({ mode: 'reply', asks: 'trust' });
    expect(window.ui.getState().focus).toBe('dock');
    expect(window.client.calls).toEqual([]);
    window.actions.confirm();
    await settle();
    expect(window.client.calls).toEqual([
      { command: 'changeTrust', input: { kind: 'teammate', handle: 'ext-bot@vendor', grants: {} } },
    ]);
    expect(dock(window, HELD)).toEqual({ mode: 'reply' });
    expect(window.ui.getState().focus).toBe('thread');
  });

  it('is confirmed by the key that sends, and left by the one that leads back', async () => {
    const window = bench(new ScriptedDesk({ changeTrust: () => TRUST }), heldItem());
    window.actions.ask('trust');
    window.actions.back();
    expect(dock(window, HELD)).toEqual({ mode: 'reply' });
    expect(window.ui.getState().pane).toBe('thread');
    window.actions.ask('trust');
    window.actions.send();
    await settle();
    expect(window.client.count('changeTrust')).toBe(1);
  });

  it('that fails keeps the question and says why', async () => {
    const desk = new ScriptedDesk({
      changeTrust: () => {
        throw refused('trust.yaml has an error.\u202e', 'TRUST_UNUSABLE');
      },
    });
    const window = bench(desk, heldItem());
    window.actions.ask('trust');
    window.actions.confirm();
    await settle();
    expect(dock(window, HELD)).toMatchObject({
      asks: 'trust',
      error: { message: 'trust.yaml has an error.\u27e8U+202E\u27e9' },
    });
  });

  it('is done once, however often it is confirmed', async () => {
    const window = bench(new ScriptedDesk({ changeTrust: () => new Promise(() => undefined) }), heldItem());
    window.actions.ask('trust');
    window.actions.confirm();
    window.actions.confirm();
    window.actions.take('accept');
    await settle();
    expect(window.client.calls.map(({ command }) => command)).toEqual(['changeTrust']);
  });

  it('is offered only where an entry would let something through', () => {
    expect(canTrust(heldItem())).toBe(true);
    expect(canTrust(heldItem({}, UNUSABLE))).toBe(false);
    expect(canTrust(heldItem({}, { ...UNKNOWN, layer: 'blocked', action: 'reject' }))).toBe(false);
    expect(canTrust(item())).toBe(false);
    const window = bench(new ScriptedDesk({}), heldItem({}, UNUSABLE));
    window.actions.ask('trust');
    expect(dock(window, HELD)).toBeUndefined();
  });

  it('needs the question to be asked, and the thread to be seen', () => {
    const window = bench(new ScriptedDesk({}), heldItem());
    window.actions.confirm();
    const stacked = bench(new ScriptedDesk({}), heldItem(), true);
    stacked.actions.back();
    stacked.actions.ask('trust');
    stacked.actions.confirm();
    expect([...window.client.calls, ...stacked.client.calls]).toEqual([]);
  });
});

describe('what waits to be sent', () => {
  it('is opened in the place of a thread, on which no key acts any more', () => {
    const window = bench(new ScriptedDesk({}), unsent());
    expect(window.desk.getState().thread).toBeUndefined();
    window.actions.take('accept');
    window.actions.begin('decline');
    expect(window.client.calls).toEqual([]);
  });

  it('is reached with the keys of the list', () => {
    const window = bench(new ScriptedDesk({}), unsent());
    window.actions.move(-1);
    expect(window.ui.getState().selected).toEqual({ account: 'alice@acme', taskId: 't1' });
    expect(window.desk.getState().thread?.taskId).toBe('t1');
    window.actions.move(1);
    expect(window.ui.getState().selected).toEqual({ account: 'alice@acme', outboxId: 'o1' });
  });

  it('is sent at the person’s word, and then its handoff is open', async () => {
    const window = bench(new ScriptedDesk({ releaseOutbox: () => SENT }), unsent());
    window.actions.send();
    await settle();
    expect(window.client.calls).toEqual([{ command: 'releaseOutbox', input: { as: 'alice@acme', id: 'o1' } }]);
    expect(window.ui.getState()).toMatchObject({
      selected: { account: 'alice@acme', taskId: 'new' },
      focus: 'thread',
    });
  });

  it('does not take the reader away from where they went meanwhile', async () => {
    const sent: ((result: WriteResult) => void)[] = [];
    const window = bench(new ScriptedDesk({ releaseOutbox: () => new Promise((done) => sent.push(done)) }), unsent());
    window.actions.release();
    await settle();
    window.actions.select({ account: 'alice@acme', taskId: 't1' }, true);
    sent[0]?.(SENT);
    await settle();
    expect(window.ui.getState().selected).toEqual({ account: 'alice@acme', taskId: 't1' });
  });

  it('says so when it was tried and still waits', async () => {
    const window = bench(new ScriptedDesk({ releaseOutbox: () => STILL }), unsent({ state: 'waiting_contact' }));
    window.actions.release();
    await settle();
    expect(dock(window, KEY)).toEqual({ mode: 'reply', note: 'It was tried just now, and still waits.' });
    expect(window.ui.getState().selected).toEqual({ account: 'alice@acme', outboxId: 'o1' });
  });

  it('stays when the relay refuses it, with the reason', async () => {
    const desk = new ScriptedDesk({
      releaseOutbox: () => {
        throw refused('frank@acme does not take messages from you.', 'CONTACT_DECLINED');
      },
    });
    const window = bench(desk, unsent());
    window.actions.release();
    await settle();
    expect(dock(window, KEY)).toMatchObject({ error: { reason: 'CONTACT_DECLINED' } });
  });

  it('is dropped only when that was asked, and leaves its place empty', async () => {
    const window = bench(new ScriptedDesk({ discardOutbox: () => ({}) }), unsent());
    window.actions.cancel();
    expect(dock(window, KEY)).toEqual({ mode: 'reply', asks: 'drop' });
    expect(window.client.calls).toEqual([]);
    window.actions.send();
    await settle();
    expect(window.client.calls).toEqual([{ command: 'discardOutbox', input: { as: 'alice@acme', id: 'o1' } }]);
    expect(window.ui.getState()).toMatchObject({ selected: undefined, pane: 'list', focus: 'list' });
  });

  it('is kept with the key that leads back', () => {
    const window = bench(new ScriptedDesk({}), unsent());
    window.actions.cancel();
    window.actions.back();
    expect(dock(window, KEY)).toEqual({ mode: 'reply' });
    window.actions.confirm();
    expect(window.client.calls).toEqual([]);
  });

  it('is nothing to act on once it is gone, or behind the list', () => {
    const window = bench(new ScriptedDesk({}), unsent());
    dispatch(window.desk, { type: 'event', event: { seq: 1, type: 'outbox', account: 'alice@acme', id: 'o1' } });
    const stacked = bench(new ScriptedDesk({}), unsent(), true);
    stacked.actions.back();
    for (const { actions } of [window, stacked]) {
      actions.send();
      actions.cancel();
      actions.confirm();
    }
    expect([...window.client.calls, ...stacked.client.calls]).toEqual([]);
  });
});
