import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { InboxItem, OfflinePeer, Snapshot } from '../../../relay/contract/desk-api.ts';
import type { OutboxItem } from '../../../relay/contract/outbox.ts';
import { HandoffRow } from '../../../renderer/screens/inbox/handoff-row.tsx';
import { OutboxRowView } from '../../../renderer/screens/inbox/outbox-row.tsx';
import { Teach } from '../../../renderer/screens/inbox/teach.tsx';
import { SignedOut } from '../../../renderer/screens/notice/signed-out.tsx';
import { Unreachable } from '../../../renderer/screens/notice/unreachable.tsx';
import { OutboxPane } from '../../../renderer/screens/outbox/outbox-pane.tsx';
import { Dock } from '../../../renderer/screens/thread/dock.tsx';
import { ThreadHead } from '../../../renderer/screens/thread/thread-head.tsx';
import { Unsent } from '../../../renderer/screens/thread/unsent.tsx';
import { createActions } from '../../../renderer/state/actions.ts';
import { createComposeStore } from '../../../renderer/state/compose-store.ts';
import { makeOutboxRow, makeRow, type Selected } from '../../../renderer/state/item.ts';
import { INITIAL, reduce, type DeskState } from '../../../renderer/state/reducer.ts';
import type { Storage } from '../../../renderer/state/storage.ts';
import { createUiStore, type Terminal } from '../../../renderer/state/ui-store.ts';
import { unreachable } from '../../../renderer/desk-client.ts';
import { WindowProvider } from '../../../renderer/window-context.ts';
import { rawDangers } from '../../support/raw-dangers.ts';
import { account, away, heldItem, item, snapshot, unsent, UNUSABLE } from './samples.ts';
import { ScriptedDesk } from './scripted-desk.ts';

/** What a screen shows of a state of the window, as a browser would draw it first. */
function show(screen: ReactElement, state: DeskState = INITIAL, terminal?: Terminal, selected?: Selected): string {
  const storage: Storage = { read: () => ({ terminal, selected }), write: () => undefined };
  const desk = createStore<DeskState>(() => state);
  const ui = createUiStore(storage);
  const compose = createComposeStore(storage);
  const actions = createActions({
    client: new ScriptedDesk({}),
    desk,
    ui,
    compose,
    retry: () => undefined,
    newKey: () => 'k1',
    isStacked: () => false,
  });
  return renderToStaticMarkup(createElement(WindowProvider, { value: { desk, ui, compose, actions } }, screen));
}
const ready = (over: Partial<Snapshot>): DeskState => reduce(INITIAL, { type: 'snapshot', snapshot: snapshot(over) });
const words = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

describe('an empty inbox', () => {
  const teach = (handle: string, command = '/srv/agentrelay/bin/agentrelay --home /tmp/second'): string =>
    show(createElement(Teach), ready({ accounts: [account({ handle })], command }));

  it('never tells anybody to write to themselves', () => {
    expect(words(teach('frank@acme'))).toContain('agentrelay handoff mia@acme -m');
    const mia = words(teach('mia@platform'));
    expect(mia).toContain('agentrelay register frank');
    expect(mia).toContain('agentrelay handoff frank@platform -m');
  });

  it('offers commands that work from any folder, and shows them short', () => {
    const markup = teach('frank@acme');
    expect(markup).toContain('title="/srv/agentrelay/bin/agentrelay --home /tmp/second register mia"');
    expect(words(markup)).toContain('$ agentrelay register mia');
    expect(words(markup)).toContain('full path');
    expect(words(teach('frank@acme', 'agentrelay'))).not.toContain('full path');
  });
});

describe('a row', () => {
  const row = (one: InboxItem, ...offline: readonly OfflinePeer[]): string => {
    const props = { row: makeRow(one), top: 0, position: 1, total: 1, current: false };
    return show(createElement(HandoffRow, props), ready({ items: [one], offline: [...offline] }));
  };
  const sent = item({ role: 'sender', sender: 'alice@acme', recipient: 'frank@acme' }, { group: 'waiting' });

  it('says why something waits', () => {
    expect(words(row(sent, away()))).toContain('frank@acme queued, not connected');
    expect(words(row(sent, away({ since: 1_000 })))).toMatch(/frank@acme queued, offline since \S/);
    expect(words(row(sent, away({ peer: 'mia@acme' })))).toMatch(/frank@acme queued$/);
  });

  it('says why something was declined, as the other side’s words', () => {
    expect(words(row(item({ state: 'declined', reason: 'after <b> the release' })))).toContain(
      'you declined: after &lt;b&gt; the release',
    );
    expect(row(item({ state: 'failed', reason: 'gnp\u202Eexe' }))).toContain('title="right-to-left override, U+202E"');
  });
});

describe('what waits to be sent', () => {
  const open = (one: OutboxItem, outbox: readonly OutboxItem[] = [one]): string =>
    show(createElement(OutboxPane), ready({ outbox: [...outbox] }), undefined, {
      account: one.account,
      outboxId: one.id,
    });

  it('is shown whole, with the place marked, why it waits and what can be done', () => {
    const markup = open(unsent());
    expect(words(markup)).toContain('you to frank@acme · new handoff');
    expect(words(markup)).toContain('It holds what looks like a secret (github in body).');
    expect(markup).toMatch(/<mark[^>]*><bdi>ghp_0123456789<\/bdi><\/mark>/);
    expect(words(markup)).toContain('1 place looks like a secret, marked above github in body …, 14 characters');
    expect(words(markup)).toContain('Send all the same');
    // no step is the one to take with a secret
    expect(markup).not.toContain('filled');
  });

  it('says what was cut, and of whose thread it is', () => {
    expect(words(open(unsent({ text: 'a'.repeat(4_096) })))).toContain('Only its beginning is shown here.');
    expect(words(open(unsent()))).not.toContain('Open its handoff');
    expect(words(open(unsent({ task_id: 't1', kind: 'message' })))).toContain('Open its handoff');
  });

  it('hides nothing, neither of what was written nor of why it waits', () => {
    const markup = open(unsent({ text: 'gnp\u202Eexe', reason: 'no\u200B', findings: [], state: 'returned' }));
    expect(rawDangers(markup)).toEqual([]);
    expect(markup).toContain('title="right-to-left override, U+202E"');
    expect(markup).toContain('title="zero width space, U+200B"');
  });

  it('says that it waits no longer once it is gone', () => {
    expect(words(open(unsent(), []))).toBe('It waits no longer: it was sent, or dropped.');
  });

  it('is told in the thread that it was written in', () => {
    const told = (one: OutboxItem): string =>
      words(show(createElement(Unsent, { item: item() }), ready({ outbox: [one] })));
    const message = unsent({ kind: 'message', task_id: 't1' });
    expect(told(message)).toBe(
      'A message waits to be sent. It holds what looks like a secret (github in body). Show it',
    );
    const over = item({ state: 'completed' });
    expect(words(show(createElement(Dock, { item: over }), ready({ outbox: [message] })))).toMatch(/^A message waits/);
    expect(told({ ...message, task_id: 't2' })).toBe('');
    expect(told({ ...message, account: 'alice-web@acme' })).toBe('');
  });

  it('is a row with its first line, to whom it goes, and why it waits', () => {
    const row = (one: OutboxItem): string =>
      words(
        show(createElement(OutboxRowView, { row: makeOutboxRow(one), top: 0, position: 1, total: 1, current: false })),
      );
    expect(row(unsent())).toMatch(/^Deploy fails .* frank@acme not sent, looks like a secret$/);
    expect(row(unsent({ state: 'returned', reason: 'They said no.' }))).toMatch(
      /frank@acme came back: They said no\.$/,
    );
  });
});

describe('the head of a thread', () => {
  const head = (one: InboxItem): string => words(show(createElement(ThreadHead, { row: makeRow(one) })));

  it('names the rule that holds it, in its own words', () => {
    expect(head(heldItem())).toContain('Held by trust.yaml line 14: unknown_teammates.policy = hold');
    expect(head(heldItem({}, UNUSABLE))).toContain('trust.yaml cannot be used (line 3): everything is held');
  });

  it('says how a teammate is trusted', () => {
    expect(head(item())).toContain('Trusted teammate (trust.yaml:6) · reads ok · writes ask');
  });
});

describe('the foot of a thread', () => {
  const foot = (one: InboxItem): string => words(show(createElement(Dock, { item: one }), ready({ items: [one] })));

  it('offers to trust whose handoff is held, and nobody else', () => {
    expect(foot(heldItem())).toContain('Trust ext-bot@vendor …');
    expect(foot(heldItem({}, UNUSABLE))).not.toContain('Trust');
    expect(foot(item())).not.toContain('Trust');
  });
});

describe('a window that is not let in', () => {
  const TERMINAL: Terminal = { command: '/srv/bin/agentrelay', start: 'npm --prefix /srv start -- --home /tmp/second' };
  const page = (linkUsed: boolean, state?: DeskState, terminal?: Terminal): string =>
    show(createElement(SignedOut, { linkUsed }), state, terminal);

  it('says that the app was restarted, where it was let in before', () => {
    const restarted = ready({});
    for (const markup of [page(false, restarted), page(true, restarted), page(false, INITIAL, TERMINAL)]) {
      expect(words(markup)).toContain('AgentRelay was restarted Open the window again from the Window line');
    }
  });

  it('says that the link was used, or that there was none', () => {
    expect(words(page(true, INITIAL, TERMINAL))).toContain('link was already used');
    expect(words(page(false))).toContain('This window is not signed in');
  });

  it('offers what prints another link, and no start, for the app runs', () => {
    for (const linkUsed of [true, false]) {
      const known = page(linkUsed, INITIAL, TERMINAL);
      expect(known).toContain(`title="${TERMINAL.command} open"`);
      expect(words(known)).toContain('$ agentrelay open');
      expect(known).not.toContain('npm');
      const unknown = page(linkUsed);
      expect(words(unknown)).toContain('In the folder of AgentRelay: bin/agentrelay open');
      expect(unknown).not.toContain('Copy');
    }
  });

  it('is told from one that nobody answers', () => {
    const props = { error: unreachable().error, onRetry: () => undefined };
    const markup = show(createElement(Unreachable, props), INITIAL, TERMINAL);
    expect(words(markup)).toContain('AgentRelay does not answer');
    // here nothing runs that could open it
    expect(markup).toContain(`title="${TERMINAL.start}"`);
  });
});
