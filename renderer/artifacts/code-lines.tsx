import { useMemo, type ReactNode } from 'react';
import { LongText } from '../components/long-text.tsx';
import { ScrollBox } from '../components/scroll-box.tsx';
import styles from './code-table.module.css';
import { More } from './more.tsx';
import { LINE_DRAWN, lineCost, LINES, useShown } from '../components/use-shown.ts';

/** Text line by line, numbered. */
export function CodeLines({ text, label }: { text: string; label: string }): ReactNode {
  const lines = useMemo(() => text.replace(/\r?\n$/, '').split(/\r?\n/), [text]);
  const { shown, more } = useShown(lines.length, LINES, (index) => lineCost(lines[index] ?? ''));
  return (
    <>
      <ScrollBox label={label}>
        <table className={styles['code']}>
          <tbody>
            {lines.slice(0, shown).map((line, index) => (
              <tr key={index}>
                <td className={styles['number']}>{index + 1}</td>
                <td className={styles['source']}>
                  <LongText text={line} first={LINE_DRAWN} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <More count={lines.length - shown} of="line" onPress={more} />
    </>
  );
}
