import { useLayoutEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { assertNever } from '../../../relay/contract/assert-never.ts';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import type { ThreadEvent } from '../../../relay/contract/handoff.ts';
import { threadEntries, type StateEntry } from '../../../relay/contract/thread.ts';
import { PeerText } from '../../components/peer-text.tsx';
import { Time } from '../../components/time.tsx';
import { useFocusRequest } from '../../state/use-focus-request.ts';
import { sizeOf } from '../../styles/size.ts';
import { authorName, isAgent, stepWords } from '../../words/thread.ts';
import { showEntries, type ShownEntry } from './shown-entries.ts';
import { ArtifactsView, MessageView } from './message-view.tsx';
import styles from './entries.module.css';

/** The thread itself, in relay order. It opens at what is new, and follows what comes while its end is in sight. */
export function Entries({ events, item }: { events: readonly ThreadEvent[]; item: InboxItem }): ReactNode {
  const { role } = item.handoff;
  const entries = useMemo(() => showEntries(threadEntries(events, role)), [events, role]);
  const scroller = useRef<HTMLDivElement>(null);
  const first = useFirstNew(entries, item);
  useFollow(scroller, first, events.length);
  useFocusRequest('thread', () => scroller.current?.focus({ preventScroll: true }));
  return (
    <div ref={scroller} className={styles['scroller']} tabIndex={0} role="region" aria-label="Messages">
      <ol className={styles['entries']} aria-label="Thread">
        {entries.map((shown) => (
          <li key={`${shown.entry.version} ${shown.entry.kind}`} data-version={shown.entry.version}>
            <EntryView shown={shown} item={item} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function EntryView({ shown, item }: { shown: ShownEntry; item: InboxItem }): ReactNode {
  const { entry, continues, receipt } = shown;
  switch (entry.kind) {
    case 'message':
      return <MessageView entry={entry} item={item} continues={continues} receipt={receipt} />;
    case 'artifacts':
      return <ArtifactsView entry={entry} item={item} continues={continues} receipt={receipt} />;
    case 'state':
      return <StateLine entry={entry} peer={item.peer} />;
    default:
      return assertNever(entry);
  }
}

function StateLine({ entry, peer }: { entry: StateEntry; peer: string }): ReactNode {
  return (
    <p className={styles['state']}>
      <span>
        {stepWords(entry, peer)}
        {entry.reason === undefined ? null : (
          <>
            {': '}
            <PeerText text={entry.reason} />
          </>
        )}
      </span>
      {isAgent(entry.author) ? <span>{authorName(entry.author)}</span> : null}
      <Time at={entry.at} form="clock" />
    </p>
  );
}

/** The version at which the thread opens: the first that was not shown yet. undefined: its end. Fixed while it is open. */
function useFirstNew(entries: readonly ShownEntry[], { handoff }: InboxItem): number | undefined {
  const [first] = useState(() => {
    const { surfaced } = handoff.receipts[handoff.role];
    return entries.find(({ entry }) => !entry.own && entry.version > surfaced)?.entry.version;
  });
  return first;
}

/** Puts the thread where it opens, and then keeps its end in sight, unless the reader has gone elsewhere. */
function useFollow(scroller: RefObject<HTMLDivElement | null>, first: number | undefined, length: number): void {
  const atEnd = useRef(false);
  useLayoutEffect(() => {
    const pane = scroller.current;
    if (pane === null) return undefined;
    const start = first === undefined ? null : pane.querySelector(`[data-version="${first}"]`);
    if (start === null) pane.scrollTo({ top: pane.scrollHeight });
    else if (start.previousElementSibling !== null) start.scrollIntoView({ block: 'start' });
    const near = sizeOf('--row-list');
    const look = (): void => {
      atEnd.current = pane.scrollHeight - pane.scrollTop - pane.clientHeight < near;
    };
    look();
    pane.addEventListener('scroll', look, { passive: true });
    return () => pane.removeEventListener('scroll', look);
  }, [scroller, first]);
  useLayoutEffect(() => {
    const pane = scroller.current;
    if (atEnd.current) pane?.scrollTo({ top: pane.scrollHeight });
  }, [scroller, length]);
}
