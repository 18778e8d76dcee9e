import { describe, expect, it } from 'vitest';
import type { WriteResult } from '../../../relay/contract/desk-api.ts';
import type { HandoffState } from '../../../relay/contract/handoff.ts';
import type { Reason } from '../../../relay/contract/reasons.ts';
import {
  compose,
  draftId,
  stepsFor,
  writeCommand,
  type ComposeAction,
  type ComposeState,
  type Step,
} from '../../../renderer/state/compose.ts';
import { createComposeStore, takeStep } from '../../../renderer/state/compose-store.ts';
import type { Storage } from '../../../renderer/state/storage.ts';
import { unreachable } from '../../../renderer/desk-client.ts';
import { item } from './samples.ts';
import { refused, ScriptedDesk, settle } from './scripted-desk.ts';

const KEY = 'alice@acme t1';
const SENT: WriteResult = { status: 'sent', task_id: 't1', version: 2, state: 'pending', receipt: 'queued' };
const EMPTY: ComposeState = { docks: {}, drafts: {} };
const run = (...actions: ComposeAction[]): ComposeState => actions.reduce(compose, EMPTY);
const typed = (text: string): ComposeAction => ({ type: 'typed', key: KEY, step: 'reply', text });
const sending = (idempotencyKey: string, step: Step = 'reply'): ComposeAction => ({
  type: 'sending',
  key: KEY,
  step,
  idempotencyKey,
});
const refusedWith = (reason: Reason): ComposeAction => ({
  type: 'refused',
  key: KEY,
  step: 'reply',
  error: { reason, message: 'no' },
});
const draft = (state: ComposeState): unknown => state.drafts[draftId(KEY, 'reply')];

describe('what can be done', () => {
  it('depends on the side and the state', () => {
    expect(stepsFor('recipient', 'pending')).toEqual(['accept', 'decline', 'reply']);
    expect(stepsFor('recipient', 'accepted')).toEqual(['complete', 'ask', 'fail', 'reply']);
    expect(stepsFor('recipient', 'input_required')).toEqual(['complete', 'fail', 'reply']);
    expect(stepsFor('sender', 'pending')).toEqual(['reply', 'cancel']);
    expect(stepsFor('sender', 'accepted')).toEqual(['reply']);
    expect(stepsFor('sender', 'input_required')).toEqual(['reply', 'cancel']);
  });

  it('is nothing once it is over', () => {
    const over: readonly HandoffState[] = ['completed', 'failed', 'declined', 'cancelled'];
    for (const state of over) expect([stepsFor('sender', state), stepsFor('recipient', state)]).toEqual([[], []]);
  });
});

describe('a draft', () => {
  it('is kept per thread and step', () => {
    const state = run(typed('one'), { type: 'typed', key: KEY, step: 'decline', text: 'two' });
    expect(state.drafts).toEqual({ [`${KEY} reply`]: { text: 'one' }, [`${KEY} decline`]: { text: 'two' } });
  });

  it('that is empty is none', () => {
    expect(run(typed('one'), typed('')).drafts).toEqual({});
  });

  it('leaves with its success', () => {
    const state = run(typed('one'), sending('k1'), { type: 'sent', key: KEY, step: 'reply' });
    expect(state).toEqual({ docks: { [KEY]: { mode: 'reply' } }, drafts: {} });
  });

  it('stays with its failure, and the dock says why', () => {
    const state = run(typed('one'), sending('k1'), refusedWith('STATE_CHANGED'));
    expect(draft(state)).toEqual({ text: 'one' });
    expect(state.docks[KEY]).toEqual({ mode: 'reply', error: { reason: 'STATE_CHANGED', message: 'no' } });
  });

  it('keeps its key while it may have been sent: the same text never goes twice', () => {
    const reasons: readonly Reason[] = ['RELAY_UNREACHABLE', 'INTERNAL', 'SHUTTING_DOWN', 'STORAGE_FAILED'];
    for (const reason of reasons) {
      const again = run(typed('one'), sending('k1'), refusedWith(reason), sending('k2'));
      expect(draft(again)).toEqual({ text: 'one', idempotencyKey: 'k1' });
    }
  });

  it('gets another key when the first was refused, or belongs to another text', () => {
    const reasons: readonly Reason[] = ['STATE_CHANGED', 'INVALID_PARAMS', 'IDEMPOTENCY_CONFLICT'];
    for (const reason of reasons) {
      const again = run(typed('one'), sending('k1'), refusedWith(reason), sending('k2'));
      expect(draft(again)).toEqual({ text: 'one', idempotencyKey: 'k2' });
    }
  });

  it('keeps its key while it is changed after a failure that says nothing', () => {
    const state = run(typed('one'), sending('k1'), refusedWith('RELAY_UNREACHABLE'), typed('one and a half'));
    expect(draft(state)).toEqual({ text: 'one and a half', idempotencyKey: 'k1' });
  });
});

describe('the dock', () => {
  it('shows the form that was asked for, without what went wrong before', () => {
    const state = run(typed('one'), sending('k1'), refusedWith('STATE_CHANGED'), {
      type: 'mode',
      key: KEY,
      mode: 'decline',
    });
    expect(state.docks[KEY]).toEqual({ mode: 'decline' });
  });

  it('knows what is on its way, even when another form is shown', () => {
    const state = run(typed('one'), sending('k1'), { type: 'mode', key: KEY, mode: 'decline' });
    expect(state.docks[KEY]).toEqual({ mode: 'decline', pending: 'reply' });
  });

  it('goes back to the reply when a step is taken', () => {
    const state = run({ type: 'mode', key: KEY, mode: 'decline' }, sending('k1', 'decline'), {
      type: 'sent',
      key: KEY,
      step: 'decline',
    });
    expect(state.docks[KEY]).toEqual({ mode: 'reply' });
  });

  it('stays at the form of a step that was refused', () => {
    const state = run({ type: 'mode', key: KEY, mode: 'decline' }, sending('k1', 'decline'), {
      type: 'refused',
      key: KEY,
      step: 'decline',
      error: { reason: 'STATE_CHANGED', message: 'no' },
    });
    expect(state.docks[KEY]?.mode).toBe('decline');
  });

  it('asks before it does what needs no words, and takes the question back with the form', () => {
    const asked = run({ type: 'asked', key: KEY, question: 'trust' });
    expect(asked.docks[KEY]).toEqual({ mode: 'reply', asks: 'trust' });
    const back = compose(asked, { type: 'mode', key: KEY, mode: 'reply' });
    expect(back.docks[KEY]).toEqual({ mode: 'reply' });
  });

  it('keeps the question while it is carried out, and where it could not be', () => {
    const error = { reason: 'TRUST_UNUSABLE', message: 'Mend it first.' } as const;
    const asked: ComposeAction = { type: 'asked', key: KEY, question: 'trust' };
    const acting: ComposeAction = { type: 'acting', key: KEY, act: 'trust' };
    expect(run(asked, acting).docks[KEY]).toEqual({ mode: 'reply', asks: 'trust', pending: 'trust' });
    expect(run(asked, acting, { type: 'failed', key: KEY, error }).docks[KEY]).toEqual({
      mode: 'reply',
      asks: 'trust',
      error,
    });
    expect(run(asked, acting, { type: 'acted', key: KEY, note: 'It still waits.' }).docks[KEY]).toEqual({
      mode: 'reply',
      note: 'It still waits.',
    });
  });

  it('leaves a draft alone, whatever is asked and done', () => {
    const state = run(typed('half a thought'), { type: 'acting', key: KEY, act: 'trust' }, { type: 'acted', key: KEY });
    expect(draft(state)).toEqual({ text: 'half a thought' });
  });
});

describe('what a step asks of the desk', () => {
  const asked = (step: Step): unknown => writeCommand(item(), step, 'words', 'k1');
  const common = { as: 'alice@acme', task_id: 't1', idempotency_key: 'k1' };

  it('is a message for a reply', () => {
    expect(asked('reply')).toEqual({ command: 'sendMessage', input: { ...common, body: 'words' } });
  });

  it('is a transition for everything else, with its words where they belong', () => {
    const update = (input: object): unknown => ({ command: 'updateHandoff', input: { ...common, ...input } });
    expect(asked('accept')).toEqual(update({ transition: 'accept' }));
    expect(asked('complete')).toEqual(update({ transition: 'complete', body: 'words' }));
    expect(asked('ask')).toEqual(update({ transition: 'ask', body: 'words' }));
    expect(asked('decline')).toEqual(update({ transition: 'decline', reason: 'words' }));
    expect(asked('fail')).toEqual(update({ transition: 'fail', reason: 'words' }));
    expect(asked('cancel')).toEqual(update({ transition: 'cancel', reason: 'words' }));
    // the only one that may go without
    expect(writeCommand(item(), 'cancel', '', 'k1')).toEqual(update({ transition: 'cancel' }));
  });
});

/** Storage in memory. */
function memory(start: Record<string, unknown> = {}): Storage & { readonly kept: Record<string, unknown> } {
  const kept = { ...start };
  return { kept, read: (name) => kept[name], write: (name, value) => (kept[name] = value) };
}

describe('taking a step', () => {
  const keys = (): (() => string) => {
    let next = 0;
    return () => `k${++next}`;
  };

  it('sends the text without the space around it, under a key', async () => {
    const desk = new ScriptedDesk({ sendMessage: () => SENT });
    const store = createComposeStore(memory());
    store.setState(run(typed('  Looking at it.\n')), true);
    expect(await takeStep(desk, store, item(), 'reply', keys())).toBe(true);
    expect(desk.calls).toEqual([
      {
        command: 'sendMessage',
        input: { as: 'alice@acme', task_id: 't1', body: 'Looking at it.', idempotency_key: 'k1' },
      },
    ]);
    expect(store.getState().drafts).toEqual({});
  });

  it('is done once, however often it is asked for meanwhile', async () => {
    const done: ((result: WriteResult) => void)[] = [];
    const desk = new ScriptedDesk({ updateHandoff: () => new Promise((resolve) => done.push(resolve)) });
    const store = createComposeStore(memory());
    const steps = [1, 2, 3].map(() => takeStep(desk, store, item(), 'accept', keys()));
    await settle();
    expect(desk.count('updateHandoff')).toBe(1);
    done[0]?.(SENT);
    expect(await Promise.all(steps)).toEqual([true, false, false]);
    expect(store.getState().docks[KEY]?.pending).toBeUndefined();
  });

  it('in one thread does not hold up another', async () => {
    const desk = new ScriptedDesk({
      updateHandoff: ({ task_id: id }) => (id === 't1' ? new Promise(() => undefined) : SENT),
    });
    const store = createComposeStore(memory());
    void takeStep(desk, store, item(), 'accept', keys());
    expect(await takeStep(desk, store, item({ task_id: 't2' }), 'accept', keys())).toBe(true);
  });

  it('that failed without an answer is repeated under the same key', async () => {
    let up = false;
    const desk = new ScriptedDesk({
      sendMessage: () => {
        if (!up) throw unreachable();
        return SENT;
      },
    });
    const store = createComposeStore(memory());
    store.setState(run(typed('once')), true);
    const newKey = keys();
    expect(await takeStep(desk, store, item(), 'reply', newKey)).toBe(false);
    up = true;
    expect(await takeStep(desk, store, item(), 'reply', newKey)).toBe(true);
    expect(desk.calls.map(({ input }) => input)).toMatchObject([{ idempotency_key: 'k1' }, { idempotency_key: 'k1' }]);
  });

  it('that is refused keeps the text and says why', async () => {
    const desk = new ScriptedDesk({
      updateHandoff: () => {
        throw refused('It is declined by now.', 'STATE_CHANGED');
      },
    });
    const store = createComposeStore(memory());
    store.setState(run({ type: 'typed', key: KEY, step: 'decline', text: 'after the release' }), true);
    expect(await takeStep(desk, store, item(), 'decline', keys())).toBe(false);
    expect(store.getState().docks[KEY]?.error?.message).toBe('It is declined by now.');
    expect(store.getState().drafts[draftId(KEY, 'decline')]).toEqual({ text: 'after the release' });
  });
});

describe('drafts', () => {
  it('survive a restart, and what was on its way does not', () => {
    const storage = memory();
    createComposeStore(storage).setState(run(typed('half a thought'), sending('k1')), true);
    const { drafts, docks } = createComposeStore(storage).getState();
    expect(drafts).toEqual({ [`${KEY} reply`]: { text: 'half a thought', idempotencyKey: 'k1' } });
    expect(docks).toEqual({});
  });

  it('are forgotten where they cannot be read', () => {
    expect(createComposeStore(memory({ drafts: [{ nonsense: true }] })).getState().drafts).toEqual({});
  });
});
