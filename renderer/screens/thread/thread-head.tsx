import type { ReactNode } from 'react';
import { Badge } from '../../components/badge.tsx';
import { IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { PeerLabel } from '../../components/peer-text.tsx';
import { Time } from '../../components/time.tsx';
import type { Row } from '../../state/item.ts';
import shared from '../../styles/shared.module.css';
import { useActions } from '../../window-context.ts';
import { intentWords, stateBadge } from '../../words/handoff.ts';
import styles from './thread-head.module.css';

/** What the thread is about: subject, who to whom, what is wanted, since when, and where it stands. */
export function ThreadHead({ row: { item } }: { row: Row }): ReactNode {
  const { back } = useActions();
  const { handoff, peer } = item;
  const badge = stateBadge(item);
  const you = <span>you</span>;
  const other = <span className={shared['handle']}>{peer}</span>;
  const isOwn = handoff.role === 'sender';
  return (
    <header className={styles['head']}>
      <div className={styles['line']}>
        <IconButton icon="chevronLeft" label="Back to the list" onPress={back} className={styles['back']} />
        <h2 className={styles['title']} id="subject">
          <PeerLabel text={handoff.summary} />
        </h2>
        <span role="status" aria-label="State" className={styles['state']}>
          <Badge text={badge.text} icon={badge.icon} tone={badge.tone} />
        </span>
      </div>
      <p className={styles['meta']}>
        {isOwn ? you : other}
        <Icon name="arrowRight" small />
        <span className={shared['unseen']}>to</span>
        {isOwn ? other : you}
        {handoff.intent === undefined ? null : (
          <>
            <Dot />
            <span>{intentWords(handoff.intent)}</span>
          </>
        )}
        <Dot />
        <Time at={handoff.created_at} form="long" />
      </p>
    </header>
  );
}

function Dot(): ReactNode {
  return (
    <span className={styles['dot']} aria-hidden="true">
      ·
    </span>
  );
}
