import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../../relay/handoffs/engine.ts';
import type { Chain } from '../../../relay/store/ports.ts';
import { openDatabase } from '../../../relay/store/sqlite/database.ts';
import { chains } from '../../../relay/store/sqlite/migrations/009-chains.ts';
import { MIGRATIONS } from '../../../relay/store/sqlite/migrations/index.ts';
import { openSqliteStore } from '../../../relay/store/sqlite/store.ts';
import { auditStore } from '../../support/store-audit.ts';
import { storeForTest } from '../../support/stores.ts';
import { create, PARTIES, step } from '../../support/threads.ts';

const NOW = 1_000;
const chain: Chain = { hops: 4, path: [PARTIES.recipient, 3, PARTIES.sender, PARTIES.recipient] };

test('a chain is kept with its handoff, whatever comes of that', async () => {
  const { store, file } = await storeForTest(() => NOW);
  const engine = createEngine({ asksConsent: false, log: store.log, clock: () => NOW });
  expect((await engine.create({ ...PARTIES, chain }, create())).handoff.chain).toEqual(chain);
  await engine.act(PARTIES.id, PARTIES.recipient, () => [step('accept'), step('complete')]);
  const handoff = await store.log.readHandoff(PARTIES.id);
  expect(handoff).toMatchObject({ state: 'completed', chain });
  const { handoffs } = await store.log.list({ viewer: PARTIES.sender, limit: 1, countTotal: false });
  expect(handoffs).toEqual([handoff]);
  expect(auditStore(file)).toEqual([]);
});

test('one that goes too far is refused inside the transaction, and leaves no key', async () => {
  const { store } = await storeForTest(() => NOW);
  const engine = createEngine({ asksConsent: false, log: store.log, clock: () => NOW });
  const once = {
    key: { caller: PARTIES.sender, other: PARTIES.recipient, kind: 'message', key: 'm1' },
    digest: new Uint8Array(32),
  } as const;
  const far = { ...PARTIES, chain: { ...chain, hops: 17 } };
  await expect(engine.create(far, create(), once)).rejects.toMatchObject({ reason: 'LOOP_STOPPED' });
  expect(await store.log.taskUnderKey(once.key)).toBeUndefined();
  const { handoff } = await engine.create(PARTIES, create(), once);
  expect(handoff).not.toHaveProperty('chain');
  // the same under its key is answered, before anything else is looked at
  expect(await engine.create(far, create(), once)).toMatchObject({ replayed: true, handoff: { id: PARTIES.id } });
});

test('a store from before there were chains has all that was in it, and nothing of a chain', async () => {
  const { store, file, dir } = await storeForTest(() => NOW);
  const engine = createEngine({ asksConsent: false, log: store.log, clock: () => NOW });
  const { handoff } = await engine.create(PARTIES, create());
  await store.close();
  const before = MIGRATIONS.indexOf(chains);
  const db = openDatabase({ file, backups: join(dir, 'backups'), clock: () => NOW });
  db.exec(`ALTER TABLE task DROP COLUMN chain; PRAGMA user_version = ${before}`);
  db.close();
  const later = openSqliteStore({ dataDir: dir, clock: () => NOW });
  onTestFinished(() => later.close());
  expect(await later.log.readHandoff(PARTIES.id)).toStrictEqual(handoff);
});
