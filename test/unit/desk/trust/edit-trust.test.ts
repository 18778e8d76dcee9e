import { describe, expect, test } from 'vitest';
import { decide } from '../../../../main/desk/trust/decide.ts';
import { editTrust, NEW_TRUST, type TrustEdit } from '../../../../main/desk/trust/edit-trust.ts';
import { readTrust } from '../../../../main/desk/trust/read-trust.ts';

const FILE = `# ours
version: 1   # the only one

teammates:
  # the web client
  Frank@acme:
    auto_read: true   # he reads a lot
    later_key: [1,   2]

  mia@acme: {auto_read: false, live: never}
something_else:
  kept: "as it is"
unknown_teammates: {policy: hold}   # we decide
`;
const edit = (...edits: TrustEdit[]): string => edits.reduce(editTrust, FILE);

/** The lines that differ, as a diff would show them. */
function changed(after: string, before = FILE): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ];
}

describe('a change touches its own lines and no others', () => {
  test('of a value', () => {
    expect(changed(edit({ kind: 'teammate', handle: 'frank@acme', grants: { auto_read: false } }))).toEqual([
      '-    auto_read: true   # he reads a lot',
      '+    auto_read: false # he reads a lot',
    ]);
  });

  test('of an entry that is spelled in another letter case, or on one line', () => {
    expect(changed(edit({ kind: 'teammate', handle: 'mia@acme', grants: { live: 'ask', auto_test: true } }))).toEqual([
      '-  mia@acme: {auto_read: false, live: never}',
      '+  mia@acme: {auto_read: false, live: ask, auto_test: true}',
    ]);
    expect(readTrust(edit({ kind: 'forget', handle: 'frank@acme' }))).toMatchObject({ kind: 'good' });
    expect(edit({ kind: 'forget', handle: 'frank@acme' })).not.toMatch(/frank/i);
  });

  test('of a teammate who is new, or had nothing', () => {
    const grants = { auto_write_paths: ['docs/', 'a b'], live: 'auto' } as const;
    expect(changed(edit({ kind: 'teammate', handle: 'bot@vendor', grants }))).toEqual([
      '+  bot@vendor:',
      '+    auto_write_paths: [docs/, a b]',
      '+    live: auto',
    ]);
    expect(
      editTrust('version: 1\nteammates:\n  bot@vendor:\n', { kind: 'teammate', handle: 'bot@vendor', grants }),
    ).toBe('version: 1\nteammates:\n  bot@vendor:\n    auto_write_paths: [docs/, a b]\n    live: auto\n');
    expect(edit({ kind: 'teammate', handle: 'bot@vendor', grants: {} })).toContain('  bot@vendor: {}\n');
  });

  test('of what is taken away', () => {
    expect(changed(edit({ kind: 'teammate', handle: 'frank@acme', grants: { auto_read: null } }))).toEqual([
      '-    auto_read: true   # he reads a lot',
    ]);
  });

  test('of the policy and the defaults', () => {
    expect(changed(edit({ kind: 'unknown', policy: 'reject' }))).toEqual([
      '-unknown_teammates: {policy: hold}   # we decide',
      '+unknown_teammates: {policy: reject} # we decide',
    ]);
    expect(changed(edit({ kind: 'defaults', grants: { auto_read: true } }))).toEqual([
      '+defaults:',
      '+  auto_read: true',
    ]);
  });

  test('of the blocked: once each, whatever the letter case', () => {
    const blocked = edit({ kind: 'block', handle: 'eve@acme' }, { kind: 'block', handle: 'eve@acme' });
    expect(changed(blocked)).toEqual(['+blocked:', '+  - eve@acme']);
    const twice = `${FILE}blocked: [Eve@acme, mia@acme, eve@acme]\n`;
    expect(editTrust(twice, { kind: 'unblock', handle: 'eve@acme' })).toBe(`${FILE}blocked: [mia@acme]\n`);
    expect(editTrust(FILE, { kind: 'unblock', handle: 'eve@acme' })).toBe(FILE);
  });
});

describe('a change is made as the person has laid the file out', () => {
  const block: TrustEdit = { kind: 'block', handle: 'eve@acme' };
  const allow: TrustEdit = { kind: 'teammate', handle: 'mia@acme', grants: { auto_test: true } };
  const wide = (blocked: string): string => `version: 1
teammates:
    mia@acme: # the client
        live:   auto
    # a bot
    ext-bot@vendor:
${blocked}`;

  test.each([
    [
      'with four spaces',
      wide('blocked:  # ever\n    - mal@acme\n'),
      wide('blocked:  # ever\n    - mal@acme\n    - eve@acme\n'),
    ],
    [
      'without a line feed at its end',
      wide('blocked:\n    - mal@acme'),
      wide('blocked:\n    - mal@acme\n    - eve@acme\n'),
    ],
  ])('%s', (_how, text, blocked) => {
    expect(editTrust(text, block)).toBe(blocked);
    expect(editTrust(text, allow)).toBe(text.replace('live:   auto\n', 'live:   auto\n        auto_test: true\n'));
    for (const edit_ of [block, allow]) expect(readTrust(editTrust(text, edit_)).kind).toBe('good');
  });

  test('with lists that are not set in', () => {
    const text = 'version: 1\nteammates: # ours\n  mia@acme:\n    live:   auto\nblocked:\n- mal@acme\n';
    expect(editTrust(text, block)).toBe(`${text}- eve@acme\n`);
    expect(editTrust(text, allow)).toBe(text.replace('live:   auto\n', 'live:   auto\n    auto_test: true\n'));
  });

  test('with carriage returns', () => {
    const text = 'version: 1\r\nteammates:   # ours\r\n  mia@acme:   {}\r\nblocked: []   \r\n';
    expect(editTrust(text, block)).toBe(text.replace('blocked: []   \r\n', 'blocked: [eve@acme]\r\n'));
  });

  test('or, where lines of two hands would say something else, anew', () => {
    const text = 'version: 1\nblocked:\n - mal@acme\nteammates:\n    mia@acme:\n      live:   auto\n';
    const after = editTrust(editTrust(text, block), allow);
    expect(readTrust(after)).toMatchObject({ kind: 'good', warnings: [] });
    expect(after).toMatch(/mal@acme\n +- eve@acme\n/);
    expect(after).toMatch(/live: +auto\n +auto_test: true\n/);
  });
});

test('what nothing changes is the file, letter by letter', () => {
  for (const text of [FILE, NEW_TRUST, 'version: 1', '\ufeffversion: 1\r\nblocked: []\r\n']) {
    expect(editTrust(text, { kind: 'unblock', handle: 'nobody@acme' })).toBe(text);
  }
});

describe('a file in which little is said', () => {
  const FILES = ['', 'teammates:\n', 'teammates: {}\n', 'teammates:\n  eve@acme:\n', 'blocked:\n', 'blocked: []\n']
    .concat('unknown_teammates:\n', 'unknown_teammates: {}\n', 'defaults:\n', 'defaults: {}\n')
    .map((text) => `version: 1\n${text}`);
  const now = (text: string, handle: string) => {
    const state = readTrust(text);
    expect(state).toMatchObject({ kind: 'good', warnings: [] });
    return decide(state, handle);
  };

  test.each(FILES)('takes every change (%j)', (text) => {
    expect(now(editTrust(text, { kind: 'teammate', handle: 'eve@acme', grants: {} }), 'eve@acme')).toMatchObject({
      layer: 'listed',
    });
    expect(now(editTrust(text, { kind: 'forget', handle: 'eve@acme' }), 'eve@acme')).toMatchObject({
      layer: 'unknown',
    });
    expect(now(editTrust(text, { kind: 'block', handle: 'eve@acme' }), 'eve@acme')).toMatchObject({
      layer: 'blocked',
    });
    const open = editTrust(text, { kind: 'unknown', policy: 'allow_with_default_trust' });
    expect(now(open, 'mia@acme')).toMatchObject({ action: 'deliver' });
    expect(now(editTrust(open, { kind: 'defaults', grants: { auto_read: true } }), 'mia@acme').grants).toMatchObject({
      auto_read: true,
    });
  });
});
