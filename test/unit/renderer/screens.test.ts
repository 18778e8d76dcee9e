import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { InboxItem, OfflinePeer, Snapshot } from '../../../relay/contract/desk-api.ts';
import { HandoffRow } from '../../../renderer/screens/inbox/handoff-row.tsx';
import { Teach } from '../../../renderer/screens/inbox/teach.tsx';
import { SignedOut } from '../../../renderer/screens/notice/signed-out.tsx';
import { Unreachable } from '../../../renderer/screens/notice/unreachable.tsx';
import { createActions } from '../../../renderer/state/actions.ts';
import { createComposeStore } from '../../../renderer/state/compose-store.ts';
import { makeRow } from '../../../renderer/state/item.ts';
import { INITIAL, reduce, type DeskState } from '../../../renderer/state/reducer.ts';
import type { Storage } from '../../../renderer/state/storage.ts';
import { createUiStore, type Terminal } from '../../../renderer/state/ui-store.ts';
import { unreachable } from '../../../renderer/desk-client.ts';
import { WindowProvider } from '../../../renderer/window-context.ts';
import { account, away, item, snapshot } from './samples.ts';
import { ScriptedDesk } from './scripted-desk.ts';

/** What a screen shows of a state of the window, as a browser would draw it first. */
function show(screen: ReactElement, state: DeskState = INITIAL, terminal?: Terminal): string {
  const storage: Storage = { read: () => ({ terminal }), write: () => undefined };
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
