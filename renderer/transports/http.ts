import type { CommandName } from '../../relay/contract/desk-api.ts';
import { DeskCallError, SignedOutError, unreachable, type Connection, type DeskClient } from '../desk-client.ts';
import { openEnvelope, readEvent } from './envelope.ts';

/** What the transport takes from the browser. */
export interface HttpPorts {
  /** Origin that serves the desk; empty for the page's own. */
  readonly base: string;
  readonly fetch: typeof fetch;
  readonly EventSource: typeof EventSource;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Runs `then` after `ms`; returns what stops it. */
  readonly later: (ms: number, then: () => void) => () => void;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/** The browser's own. */
export function browserPorts(): HttpPorts {
  return {
    base: '',
    fetch: (input, init) => fetch(input, init),
    EventSource,
    clock: Date.now,
    later: (ms, then) => {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
  };
}

/**
 * The desk over same-origin HTTP, for a window in a browser: `POST /desk/{command}` and the stream `/desk/events`.
 * The cookie that it needs was set by `POST /session` (renderer/transports/session.ts).
 */
export function httpClient(ports: HttpPorts): DeskClient {
  const post = async (command: CommandName, input: unknown): Promise<unknown> => {
    const response = await ports.fetch(`${ports.base}/desk/${command}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    if (response.status === 401) throw new SignedOutError();
    return response.json();
  };
  const call: DeskClient['call'] = async (command, input) => {
    const answer = await post(command, input).catch((thrown: unknown) => {
      // a refused connection and an answer that is no JSON are the same to whoever waits
      throw thrown instanceof DeskCallError ? thrown : unreachable();
    });
    return openEnvelope(command, answer);
  };
  return { call, subscribe: (afterSeq, ...listeners) => follow(ports, call, afterSeq, ...listeners) };
}

/**
 * Keeps one stream open. EventSource would reconnect by itself, but from where it began and without telling a refused
 * cookie from a lost connection; so each attempt is a new one, from the last event, after a call that tells the two apart.
 */
function follow(
  ports: HttpPorts,
  call: DeskClient['call'],
  afterSeq: number,
  onEvent: Parameters<DeskClient['subscribe']>[1],
  onConnection: (connection: Connection) => void,
): () => void {
  let seq = afterSeq;
  let retryMs = FIRST_RETRY_MS;
  let lostSince: number | undefined;
  let stop = (): void => {};
  let stopped = false;

  const open = (): void => {
    const source = new ports.EventSource(`${ports.base}/desk/events?after=${seq}`);
    stop = () => source.close();
    source.addEventListener('open', () => {
      retryMs = FIRST_RETRY_MS;
      lostSince = undefined;
      onConnection({ state: 'open' });
    });
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const event = parse(data);
      if (event === undefined) return;
      seq = event.seq;
      onEvent(event);
    });
    source.addEventListener('error', () => {
      source.close();
      lost();
    });
  };
  const lost = (): void => {
    if (stopped) return;
    lostSince ??= ports.clock();
    onConnection({ state: 'lost', since: lostSince });
    stop = ports.later(retryMs, probe);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  };
  const probe = (): void => {
    call('getStatus', {}).then(
      () => {
        if (!stopped) open();
      },
      (thrown: unknown) => {
        if (stopped) return;
        if (thrown instanceof SignedOutError) onConnection({ state: 'signed_out' });
        else lost();
      },
    );
  };

  open();
  return () => {
    stopped = true;
    stop();
  };
}

function parse(data: string): ReturnType<typeof readEvent> {
  try {
    return readEvent(JSON.parse(data));
  } catch {
    return undefined;
  }
}
