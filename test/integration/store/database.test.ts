import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase, type Database, type OpenOptions } from '../../../relay/store/sqlite/database.ts';
import { MIGRATIONS } from '../../../relay/store/sqlite/migrations/index.ts';
import { openSqliteStore } from '../../../relay/store/sqlite/store.ts';
import { because } from '../../support/skip.ts';
import { tempDir } from '../../support/temp-dir.ts';

function paths(dir: string = tempDir()): OpenOptions {
  return { file: join(dir, 'relay.db'), backups: join(dir, 'backups'), clock: () => 1_700_000_000_000 };
}

function open(options: OpenOptions): Database {
  const db = openDatabase(options);
  onTestFinished(() => void db.close());
  return db;
}

function schemaOf(db: Database): unknown {
  return db.pragma('user_version', { simple: true });
}

const SECOND = 'CREATE TABLE second (x INTEGER) STRICT; INSERT INTO second VALUES (2);';
const BROKEN = 'CREATE TABLE third (x INTEGER) STRICT; INSERT INTO nowhere VALUES (1);';

describe('a fresh store', () => {
  test('has the newest schema, and no backup of what was not there', () => {
    const options = paths();
    const db = open({ ...options, migrations: [...MIGRATIONS, SECOND] });
    expect(schemaOf(db)).toBe(MIGRATIONS.length + 1);
    expect(db.prepare('SELECT x FROM second').pluck().get()).toBe(2);
    expect(readdirSync(join(options.file, '..'))).not.toContain('backups');
  });

  test('makes its folder', () => {
    expect(open(paths(join(tempDir(), 'deep', 'down'))).open).toBe(true);
  });

  // what POSIX calls permissions
  test.skipIf(process.platform === 'win32')(
    'is for nobody but its owner to read',
    because('Windows has no modes'),
    () => {
      const options = paths(join(tempDir(), 'home'));
      const db = open(options);
      db.exec("INSERT INTO meta VALUES ('a', 'b')");
      for (const file of [options.file, `${options.file}-wal`, `${options.file}-shm`]) {
        expect(statSync(file).mode & 0o777).toBe(0o600);
      }
      expect(statSync(join(options.file, '..')).mode & 0o777).toBe(0o700);
    },
  );
});

test('what protects commits is in force, not only asked for', () => {
  const db = open(paths());
  const read = (name: string): unknown => db.pragma(name, { simple: true });
  expect({
    synchronous: read('synchronous'),
    journal_mode: read('journal_mode'),
    auto_vacuum: read('auto_vacuum'),
    foreign_keys: read('foreign_keys'),
    fullfsync: read('fullfsync'),
    checkpoint_fullfsync: read('checkpoint_fullfsync'),
  }).toEqual({
    synchronous: 2,
    journal_mode: 'wal',
    auto_vacuum: 2,
    foreign_keys: 1,
    fullfsync: 1,
    checkpoint_fullfsync: 1,
  });
});

describe('a store that is opened again', () => {
  test('keeps what is in it, and is not migrated twice', () => {
    const options = paths();
    const first = openDatabase(options);
    first.exec("INSERT INTO meta VALUES ('a', 'b')");
    first.close();
    const again = open(options);
    expect(again.prepare("SELECT value FROM meta WHERE key = 'a'").pluck().get()).toBe('b');
    expect(again.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(again.pragma('auto_vacuum', { simple: true })).toBe(2);
    expect(readdirSync(join(options.file, '..'))).not.toContain('backups');
  });

  test('is brought up step by step, each behind a copy of what was there', () => {
    const options = paths();
    const first = openDatabase(options);
    first.exec("INSERT INTO meta VALUES ('a', 'b')");
    first.close();
    const db = open({ ...options, migrations: [...MIGRATIONS, SECOND, 'DELETE FROM meta; DROP TABLE second;'] });
    expect(schemaOf(db)).toBe(MIGRATIONS.length + 2);
    const n = MIGRATIONS.length;
    const names = [n, n + 1].map((schema) => `relay-schema-${schema}-1700000000000.db`);
    expect(readdirSync(options.backups).toSorted()).toEqual(names.toSorted());
    for (const [index, name] of names.entries()) {
      const copy = new Sqlite(join(options.backups, name), { readonly: true });
      expect(copy.pragma('user_version', { simple: true })).toBe(n + index);
      expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(copy.prepare("SELECT value FROM meta WHERE key = 'a'").pluck().get()).toBe('b');
      copy.close();
    }
  });

  test.skipIf(process.platform === 'win32')(
    'has backups that nobody else may read',
    because('Windows has no modes'),
    () => {
      const options = paths();
      openDatabase(options).close();
      open({ ...options, migrations: [...MIGRATIONS, SECOND] });
      const [name = ''] = readdirSync(options.backups);
      expect(statSync(join(options.backups, name)).mode & 0o777).toBe(0o600);
    },
  );

  test('is left as it was by a step that fails, with a copy and the cause', () => {
    const options = paths();
    openDatabase(options).close();
    const migrations = [...MIGRATIONS, SECOND, BROKEN];
    expect(() => openDatabase({ ...options, migrations })).toThrow(
      expect.objectContaining({ reason: 'STORAGE_FAILED', message: expect.stringContaining('nowhere') }),
    );
    const db = open({ ...options, migrations: [...MIGRATIONS, SECOND] });
    expect(schemaOf(db)).toBe(MIGRATIONS.length + 1);
    expect(db.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'third'").pluck().get()).toBe(0);
    expect(readdirSync(options.backups)).toHaveLength(2);
  });
});

describe('what cannot be used is refused with what to do', () => {
  test('a file of a newer version, which is not touched', () => {
    const options = paths();
    openDatabase({ ...options, migrations: [...MIGRATIONS, SECOND] }).close();
    const before = readFileSync(options.file);
    expect(() => openDatabase(options)).toThrow(
      expect.objectContaining({
        reason: 'STORAGE_FAILED',
        message: expect.stringMatching(
          new RegExp(
            `newer AgentRelay \\(schema ${MIGRATIONS.length + 1}, this one knows ${MIGRATIONS.length}\\).*Update AgentRelay`,
          ),
        ),
      }),
    );
    expect(readFileSync(options.file).equals(before)).toBe(true);
  });

  test.each([
    ['no database', () => Buffer.from('This is a diary, and it is much longer than one hundred bytes. '.repeat(9))],
    ['half a database', (whole: Buffer) => whole.subarray(0, 5_000)],
    [
      'a database with a hole in it',
      (whole: Buffer) => Buffer.concat([whole.subarray(0, 4_096), Buffer.alloc(8_192, 7)]),
    ],
  ])('%s', (_what, spoil) => {
    const options = paths();
    openDatabase(options).close();
    writeFileSync(options.file, spoil(readFileSync(options.file)));
    const use = (): void => {
      const db = openDatabase({ ...options, migrations: [...MIGRATIONS, 'CREATE TABLE more (x)'] });
      db.close();
    };
    expect(use).toThrow(
      expect.objectContaining({
        reason: 'STORAGE_FAILED',
        message: expect.stringMatching(/relay\.db cannot be used: .*restore a copy from .*backups/),
      }),
    );
  });

  test('a folder in place of the file', () => {
    const options = paths();
    mkdirSync(options.file);
    expect(() => openDatabase(options)).toThrow(expect.objectContaining({ reason: 'STORAGE_FAILED' }));
  });

  test('a file in place of the folder', () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'home'), '');
    expect(() => openDatabase(paths(join(dir, 'home')))).toThrow(expect.objectContaining({ reason: 'STORAGE_FAILED' }));
  });
});

describe('what a store keeps of itself', () => {
  const identity = { id: 'relay-1', name: 'acme', privateKey: 'pem' };

  test('is made once: identity and epoch outlive the process', async () => {
    const dataDir = tempDir();
    const first = openSqliteStore({ dataDir, clock: Date.now });
    expect(await first.identity(() => identity)).toEqual(identity);
    const { epoch } = first.log;
    expect(epoch).toMatch(/^[0-9a-f]{8}$/);
    await first.close();
    const again = openSqliteStore({ dataDir, clock: Date.now });
    onTestFinished(() => again.close());
    expect(await again.identity(() => ({ ...identity, id: 'relay-2' }))).toEqual(identity);
    expect(again.log.epoch).toBe(epoch);
  });

  test('is another epoch in another store', () => {
    const stores = [1, 2].map(() => openSqliteStore({ dataDir: tempDir(), clock: Date.now }));
    onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
    expect(new Set(stores.map(({ log }) => log.epoch)).size).toBe(2);
  });

  test('is all in one file once it is closed, which may happen twice', async () => {
    const dataDir = tempDir();
    const store = openSqliteStore({ dataDir, clock: Date.now });
    await store.identity(() => identity);
    await store.close();
    await store.close();
    expect(readdirSync(dataDir)).toEqual(['relay.db']);
  });
});
