import { memo, type ReactNode } from 'react';
import { assertNever } from '../../relay/contract/assert-never.ts';
import { LongText } from '../components/long-text.tsx';
import { ScrollBox } from '../components/scroll-box.tsx';
import type { DiffRow } from '../diff/rows.ts';
import styles from './code-table.module.css';
import { More } from './more.tsx';
import { LINE_DRAWN, lineCost, LINES, useShown } from '../components/use-shown.ts';

/** A file's diff as a table: old number, new number, line. */
export function DiffTable({ rows, label }: { rows: readonly DiffRow[]; label: string }): ReactNode {
  const { shown, more } = useShown(rows.length, LINES, (index) => rowCost(rows[index]));
  return (
    <>
      <ScrollBox label={label}>
        <table className={styles['code']}>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              <Row key={index} row={row} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <More count={rows.length - shown} of="line" onPress={more} />
    </>
  );
}

function rowCost(row: DiffRow | undefined): number {
  if (row === undefined) return 0;
  return 'spans' in row ? lineCost(...row.spans.map(({ text }) => text)) : lineCost(row.text);
}

const SIGNS = { context: ' ', add: '+', del: '−' } as const;

const Row = memo(function Row({ row }: { row: DiffRow }): ReactNode {
  switch (row.kind) {
    case 'hunk':
    case 'note':
      return (
        <tr>
          <td className={styles['aside']} colSpan={3}>
            <LongText text={row.text} first={LINE_DRAWN} />
          </td>
        </tr>
      );
    case 'context':
    case 'add':
    case 'del':
      return (
        <tr className={row.kind === 'context' ? undefined : styles[row.kind]}>
          <td className={styles['number']}>{row.oldNo}</td>
          <td className={styles['number']}>{row.newNo}</td>
          <td className={styles['source']}>
            <span className={styles['sign']}>{SIGNS[row.kind]}</span>
            {row.spans.map(({ text, changed }, index) =>
              changed ? (
                <mark key={index}>
                  <LongText text={text} first={LINE_DRAWN} />
                </mark>
              ) : (
                <LongText key={index} text={text} first={LINE_DRAWN} />
              ),
            )}
          </td>
        </tr>
      );
    default:
      return assertNever(row);
  }
});
