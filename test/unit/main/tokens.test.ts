import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { newToken, sameToken, tokenHash } from '../../../main/tokens.ts';

it('a token holds 256 bits and needs no escaping', () => {
  const token = newToken(randomBytes);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(newToken(randomBytes)).not.toBe(token);
});

it('only the same token is the same, whatever its length', () => {
  const token = newToken(randomBytes);
  expect(sameToken(token, token)).toBe(true);
  for (const other of ['', token.slice(0, -1), `${token}x`, newToken(randomBytes)]) {
    expect(sameToken(other, token)).toBe(false);
  }
});

it('a hash tells tokens apart and does not hold them', () => {
  expect(tokenHash('a')).not.toBe(tokenHash('b'));
  expect(tokenHash('secret')).toMatch(/^[0-9a-f]{64}$/);
});
