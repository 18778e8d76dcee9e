import { useMemo, type ReactNode } from 'react';
import { PeerText } from '../components/peer-text.tsx';
import { ScrollBox } from '../components/scroll-box.tsx';
import styles from './code-table.module.css';
import { MoreLines } from './more-lines.tsx';
import { useShown } from './use-shown.ts';

/** Text line by line, numbered. */
export function CodeLines({ text, label }: { text: string; label: string }): ReactNode {
  const lines = useMemo(() => text.replace(/\r?\n$/, '').split(/\r?\n/), [text]);
  const { shown, more } = useShown(lines.length);
  return (
    <>
      <ScrollBox label={label}>
        <table className={styles['code']}>
          <tbody>
            {lines.slice(0, shown).map((line, index) => (
              <tr key={index}>
                <td className={styles['number']}>{index + 1}</td>
                <td className={styles['source']}>
                  <PeerText text={line} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <MoreLines count={lines.length - shown} onPress={more} />
    </>
  );
}
