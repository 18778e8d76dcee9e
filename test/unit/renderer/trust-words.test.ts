import { describe, expect, it } from 'vitest';
import type { Decision, Grants } from '../../../relay/contract/trust.ts';
import { grantWords, heldShortly, heldWords, trustLine } from '../../../renderer/words/trust.ts';
import { heldItem, item, LISTED, UNKNOWN, UNUSABLE } from './samples.ts';

const BLOCKED: Decision = { ...UNKNOWN, action: 'reject', layer: 'blocked', rule: { path: 'blocked[0]', line: 20 } };
const REJECTED: Decision = { ...UNKNOWN, action: 'reject' };
const ALLOWED: Decision = { ...UNKNOWN, action: 'deliver', grants: LISTED.grants };

describe('what our rules hold', () => {
  it('is told with the line and what it says', () => {
    expect(heldWords(heldItem())).toBe('Held by trust.yaml line 14: unknown_teammates.policy = hold');
  });

  it('is told for every layer', () => {
    expect(heldWords(heldItem({}, UNUSABLE))).toBe('trust.yaml cannot be used (line 3): everything is held');
    expect(heldWords(heldItem({}, REJECTED))).toBe('Rejected by trust.yaml line 14: unknown_teammates.policy = reject');
    expect(heldWords(heldItem({}, BLOCKED))).toBe('Rejected by trust.yaml line 20: ext-bot@vendor is blocked');
  });

  it('is held, and not rejected, once a person has taken it on', () => {
    expect(heldWords(heldItem({ state: 'accepted' }, BLOCKED))).toBe(
      'Held by trust.yaml line 20: ext-bot@vendor is blocked',
    );
  });

  it('names the line in a row, too', () => {
    expect([UNKNOWN, REJECTED, BLOCKED, UNUSABLE].map((trust) => heldShortly(heldItem({}, trust)))).toEqual([
      'held by trust.yaml line 14',
      'rejected by trust.yaml line 14',
      'rejected by trust.yaml line 20',
      'held, trust.yaml cannot be used',
    ]);
  });
});

describe('the trust line of a thread', () => {
  const line = (trust: Decision): string => trustLine(item({}, { trust })).parts.join(' · ');

  it('says who is trusted, by which line, and with what', () => {
    expect(line(LISTED)).toBe('Trusted teammate (trust.yaml:6) · reads ok · writes ask');
    expect(trustLine(item())).toMatchObject({ icon: 'shield', tone: 'live' });
  });

  it('says what lets through whom nobody has listed', () => {
    expect(line(ALLOWED)).toBe(
      'Unknown teammate (trust.yaml:14) · unknown_teammates.policy = allow_with_default_trust · reads ok · writes ask',
    );
  });

  it('names the rule of what a person has taken on all the same, or sent', () => {
    expect(line(UNKNOWN)).toBe(
      'Unknown teammate (trust.yaml:14) · unknown_teammates.policy = hold · reads ask · writes ask · no pairing',
    );
  });

  it('grants nothing to whom the rules reject', () => {
    expect(line(REJECTED)).toBe('Unknown teammate (trust.yaml:14) · unknown_teammates.policy = reject');
    expect(line(BLOCKED)).toBe('Blocked (trust.yaml:20)');
  });

  it('of what is held is why', () => {
    for (const trust of [UNKNOWN, REJECTED, BLOCKED]) {
      const held = heldItem({}, trust);
      expect(trustLine(held)).toEqual({ icon: 'held', tone: 'held', parts: [heldWords(held)] });
    }
  });

  it('says first that the rules cannot be used, whosever thread it is', () => {
    const look = { icon: 'warn', tone: 'failed', parts: ['trust.yaml cannot be used (line 3): everything is held'] };
    expect(trustLine(heldItem({}, UNUSABLE))).toEqual(look);
    expect(trustLine(item({}, { trust: UNUSABLE }))).toEqual(look);
  });
});

describe('grants', () => {
  const words = (over: Partial<Grants>): string =>
    grantWords({
      auto_read: false,
      auto_test: false,
      auto_write_paths: [],
      require_approval: [],
      live: 'ask',
      ...over,
    }).join(' · ');

  it('are worded for each combination of reading and testing', () => {
    expect(words({})).toBe('reads ask · writes ask');
    expect(words({ auto_read: true })).toBe('reads ok · writes ask');
    expect(words({ auto_test: true })).toBe('reads ask · tests ok · writes ask');
    expect(words({ auto_read: true, auto_test: true })).toBe('reads and tests ok · writes ask');
  });

  it('name where writing needs no question, as far as there is room', () => {
    expect(words({ auto_write_paths: ['docs/'] })).toBe('reads ask · writes ok in docs/');
    expect(words({ auto_write_paths: ['docs/', 'README.md'] })).toBe('reads ask · writes ok in docs/, README.md');
    expect(words({ auto_write_paths: ['a', 'b', 'c', 'd'] })).toBe('reads ask · writes ok in a, b and 2 more');
  });

  it('say how a pairing begins where nobody is asked', () => {
    expect(words({ live: 'auto' })).toBe('reads ask · writes ask · pairs at once');
    expect(words({ live: 'never' })).toBe('reads ask · writes ask · no pairing');
  });

  it('are different words for different grants', () => {
    const all = [true, false].flatMap((auto_read) =>
      [true, false].flatMap((auto_test) =>
        [[], ['docs/']].flatMap((auto_write_paths) =>
          (['auto', 'ask', 'never'] as const).map((live) => words({ auto_read, auto_test, auto_write_paths, live })),
        ),
      ),
    );
    expect(new Set(all).size).toBe(24);
  });
});
