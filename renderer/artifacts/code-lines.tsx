import { useMemo, type ReactNode } from 'react';
import { PeerText } from '../components/peer-text.tsx';
import styles from './code-table.module.css';
import { MoreLines } from './more-lines.tsx';
import { useShown } from './use-shown.ts';

/** Text line by line, numbered. */
export function CodeLines({ text, label }: { text: string; label: string }): ReactNode {
  const lines = useMemo(() => text.replace(/\r?\n$/, '').split(/\r?\n/), [text]);
  const { shown, more } = useShown(lines.length);
  return (
    <>
      <div className={styles['scroller']} tabIndex={0} role="region" aria-label={label}>
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
      </div>
      <MoreLines count={lines.length - shown} onPress={more} />
    </>
  );
}
