import { expect, test } from 'vitest';
import { Subscriptions } from '../../../main/electron/subscriptions.ts';

function recorded(): { subscriptions: Subscriptions; ended: string[]; add: (owner: number, id: number) => void } {
  const subscriptions = new Subscriptions();
  const ended: string[] = [];
  return {
    subscriptions,
    ended,
    add: (owner, id) => subscriptions.add(owner, id, () => ended.push(`${owner}/${id}`)),
  };
}

test('one is ended without the others', () => {
  const { subscriptions, ended, add } = recorded();
  add(1, 1);
  add(1, 2);
  add(2, 1);
  subscriptions.end(1, 1);
  expect(ended).toEqual(['1/1']);
});

test('with its document go all of its own, and no other', () => {
  const { subscriptions, ended, add } = recorded();
  add(1, 1);
  add(1, 2);
  add(2, 1);
  subscriptions.endAll(1);
  expect(ended).toEqual(['1/1', '1/2']);
});

test('each is ended once', () => {
  const { subscriptions, ended, add } = recorded();
  add(1, 1);
  subscriptions.end(1, 1);
  subscriptions.end(1, 1);
  subscriptions.endAll(1);
  expect(ended).toEqual(['1/1']);
});

test('one that takes the number of another ends it', () => {
  const { ended, add } = recorded();
  add(1, 1);
  add(1, 1);
  expect(ended).toEqual(['1/1']);
});

test('to end what is not there is no error', () => {
  const { subscriptions } = recorded();
  expect(() => {
    subscriptions.end(1, 1);
    subscriptions.endAll(1);
  }).not.toThrow();
});
