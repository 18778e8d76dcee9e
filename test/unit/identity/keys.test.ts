import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createKey, hashKey, isKey } from '../../../relay/identity/keys.ts';

describe('an API key', () => {
  test('holds the 32 bytes that the random source gave, in base64url, after its prefix', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
    const key = createKey((count) => bytes.slice(0, count));
    expect(key).toMatch(/^ar_[A-Za-z0-9_-]{43}$/);
    expect(new Uint8Array(Buffer.from(key.slice(3), 'base64url'))).toEqual(bytes);
  });

  test('is accepted by its own format check, whatever the bytes', () => {
    for (let i = 0; i < 200; i++) expect(isKey(createKey(randomBytes))).toBe(true);
  });

  test.each([
    ['empty', ''],
    ['the prefix alone', 'ar_'],
    ['no prefix', 'A'.repeat(43)],
    ['another prefix', `sk_${'A'.repeat(43)}`],
    ['the prefix in capitals', `AR_${'A'.repeat(43)}`],
    ['one character short', `ar_${'A'.repeat(42)}`],
    ['one character long', `ar_${'A'.repeat(44)}`],
    ['plain base64', `ar_${'A'.repeat(42)}+`],
    ['padding', `ar_${'A'.repeat(42)}=`],
    ['a line break at the end', `ar_${'A'.repeat(43)}\n`],
    ['a letter that only looks like ASCII', `ar_${'A'.repeat(42)}А`],
    ['a megabyte of junk', 'ar_'.repeat(350_000)],
  ])('is not: %s', (_, text) => {
    expect(isKey(text)).toBe(false);
  });

  test('is stored as the SHA-256 of its text', () => {
    const key = createKey(randomBytes);
    const hash = hashKey(key);
    expect(hash).toHaveLength(32);
    expect(Buffer.from(hash).toString('hex')).toBe(createHash('sha256').update(key, 'utf8').digest('hex'));
  });

  test('has another hash when one character differs', () => {
    const key = `ar_${'A'.repeat(43)}`;
    expect(hashKey(key)).not.toEqual(hashKey(`ar_${'A'.repeat(42)}B`));
  });
});
