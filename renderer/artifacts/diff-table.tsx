import { memo, type ReactNode } from 'react';
import { assertNever } from '../../relay/contract/assert-never.ts';
import { PeerText } from '../components/peer-text.tsx';
import { ScrollBox } from '../components/scroll-box.tsx';
import type { DiffRow } from '../diff/rows.ts';
import styles from './code-table.module.css';
import { MoreLines } from './more-lines.tsx';
import { useShown } from './use-shown.ts';

/** A file's diff as a table: old number, new number, line. */
export function DiffTable({ rows, label }: { rows: readonly DiffRow[]; label: string }): ReactNode {
  const { shown, more } = useShown(rows.length);
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
      <MoreLines count={rows.length - shown} onPress={more} />
    </>
  );
}

const SIGNS = { context: ' ', add: '+', del: '−' } as const;

const Row = memo(function Row({ row }: { row: DiffRow }): ReactNode {
  switch (row.kind) {
    case 'hunk':
    case 'note':
      return (
        <tr>
          <td className={styles['aside']} colSpan={3}>
            <PeerText text={row.text} />
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
                  <PeerText text={text} />
                </mark>
              ) : (
                <PeerText key={index} text={text} />
              ),
            )}
          </td>
        </tr>
      );
    default:
      return assertNever(row);
  }
});
