import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDeskDb, type DeskDb } from '../../../../main/desk/store/desk-db.ts';
import { DESK_MIGRATIONS } from '../../../../main/desk/store/migrations/index.ts';
import { openDatabase } from '../../../../relay/store/sqlite/database.ts';
import { because } from '../../../support/skip.ts';
import { tempDir } from '../../../support/temp-dir.ts';

function open(home: string): DeskDb {
  const opened = openDeskDb(home, () => 1_700_000_000_000);
  onTestFinished(opened.close);
  return opened;
}

describe('desk.db', () => {
  it('has a place for what the desk keeps', () => {
    const { db } = open(tempDir());
    const tables = db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
      .pluck();
    expect(tables.all()).toEqual(['account', 'audit', 'invited', 'outbox', 'relay', 'turns']);
  });

  it('is one file once it is closed, which may happen twice, and holds what was written', () => {
    const home = tempDir();
    const first = open(home);
    first.db.exec("INSERT INTO relay VALUES ('r1', 'acme', 'acme', 'http://127.0.0.1:1')");
    first.close();
    first.close();
    expect(readdirSync(home)).toEqual(['desk.db']);
    expect(open(home).db.prepare('SELECT alias FROM relay').pluck().get()).toBe('acme');
  });

  it('gives each relay an alias of its own', () => {
    const { db } = open(tempDir());
    const insert = db.prepare("INSERT INTO relay VALUES (?, 'acme', 'acme', 'http://127.0.0.1:1')");
    insert.run('r1');
    expect(() => insert.run('r2')).toThrow('relay.alias');
  });

  it.skipIf(process.platform === 'win32')('is for its owner alone', because('Windows has no modes'), () => {
    const home = tempDir();
    open(home);
    expect(statSync(join(home, 'desk.db')).mode & 0o777).toBe(0o600);
  });

  it('is copied before each step of its schema, under a name of its own', () => {
    const home = tempDir();
    open(home).close();
    const options = { file: join(home, 'desk.db'), backups: join(home, 'backups'), clock: () => 7 };
    openDatabase({ ...options, migrations: [...DESK_MIGRATIONS, 'CREATE TABLE more (x TEXT) STRICT'] }).close();
    expect(readdirSync(join(home, 'backups'))).toEqual([`desk-schema-${DESK_MIGRATIONS.length}-7.db`]);
  });

  it('of a newer version is refused with what to do, and not touched', () => {
    const home = tempDir();
    const { db, close } = open(home);
    db.pragma(`user_version = ${DESK_MIGRATIONS.length + 1}`);
    close();
    const before = readFileSync(join(home, 'desk.db'));
    expect(() => open(home)).toThrow(
      expect.objectContaining({
        reason: 'STORAGE_FAILED',
        message: expect.stringMatching(/newer AgentRelay.*Update AgentRelay/),
      }),
    );
    expect(readFileSync(join(home, 'desk.db')).equals(before)).toBe(true);
  });

  it('that is no database is refused with what to do', () => {
    const home = tempDir();
    writeFileSync(join(home, 'desk.db'), 'A diary. '.repeat(100));
    expect(() => open(home)).toThrow(
      expect.objectContaining({
        reason: 'STORAGE_FAILED',
        message: expect.stringMatching(/restore a copy from .*backups/),
      }),
    );
  });
});
