import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Party } from '../../../relay/contract/handoff.ts';
import { scopeSchema, type Scope } from '../../../relay/contract/keys.ts';
import {
  ALL_SCOPES,
  isAllowedAs,
  OWNER_SCOPES,
  requireAll,
  requireScope,
  sideOf,
} from '../../../relay/identity/scopes.ts';

const someScopes = fc.subarray<Scope>([...scopeSchema.options]);
const lacks = (scope: string) => expect.objectContaining({ reason: 'SCOPE_REQUIRED', metadata: { scope } });

describe('a key', () => {
  test.each<[Scope, Party, boolean]>([
    ['send', 'sender', true],
    ['send', 'recipient', false],
    ['receive', 'recipient', true],
    ['receive', 'sender', false],
    ['contacts', 'sender', false],
    ['contacts', 'recipient', false],
    ['admin', 'sender', false],
    ['admin', 'recipient', false],
  ])('with the scope %s alone, as a %s: %s', (scope, party, isAllowed) => {
    expect(isAllowedAs([scope], party)).toBe(isAllowed);
  });

  test.each<[readonly Scope[], Party | undefined, Party | undefined]>([
    [['send', 'receive'], undefined, undefined],
    [['send', 'receive'], 'sender', 'sender'],
    [['send', 'receive'], 'recipient', 'recipient'],
    [['send', 'admin'], undefined, 'sender'],
    [['receive', 'contacts'], undefined, 'recipient'],
  ])('with %j that lists the side %s lists the side %s', (scopes, wanted, side) => {
    expect(sideOf(scopes, wanted)).toBe(side);
  });

  test.each<[readonly Scope[], Party | undefined, string]>([
    [['send'], 'recipient', 'receive'],
    [['receive'], 'sender', 'send'],
    [['contacts', 'admin'], undefined, 'send receive'],
  ])('with %j that lists the side %s is told that it lacks %s', (scopes, wanted, missing) => {
    expect(() => sideOf(scopes, wanted)).toThrow(lacks(missing));
  });

  test('is told which scope it lacks, and what to do', () => {
    expect(() => requireScope(['send'], ['receive'])).toThrow('it lacks the scope "receive". Use a key that has it.');
    expect(() => requireScope([], ['send', 'receive'])).toThrow('the scope "send" or "receive"');
  });
});

test('what is wanted is met by any one of it, and by every key where nothing is', () => {
  fc.assert(
    fc.property(someScopes, someScopes, (has, oneOf) => {
      const isMet = oneOf.length === 0 || oneOf.some((scope) => has.includes(scope));
      if (isMet) requireScope(has, oneOf);
      else expect(() => requireScope(has, oneOf)).toThrow(lacks(oneOf.join(' ')));
    }),
  );
});

test('nobody gives away a scope that they have not', () => {
  fc.assert(
    fc.property(someScopes, someScopes, (has, asked) => {
      const missing = asked.find((scope) => !has.includes(scope));
      if (missing === undefined) requireAll(has, asked);
      else expect(() => requireAll(has, asked)).toThrow(lacks(missing));
    }),
  );
});

test('an owner may do all but run the relay', () => {
  expect(OWNER_SCOPES).toEqual(ALL_SCOPES.filter((scope) => scope !== 'admin'));
});
