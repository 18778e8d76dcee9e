import type { z } from 'zod';
import type { JsonObject } from '../../relay/contract/json.ts';
import { RelayError } from '../../relay/contract/reasons.ts';
import { readText } from './read-text.ts';
import { readRelayError } from './relay-errors.ts';
import { ConnectionError, troubleOf } from './trouble.ts';

export interface RelayRequestOptions {
  /** The relay's base URL, asked for anew with each request. */
  readonly relay: () => string | Promise<string>;
  /** May be asked for anew with each request. Left out, nobody in particular asks. */
  readonly apiKey?: string | (() => string);
  /** For one request, answer included; milliseconds. */
  readonly timeoutMs: number;
  /** Ends every request that is on its way: they fail with SHUTTING_DOWN. */
  readonly signal?: AbortSignal;
}

export interface RequestExtras {
  /** Sent as JSON by POST; without one it is a GET. */
  readonly body?: JsonObject;
  readonly method?: 'DELETE';
  /** Ends this request alone. */
  readonly signal?: AbortSignal;
  /** How much longer than usual the answer may take, milliseconds. */
  readonly waitMs?: number;
}

/**
 * Asks a relay with one agent's key, and reads the answer with a schema; one without a body is undefined. Fails with a
 * RelayError when the relay refused, with a ConnectionError when it could not be asked or its answer did not arrive.
 */
export type RelayRequest = <T>(path: string, schema: z.ZodType<T>, extras?: RequestExtras) => Promise<T>;

export function createRelayRequest({ relay, apiKey, timeoutMs, signal: closing }: RelayRequestOptions): RelayRequest {
  return async (path, schema, { body, method, signal, waitMs = 0 } = {}) => {
    const answer = await exchange(new URL(path, await relay()), {
      headers: {
        ...(apiKey !== undefined && { authorization: `Bearer ${typeof apiKey === 'string' ? apiKey : apiKey()}` }),
        'a2a-version': '1.0',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(method && { method }),
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.any([...given(closing), ...given(signal), AbortSignal.timeout(timeoutMs + waitMs)]),
    }).catch((error: unknown) => {
      throw closing?.aborted ? shuttingDown() : error;
    });
    const error = readRelayError(answer.body);
    if (error !== undefined) throw error;
    if (answer.status === 401) throw new RelayError('UNAUTHENTICATED', 'The relay does not accept the key.');
    if (answer.status >= 300) throw new ConnectionError({ kind: 'answered', with: `HTTP ${answer.status}` });
    return parsed(schema, answer.body);
  };
}

/** A page of a thread has at most 16 MB of it, and little else. */
const MOST_BYTES = 64 * 1024 * 1024;

function given(signal: AbortSignal | undefined): readonly AbortSignal[] {
  return signal === undefined ? [] : [signal];
}

function shuttingDown(): RelayError {
  return new RelayError('SHUTTING_DOWN', 'AgentRelay is closing. Start it again and repeat this.');
}

/** Sends a request and reads the whole answer; a body that is no JSON is undefined. */
async function exchange(url: URL, init: RequestInit): Promise<{ status: number; body: unknown }> {
  let status: number;
  let text: string;
  try {
    // a key is for the relay, and for nobody whom it names
    const response = await fetch(url, { ...init, redirect: 'error' });
    status = response.status;
    text = await readText(response, MOST_BYTES);
  } catch (error) {
    throw new ConnectionError(troubleOf(error), error);
  }
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    return { status, body: undefined };
  }
}

/** What a relay answered, read with a schema. Fails with a ConnectionError when it is of another form. */
export function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (!read.success) throw new ConnectionError({ kind: 'unreadable' }, read.error);
  return read.data;
}
