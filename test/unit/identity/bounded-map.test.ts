import { describe, expect, test } from 'vitest';
import { BoundedMap } from '../../../relay/identity/bounded-map.ts';

describe('a bounded map', () => {
  test('never holds more than its limit, and drops the oldest first', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('c', 3);
    expect(map.get('a')).toBeUndefined();
    expect(map.get('b')).toBe(2);
    expect(map.get('c')).toBe(3);
  });

  test('drops nothing when a key gets a new value', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('b', 3);
    expect(map.get('a')).toBe(1);
    expect(map.get('b')).toBe(3);
  });

  test('forgets what it is told to forget, and keeps the rest', () => {
    const map = new BoundedMap<string, number>(5);
    for (const [i, key] of ['a', 'b', 'c', 'd'].entries()) map.set(key, i);
    map.deleteWhere((value) => value % 2 === 0);
    expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([undefined, 1, undefined, 3]);
  });
});
