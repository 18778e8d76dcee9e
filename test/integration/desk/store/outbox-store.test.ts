import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDeskDb } from '../../../../main/desk/store/desk-db.ts';
import { createOutboxStore, type OutboxRow, type OutboxStore } from '../../../../main/desk/store/outbox-store.ts';
import type { Database } from '../../../../relay/store/sqlite/database.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const FRANK = 'frank@acme';

function open(home = tempDir()): { outbox: OutboxStore; db: Database; home: string; close: () => void } {
  const { db, close } = openDeskDb(home, Date.now);
  onTestFinished(close);
  return { outbox: createOutboxStore(db), db, home, close };
}

/** A handoff of frank's to alice that waits for the relay since time 100. */
function row(id: string, changes: Partial<OutboxRow> = {}): OutboxRow {
  return {
    account: FRANK,
    id,
    peer: 'alice@acme',
    kind: 'handoff',
    thread: id,
    request: { message: { messageId: id, parts: [{ text: 'Look' }] } },
    author: 'human',
    created_at: 100,
    state: 'waiting_relay',
    reason: null,
    findings: [],
    attempts: 0,
    next_at: 100,
    ...changes,
  };
}

const ids = (rows: readonly OutboxRow[]): string[] => rows.map(({ id }) => id);

describe('what is put in', () => {
  it('is there as it was, also after a restart', () => {
    const first = open();
    const finding = { where: 'body', rule: 'env-line', start: 3, end: 9, masked: 'AWS_…xy, 40 characters' };
    const rows = [
      row('a', { request: { deep: { list: [1, 'two', null, { three: 0.1 }] }, ключ: '\u202e' } }),
      row('b', {
        kind: 'update',
        thread: 'a',
        author: 'claude-code',
        state: 'waiting_contact',
        reason: 'not accepted yet',
      }),
      row('c', {
        state: 'needs_human',
        reason: 'it looks like a secret',
        findings: [finding],
        attempts: 3,
        next_at: 900,
      }),
    ];
    for (const one of rows) expect(first.outbox.put(one)).toEqual(one);
    first.close();
    const { outbox } = open(first.home);
    expect(outbox.list()).toEqual(rows);
    expect(outbox.get({ account: FRANK, id: 'b' })).toEqual(rows[1]);
  });

  it('is in the file when it returns', () => {
    const { outbox, home } = open();
    outbox.put(row('a'));
    const other = new Sqlite(join(home, 'desk.db'), { readonly: true });
    onTestFinished(() => void other.close());
    expect(other.prepare('SELECT id FROM outbox').pluck().all()).toEqual(['a']);
  });

  it('twice under one key is there once, as it stands by now', () => {
    const { outbox } = open();
    outbox.put(row('a'));
    outbox.mark({ account: FRANK, id: 'a' }, { state: 'returned', reason: 'declined' });
    expect(outbox.put(row('a', { created_at: 500 }))).toMatchObject({ state: 'returned', created_at: 100 });
    expect(outbox.list()).toHaveLength(1);
  });

  it('under the key of something else is refused', () => {
    const { outbox } = open();
    outbox.put(row('a'));
    expect(() => outbox.put(row('a', { request: { other: true } }))).toThrow(
      expect.objectContaining({ reason: 'IDEMPOTENCY_CONFLICT' }),
    );
    // keys are each account's own
    outbox.put(row('a', { account: 'frank@other', request: { other: true } }));
    expect(outbox.list()).toHaveLength(2);
    expect(ids(outbox.list('frank@other'))).toEqual(['a']);
  });

  it('on a full disk fails, says what to do, and leaves the rest', () => {
    const { outbox, db } = open();
    outbox.put(row('a'));
    db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`);
    expect(() => outbox.put(row('b', { request: { text: 'x'.repeat(100_000) } }))).toThrow(
      expect.objectContaining({ reason: 'STORAGE_FAILED', message: expect.stringContaining('Free some space') }),
    );
    expect(ids(outbox.list())).toEqual(['a']);
  });
});

describe('what is due', () => {
  it('waits for the relay, its time has come, and it is of the account', () => {
    const { outbox } = open();
    outbox.put(row('now'));
    outbox.put(row('later', { next_at: 101 }));
    outbox.put(row('contact', { state: 'waiting_contact' }));
    outbox.put(row('human', { state: 'needs_human' }));
    outbox.put(row('returned', { state: 'returned' }));
    outbox.put(row('other', { account: 'frank@other' }));
    expect(ids(outbox.due(FRANK, 100))).toEqual(['now']);
    expect(ids(outbox.due(FRANK, 101))).toEqual(['now', 'later']);
    expect(ids(outbox.due(FRANK, 99))).toEqual([]);
  });

  it('comes in the order in which it was put in, whatever its id or time', () => {
    const { outbox } = open();
    for (const id of ['c', 'a', 'b']) outbox.put(row(id, { next_at: id === 'c' ? 100 : 50 }));
    expect(ids(outbox.due(FRANK, 100))).toEqual(['c', 'a', 'b']);
  });

  it('is never ahead of what was written before it on its thread', () => {
    const { outbox } = open();
    outbox.put(row('m1', { kind: 'message', thread: 't', next_at: 500 }));
    outbox.put(row('m2', { kind: 'message', thread: 't' }));
    outbox.put(row('m3', { kind: 'update', thread: 'u' }));
    expect(ids(outbox.due(FRANK, 100))).toEqual(['m3']);
    expect(ids(outbox.due(FRANK, 500))).toEqual(['m1', 'm3']);
    outbox.remove({ account: FRANK, id: 'm1' });
    expect(ids(outbox.due(FRANK, 500))).toEqual(['m2', 'm3']);
  });

  it.each([
    ['needs_human', []],
    ['waiting_contact', []],
    ['returned', ['m2']],
  ] as const)('waits behind what is %s only where that may still be sent', (state, due) => {
    const { outbox } = open();
    outbox.put(row('m1', { thread: 't', state }));
    outbox.put(row('m2', { thread: 't' }));
    expect(ids(outbox.due(FRANK, 100))).toEqual(due);
    expect(outbox.nextDue(FRANK)).toBe(due.length === 0 ? undefined : 100);
  });

  it('says when there will be more', () => {
    const { outbox } = open();
    expect(outbox.nextDue(FRANK)).toBeUndefined();
    outbox.put(row('a', { next_at: 700 }));
    outbox.put(row('b', { next_at: 300 }));
    outbox.put(row('c', { account: 'frank@other', next_at: 1 }));
    expect(outbox.nextDue(FRANK)).toBe(300);
  });
});

describe('a row', () => {
  const key = { account: FRANK, id: 'a' };

  it('moves on, and keeps what is not spoken of; the reason belongs to the state', () => {
    const { outbox } = open();
    const findings = [{ where: 'body', rule: 'github', start: 0, end: 4, masked: 'ghp_' }];
    outbox.put(row('a'));
    expect(outbox.mark(key, { state: 'waiting_relay', reason: 'refused', attempts: 1, next_at: 900 })).toEqual(
      row('a', { reason: 'refused', attempts: 1, next_at: 900 }),
    );
    expect(outbox.mark(key, { state: 'needs_human', reason: 'a secret', findings })).toEqual(
      row('a', { state: 'needs_human', reason: 'a secret', findings, attempts: 1, next_at: 900 }),
    );
    expect(outbox.mark(key, { state: 'waiting_relay' })).toEqual(
      row('a', { reason: null, findings, attempts: 1, next_at: 900 }),
    );
  });

  it('that is gone is not marked, and not removed twice', () => {
    const { outbox } = open();
    outbox.put(row('a'));
    expect(outbox.remove(key)).toBe(true);
    expect(outbox.remove(key)).toBe(false);
    expect(outbox.mark(key, { state: 'returned' })).toBeUndefined();
    expect(outbox.get(key)).toBeUndefined();
  });

  it('that waited for a contact may be sent when that is accepted, and no other one', () => {
    const { outbox } = open();
    outbox.put(row('a', { state: 'waiting_contact', reason: 'not accepted yet' }));
    outbox.put(row('b', { state: 'waiting_contact', peer: 'mia@acme' }));
    outbox.put(row('c', { state: 'needs_human' }));
    outbox.put(row('d', { state: 'waiting_contact', account: 'frank@other' }));
    expect(outbox.contactAccepted(FRANK, 'alice@acme', 400)).toBe(1);
    expect(outbox.list().map(({ id, state }) => [id, state])).toEqual([
      ['a', 'waiting_relay'],
      ['b', 'waiting_contact'],
      ['c', 'needs_human'],
      ['d', 'waiting_contact'],
    ]);
    expect(outbox.get(key)).toMatchObject({ reason: null, next_at: 400 });
  });
});
