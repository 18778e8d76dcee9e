import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import styles from './notice.module.css';

/** A page of its own, for when there is nothing else to show: what is so, and what to do. */
export function Notice({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <main className={styles['page']}>
      <div className={styles['column']}>
        <Icon name="offline" tone="faint" />
        <h1 className={styles['title']}>{title}</h1>
        {children}
      </div>
    </main>
  );
}
