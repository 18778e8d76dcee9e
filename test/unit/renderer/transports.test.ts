import { describe, expect, it } from 'vitest';
import type { AgentRelayBridge } from '../../../relay/contract/bridge.ts';
import type { DeskEvent } from '../../../relay/contract/desk-api.ts';
import { deskError, DeskCallError, SignedOutError, unreachable } from '../../../renderer/desk-client.ts';
import { openEnvelope, readEvent } from '../../../renderer/transports/envelope.ts';
import { ipcClient } from '../../../renderer/transports/ipc.ts';
import { startSession, type SessionPorts } from '../../../renderer/transports/session.ts';
import { created, item, itemEvent, snapshot } from './samples.ts';

const reasonOf = (run: () => unknown): string => {
  try {
    run();
    return 'no error';
  } catch (thrown) {
    return thrown instanceof DeskCallError ? thrown.error.reason : 'another error';
  }
};

describe('an answer of the desk', () => {
  it('is its value', () => {
    expect(openEnvelope('getSnapshot', { ok: true, value: snapshot({ items: [item()] }) })).toEqual(
      snapshot({ items: [item()] }),
    );
  });

  it('is thrown when it is an error, in its words and with its fields', () => {
    const error = {
      reason: 'INVALID_PARAMS',
      message: 'body: too long',
      violations: [{ field: 'body', description: 'too long' }],
    } as const;
    expect(() => openEnvelope('sendMessage', { ok: false, error })).toThrow('body: too long');
    expect(reasonOf(() => openEnvelope('sendMessage', { ok: false, error }))).toBe('INVALID_PARAMS');
  });

  it('of another version of the app is not believed', () => {
    for (const answer of [
      undefined,
      null,
      'x',
      {},
      { ok: true },
      { ok: true, value: { seq: 'one' } },
      { ok: false, error: { reason: 'NEW', message: '' } },
    ]) {
      expect(reasonOf(() => openEnvelope('getSnapshot', answer))).toBe('INTERNAL');
    }
  });

  it('may know more than this window', () => {
    const value = { ...snapshot(), later: true };
    expect(openEnvelope('getSnapshot', { ok: true, value })).toEqual(snapshot());
  });
});

describe('an event of the desk', () => {
  it('is read', () => {
    const event = itemEvent(4, item(), created());
    expect(readEvent(structuredClone(event))).toEqual(event);
  });

  it('that this window does not know asks for a snapshot in its place', () => {
    expect(readEvent({ seq: 5, type: 'pairing', with: 'frank@acme' })).toEqual({ seq: 5, type: 'reload' });
  });

  it('is nothing without a number', () => {
    for (const data of [undefined, null, 'x', { type: 'reload' }, { seq: 'five' }])
      expect(readEvent(data)).toBeUndefined();
  });
});

describe('errors', () => {
  it('are data for whoever shows them', () => {
    expect(deskError(unreachable())).toMatchObject({ reason: 'RELAY_UNREACHABLE' });
    expect(deskError(new SignedOutError())).toMatchObject({ reason: 'UNAUTHENTICATED' });
  });

  it('of ours are not hidden', () => {
    expect(() => deskError(new TypeError('a fault'))).toThrow('a fault');
  });

  it('say what to do', () => {
    expect(unreachable().message).toContain('start it again');
    expect(new SignedOutError().message).toContain('AgentRelay was restarted');
  });
});

describe('the desk over IPC', () => {
  const bridge = (over: Partial<AgentRelayBridge>): AgentRelayBridge => ({
    call: () => Promise.reject(new Error('not expected')),
    onEvent: () => () => undefined,
    ...over,
  });

  it('carries commands and answers', async () => {
    const calls: unknown[] = [];
    const client = ipcClient(
      bridge({
        call: (command, input) => {
          calls.push([command, input]);
          return Promise.resolve({ ok: true, value: {} });
        },
      }),
    );
    await client.call('markSurfaced', { task_id: 't1', version: 2 });
    expect(calls).toEqual([['markSurfaced', { task_id: 't1', version: 2 }]]);
  });

  it('carries errors', async () => {
    const client = ipcClient(
      bridge({ call: () => Promise.resolve({ ok: false, error: { reason: 'STATE_CHANGED', message: 'It moved.' } }) }),
    );
    await expect(client.call('getSnapshot', {})).rejects.toThrow('It moved.');
  });

  it('says so when the main process is gone', async () => {
    await expect(ipcClient(bridge({})).call('getSnapshot', {})).rejects.toMatchObject({
      error: { reason: 'RELAY_UNREACHABLE' },
    });
  });

  it('carries events, from where they are asked for until they are not', () => {
    const events: DeskEvent[] = [];
    const log: unknown[] = [];
    let tell: (event: unknown) => void = () => undefined;
    const client = ipcClient(
      bridge({
        onEvent: (afterSeq, listener) => {
          log.push(afterSeq);
          tell = listener;
          return () => log.push('stopped');
        },
      }),
    );
    const stop = client.subscribe(
      7,
      (event) => events.push(event),
      ({ state }) => log.push(state),
    );
    tell({ seq: 8, type: 'reload' });
    tell('nonsense');
    stop();
    expect(log).toEqual(['open', 7, 'stopped']);
    expect(events).toEqual([{ seq: 8, type: 'reload' }]);
  });
});

describe('the one-time token of the address', () => {
  const visit = async (
    hash: string,
    answer: () => Promise<Response>,
  ): Promise<{ start: string; sent: unknown[]; stripped: boolean }> => {
    const sent: unknown[] = [];
    let stripped = false;
    const ports: SessionPorts = {
      hash: () => hash,
      stripHash: () => {
        stripped = true;
      },
      fetch: (url, init) => {
        sent.push([url, init?.method, init?.body]);
        return answer();
      },
    };
    return { start: await startSession(ports), sent, stripped };
  };

  it('is traded for a session, and leaves the address', async () => {
    const { start, sent, stripped } = await visit('#t0k3n', () => Promise.resolve(Response.json({})));
    expect([start, stripped]).toEqual(['signed_in', true]);
    expect(sent).toEqual([['/session', 'POST', '{"token":"t0k3n"}']]);
  });

  it('is not there when a window is loaded again', async () => {
    const { start, sent } = await visit('', () => Promise.reject(new Error('not expected')));
    expect([start, sent]).toEqual(['no_token', []]);
    expect((await visit('#', () => Promise.reject(new Error('not expected')))).start).toBe('no_token');
  });

  it('that was used before is refused, and leaves the address as well', async () => {
    const { start, stripped } = await visit('#old', () => Promise.resolve(new Response(null, { status: 401 })));
    expect([start, stripped]).toEqual(['refused', true]);
  });

  it('stays when nobody answers: it was not used', async () => {
    const { start, stripped } = await visit('#t0k3n', () => Promise.reject(new TypeError('Failed to fetch')));
    expect([start, stripped]).toEqual(['unreachable', false]);
  });
});
