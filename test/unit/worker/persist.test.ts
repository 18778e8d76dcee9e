import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConnectionError } from '../../../main/desk/trouble.ts';
import { isPassing, persist } from '../../../main/worker/persist.ts';
import { REASONS, RelayError } from '../../../relay/contract/reasons.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const away = new ConnectionError({ kind: 'refused' });

/** A request that fails so many times. */
function failing(times: number, error: Error = away) {
  const at: number[] = [];
  const from = performance.now();
  return {
    at,
    async request() {
      at.push(Math.round(performance.now() - from));
      if (at.length <= times) throw error;
      return 'served';
    },
  };
}

describe('a request that cannot be served now', () => {
  test('is sent again, after longer and longer pauses', async () => {
    const { request, at } = failing(8);
    const answer = persist(request, () => 0, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await answer).toBe('served');
    expect(at).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 15_750, 30_750, 45_750]);
  });

  test('is not sent again once there is no more time for it', async () => {
    const { request, at } = failing(99);
    const until = new AbortController();
    const answer = persist(request, () => 0, until.signal).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(300);
    until.abort();
    expect(await answer).toBe(away);
    // the one that was waiting is the last
    expect(at).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is given up at once where it was refused for good', async () => {
    const refused = new RelayError('INVALID_PARAMS', 'No.');
    const { request, at } = failing(9, refused);
    await expect(persist(request, () => 0, new AbortController().signal)).rejects.toBe(refused);
    expect(at).toHaveLength(1);
  });
});

test('what passes is a connection, a full disk, a relay that stops or has too much to do', () => {
  expect(isPassing(away)).toBe(true);
  expect(isPassing(new Error('a fault of ours'))).toBe(false);
  expect(REASONS.filter((reason) => isPassing(new RelayError(reason, 'No.')))).toEqual([
    'INTERNAL',
    'REQUEST_TIMEOUT',
    'RATE_LIMITED',
    'STORAGE_FAILED',
    'SHUTTING_DOWN',
  ]);
});
