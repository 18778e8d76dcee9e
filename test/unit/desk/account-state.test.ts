import { describe, expect, it } from 'vitest';
import {
  describeAccount,
  nextAccountState,
  type AccountChange,
  type AccountState,
} from '../../../main/desk/accounts/account-state.ts';

const connecting: AccountState = { state: 'connecting', since: 1 };
const connected: AccountState = { state: 'connected', since: 2 };
const offline: AccountState = { state: 'offline', since: 3, trouble: { kind: 'refused' } };
const revoked: AccountState = { state: 'key_revoked', since: 4 };

const restarted: AccountChange = { type: 'restarted', at: 9 };
const caughtUp: AccountChange = { type: 'caught_up', at: 9 };
const refused: AccountChange = { type: 'failed', at: 9, trouble: { kind: 'refused' } };
const timedOut: AccountChange = { type: 'failed', at: 9, trouble: { kind: 'timed_out' } };
const keyGone: AccountChange = { type: 'failed', at: 9, trouble: { kind: 'revoked' } };

describe('the state of an account', () => {
  it.each<[AccountState, AccountChange, AccountState]>([
    [connecting, restarted, connecting],
    [connecting, caughtUp, { state: 'connected', since: 9 }],
    [connecting, refused, { state: 'offline', since: 9, trouble: { kind: 'refused' } }],
    [connecting, keyGone, { state: 'key_revoked', since: 9 }],

    [connected, restarted, { state: 'connecting', since: 9 }],
    [connected, caughtUp, connected],
    [connected, refused, { state: 'offline', since: 9, trouble: { kind: 'refused' } }],
    [connected, keyGone, { state: 'key_revoked', since: 9 }],

    [offline, restarted, { state: 'connecting', since: 9 }],
    [offline, caughtUp, { state: 'connected', since: 9 }],
    [offline, refused, offline],
    [offline, timedOut, { state: 'offline', since: 3, trouble: { kind: 'timed_out' } }],
    [offline, keyGone, { state: 'key_revoked', since: 9 }],

    [revoked, restarted, { state: 'connecting', since: 9 }],
    [revoked, caughtUp, { state: 'connected', since: 9 }],
    [revoked, refused, { state: 'offline', since: 9, trouble: { kind: 'refused' } }],
    [revoked, keyGone, revoked],
  ])('%j on %j is %j', (before, change, after) => {
    expect(nextAccountState(before, change)).toEqual(after);
  });

  it('is the same object when nothing changed, so that nobody is told', () => {
    expect(nextAccountState(connecting, restarted)).toBe(connecting);
    expect(nextAccountState(connected, caughtUp)).toBe(connected);
    expect(nextAccountState(offline, refused)).toBe(offline);
    expect(nextAccountState(revoked, keyGone)).toBe(revoked);
  });

  it('stays offline since the first failure, whatever the later ones were', () => {
    const failures: AccountChange[] = [
      { type: 'failed', at: 100, trouble: { kind: 'dropped' } },
      { type: 'failed', at: 200, trouble: { kind: 'refused' } },
      { type: 'failed', at: 300, trouble: { kind: 'answered', with: 'HTTP 502' } },
    ];
    expect(failures.reduce(nextAccountState, connected)).toEqual({
      state: 'offline',
      since: 100,
      trouble: { kind: 'answered', with: 'HTTP 502' },
    });
  });

  it('tells one status of a relay from another', () => {
    const before: AccountState = { state: 'offline', since: 3, trouble: { kind: 'answered', with: 'HTTP 500' } };
    const change: AccountChange = { type: 'failed', at: 9, trouble: { kind: 'answered', with: 'HTTP 503' } };
    expect(nextAccountState(before, change)).toEqual({ ...before, trouble: { kind: 'answered', with: 'HTTP 503' } });
  });
});

describe('an account, as clients see it', () => {
  it('says why only where something is wrong', () => {
    const seen = [connecting, connected, offline, revoked].map((s) => describeAccount('frank@acme', 'http://r', s));
    expect(seen).toEqual([
      { handle: 'frank@acme', relay: 'http://r', state: 'connecting', since: 1 },
      { handle: 'frank@acme', relay: 'http://r', state: 'connected', since: 2 },
      { handle: 'frank@acme', relay: 'http://r', state: 'offline', since: 3, detail: 'refused' },
      {
        handle: 'frank@acme',
        relay: 'http://r',
        state: 'key_revoked',
        since: 4,
        detail: 'the relay does not accept the key of this account any more',
      },
    ]);
  });
});
