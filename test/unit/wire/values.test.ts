import { describe, expect, test } from 'vitest';
import { canonicalBase64 } from '../../../relay/wire/base64.ts';
import { excerpt } from '../../../relay/wire/excerpt.ts';
import { legacyState, statesOf, statesOfAnyName } from '../../../relay/wire/states.ts';
import { parseTimestamp } from '../../../relay/wire/timestamp.ts';

describe('base64', () => {
  test.each([
    ['', ''],
    ['QQ==', 'QQ=='],
    ['QQ', 'QQ=='],
    ['QUI=', 'QUI='],
    ['QUI', 'QUI='],
    ['QUJD', 'QUJD'],
    ['-_-_', '+/+/'],
    ['+_-/', '+/+/'],
    ['-_8', '+/8='],
  ])('%j is read in either alphabet, padded or not, and leaves as %j', (text, canonical) => {
    expect(canonicalBase64(text)).toBe(canonical);
  });

  test('bits that belong to no byte are cleared', () => {
    expect(canonicalBase64('QR==')).toBe('QQ==');
  });

  test.each([
    'Q',
    'QUJDR',
    '=',
    '==',
    'Q===',
    'QQ=',
    'QUI==',
    'QUJD=',
    'QUJD==',
    'QQ==QQ==',
    'QU JD',
    'QUJD\n',
    'Ünï',
    'QQ==x',
  ])('%j is none', (text) => {
    expect(canonicalBase64(text)).toBeUndefined();
  });

  test('every byte sequence survives', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 37 + length * 11) % 256));
      expect(canonicalBase64(bytes.toString('base64url'))).toBe(bytes.toString('base64'));
    }
  });
});

describe('a timestamp', () => {
  test.each([
    ['2026-01-31T12:00:00Z', Date.UTC(2026, 0, 31, 12)],
    ['2026-01-31t12:00:00.5z', Date.UTC(2026, 0, 31, 12, 0, 0, 500)],
    ['2026-01-31T12:00:00.123456789Z', Date.UTC(2026, 0, 31, 12, 0, 0, 123)],
    ['2026-01-31T12:00:00+05:30', Date.UTC(2026, 0, 31, 6, 30)],
    ['2024-02-29T23:59:59-01:00', Date.UTC(2024, 2, 1, 0, 59, 59)],
    ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
  ])('%s is a time', (text, time) => {
    expect(parseTimestamp(text)).toBe(time);
  });

  test.each([
    'yesterday',
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-01-31 12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-00-10T12:00:00Z',
    '2026-13-10T12:00:00Z',
    '2026-01-00T12:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-01-31T12:00:61Z',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00.1234567890Z',
    '+02026-01-31T12:00:00Z',
    '2026-01-31T12:00:00Z\n',
    '1769860800000',
  ])('%j is none', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

describe('a state', () => {
  test.each([
    ['TASK_STATE_SUBMITTED', 1, 'submitted', 'pending'],
    ['TASK_STATE_WORKING', 2, 'working', 'accepted'],
    ['TASK_STATE_COMPLETED', 3, 'completed', 'completed'],
    ['TASK_STATE_FAILED', 4, 'failed', 'failed'],
    ['TASK_STATE_CANCELED', 5, 'canceled', 'cancelled'],
    ['TASK_STATE_INPUT_REQUIRED', 6, 'input-required', 'input_required'],
    ['TASK_STATE_REJECTED', 7, 'rejected', 'declined'],
  ] as const)('%s is number %i, %s in 0.3, and %s here', (name, number, legacy, own) => {
    for (const form of [name, number]) expect(statesOf(form)).toEqual([own]);
    for (const form of [name, legacy, legacy.replace('-', '_'), own, own.toUpperCase()]) {
      expect(statesOfAnyName(form)).toEqual([own]);
    }
    expect(legacyState(name)).toBe(legacy);
  });

  test('that is only ever read matches no handoff', () => {
    expect([statesOf('TASK_STATE_AUTH_REQUIRED'), statesOf(8), statesOfAnyName('auth-required')]).toEqual([[], [], []]);
  });

  test('that nobody knows is none', () => {
    const unknown = [0, 9, -1, 1.5, '1', 'working', 'TASK_STATE_UNSPECIFIED', null, true, {}, []];
    for (const value of unknown) expect(statesOf(value)).toBeUndefined();
    for (const name of ['', 'unknown', 'unspecified', 'constructor', 'x'.repeat(10_000)]) {
      expect(statesOfAnyName(name)).toBeUndefined();
    }
  });
});

test('a quotation is cut to length and leaves no half of a character', () => {
  expect(excerpt('alice', 5)).toBe('alice');
  expect(excerpt('alice@acme', 5)).toBe('alic…');
  expect(excerpt('ali\u{1f600}ce', 5)).toBe('ali\ufffd…');
});
