import { afterEach, describe, expect, it, vi } from 'vitest';
import { browserStorage, type Storage } from '../../../renderer/state/storage.ts';
import { createDeskStore, dispatch } from '../../../renderer/state/desk-store.ts';
import { keepTerminal } from '../../../renderer/state/terminal.ts';
import { createUiStore } from '../../../renderer/state/ui-store.ts';
import { snapshot } from './samples.ts';

function memory(start: unknown): Storage & { kept: unknown } {
  return {
    kept: start,
    read() {
      return this.kept;
    },
    write(_name, value) {
      this.kept = value;
    },
  };
}
const DEFAULTS = { theme: 'system', filter: 'inbox', scroll: { inbox: 0, waiting: 0, done: 0 } };

describe('what the window remembers of itself', () => {
  it('is nothing at the first start', () => {
    expect(createUiStore(memory(undefined)).getState()).toMatchObject({ ...DEFAULTS, pane: 'list', helpOpen: false });
  });

  it('is what was selected, filtered, scrolled to and how it looked', () => {
    const storage = memory(undefined);
    const left = {
      theme: 'dark',
      filter: 'done',
      selected: { account: 'alice@acme', taskId: 't1' },
      scroll: { inbox: 1, waiting: 2, done: 3 },
    } as const;
    createUiStore(storage).setState(left);
    expect(createUiStore(storage).getState()).toMatchObject(left);
  });

  it('may be something that waits to be sent', () => {
    const storage = memory(undefined);
    const selected = { account: 'alice@acme', outboxId: 'o1' };
    createUiStore(storage).setState({ selected });
    expect(createUiStore(storage).getState().selected).toEqual(selected);
  });

  it('is not which pane was in front, nor an open sheet', () => {
    const storage = memory(undefined);
    createUiStore(storage).setState({ pane: 'thread', helpOpen: true, focus: 'dock' });
    expect(createUiStore(storage).getState()).toMatchObject({ pane: 'list', helpOpen: false, focus: undefined });
  });

  it('is only as good as what can be read of it: the rest is as at the first start', () => {
    const odd = { theme: 'purple', filter: 'done', selected: { account: 7 }, scroll: { inbox: -4 } };
    expect(createUiStore(memory(odd)).getState()).toMatchObject({ ...DEFAULTS, filter: 'done' });
    expect(createUiStore(memory(odd)).getState().selected).toBeUndefined();
    for (const nonsense of [null, 7, 'x', []])
      expect(createUiStore(memory(nonsense)).getState()).toMatchObject(DEFAULTS);
  });
});

describe('how the app is called from a terminal', () => {
  it('is remembered for a window that the desk no longer answers', () => {
    const storage = memory(undefined);
    const desk = createDeskStore();
    keepTerminal(desk, createUiStore(storage));
    dispatch(desk, { type: 'snapshot', snapshot: snapshot({ command: '/srv/bin/agentrelay', start: 'npm start' }) });
    const terminal = { command: '/srv/bin/agentrelay', start: 'npm start' };
    expect(createUiStore(storage).getState().terminal).toEqual(terminal);
  });

  it('is not known before a desk said so, or when what was kept cannot be read', () => {
    expect(createUiStore(memory(undefined)).getState().terminal).toBeUndefined();
    expect(createUiStore(memory({ terminal: { start: 7 } })).getState().terminal).toBeUndefined();
  });
});

describe('the browser’s storage', () => {
  afterEach(() => vi.unstubAllGlobals());
  const withLocalStorage = (localStorage: Partial<globalThis.Storage> | (() => never)): Storage => {
    const window =
      typeof localStorage === 'function'
        ? Object.defineProperty({}, 'localStorage', { get: localStorage })
        : { localStorage };
    vi.stubGlobal('window', window);
    return browserStorage();
  };

  it('keeps values by name', () => {
    const map = new Map<string, string>();
    const storage = withLocalStorage({
      getItem: (name) => map.get(name) ?? null,
      setItem: (name, value) => void map.set(name, value),
    });
    storage.write('window', { theme: 'dark' });
    expect(storage.read('window')).toEqual({ theme: 'dark' });
    expect(storage.read('other')).toBeUndefined();
    expect([...map.keys()]).toEqual(['agentrelay.window']);
  });

  it('may be switched off: then nothing is kept, and nothing breaks', () => {
    const storage = withLocalStorage(() => {
      throw new Error('access is denied for this document');
    });
    storage.write('window', {});
    expect(storage.read('window')).toBeUndefined();
  });

  it('may be full, or hold what is no JSON', () => {
    const storage = withLocalStorage({
      getItem: () => '{',
      setItem: () => {
        throw new Error('quota exceeded');
      },
    });
    storage.write('window', {});
    expect(storage.read('window')).toBeUndefined();
  });
});
