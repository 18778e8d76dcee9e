import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { admit } from '../../../relay/identity/admit.ts';
import { createRegistry } from '../../../relay/identity/registry.ts';
import { openSqliteStore } from '../../../relay/store/sqlite/store.ts';
import { tempDir } from '../../support/temp-dir.ts';

test('every agent of a relay reaches every other one', async () => {
  const store = openSqliteStore({ dataDir: tempDir(), clock: () => 0 });
  onTestFinished(() => store.close());
  const { register } = createRegistry({ directory: store.directory, random: randomBytes, relayName: 'acme' });
  const { agent: alice } = await register({ handle: 'alice', listed: false });
  const { agent: bot } = await register({ handle: 'ext-bot', kind: 'a2a' });
  expect(await admit(alice, bot)).toEqual({ kind: 'deliver' });
  expect(await admit(bot, alice)).toEqual({ kind: 'deliver' });
});
