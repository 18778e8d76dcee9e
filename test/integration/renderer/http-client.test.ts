import { EventSource } from 'eventsource';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DeskEvent } from '../../../relay/contract/desk-api.ts';
import type { Connection, DeskClient } from '../../../renderer/desk-client.ts';
import { httpClient } from '../../../renderer/transports/http.ts';
import { snapshot } from '../../unit/renderer/samples.ts';
import { startDeskServer, type DeskServer } from './desk-server.ts';

const STATUS = JSON.stringify({
  ok: true,
  value: {
    version: '0.1.0',
    relay: { url: '', name: '', id: '' },
    window: { url: '' },
    mcp: { socket: '' },
    accounts: [],
    sessions: [],
    pairings: [],
  },
});
const reload = (seq: number): DeskEvent => ({ seq, type: 'reload' });

/** The transport on a real wire; between two attempts it waits as long as a test says, which is not at all. */
function clientOf(desk: DeskServer): DeskClient {
  return httpClient({
    base: desk.base,
    fetch: (input, init) => fetch(input, init),
    EventSource,
    clock: () => 42,
    later: (_ms, then) => {
      const timer = setTimeout(then, 5);
      return () => clearTimeout(timer);
    },
  });
}

interface Heard {
  readonly events: DeskEvent[];
  readonly connections: Connection[];
  readonly stop: () => void;
}
function follow(desk: DeskServer, after: number): Heard {
  const events: DeskEvent[] = [];
  const connections: Connection[] = [];
  const stop = clientOf(desk).subscribe(
    after,
    (event) => events.push(event),
    (connection) => connections.push(connection),
  );
  onTestFinished(stop);
  return { events, connections, stop };
}
const last = ({ connections }: Heard): string | undefined => connections.at(-1)?.state;

describe('a command over HTTP', () => {
  it('is a POST of JSON, answered with an envelope', async () => {
    const desk = await startDeskServer();
    desk.answer = () => ({ status: 200, body: JSON.stringify({ ok: true, value: snapshot({ seq: 4 }) }) });
    expect(await clientOf(desk).call('getSnapshot', {})).toEqual(snapshot({ seq: 4 }));
    expect(desk.calls).toEqual([{ command: 'getSnapshot', input: {}, type: 'application/json' }]);
  });

  it('that is refused says why, whatever the status', async () => {
    const desk = await startDeskServer();
    const body = JSON.stringify({ ok: false, error: { reason: 'STATE_CHANGED', message: 'It is declined by now.' } });
    for (const status of [200, 409, 500]) {
      desk.answer = () => ({ status, body });
      await expect(clientOf(desk).call('getSnapshot', {})).rejects.toMatchObject({
        error: { reason: 'STATE_CHANGED' },
      });
    }
  });

  it('from a window that is not known says so', async () => {
    const desk = await startDeskServer();
    desk.letsIn = false;
    await expect(clientOf(desk).call('getSnapshot', {})).rejects.toMatchObject({ name: 'SignedOutError' });
  });

  it('that nobody answers, or not in JSON, says so', async () => {
    const desk = await startDeskServer();
    desk.answer = () => ({ status: 502, body: '<html>' });
    await expect(clientOf(desk).call('getSnapshot', {})).rejects.toMatchObject({
      error: { reason: 'RELAY_UNREACHABLE' },
    });
    await desk.stop();
    await expect(clientOf(desk).call('getSnapshot', {})).rejects.toMatchObject({
      error: { reason: 'RELAY_UNREACHABLE' },
    });
  });
});

describe('the stream of events over HTTP', () => {
  it('begins behind what is known', async () => {
    const desk = await startDeskServer();
    const heard = follow(desk, 41);
    await vi.waitFor(() => expect(last(heard)).toBe('open'));
    desk.emit(reload(42));
    await vi.waitFor(() => expect(heard.events).toEqual([reload(42)]));
    expect(desk.streams).toEqual(['?after=41']);
  });

  it('goes on where it was cut, without losing or repeating anything', async () => {
    const desk = await startDeskServer();
    desk.answer = () => ({ status: 200, body: STATUS });
    const heard = follow(desk, 0);
    await vi.waitFor(() => expect(last(heard)).toBe('open'));
    desk.emit(reload(1));
    desk.emit(reload(2));
    await vi.waitFor(() => expect(heard.events).toHaveLength(2));
    desk.dropStreams();
    await vi.waitFor(() => expect(desk.streams).toEqual(['?after=0', '?after=2']));
    await vi.waitFor(() => expect(heard.connections.map(({ state }) => state)).toEqual(['open', 'lost', 'open']));
  });

  it('says since when nobody answers, and finds its way back', async () => {
    const desk = await startDeskServer();
    desk.answer = () => ({ status: 200, body: STATUS });
    const heard = follow(desk, 7);
    await vi.waitFor(() => expect(last(heard)).toBe('open'));
    await desk.stop();
    await vi.waitFor(() => expect(heard.connections.filter(({ state }) => state === 'lost').length).toBeGreaterThan(2));
    expect(heard.connections.at(-1)).toEqual({ state: 'lost', since: 42 });
    await desk.start();
    await vi.waitFor(() => expect(last(heard)).toBe('open'));
    desk.emit(reload(8));
    await vi.waitFor(() => expect(heard.events).toEqual([reload(8)]));
  });

  it('ends when the window is no longer known', async () => {
    const desk = await startDeskServer();
    const heard = follow(desk, 0);
    await vi.waitFor(() => expect(last(heard)).toBe('open'));
    desk.letsIn = false;
    desk.dropStreams();
    await vi.waitFor(() => expect(last(heard)).toBe('signed_out'));
    expect(desk.streams).toHaveLength(1);
  });

  it('leaves out what is no event, and asks for a snapshot in place of one that it does not know', async () => {
    const desk = await startDeskServer();
    const heard = follow(desk, 0);
    await vi.waitFor(() => expect(last(heard)).toBe('open'));
    desk.write(': heartbeat\n\ndata: no JSON\n\ndata: {"type":"pairing"}\n\ndata: {"seq":1,"type":"pairing"}\n\n');
    await vi.waitFor(() => expect(heard.events).toEqual([reload(1)]));
  });

  it('is silent once nobody listens', async () => {
    const desk = await startDeskServer();
    const heard = follow(desk, 0);
    await vi.waitFor(() => expect(last(heard)).toBe('open'));
    heard.stop();
    desk.emit(reload(1));
    desk.dropStreams();
    const { events, connections } = heard;
    const other = follow(desk, 0);
    await vi.waitFor(() => expect(last(other)).toBe('open'));
    expect([events, connections.map(({ state }) => state)]).toEqual([[], ['open']]);
  });
});
