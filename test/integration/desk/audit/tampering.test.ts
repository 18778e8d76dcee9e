import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuditCheck, AuditEntry } from '../../../../relay/contract/audit.ts';
import { openAudit, type OpenAudit } from '../../../support/audit.ts';
import { PATIENCE_MS, runs } from '../../../support/long.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** Somebody changes the file behind the desk's back, and has all that is in it, but not the key. */

const ROWS = 12;

function entryOf(n: number): AuditEntry {
  return { action: 'handoff_sent', actor: 'human', account: 'frank@acme', peer: 'alice@acme', ref: `t${n}` };
}

async function filled(): Promise<OpenAudit> {
  const opened = await openAudit();
  for (let n = 1; n <= ROWS; n += 1) opened.audit.note(entryOf(n));
  opened.audit.flush();
  return opened;
}

/** Another connection to the same file, on which nothing keeps anybody from anything. */
function intruder(home: string): Sqlite.Database {
  const db = new Sqlite(join(home, 'desk.db'));
  onTestFinished(() => void db.close());
  db.exec('DROP TRIGGER audit_is_not_updated; DROP TRIGGER audit_is_not_deleted; DROP TRIGGER audit_grows_at_its_end;');
  return db;
}

/** The app is ended and started again on the same folder. */
async function startedAgain({ home, close }: OpenAudit): Promise<OpenAudit> {
  close();
  return openAudit(home);
}

const kinds = ({ problems }: AuditCheck): unknown[] => problems.map(({ seq, kind }) => [seq, kind]);

const INSERT = `INSERT INTO audit (seq, at, action, actor, account, peer, ref, detail, prev_hash, hash)
  SELECT ?, at, 'blocked', actor, account, peer, ref, detail, prev_hash, hash FROM audit WHERE seq = ?`;

describe.each(['while the app runs', 'while it does not'])('what somebody does to the log %s is found', (when) => {
  const check = async (opened: OpenAudit, tamper: (db: Sqlite.Database) => void): Promise<AuditCheck> => {
    const isRunning = when === 'while the app runs';
    if (!isRunning) opened.close();
    tamper(intruder(opened.home));
    const { audit } = isRunning ? opened : await startedAgain(opened);
    const first = await audit.verify();
    // and nothing that is written later hides it
    audit.note(entryOf(99));
    expect(kinds(await audit.verify()).length).toBeGreaterThanOrEqual(first.problems.length);
    return first;
  };

  it.each([
    ['an edited row', (db) => void db.exec("UPDATE audit SET actor = 'cli' WHERE seq = 5"), [[5, 'edited']]],
    ['an edited time', (db) => void db.exec('UPDATE audit SET at = at + 1 WHERE seq = 1'), [[1, 'edited']]],
    ['a space in a detail', (db) => void db.exec("UPDATE audit SET detail = '{ }' WHERE seq = 12"), [[12, 'edited']]],
    ['an account that is none', (db) => void db.exec('UPDATE audit SET account = NULL WHERE seq = 4'), [[4, 'edited']]],
    ['a removed row', (db) => void db.exec('DELETE FROM audit WHERE seq = 5'), [[6, 'removed']]],
    ['the first row gone', (db) => void db.exec('DELETE FROM audit WHERE seq = 1'), [[2, 'removed']]],
    ['the last row gone', (db) => void db.exec('DELETE FROM audit WHERE seq = 12'), [[12, 'truncated']]],
    ['everything gone', (db) => void db.exec('DELETE FROM audit'), [[1, 'truncated']]],
    [
      'two rows that changed places',
      (db) =>
        void db.exec(
          'UPDATE audit SET seq = -1 WHERE seq = 3; UPDATE audit SET seq = 3 WHERE seq = 9; UPDATE audit SET seq = 9 WHERE seq = -1',
        ),
      [
        [3, 'reordered'],
        [9, 'reordered'],
      ],
    ],
    ['a row put in at the end', (db) => void db.prepare(INSERT).run(13, 12), [[13, 'inserted']]],
    ['a row put in before the first', (db) => void db.prepare(INSERT).run(0, 1), [[0, 'inserted']]],
    [
      'a row far behind the end',
      (db) => void db.prepare(INSERT).run(20, 12),
      [
        [20, 'removed'],
        [20, 'inserted'],
      ],
    ],
    [
      'a row put in the place of another',
      (db) => {
        db.exec('CREATE TABLE kept AS SELECT * FROM audit WHERE seq = 7; DELETE FROM audit WHERE seq = 7');
        db.exec(
          "INSERT INTO audit SELECT seq, at, action, 'cli', account, peer, ref, detail, prev_hash, replace(hash, 'a', 'b') FROM kept",
        );
      },
      [[7, 'edited']],
    ],
    [
      'a row put in between, and all after it moved on',
      (db) => {
        for (let seq = ROWS; seq >= 11; seq -= 1) db.prepare('UPDATE audit SET seq = seq + 1 WHERE seq = ?').run(seq);
        db.prepare(INSERT).run(11, 10);
      },
      [
        [11, 'inserted'],
        [12, 'reordered'],
        [13, 'reordered'],
      ],
    ],
    [
      'a row removed, and all after it moved up',
      (db) => void db.exec('DELETE FROM audit WHERE seq = 10; UPDATE audit SET seq = seq - 1 WHERE seq > 10'),
      [
        [10, 'reordered'],
        [11, 'reordered'],
        [12, 'truncated'],
      ],
    ],
  ] satisfies [string, (db: Sqlite.Database) => void, unknown][])('%s', async (_what, tamper, problems) => {
    expect(kinds(await check(await filled(), tamper))).toEqual(problems);
  });
});

/** One thing that somebody does to the rows `a` and `b`. */
const DEEDS = {
  edit: (db, a) => db.prepare("UPDATE audit SET ref = ref || '.' WHERE seq = ?").run(a),
  'edit the hash': (db, a) => db.prepare('UPDATE audit SET hash = ? WHERE seq = ?').run('0'.repeat(64), a),
  remove: (db, a) => db.prepare('DELETE FROM audit WHERE seq = ?').run(a),
  'cut off': (db, a) => db.prepare('DELETE FROM audit WHERE seq >= ?').run(a),
  swap: (db, a, b) => {
    db.prepare('UPDATE audit SET seq = -1 WHERE seq = ?').run(a);
    db.prepare('UPDATE audit SET seq = ? WHERE seq = ?').run(a, b);
    db.prepare('UPDATE audit SET seq = ? WHERE seq = -1').run(b);
  },
  'copy to the end': (db, a, b) => db.prepare(INSERT.replace('INSERT', 'INSERT OR IGNORE')).run(ROWS + b, a),
  overwrite: (db, a, b) =>
    db
      .prepare(
        `UPDATE audit SET (at, ref, prev_hash, hash) = (SELECT at, ref, prev_hash, hash FROM audit WHERE seq = @a)
         WHERE seq = @b AND EXISTS (SELECT 1 FROM audit WHERE seq = @a)`,
      )
      .run({ a, b }),
} satisfies Record<string, (db: Sqlite.Database, a: number, b: number) => unknown>;

it(
  'whatever is done to any rows is found, by the app that runs and by the next one, and before it nothing is',
  async () => {
    const row = fc.integer({ min: 1, max: ROWS });
    const deed = fc.record({
      what: fc.constantFrom(...(Object.keys(DEEDS) as (keyof typeof DEEDS)[])),
      a: row,
      b: row,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 3 }), async (deeds) => {
        const opened = await filled();
        const { audit, home } = opened;
        expect(await audit.verify()).toMatchObject({ ok: true, rows: ROWS });
        const all = (from: Sqlite.Database): unknown => from.prepare('SELECT * FROM audit ORDER BY seq').all();
        const db = intruder(home);
        const before = all(db);
        for (const { what, a, b } of deeds) DEEDS[what](db, a, b);
        // two deeds may undo one another
        const isUntouched = JSON.stringify(all(db)) === JSON.stringify(before);
        db.close();
        expect((await audit.verify()).ok).toBe(isUntouched);
        const again = await startedAgain(opened);
        expect((await again.audit.verify()).ok).toBe(isUntouched);
        again.audit.note(entryOf(100));
        expect((await again.audit.verify()).ok).toBe(isUntouched);
        again.close();
        rmSync(home, { recursive: true });
      }),
      { numRuns: runs(40) },
    );
  },
  PATIENCE_MS,
);

describe('a log that was put back as it was', () => {
  it('is found, with the rows that are missing', async () => {
    const opened = await filled();
    const copy = join(tempDir(), 'copy.db');
    opened.db.prepare('VACUUM INTO ?').run(copy);
    for (let n = 0; n < 3; n += 1) opened.audit.note(entryOf(n));
    opened.audit.flush();
    opened.close();
    const old = new Sqlite(copy);
    old.prepare('VACUUM INTO ?').run(join(opened.home, 'old.db'));
    old.close();
    renameSync(join(opened.home, 'old.db'), join(opened.home, 'desk.db'));
    const again = await openAudit(opened.home);
    expect(kinds(await again.audit.verify())).toEqual([[13, 'truncated']]);
    again.audit.note(entryOf(50));
    const { problems, rows } = await again.audit.verify();
    expect(rows).toBe(ROWS + 1);
    expect(problems).toEqual([{ seq: 16, kind: 'removed', message: 'Rows 13 to 15 are missing before row 16.' }]);
  });

  it('is found when the whole file is gone', async () => {
    const opened = await filled();
    opened.close();
    rmSync(join(opened.home, 'desk.db'));
    const { audit } = await openAudit(opened.home);
    audit.note(entryOf(1));
    expect((await audit.verify()).problems).toEqual([
      { seq: 13, kind: 'removed', message: 'Rows 1 to 12 are missing before row 13.' },
    ]);
  });

  it('is found where rows of an older copy take the place of newer ones', async () => {
    const opened = await filled();
    const { audit, db, home } = opened;
    const copied = db.prepare('SELECT * FROM audit WHERE seq = 12').get() as { hash: string };
    // the same key writes another row 12
    const other = await openAudit(tempDir(), { secrets: opened.secrets });
    for (let n = 1; n <= ROWS; n += 1) other.audit.note(entryOf(n === ROWS ? 500 : n));
    other.audit.flush();
    const forged = other.db.prepare('SELECT ref, hash FROM audit WHERE seq = 12').get() as {
      ref: string;
      hash: string;
    };
    expect(forged.hash).not.toBe(copied.hash);
    intruder(home).prepare('UPDATE audit SET ref = @ref, hash = @hash WHERE seq = 12').run(forged);
    expect(kinds(await audit.verify())).toEqual([[12, 'edited']]);
  });
});

it('a log that is all wrong is told of in a hundred lines', async () => {
  const { audit, home } = await openAudit();
  for (let n = 0; n < 500; n += 1) audit.note(entryOf(n));
  audit.flush();
  intruder(home).exec("UPDATE audit SET actor = 'cli'");
  const { ok, rows, problems } = await audit.verify();
  expect([ok, rows, problems.length]).toEqual([false, 500, 100]);
});
