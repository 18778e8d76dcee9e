import type { ReactNode } from 'react';
import styles from './command.module.css';
import { CopyButton } from './copy-button.tsx';

/**
 * A command to type in a terminal, with a button that copies it.
 * @param shown a shorter form for the eye; what is copied, in whichever way, is `text`
 */
export function Command({ text, shown = text }: { text: string; shown?: string }): ReactNode {
  return (
    <div className={styles['command']}>
      <code
        title={text}
        onCopy={(event) => {
          event.clipboardData.setData('text/plain', text);
          event.preventDefault();
        }}
      >
        <span className={styles['prompt']} aria-hidden="true">
          ${' '}
        </span>
        {shown}
      </code>
      <CopyButton text={text} what="the command" />
    </div>
  );
}
