import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '../../../../main/desk/trust/decide.ts';
import { NEW_TRUST } from '../../../../main/desk/trust/edit-trust.ts';
import { LARGEST_FILE, readTrust } from '../../../../main/desk/trust/read-trust.ts';
import { SAFEST } from '../../../../main/desk/trust/trust.ts';

describe('a new file', () => {
  test('is without an error, holds the unknown, and lets nobody do anything', () => {
    expect(readTrust(NEW_TRUST)).toEqual({
      kind: 'good',
      warnings: [],
      trust: {
        defaults: SAFEST,
        teammates: new Map(),
        unknown: { policy: 'hold', rule: { path: 'unknown_teammates.policy', line: 20 } },
        blocked: new Map(),
      },
    });
  });
});

describe('what means nothing', () => {
  test.each([
    ['a key of a later version', 'version: 1\nlater: {x: 1}\n', 2],
    ['a slip in an entry', 'version: 1\nteammates:\n  frank@acme: {auto_raed: true}\n', 3],
    ['a slip in the defaults', 'version: 1\ndefaults:\n  auto_raed: true\n', 3],
    ['a merge', 'version: 1\nteammates:\n  frank@acme:\n    <<: {auto_read: true}\n', 4],
    ['a slip beside the policy', 'version: 1\nunknown_teammates:\n  polcy: reject\n', 3],
  ])('is warned of, and changes nothing: %s', (_what, text, line) => {
    const state = readTrust(text);
    expect(state).toMatchObject({ kind: 'good', warnings: [{ line }] });
    expect(decide(state, 'frank@acme').grants.auto_read).toBe(false);
  });
});

describe('an error', () => {
  test.each<readonly [string, string, number, RegExp]>([
    ['nothing', '', 1, /empty/],
    ['comments alone', '# trust\n\n', 1, /empty/],
    ['no version', 'teammates: {}\n', 1, /Say "version: 1"/],
    ['another version', 'version: 2\n', 1, /version 1 of the file/],
    ['a version in quotes', 'version: "1"\n', 1, /version 1 of the file/],
    ['a list', '- version: 1\n', 1, /keys and values/],
    ['a word', 'version\n', 1, /keys and values/],
    ['a tab', 'version: 1\nteammates:\n\tfrank@acme: {}\n', 3, /[Tt]ab/],
    ['a key twice', 'version: 1\ndefaults: {}\ndefaults: {}\n', 3, /unique/],
    ['a bracket that stays open', 'version: 1\nblocked: [\n', 3, /end with a \]/],
    ['a second document', 'version: 1\n---\nversion: 1\n', 2, /second document/],
    ['an alias', 'version: 1\ndefaults: &d {auto_read: true}\nteammates:\n  frank@acme: *d\n', 4, /alias/],
    ['teammates as a list', 'version: 1\nteammates: [frank@acme]\n', 2, /keys and values/],
    ['a teammate as a word', 'version: 1\nteammates:\n  frank@acme: yes\n', 3, /keys and values/],
    ['a name without its relay', 'version: 1\nteammates:\n  frank: {}\n', 3, /name@relay/],
    ['a name in letters that look alike', 'version: 1\nteammates:\n  fr\u0430nk@acme: {}\n', 3, /plain letters/],
    ['a number for a name', 'version: 1\nteammates:\n  7: {}\n', 3, /plain text/],
    ['a teammate twice', 'version: 1\nteammates:\n  frank@acme: {}\n  Frank@acme: {}\n', 4, /twice/],
    ['a flag as a word', 'version: 1\ndefaults:\n  auto_read: yes\n', 3, /true or false/],
    ['a path alone', 'version: 1\ndefaults:\n  auto_write_paths: docs/\n', 3, /list of paths/],
    ['an empty path', 'version: 1\ndefaults:\n  auto_write_paths: [""]\n', 3, /list of paths/],
    ['tools as numbers', 'version: 1\ndefaults:\n  require_approval: [1]\n', 3, /names of tools/],
    ['another way of live', 'version: 1\ndefaults:\n  live: always\n', 3, /auto, ask or never/],
    [
      'another policy',
      'version: 1\nunknown_teammates:\n  policy: allow\n',
      3,
      /reject, hold, allow_with_default_trust/,
    ],
    ['blocked as a word', 'version: 1\nblocked: eve@acme\n', 2, /list of handles/],
    ['a blocked one that is none', 'version: 1\nblocked:\n  - eve\n', 3, /name@relay/],
    ['brackets in brackets', `version: 1\nblocked: ${'['.repeat(50_000)}\n`, 1, /too deep/],
    ['lists in lists', `version: 1\nblocked: ${'- '.repeat(30_000)}\n`, 1, /too deep/],
    ['fifty megabytes', `version: 1\n#${'x'.repeat(50_000_000)}`, 1, /more than 128000/],
  ])('is named with its line: %s', (_what, text, line, message) => {
    const state = readTrust(text);
    expect(state).toMatchObject({ kind: 'bad', errors: [{ line, message: expect.stringMatching(message) }] });
  });

  test('is told with all others, twenty at most', () => {
    const many = Array.from({ length: 30 }, (_one, index) => `  wrong${index}: {}`).join('\n');
    const state = readTrust(`version: 1\nteammates:\n${many}\n`);
    expect(state.kind === 'bad' && state.errors.map(({ line }) => line)).toEqual(
      Array.from({ length: 20 }, (_one, index) => index + 3),
    );
  });

  test('never quotes the file: it may be shown where others look', () => {
    const state = readTrust('version: 1\nteammates:\n  secret-project@acme: {auto_read: "hunter2"}\n  x y: {}\n');
    expect(JSON.stringify(state)).not.toMatch(/hunter2|x y/);
  });
});

describe('any text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'version: 1\n',
      'teammates:\n',
      '  frank@acme:',
      ' {',
      '}',
      '[',
      ']',
      ', ',
      ': ',
      '- ',
      '\n',
      '&a',
      '*a',
    ),
    fc.constantFrom(
      'unknown_teammates: {policy: ',
      'allow_with_default_trust',
      'blocked: ',
      '"',
      "'",
      '|',
      '>',
      '#',
      '\t',
      '!!',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  test('is read without throwing, and delivers nothing of a stranger unless the file says exactly so', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const state = readTrust(text);
        const { action } = decide(state, 'stranger@acme');
        if (action === 'deliver') expect(text).toContain('allow_with_default_trust');
        if (state.kind === 'bad') expect(action).toBe('hold');
      }),
      { numRuns: 2000 },
    );
  });

  test('of the most characters is read in a moment', () => {
    const lines = Array.from({ length: 6000 }, (_one, index) => `  n${index}@acme: {}`).join('\n');
    const text = `version: 1\nteammates:\n${lines}\n`;
    expect(text.length).toBeLessThan(LARGEST_FILE);
    const state = readTrust(text);
    expect(decide(state, 'n5999@acme').action).toBe('deliver');
  });
});
