import { describe, expect, it } from 'vitest';
import { afterFailure } from '../../../main/desk/outbox/after-failure.ts';
import { ConnectionError } from '../../../main/desk/trouble.ts';
import { REASONS, RelayError } from '../../../relay/contract/reasons.ts';

const timing = { firstRetryMs: 100, lastRetryMs: 1_000 };
const after = (error: unknown, attempts = 0) =>
  afterFailure({ peer: 'alice@acme', attempts }, error, { now: 5_000, random: 0, timing });
const refused = (reason: (typeof REASONS)[number], metadata = {}) => new RelayError(reason, 'Because.', { metadata });

describe('what could not be sent', () => {
  it('is tried again, later and later, where the way to the relay or the relay itself is in the way', () => {
    expect(after(new ConnectionError({ kind: 'refused' }))).toEqual({
      state: 'waiting_relay',
      reason: 'The relay cannot be reached (refused). It is sent when it is back.',
      attempts: 1,
      next_at: 5_100,
    });
    expect([1, 2, 3, 4, 60].map((attempts) => after(refused('RATE_LIMITED'), attempts).next_at)).toEqual([
      5_200, 5_400, 5_800, 6_000, 6_000,
    ]);
  });

  it('waits for the other side, or for a person, where the relay says so', () => {
    expect(after(refused('CONTACT_REQUESTED'))).toMatchObject({
      state: 'waiting_contact',
      reason: expect.stringContaining('alice@acme'),
    });
    expect(after(refused('LOOP_STOPPED'))).toEqual({ state: 'needs_human', reason: 'Because.', attempts: 1 });
  });

  it('goes back where another time is no better, and where nobody here knows the reason', () => {
    expect(after(refused('INTERNAL', { relay_reason: 'OF_A_NEWER_RELAY' }))).toMatchObject({ state: 'returned' });
    const states = REASONS.map((reason) => [reason, after(refused(reason)).state]);
    expect(states.filter(([, state]) => state === 'waiting_relay').map(([reason]) => reason)).toEqual([
      'INTERNAL',
      'UNAUTHENTICATED',
      'REQUEST_TIMEOUT',
      'RATE_LIMITED',
      'RELAY_UNREACHABLE',
      'STORAGE_FAILED',
      'SHUTTING_DOWN',
    ]);
    for (const reason of ['CONTACT_DECLINED', 'CONTACT_REQUIRED', 'RECIPIENT_NOT_FOUND', 'STATE_CHANGED'] as const) {
      expect(after(refused(reason))).toEqual({ state: 'returned', reason: 'Because.', attempts: 1 });
    }
  });

  it('for a fault of ours is no fault of the relay', () => {
    expect(() => after(new TypeError('ours'))).toThrow('ours');
  });
});
