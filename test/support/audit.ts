import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createAudit, type Audit, type AuditOptions } from '../../main/desk/audit/audit.ts';
import { openDeskDb } from '../../main/desk/store/desk-db.ts';
import { fileSecretStore, type SecretStore } from '../../main/secrets.ts';
import type { Database } from '../../relay/store/sqlite/database.ts';
import { tempDir } from './temp-dir.ts';

/** An audit log on a real file, in a folder as the app has it. */
export interface OpenAudit {
  readonly audit: Audit;
  readonly db: Database;
  readonly home: string;
  readonly secrets: SecretStore;
  /** What was logged as an error. */
  readonly errors: readonly string[];
  close(): void;
}

/** Opens one, which is closed when the test ends, at the latest. Times count up from 1. */
export async function openAudit(home: string = tempDir(), changes: Partial<AuditOptions> = {}): Promise<OpenAudit> {
  let now = 0;
  const clock = (): number => ++now;
  const { db, close } = openDeskDb(home, Date.now);
  onTestFinished(close);
  const secrets = fileSecretStore(join(home, 'secrets.json'));
  const errors: string[] = [];
  const audit = await createAudit({
    db,
    secrets,
    headPath: join(home, 'audit-head'),
    homeFolder: '/home/frank',
    random: randomBytes,
    clock,
    logger: { info: () => undefined, warn: () => undefined, error: (_fields, message) => void errors.push(message) },
    ...changes,
  });
  return { audit, db, home, secrets, errors, close };
}
