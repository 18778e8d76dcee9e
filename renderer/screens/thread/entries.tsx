import { useMemo, useRef, useState, type ReactNode } from 'react';
import { assertNever } from '../../../relay/contract/assert-never.ts';
import type { InboxItem, OfflinePeer } from '../../../relay/contract/desk-api.ts';
import type { ThreadEvent } from '../../../relay/contract/handoff.ts';
import { threadEntries } from '../../../relay/contract/thread.ts';
import { Button } from '../../components/button.tsx';
import { classes } from '../../components/class-names.ts';
import { absenceOf } from '../../state/reducer.ts';
import { useFocusRequest } from '../../state/use-focus-request.ts';
import { useDesk } from '../../window-context.ts';
import { counted } from '../../words/counted.ts';
import styles from './entries.module.css';
import { ArtifactsView, MessageView } from './message-view.tsx';
import { entriesFrom, openingOf, showEntries, type ShownEntry } from './shown-entries.ts';
import { StateLine } from './state-line.tsx';
import { useFollow } from './use-follow.ts';

/** How many earlier entries are drawn at once when they are asked for. */
const STEP = 500;

/** The thread itself, in relay order. It opens at what is new; of a long one only the end is drawn at first. */
export function Entries({ events, item }: { events: readonly ThreadEvent[]; item: InboxItem }): ReactNode {
  const { role, receipts } = item.handoff;
  const entries = useMemo(() => showEntries(threadEntries(events, role)), [events, role]);
  const [opening] = useState(() => openingOf(entries, receipts[role].surfaced));
  const [hidden, setHidden] = useState(opening.hidden);
  const absence = useDesk((desk) => absenceOf(desk, item));
  const scroller = useRef<HTMLDivElement>(null);
  useFollow(scroller, opening.first, events.length, hidden);
  useFocusRequest('thread', () => scroller.current?.focus({ preventScroll: true }));
  return (
    <div ref={scroller} className={styles['scroller']} tabIndex={0} role="region" aria-label="Messages">
      {hidden === 0 ? null : (
        <div className={styles['earlier']}>
          <Button small onPress={() => setHidden(Math.max(0, hidden - STEP))}>
            {counted(hidden, 'earlier entry', 'earlier entries')}
          </Button>
        </div>
      )}
      <ol className={styles['entries']} aria-label="Thread">
        {entriesFrom(entries, hidden).map((shown) => (
          <li
            key={`${shown.entry.version} ${shown.entry.kind}`}
            className={classes(shown.continues && styles['continues'])}
            data-version={shown.entry.version}
          >
            <EntryView shown={shown} item={item} absence={absence} />
          </li>
        ))}
      </ol>
    </div>
  );
}

interface EntryViewProps {
  readonly shown: ShownEntry;
  readonly item: InboxItem;
  readonly absence: OfflinePeer | undefined;
}

function EntryView({ shown, item, absence }: EntryViewProps): ReactNode {
  const { entry, continues, receipt } = shown;
  const common = { item, continues, receipt, absence };
  switch (entry.kind) {
    case 'message':
      return <MessageView entry={entry} {...common} />;
    case 'artifacts':
      return <ArtifactsView entry={entry} {...common} />;
    case 'state':
      return <StateLine entry={entry} peer={item.peer} />;
    default:
      return assertNever(entry);
  }
}
