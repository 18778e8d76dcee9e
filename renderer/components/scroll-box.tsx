import type { ReactNode } from 'react';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import { cutAt } from '../text/pages.ts';
import styles from './scroll-box.module.css';

/**
 * What is wider than its place, and scrolls by itself. It takes the keyboard, so that it can be scrolled without a
 * pointer (WCAG 2.1.1), and it is a group and not a landmark, for a thread may hold dozens.
 * @param label may hold words of a peer: a path, the name of a format
 */
export function ScrollBox({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <div className={styles['box']} role="group" aria-label={labelOf(label)} tabIndex={0}>
      {children}
    </div>
  );
}

/** Nobody listens to more. */
const MOST = 200;

function labelOf(words: string): string {
  return visibleLine(words.length <= MOST ? words : `${words.slice(0, cutAt(words, MOST))}…`);
}
