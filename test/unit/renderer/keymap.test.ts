import { describe, expect, it } from 'vitest';
import { actionOf, ariaKeys, keyCaps, KEYMAP, type KeyPress } from '../../../renderer/keyboard/keymap.ts';

const press = (key: string, over: Partial<KeyPress> = {}): ReturnType<typeof actionOf> =>
  actionOf({ key, ctrlKey: false, metaKey: false, altKey: false, place: 'control', ...over });

describe('the keys', () => {
  it('do what the sheet says', () => {
    expect([
      press('j'),
      press('k'),
      press('a'),
      press('d'),
      press('c'),
      press('q'),
      press('f'),
      press('x'),
      press('t'),
      press('r'),
      press('?'),
      press('Escape'),
    ]).toEqual([
      'next',
      'previous',
      'accept',
      'decline',
      'complete',
      'ask',
      'fail',
      'cancel',
      'trust',
      'reply',
      'help',
      'back',
    ]);
  });

  it('do it in capitals, too', () => {
    expect(press('A')).toBe('accept');
  });

  it('are text where text is typed', () => {
    for (const key of ['j', 'a', 'd', '?', 'Enter', 'ArrowDown'])
      expect(press(key, { place: 'field' })).toBeUndefined();
  });

  it('lead out of a field, and send what is in it', () => {
    expect(press('Escape', { place: 'field' })).toBe('back');
    expect(press('Enter', { place: 'field', ctrlKey: true })).toBe('send');
    expect(press('Enter', { place: 'field', metaKey: true })).toBe('send');
  });

  it('leave the browser its own', () => {
    expect(press('a', { ctrlKey: true })).toBeUndefined();
    expect(press('r', { metaKey: true })).toBeUndefined();
    expect(press('d', { altKey: true })).toBeUndefined();
    expect(press('F5')).toBeUndefined();
  });

  it('walk through the list with arrows and Enter only where they mean nothing else', () => {
    expect([
      press('ArrowDown', { place: 'list' }),
      press('ArrowUp', { place: 'list' }),
      press('Enter', { place: 'list' }),
    ]).toEqual(['next', 'previous', 'open']);
    for (const key of ['ArrowDown', 'ArrowUp', 'Enter']) expect(press(key)).toBeUndefined();
  });

  it('have no two meanings', () => {
    const all = KEYMAP.flatMap(({ keys, listKeys = [], withCommand }) =>
      [...keys, ...listKeys].map((key) => `${withCommand === true}${key}`),
    );
    expect(new Set(all).size).toBe(all.length);
    expect(new Set(KEYMAP.map(({ action }) => action)).size).toBe(KEYMAP.length);
  });
});

describe('a key cap', () => {
  it('shows what is printed on the key', () => {
    expect(keyCaps('accept', false)).toEqual(['A']);
    expect(keyCaps('send', true)).toEqual(['⌘', '↵']);
    expect(keyCaps('send', false)).toEqual(['Ctrl', '↵']);
    expect(keyCaps('back', false)).toEqual(['Esc']);
    expect(keyCaps('open', false)).toEqual(['↵']);
  });

  it('is told to those who listen', () => {
    expect(ariaKeys('accept')).toBe('A');
    expect(ariaKeys('send')).toBe('Control+Enter Meta+Enter');
    expect(ariaKeys('back')).toBe('Escape');
  });

  it('is there for every action', () => {
    for (const { action, words } of KEYMAP) {
      expect(keyCaps(action, false).join('')).not.toBe('');
      expect(words).not.toBe('');
    }
  });
});
