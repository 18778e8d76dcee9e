import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRows } from '../../../../main/desk/audit/format-rows.ts';
import type { AuditRow } from '../../../../relay/contract/audit.ts';

function rowWith(changes: Partial<AuditRow> = {}): AuditRow {
  return {
    seq: 7,
    at: Date.UTC(2026, 10, 30, 14, 5),
    action: 'handoff_sent',
    actor: 'human',
    detail: { state: 'pending' },
    prev_hash: 'aa',
    hash: 'bb',
    ...changes,
  };
}

/** What a reader makes of a cell again. */
function unescape(cell: string): string {
  return cell
    .replace(/^'/, '')
    .replace(/\\(?:u([0-9a-f]{4})|(.))/g, (_all, code: string | undefined, letter: string) =>
      code === undefined
        ? ({ t: '\t', n: '\n', r: '\r', '\\': '\\' }[letter] ?? '')
        : String.fromCharCode(Number.parseInt(code, 16)),
    );
}

const cellsOf = (row: AuditRow): string[] => formatRows([row], 'tsv', false).split('\t');

describe('a table', () => {
  it('has a line of names, but only where it begins', () => {
    const names = 'seq\tat\taction\tactor\taccount\tpeer\tref\tdetail\tprev_hash\thash';
    const line = '7\t2026-11-30T14:05:00.000Z\thandoff_sent\thuman\t\talice@acme\t\t{"state":"pending"}\taa\tbb';
    const row = rowWith({ peer: 'alice@acme' });
    expect(formatRows([row, row], 'tsv', true)).toBe(`${names}\n${line}\n${line}`);
    expect(formatRows([row], 'tsv', false)).toBe(line);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '"', '＝1', '=cmd|" /C calc"!A0'])('holds no formula: %s', (ref) => {
    expect(cellsOf(rowWith({ ref }))[6]).toBe(`'${ref}`);
  });

  it('has one line and ten cells a row whatever is in them, and all of it can be read back', () => {
    const text = fc.string({ unit: 'binary' }).filter((ref) => !ref.startsWith("'"));
    fc.assert(
      fc.property(text, text, (ref, action) => {
        const cells = cellsOf(rowWith({ ref, action }));
        expect(cells).toHaveLength(10);
        expect(cells.join('')).not.toMatch(/[\n\r\u202a-\u202e\u200b]/);
        expect([cells[6], cells[2]].map((cell) => unescape(cell ?? ''))).toEqual([ref, action]);
      }),
    );
  });

  it('shows a time that is none as the number that it is', () => {
    expect(cellsOf(rowWith({ at: 9e15 }))[1]).toBe('9000000000000000');
  });
});

describe('JSON lines', () => {
  it('are one object each, the same as a list has', () => {
    const rows = [rowWith(), rowWith({ ref: 'a\nb\u202e', detail: 'no object' })];
    const text = formatRows(rows, 'jsonl', true);
    expect(text.split('\n').map((line) => JSON.parse(line) as unknown)).toEqual(rows);
    expect(text).not.toContain('\u202e');
  });
});

it('nothing is nothing', () => {
  expect(formatRows([], 'jsonl', true)).toBe('');
  expect(formatRows([], 'tsv', false)).toBe('');
});
