import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createEntrance, ENTRY_TTL_MS } from '../../../main/browser/entrance.ts';

function setUp() {
  const time = { now: 1000 };
  return { time, entrance: createEntrance({ clock: () => time.now, random: randomBytes }) };
}

describe('the entrance to the window', () => {
  it('lets a browser in that comes with a token', () => {
    const { entrance } = setUp();
    const session = entrance.redeem(entrance.issue());
    expect(session).toMatch(/^[\w-]{43}$/);
    expect(entrance.isSession(session ?? '')).toBe(true);
  });

  it('takes a token once', () => {
    const { entrance } = setUp();
    const token = entrance.issue();
    entrance.redeem(token);
    expect(entrance.redeem(token)).toBeUndefined();
  });

  it('takes a token up to ten minutes after it was made', () => {
    const { time, entrance } = setUp();
    const [inTime, late] = [entrance.issue(), entrance.issue()];
    time.now += ENTRY_TTL_MS;
    expect(entrance.redeem(inTime)).toBeDefined();
    time.now += 1;
    expect(entrance.redeem(late)).toBeUndefined();
  });

  it('knows no token and no session that it has not made', () => {
    const { entrance } = setUp();
    const token = entrance.issue();
    for (const made of ['', 'x', token.slice(1), `${token}x`]) expect(entrance.redeem(made)).toBeUndefined();
    expect(entrance.isSession('')).toBe(false);
    expect(entrance.isSession(token)).toBe(false);
  });

  it('has room for many addresses, and forgets the oldest ones', () => {
    const { entrance } = setUp();
    const tokens = Array.from({ length: 33 }, () => entrance.issue());
    expect(entrance.redeem(tokens[0] ?? '')).toBeUndefined();
    expect(tokens.slice(1).every((token) => entrance.redeem(token) !== undefined)).toBe(true);
  });

  it('keeps the newest browsers', () => {
    const { entrance } = setUp();
    const sessions = Array.from({ length: 65 }, () => entrance.redeem(entrance.issue()) ?? '');
    expect(sessions.map((id) => entrance.isSession(id))).toEqual([false, ...Array.from({ length: 64 }, () => true)]);
  });
});
