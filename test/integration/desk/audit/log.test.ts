import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuditEntry } from '../../../../relay/contract/audit.ts';
import { openAudit } from '../../../support/audit.ts';
import { because } from '../../../support/skip.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const started: AuditEntry = { action: 'app_started', actor: 'desk', detail: { version: '1.0.0' } };
const sent: AuditEntry = {
  action: 'handoff_sent',
  actor: 'human',
  account: 'frank@acme',
  peer: 'alice@acme',
  ref: 't1',
};

/** What another program sees in the file. */
function seenIn(home: string): unknown[] {
  const other = new Sqlite(join(home, 'desk.db'), { readonly: true });
  onTestFinished(() => void other.close());
  return other.prepare('SELECT seq, action FROM audit ORDER BY seq').raw().all();
}

describe('an act that is noted', () => {
  it('is in the file before the event loop goes on', async () => {
    const { audit, home } = await openAudit();
    audit.note(started);
    await Promise.resolve();
    expect(seenIn(home)).toEqual([[1, 'app_started']]);
  });

  it('is a row with all that was said of it, and with the time', async () => {
    const { audit } = await openAudit();
    audit.note(started);
    audit.note(sent);
    const { rows, nextCursor } = audit.list({}, { limit: 10 });
    expect(nextCursor).toBe('');
    expect(rows).toEqual([
      { seq: 2, at: 2, ...sent, detail: {}, prev_hash: rows[1]?.hash, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { seq: 1, at: 1, ...started, prev_hash: '0'.repeat(64), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it('is stored together with all that is noted in the same turn', async () => {
    const { audit, home } = await openAudit();
    for (let n = 0; n < 100; n += 1) audit.note(sent);
    expect(seenIn(home)).toEqual([]);
    await Promise.resolve();
    expect(seenIn(home)).toHaveLength(100);
  });

  it('names no home folder, is not long, and is text that can be hashed, whatever was in it', async () => {
    const { audit } = await openAudit();
    audit.note({
      action: 'config_changed',
      actor: 'human',
      ref: `half \ud800 of one`,
      detail: {
        file: '/home/frank/work/trust.yaml',
        files: ['/home/frank/a', '/srv/b'],
        text: 'x'.repeat(1_000),
        n: 7,
      },
    });
    const { rows } = audit.list({}, { limit: 1 });
    expect(rows[0]).toMatchObject({
      ref: 'half \ufffd of one',
      detail: { file: '~/work/trust.yaml', files: ['~/a', '/srv/b'], text: expect.stringMatching(/^x{299}…$/), n: 7 },
    });
    expect((await audit.verify()).problems).toEqual([]);
  });

  it('is read back as it was written, and verified, for any text', async () => {
    const { audit } = await openAudit();
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const detail = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.double({ noNaN: true }), fc.boolean()));
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(text, text, detail, async (peer, ref, more) => {
        audit.note({ action: 'wake', actor: 'desk', peer, ref, detail: more });
        rows += 1;
        expect(await audit.verify()).toEqual({ ok: true, rows, problems: [], waiting: 0, lost: 0 });
      }),
      { numRuns: 50 },
    );
  });
});

describe('the file', () => {
  it.each([
    ['UPDATE audit SET actor = ?', ['human']],
    ['DELETE FROM audit WHERE seq = ?', [1]],
    [
      "INSERT OR REPLACE INTO audit SELECT seq, at, 'wake', actor, account, peer, ref, detail, prev_hash, hash FROM audit WHERE seq = ?",
      [1],
    ],
    [
      "INSERT INTO audit SELECT seq - 5, at, 'wake', actor, account, peer, ref, detail, prev_hash, hash FROM audit WHERE seq = ?",
      [1],
    ],
  ])('lets no statement of ours change what is there: %s', async (statement, values) => {
    const { audit, db } = await openAudit();
    audit.note(started);
    audit.note(sent);
    audit.flush();
    expect(() => db.prepare(statement).run(...values)).toThrow('the audit log only grows');
    expect(await audit.verify()).toMatchObject({ ok: true, rows: 2 });
  });

  it.skipIf(process.platform === 'win32')(
    'with the end of the log is for its owner alone, and holds no key',
    because('Windows has no modes'),
    async () => {
      const { audit, home, secrets } = await openAudit();
      audit.note(started);
      audit.flush();
      const file = join(home, 'audit-head');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const key = await secrets.get('audit-key');
      expect(key).toMatch(/^[\w-]{43}$/);
      expect(readFileSync(file, 'utf8')).not.toContain(key);
    },
  );
});

describe('a list', () => {
  const entries: readonly AuditEntry[] = [
    started,
    sent,
    { action: 'handoff_received', actor: 'peer', account: 'frank@acme', peer: 'mia@acme', ref: 't2' },
    { action: 'blocked', actor: 'human', account: 'frank@acme', peer: 'mia@acme' },
    { action: 'key_rotated', actor: 'cli', account: 'frank@other' },
  ];
  const listed = async (filter: object): Promise<number[]> => {
    const { audit } = await openAudit();
    entries.forEach(audit.note);
    return audit.list(filter, { limit: 10 }).rows.map(({ seq }) => seq);
  };

  it.each([
    ['everything', {}, [5, 4, 3, 2, 1]],
    ['since a time', { since: 4 }, [5, 4]],
    ['until a time', { until: 2 }, [2, 1]],
    ['one other side', { peer: 'mia@acme' }, [4, 3]],
    ['one account', { account: 'frank@other' }, [5]],
    ['some actions', { actions: ['blocked', 'handoff_sent'] }, [4, 2]],
    ['all of it at once', { since: 2, until: 4, peer: 'mia@acme', actions: ['blocked', 'handoff_sent'] }, [4]],
    ['no action at all', { actions: [] }, []],
  ])('shows %s', async (_what, filter, seqs) => {
    expect(await listed(filter)).toEqual(seqs);
  });

  it('comes in pages that what is written meanwhile does not move', async () => {
    const { audit } = await openAudit();
    entries.forEach(audit.note);
    const seqs: number[][] = [];
    let cursor: string | undefined;
    do {
      const page = audit.list({}, { limit: 2, cursor });
      seqs.push(page.rows.map(({ seq }) => seq));
      cursor = page.nextCursor;
      audit.note(sent);
    } while (cursor !== '');
    expect(seqs).toEqual([[5, 4], [3, 2], [1]]);
  });

  it.each(['x', '1.5', "1' OR 1=1", '_', '1_2'])('refuses the cursor %s', async (cursor) => {
    const { audit } = await openAudit();
    expect(() => audit.list({}, { limit: 1, cursor })).toThrow(expect.objectContaining({ reason: 'INVALID_PARAMS' }));
  });
});

describe('an export', () => {
  it('holds all rows that there were at its beginning, oldest first, page by page', async () => {
    const { audit } = await openAudit();
    for (let n = 0; n < 1_203; n += 1) audit.note(sent);
    audit.flush();
    const seqs: number[] = [];
    let cursor: string | undefined;
    do {
      const page = audit.exportPage({}, { format: 'jsonl', cursor });
      seqs.push(...page.text.split('\n').map((line) => (JSON.parse(line) as { seq: number }).seq));
      cursor = page.nextCursor;
      audit.note(sent);
    } while (cursor !== '');
    expect(seqs).toEqual(Array.from({ length: 1_203 }, (_, index) => index + 1));
  });

  it('may be of the newest few that fit', async () => {
    const { audit } = await openAudit();
    for (let n = 0; n < 20; n += 1) audit.note(n % 2 === 0 ? sent : started);
    const { text, nextCursor } = audit.exportPage({ peer: 'alice@acme' }, { format: 'jsonl', limit: 3 });
    expect(text.split('\n').map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([15, 17, 19]);
    expect(nextCursor).toBe('');
    expect(audit.exportPage({}, { format: 'jsonl', limit: 100 }).text.split('\n')).toHaveLength(20);
  });

  it('is empty where nothing fits, but for the names of a table', async () => {
    const { audit } = await openAudit();
    expect(audit.exportPage({}, { format: 'jsonl' })).toEqual({ text: '', nextCursor: '' });
    expect(audit.exportPage({}, { format: 'tsv' }).text).toMatch(/^seq\tat\taction/);
  });
});

describe('a disk that is full', () => {
  it('breaks nothing: what is noted waits, and is stored once there is room', async () => {
    const { audit, db, errors } = await openAudit();
    audit.note(started);
    audit.flush();
    db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`);
    const large: AuditEntry = { ...sent, detail: { text: 'y'.repeat(290) } };
    for (let n = 0; n < 100; n += 1) audit.note(large);
    audit.flush();
    for (let n = 0; n < 1_000; n += 1) audit.note(large);
    audit.flush();
    expect(errors).toEqual(['the audit log cannot be written']);
    // what is there is as it was, and says how much is not
    expect(await audit.verify()).toEqual({ ok: true, rows: 1, problems: [], waiting: 1_000, lost: 100 });
    db.pragma('max_page_count = 100000');
    audit.note(sent);
    expect(await audit.verify()).toEqual({ ok: true, rows: 1_003, problems: [], waiting: 0, lost: 0 });
    expect(audit.list({}, { limit: 2 }).rows).toMatchObject([
      { action: 'handoff_sent' },
      { action: 'audit_gap', detail: { cause: 'not_stored', acts: 100 } },
    ]);
  });
});

it('needs no time of others: a long log is checked page by page', async () => {
  const { audit } = await openAudit(tempDir());
  for (let n = 0; n < 1_500; n += 1) audit.note(sent);
  audit.flush();
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 0);
  onTestFinished(() => clearInterval(ticking));
  const check = await audit.verify();
  expect(check).toMatchObject({ ok: true, rows: 1_500 });
  expect(turns).toBeGreaterThan(0);
});
