import type { ReactNode } from 'react';
import type { Author } from '../../../relay/contract/handoff.ts';
import { Avatar } from '../../components/avatar.tsx';
import { classes } from '../../components/class-names.ts';
import { Time } from '../../components/time.tsx';
import shared from '../../styles/shared.module.css';
import { authorName, isAgent } from '../../words/thread.ts';
import styles from './message-shell.module.css';

interface MessageShellProps {
  /** `You`, a handle, `The relay`. */
  readonly who: string;
  /** Whose letter stands beside it. */
  readonly handle: string;
  readonly side: 'own' | 'peer' | 'relay';
  readonly author: Author;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Name and time were said just before. */
  readonly continues?: boolean;
  readonly children: ReactNode;
}

/** Who wrote something, how and when, around what it is. */
export function MessageShell(props: MessageShellProps): ReactNode {
  const { who, handle, side, author, at, continues = false, children } = props;
  // one's own words as a human need no word about how they were written
  const via = side === 'own' && author === 'human' ? undefined : authorName(author);
  return (
    <article className={styles['message']} aria-label={`Message from ${who}`}>
      {continues ? <span /> : <Avatar handle={handle} agent={isAgent(author)} small />}
      <div className={styles['body']}>
        {continues ? null : (
          <p className={styles['head']}>
            <span className={side === 'peer' ? classes(styles['peer'], shared['handle']) : styles['from']}>{who}</span>
            {via === undefined ? null : <span className={styles['via']}>{via}</span>}
            <Time at={at} form="clock" className={styles['time']} />
          </p>
        )}
        {children}
      </div>
    </article>
  );
}
