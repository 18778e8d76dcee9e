import type { AuditFormat, AuditRow } from '../../../relay/contract/audit.ts';
import { assertNever } from '../../../relay/contract/assert-never.ts';
import { escapeHidden, printableJson } from '../../../relay/contract/printable-json.ts';

/** Rows for other programs: one a line, with nothing in them that hides or steers. */

/** What would be a formula, or the beginning of a quoted cell, where a spreadsheet reads it. */
const FORMULA = /^[=+\-@"＝＋－＠]/u;
const COLUMNS = ['seq', 'at', 'action', 'actor', 'account', 'peer', 'ref', 'detail', 'prev_hash', 'hash'] as const;

/**
 * JSON as it is in `list`, or cells apart by tabs: times are ISO 8601 in UTC; `\t`, `\n`, `\r`, `\\` and `\uXXXX` stand for
 * what a cell cannot hold, and `'` comes before what a spreadsheet would take for a formula.
 * @param isFirst whether these rows begin a file: it has a line with the names of its columns
 * @returns without the last line feed; empty where there is nothing
 */
export function formatRows(rows: readonly AuditRow[], format: AuditFormat, isFirst: boolean): string {
  switch (format) {
    case 'jsonl':
      return rows.map(printableJson).join('\n');
    case 'tsv':
      return [...(isFirst ? [COLUMNS.join('\t')] : []), ...rows.map(tsvRow)].join('\n');
    default:
      return assertNever(format);
  }
}

function tsvRow(row: AuditRow): string {
  const cells = { ...row, at: isoTime(row.at), detail: JSON.stringify(row.detail) };
  return COLUMNS.map((name) => cell(String(cells[name] ?? ''))).join('\t');
}

function cell(text: string): string {
  const plain = escapeHidden(
    text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r'),
  );
  return FORMULA.test(plain) ? `'${plain}` : plain;
}

/** What somebody has put there by hand may be no time. */
function isoTime(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
}
