import { Fragment, type ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import { PeerLabel } from '../../components/peer-text.tsx';
import { Time } from '../../components/time.tsx';
import type { Row } from '../../state/item.ts';
import shared from '../../styles/shared.module.css';
import { intentWords, stateBadge } from '../../words/handoff.ts';
import { trustLine } from '../../words/trust.ts';
import { Dot, PaneHead } from './pane-head.tsx';

/** What the thread is about: subject, who to whom, what is wanted, since when, where it stands, and under which rule. */
export function ThreadHead({ row: { item } }: { row: Row }): ReactNode {
  const { handoff, peer } = item;
  const you = <span>you</span>;
  const other = <span className={shared['handle']}>{peer}</span>;
  const isOwn = handoff.role === 'sender';
  const { icon, tone, parts } = trustLine(item);
  return (
    <PaneHead
      title={<PeerLabel text={handoff.summary} />}
      badge={stateBadge(item)}
      meta={
        <>
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
        </>
      }
      why={{
        icon,
        tone,
        label: 'Trust',
        words: parts.map((part, index) => (
          <Fragment key={part}>
            {index === 0 ? null : (
              <>
                {' '}
                <Dot />{' '}
              </>
            )}
            {/* the paths in it are the reader's own, and may hold anything all the same */}
            <PeerLabel text={part} />
          </Fragment>
        )),
      }}
    />
  );
}
