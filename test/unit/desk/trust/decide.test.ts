import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, decideBetween, mayWrite } from '../../../../main/desk/trust/decide.ts';
import { editTrust, NEW_TRUST, type TrustEdit } from '../../../../main/desk/trust/edit-trust.ts';
import { readTrust } from '../../../../main/desk/trust/read-trust.ts';
import type { TrustState } from '../../../../main/desk/trust/trust.ts';
import { unknownPolicySchema } from '../../../../relay/contract/trust.ts';

const FILE = `version: 1
defaults:
  auto_read: true
  require_approval: [Bash]
teammates:
  Frank@Acme:
    auto_test: true
    auto_write_paths: [docs/, README.md]
    live: auto
  mia@acme:
unknown_teammates:
  policy: hold
blocked:
  - eve@acme
  - frank@other
`;
const state = readTrust(FILE);

describe('the decision', () => {
  test('delivers what a listed teammate sends, under what is said of it over the defaults', () => {
    expect(decide(state, 'frank@acme')).toEqual({
      action: 'deliver',
      layer: 'listed',
      rule: { path: 'teammates.Frank@Acme', line: 6 },
      grants: {
        auto_read: true,
        auto_test: true,
        auto_write_paths: ['docs/', 'README.md'],
        require_approval: ['Bash'],
        live: 'auto',
      },
    });
    expect(decide(state, 'MIA@acme')).toMatchObject({
      layer: 'listed',
      rule: { line: 10 },
      grants: { auto_read: true, auto_test: false, auto_write_paths: [], require_approval: ['Bash'], live: 'ask' },
    });
  });

  test('rejects the blocked, and names the line', () => {
    expect(decide(state, 'eve@acme')).toMatchObject({ action: 'reject', layer: 'blocked', rule: { line: 14 } });
  });

  test('keeps two of one name on two relays apart', () => {
    expect(decide(state, 'frank@other').action).toBe('reject');
    expect(decide(state, 'eve@other')).toMatchObject({ action: 'hold', layer: 'unknown' });
  });

  test.each([
    ['reject', 'reject', 'never'],
    ['hold', 'hold', 'never'],
    ['allow_with_default_trust', 'deliver', 'ask'],
  ] as const)('by the policy %s does %s with the unknown', (policy, action, live) => {
    const unknown = decide(readTrust(FILE.replace('policy: hold', `policy: ${policy}`)), 'who@acme');
    expect(unknown).toMatchObject({ action, layer: 'unknown', rule: { line: 12 }, grants: { live } });
  });

  test('holds the unknown where the file says nothing of them', () => {
    expect(decide(readTrust('version: 1'), 'frank@acme')).toMatchObject({ action: 'hold', layer: 'unknown' });
  });

  test('holds everything where the file is of no use, also what is listed', () => {
    const broken = readTrust(`${FILE}  - not a handle\n`);
    for (const handle of ['frank@acme', 'eve@acme', 'who@acme']) {
      expect(decide(broken, handle)).toMatchObject({
        action: 'hold',
        layer: 'unusable',
        rule: { line: 16 },
        grants: { auto_read: false, auto_test: false, auto_write_paths: [], live: 'never' },
      });
    }
  });
});

/** Anything that could stand in the file, right or wrong. */
const handle = fc.constantFrom('frank@acme', 'mia@acme', 'eve@acme', 'frank@other', 'bot@vendor');
const edit: fc.Arbitrary<TrustEdit> = fc.oneof(
  fc.record({
    kind: fc.constant('teammate' as const),
    handle,
    grants: fc.record(
      {
        auto_read: fc.boolean(),
        auto_test: fc.boolean(),
        auto_write_paths: fc.array(fc.constantFrom('docs/', 'a b', '*', '- x', 'è')),
        require_approval: fc.array(fc.constantFrom('Edit', 'Bash(*)', 'yes')),
        live: fc.constantFrom('auto' as const, 'ask' as const, 'never' as const),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ kind: fc.constant('forget' as const), handle }),
  fc.record({ kind: fc.constant('unknown' as const), policy: fc.constantFrom(...unknownPolicySchema.options) }),
  fc.record({ kind: fc.constantFrom('block' as const, 'unblock' as const), handle }),
);
const edited = (text: string, edits: readonly TrustEdit[]): string => edits.reduce(editTrust, text);

describe('whatever the owner has changed', () => {
  test('the blocked get nothing', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 8 }), handle, (edits, blocked) => {
        const decision = decide(readTrust(edited(FILE, [...edits, { kind: 'block', handle: blocked }])), blocked);
        expect(decision).toMatchObject({ action: 'reject', layer: 'blocked' });
        expect(decision.grants).toMatchObject({
          auto_read: false,
          auto_test: false,
          auto_write_paths: [],
          live: 'never',
        });
      }),
    );
  });

  test('the file can be read again, and says what was said last', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 8 }), edit, (edits, last) => {
        const after = readTrust(edited(NEW_TRUST, [...edits, last]));
        expect(after.kind).toBe('good');
        if (after.kind !== 'good') return;
        const { trust } = after;
        if (last.kind === 'teammate') expect(trust.teammates.get(last.handle)?.grants).toMatchObject(last.grants);
        if (last.kind === 'forget') expect(trust.teammates.has(last.handle)).toBe(false);
        if (last.kind === 'unknown') expect(trust.unknown.policy).toBe(last.policy);
        if (last.kind === 'block') expect(trust.blocked.has(last.handle)).toBe(true);
        if (last.kind === 'unblock') expect(trust.blocked.has(last.handle)).toBe(false);
      }),
    );
  });

  test('of one teammate changes nothing for another', () => {
    fc.assert(
      fc.property(edit, handle, (change, other) => {
        fc.pre('handle' in change && change.handle !== other);
        const { rule: _before, ...before } = decide(readTrust(FILE), other);
        const { rule: _after, ...after } = decide(readTrust(edited(FILE, [change])), other);
        expect(after).toEqual(before);
      }),
    );
  });
});

describe('a name that a peer chooses', () => {
  const states: readonly TrustState[] = [state, readTrust('version: 1'), readTrust('no file at all: [')];
  test('never gets more than its owner was given, however it is spelled', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom(...states), (name, one) => {
        const { action, layer } = decide(one, name);
        if (layer === 'unknown' || layer === 'unusable') expect(action).toBe('hold');
        else expect(['frank@acme', 'mia@acme', 'eve@acme', 'frank@other']).toContain(name.toLowerCase());
      }),
    );
    for (const name of [
      '__proto__',
      'constructor',
      'frank@acme\u200b',
      'fr\u0430nk@acme',
      ' frank@acme',
      'frank@acme@acme',
    ]) {
      expect(decide(state, name)).toMatchObject({ action: 'hold', layer: 'unknown' });
    }
  });
});

describe('a path that may be written without asking', () => {
  const grants = { auto_write_paths: ['notes/', 'README.md', 'src/*.ts'] };
  test.each(['notes/a.md', 'notes/deep/b.md', 'README.md', 'src/*.ts'])(
    'is named, or lies in a folder that is: %s',
    (path) => {
      expect(mayWrite(grants, path)).toBe(true);
    },
  );
  test.each([
    'notes',
    'notes/',
    'notesx/a',
    'README.md/x',
    'readme.md',
    'src/a.ts',
    '../notes/a',
    'notes/../etc',
    '/notes/a',
    'notes//a',
    './notes/a',
    '',
  ])('is no other: %s', (path) => {
    expect(mayWrite(grants, path)).toBe(false);
  });
});

describe('a file that is being written', () => {
  const between = (before: string, now: string) => decideBetween(readTrust(before), readTrust(now), 'frank@acme');
  const listed = 'version: 1\nteammates:\n  frank@acme: {auto_read: true}\n';
  const blocked = `${listed}blocked: [frank@acme]\n`;
  const texts = [listed, blocked, 'version: 1\n', 'version: 1\nunknown_teammates: {policy: reject}\n', 'vers', ''];

  test('decides what both say, with the line of now', () => {
    expect(between(listed, `# a line more\n${listed}`)).toMatchObject({ action: 'deliver', rule: { line: 4 } });
    expect(between(listed, listed).grants.auto_read).toBe(true);
  });

  test('keeps shut whom one of the two shuts out, and holds where they differ', () => {
    for (const [before, now] of [
      [listed, blocked],
      [blocked, listed],
    ] as const) {
      expect(between(before, now)).toMatchObject({ action: 'hold', layer: 'blocked' });
    }
    expect(between('vers', listed)).toMatchObject({ action: 'hold', layer: 'unusable' });
    expect(between('version: 1\n', listed)).toMatchObject({ action: 'hold', layer: 'listed' });
  });

  test('grants nothing that only one of the two grants, and never delivers what only one delivers', () => {
    for (const before of texts) {
      for (const now of texts) {
        const decided = between(before, now);
        const single = [before, now].map((text) => decide(readTrust(text), 'frank@acme'));
        const agree = single.every(({ action }) => action === decided.action);
        expect(decided.action === 'hold' || agree).toBe(true);
        const grantIt = single.every(({ grants }) => grants.auto_read);
        expect(decided.grants.auto_read && !grantIt).toBe(false);
      }
    }
  });
});
