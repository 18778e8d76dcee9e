import type { ReactNode } from 'react';
import styles from './scroll-box.module.css';

/**
 * What is wider than its place, and scrolls by itself. It takes the keyboard, so that it can be scrolled without a
 * pointer (WCAG 2.1.1), and it is a group and not a landmark, for a thread may hold dozens.
 */
export function ScrollBox({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <div className={styles['box']} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
