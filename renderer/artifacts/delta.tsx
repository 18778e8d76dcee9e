import type { ReactNode } from 'react';
import shared from '../styles/shared.module.css';
import styles from './delta.module.css';

/** How many lines a diff adds and removes. */
export function Delta({ added, removed }: { added: number; removed: number }): ReactNode {
  return (
    <span className={styles['delta']}>
      <span className={styles['add']}>+{added}</span>
      <span className={shared['unseen']}> added, </span> <span className={styles['del']}>−{removed}</span>
      <span className={shared['unseen']}> removed</span>
    </span>
  );
}
