import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Sentence } from '../../components/sentence.tsx';
import type { Dock } from '../../state/compose.ts';
import styles from './dock.module.css';

/** What became of the last step, if nothing else shows it. */
export function Outcome({ dock }: { dock: Dock }): ReactNode {
  return (
    <div role="alert" className={styles['outcome']}>
      {dock.error === undefined ? null : (
        <p className={styles['error']}>
          <Icon name="warn" small />
          <span>
            <Sentence text={dock.error.message} />
            {(dock.error.violations ?? []).map(({ field, description }) => (
              <span key={field}>
                {' '}
                {field}: {description}
              </span>
            ))}
          </span>
        </p>
      )}
      {dock.note === undefined ? null : <p className={styles['note']}>{dock.note}</p>}
    </div>
  );
}
