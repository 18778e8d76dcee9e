import { expect, test } from 'vitest';
import { isReservedName } from '../../../relay/identity/reserved-names.ts';

test.each(['relay', 'guide', 'admin', 'a2a', 'v1', 'me', 'well-known'])('nobody may call themselves %s', (name) => {
  expect(isReservedName(name)).toBe(true);
});

// root and user are names that operating systems give to people: the first account on a machine takes its user's name
test.each(['alice', 'frank', 'mia', 'ext-bot', 'root', 'user', 'relay2', 'a2a-bot'])('%s is free', (name) => {
  expect(isReservedName(name)).toBe(false);
});
