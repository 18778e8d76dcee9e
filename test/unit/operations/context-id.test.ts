import { describe, expect, test } from 'vitest';
import { createPairContextIds } from '../../../relay/operations/context-id.ts';
import type { Agent } from '../../../relay/store/ports.ts';

const agent = (uid: string): Agent => ({
  id: 1,
  uid,
  name: 'x',
  kind: 'a2a',
  replies: 'complete',
  displayName: 'x',
  description: 'x',
  skills: [],
  repos: [],
  listed: true,
  contacts: 'ask',
  createdAt: 0,
  updatedAt: 0,
});
const [alice, frank, mia] = [agent('uid-alice'), agent('uid-frank'), agent('uid-mia')];

describe('the conversation of two agents', () => {
  test('is the same in both directions, each time, and after a restart', () => {
    const ids = createPairContextIds('relay-1');
    const id = ids(alice, frank);
    expect(ids(frank, alice)).toBe(id);
    expect(ids(alice, frank)).toBe(id);
    expect(createPairContextIds('relay-1')(alice, frank)).toBe(id);
  });

  test('is another one for other agents and at another relay', () => {
    const ids = createPairContextIds('relay-1');
    const all = [ids(alice, frank), ids(alice, mia), ids(frank, mia), createPairContextIds('relay-2')(alice, frank)];
    expect(new Set(all).size).toBe(all.length);
  });

  test('a name that is given to a new agent starts a new one', () => {
    const ids = createPairContextIds('relay-1');
    expect(ids(agent('uid-frank-2'), alice)).not.toBe(ids(frank, alice));
  });

  test('has the form of a UUID of version 8', () => {
    expect(createPairContextIds('relay-1')(alice, frank)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});
