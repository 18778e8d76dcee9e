import { describe, expect, it } from 'vitest';
import { createChainCheck } from '../../../../main/desk/audit/check-chain.ts';
import { GENESIS, hashRow, type Head, type SealedRow, type Unsealed } from '../../../../main/desk/audit/seal.ts';
import type { AuditProblem } from '../../../../relay/contract/audit.ts';

const KEY = 'key-of-frank';

/** A log of so many rows; `changes` are made before the row is sealed. */
function logOf(
  count: number,
  changes: Readonly<Record<number, Partial<Unsealed> & { key?: string }>> = {},
): SealedRow[] {
  const rows: SealedRow[] = [];
  for (let seq = 1; seq <= count; seq += 1) {
    const { key = KEY, ...over } = changes[seq] ?? {};
    const row: Unsealed = {
      seq,
      at: 1_000 + seq,
      action: 'wake',
      actor: 'desk',
      account: null,
      peer: null,
      ref: `t${seq}`,
      detail: '{}',
      prev_hash: rows.at(-1)?.hash ?? GENESIS.hash,
      ...over,
    };
    rows.push({ ...row, hash: hashRow(key, row) });
  }
  return rows;
}

function check(rows: readonly SealedRow[], head: Head = rows.at(-1) ?? GENESIS): readonly AuditProblem[] {
  const chain = createChainCheck(KEY, head);
  rows.forEach(chain.take);
  return chain.end().problems;
}

const kinds = (problems: readonly AuditProblem[]): unknown[] => problems.map(({ seq, kind }) => [seq, kind]);

describe('a log', () => {
  it('that is whole has no problem, and so many rows', () => {
    const rows = logOf(4);
    const chain = createChainCheck(KEY, { seq: 4, hash: rows[3]?.hash ?? '' });
    rows.forEach(chain.take);
    expect(chain.end()).toEqual({ rows: 4, problems: [] });
    expect(check([])).toEqual([]);
  });

  it('may be longer than the head that is known of it', () => {
    const rows = logOf(4);
    expect(check(rows, rows[1])).toEqual([]);
    expect(check(rows, GENESIS)).toEqual([]);
  });

  it('says how many rows are missing, and where', () => {
    const rows = logOf(9);
    expect(check([...rows.slice(0, 2), ...rows.slice(5, 7)], rows.at(-1))).toEqual([
      { seq: 6, kind: 'removed', message: 'Rows 3 to 5 are missing before row 6.' },
      { seq: 8, kind: 'truncated', message: 'Rows 8 to 9 are missing at the end.' },
    ]);
    expect(check([...rows.slice(0, 2), ...rows.slice(3)])).toEqual([
      { seq: 4, kind: 'removed', message: 'Row 3 is missing before row 4.' },
    ]);
  });

  it.each(['at', 'action', 'actor', 'account', 'peer', 'ref', 'detail', 'prev_hash', 'hash'] as const)(
    'has no member that could be changed: %s',
    (member) => {
      const rows = logOf(3).map((row) => (row.seq === 2 ? { ...row, [member]: member === 'at' ? 1 : '{"x":1}' } : row));
      expect(kinds(check(rows))).toContainEqual([2, 'edited']);
    },
  );

  it('does not take one kind of text for another: null is not empty, and a border does not move', () => {
    const rows = logOf(1);
    const moved = rows.map((row) => ({ ...row, account: '', ref: 't1' }));
    expect(kinds(check(moved))).toEqual([[1, 'edited']]);
    const joined = logOf(1, { 1: { account: 'ab', peer: 'c' } }).map((row) => ({ ...row, account: 'a', peer: 'bc' }));
    expect(kinds(check(joined))).toEqual([[1, 'edited']]);
  });

  it('of another key has no row that holds', () => {
    const rows = logOf(3, { 1: { key: 'x' }, 2: { key: 'x' }, 3: { key: 'x' } });
    expect(kinds(check(rows))).toEqual([
      [1, 'edited'],
      [2, 'edited'],
      [3, 'edited'],
    ]);
  });

  it('with a row of ours that goes on from another one is not as it was written', () => {
    expect(check(logOf(3, { 2: { prev_hash: 'f'.repeat(64) } }))).toEqual([
      { seq: 2, kind: 'edited', message: 'Row 2 was not written after the row that stands before it.' },
    ]);
  });

  it('whose newest row is another one than was written last is not, either', () => {
    const rows = logOf(3);
    const other = logOf(3, { 3: { ref: 'other' } });
    expect(check(other, rows.at(-1))).toEqual([
      { seq: 3, kind: 'edited', message: 'Row 3 is not the one that was written there last.' },
    ]);
  });
});

describe('a row that the desk has noted of itself', () => {
  const gap = (cause: string): Partial<Unsealed> => ({ action: 'audit_gap', detail: JSON.stringify({ cause }) });

  it('puts a missing key in the place of all that was found before it', () => {
    const old = { key: 'the key that is gone' };
    expect(check(logOf(5, { 1: old, 2: old, 3: old, 4: gap('key_missing') }))).toEqual([
      { seq: 4, kind: 'key_missing', message: 'The key of the rows before row 4 is gone. They cannot be checked.' },
    ]);
  });

  it('is believed from nobody else', () => {
    const rows = logOf(3, { 1: { ref: 'x' }, 3: { ...gap('key_missing'), key: 'forged' } });
    expect(kinds(check(rows.map((row) => (row.seq === 1 ? { ...row, ref: 'y' } : row))))).toEqual([
      [1, 'edited'],
      [3, 'edited'],
    ]);
  });

  it('says that the end may be missing', () => {
    expect(kinds(check(logOf(3, { 2: gap('head_missing') })))).toEqual([[2, 'truncated']]);
  });

  it('is no finding where acts could not be stored', () => {
    expect(check(logOf(3, { 2: gap('not_stored') }))).toEqual([]);
  });
});
