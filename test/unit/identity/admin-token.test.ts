import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { RelayError } from '../../../relay/contract/reasons.ts';
import { createAdminAuthorization, createAdminToken, isAdminToken } from '../../../relay/identity/admin-token.ts';
import { createKey, isKey } from '../../../relay/identity/keys.ts';

describe('an admin token', () => {
  test('is known by its form, and is never an API key', () => {
    const token = createAdminToken(randomBytes);
    expect(isAdminToken(token)).toBe(true);
    expect(isKey(token)).toBe(false);
    expect(isAdminToken(createKey(randomBytes))).toBe(false);
  });

  test.each([
    '',
    'admin',
    'aradmin_',
    `aradmin_${'A'.repeat(42)}`,
    `aradmin_${'A'.repeat(44)}`,
    ` aradmin_${'A'.repeat(43)}`,
  ])('is not %j', (text) => {
    expect(isAdminToken(text)).toBe(false);
  });

  test('is another one each time', () => {
    expect(createAdminToken(randomBytes)).not.toBe(createAdminToken(randomBytes));
  });
});

describe('whoever asks as the admin', () => {
  const token = createAdminToken(randomBytes);
  const authorize = createAdminAuthorization(token);

  test('is let in with the token, in any letter case of the scheme', () => {
    expect(() => authorize(`Bearer ${token}`)).not.toThrow();
    expect(() => authorize(`bearer  ${token} `)).not.toThrow();
  });

  test.each([
    [undefined, 'NO_HEADER'],
    ['', 'NO_HEADER'],
    [`Basic ${token}`, 'NOT_BEARER'],
    [token, 'NOT_BEARER'],
    [`Bearer ${createAdminToken(randomBytes)}`, 'UNKNOWN_KEY'],
    [`Bearer ${token}x`, 'UNKNOWN_KEY'],
    [`Bearer ${token.slice(0, -1)}`, 'UNKNOWN_KEY'],
    [`Bearer ${createKey(randomBytes)}`, 'UNKNOWN_KEY'],
  ])('is refused with the header %j: %s', (header, cause) => {
    let refusal: unknown;
    try {
      authorize(header);
    } catch (error) {
      refusal = error;
    }
    if (!(refusal instanceof RelayError)) throw new Error('it was let in');
    expect(refusal).toMatchObject({ reason: 'UNAUTHENTICATED', metadata: { cause } });
    expect(refusal.message).toContain('admin-token');
    expect(refusal.message).not.toContain(token);
  });
});
