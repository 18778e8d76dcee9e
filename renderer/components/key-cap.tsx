import type { ReactNode } from 'react';
import { keyCaps, type KeyAction } from '../keyboard/keymap.ts';
import styles from './key-cap.module.css';

const MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys of an action, as caps. Whoever listens hears them from `aria-keyshortcuts`. */
export function KeyCaps({ action }: { action: KeyAction }): ReactNode {
  return (
    <span className={styles['caps']} aria-hidden="true">
      {keyCaps(action, MAC).map((cap) => (
        <kbd key={cap} className={styles['cap']}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}
