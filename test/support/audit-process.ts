import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createAudit } from '../../main/desk/audit/audit.ts';
import { openDeskDb } from '../../main/desk/store/desk-db.ts';
import { fileSecretStore } from '../../main/secrets.ts';

/**
 * An audit log in a process of its own, to be killed: `node audit-process.ts DIR`. It notes an act in each turn of its event
 * loop, and prints the number of each that is stored.
 */
const [home] = process.argv.slice(2);
if (home === undefined) throw new Error('which folder?');
const audit = await createAudit({
  db: openDeskDb(home, Date.now).db,
  secrets: fileSecretStore(join(home, 'secrets.json')),
  headPath: join(home, 'audit-head'),
  homeFolder: home,
  random: randomBytes,
  clock: Date.now,
  logger: {
    info: () => undefined,
    warn: () => undefined,
    error: (fields) => void process.stderr.write(`${JSON.stringify(fields)}\n`),
  },
});
for (let n = 1; ; n += 1) {
  audit.note({ action: 'wake', actor: 'desk', ref: String(n) });
  await new Promise(setImmediate);
  process.stdout.write(`${n}\n`);
}
