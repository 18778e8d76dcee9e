import type { ReactNode } from 'react';
import styles from './command.module.css';
import { CopyButton } from './copy-button.tsx';

/** A command to type in a terminal, with a button that copies it. */
export function Command({ text }: { text: string }): ReactNode {
  return (
    <div className={styles['command']}>
      <code>
        <span className={styles['prompt']} aria-hidden="true">
          ${' '}
        </span>
        {text}
      </code>
      <CopyButton text={text} what="the command" />
    </div>
  );
}
