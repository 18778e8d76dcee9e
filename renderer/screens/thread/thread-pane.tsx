import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { KeyCaps } from '../../components/key-cap.tsx';
import { rowOf } from '../../state/reducer.ts';
import { useActions, useDesk } from '../../window-context.ts';
import { Dock } from './dock.tsx';
import { Entries } from './entries.tsx';
import { ThreadHead } from './thread-head.tsx';
import styles from './thread-pane.module.css';

/** The right pane: the handoff that is selected, and what can be done with it. */
export function ThreadPane(): ReactNode {
  const thread = useDesk((desk) => desk.thread);
  const row = useDesk((desk) => rowOf(desk, desk.thread?.key));
  const { retryThread } = useActions();
  if (thread === undefined) {
    return (
      <section className={styles['thread']} aria-label="Thread">
        <div className={styles['quiet']}>
          <p>Nothing is open. Choose a handoff.</p>
          <p className={styles['keys']}>
            <KeyCaps action="next" /> <KeyCaps action="previous" /> move, <KeyCaps action="help" /> shows all keys
          </p>
        </div>
      </section>
    );
  }
  const failed = thread.phase === 'failed';
  return (
    <article
      className={styles['thread']}
      aria-labelledby={row === undefined ? undefined : 'subject'}
      aria-busy={thread.phase === 'loading'}
    >
      {row === undefined ? null : <ThreadHead row={row} />}
      {thread.phase === 'ready' && row !== undefined ? (
        <>
          <Entries key={thread.key} threadKey={thread.key} events={thread.events} item={row.item} />
          <Dock key={`dock ${thread.key}`} item={row.item} />
        </>
      ) : (
        <div className={styles['quiet']} role={failed ? 'alert' : 'status'}>
          {failed ? (
            <>
              <p>{thread.error?.message}</p>
              <Button onPress={retryThread}>Try again</Button>
            </>
          ) : (
            <p className={styles['loading']}>Loading</p>
          )}
        </div>
      )}
    </article>
  );
}
