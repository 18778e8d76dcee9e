import { useMemo, useRef, useState, type ReactNode } from 'react';
import { assertNever } from '../../../relay/contract/assert-never.ts';
import type { InboxItem, OfflinePeer } from '../../../relay/contract/desk-api.ts';
import type { ThreadEvent } from '../../../relay/contract/handoff.ts';
import { threadEntries } from '../../../relay/contract/thread.ts';
import { Button } from '../../components/button.tsx';
import { classes } from '../../components/class-names.ts';
import type { ItemKey } from '../../state/item.ts';
import { absenceOf } from '../../state/reducer.ts';
import { useFocusRequest } from '../../state/use-focus-request.ts';
import { useDesk } from '../../window-context.ts';
import { counted } from '../../words/counted.ts';
import styles from './entries.module.css';
import { ArtifactsView, MessageView } from './message-view.tsx';
import {
  endOf,
  entriesOf,
  openingOf,
  showEntries,
  withEarlier,
  withLater,
  type Drawn,
  type ShownEntry,
} from './shown-entries.ts';
import { StateLine } from './state-line.tsx';
import { useFollow } from './use-follow.ts';
import { useSurfaced } from './use-surfaced.ts';

interface EntriesProps {
  readonly threadKey: ItemKey;
  readonly events: readonly ThreadEvent[];
  readonly item: InboxItem;
}

/** The thread itself, in relay order. It opens at what is new; of a long one only a part is drawn. */
export function Entries({ threadKey, events, item }: EntriesProps): ReactNode {
  const { role, receipts } = item.handoff;
  const entries = useMemo(() => showEntries(threadEntries(events, role)), [events, role]);
  const [opening] = useState(() => openingOf(entries, receipts[role].surfaced));
  const [drawn, setDrawn] = useState<Drawn>(opening);
  const absence = useDesk((desk) => absenceOf(desk, item));
  const scroller = useRef<HTMLDivElement>(null);
  const keep = useFollow(scroller, opening.first, events.length, drawn);
  const draw = (wanted: Drawn): void => {
    keep();
    setDrawn(wanted);
  };
  const goToEnd = (): void => setDrawn(endOf(entries));
  const later = Math.max(0, entries.length - drawn.to);
  const next = entries[drawn.to]?.entry.version;
  useSurfaced(threadKey, next === undefined ? events : events.slice(0, next - 1), item);
  // whoever writes wants to see it
  const own = entries.findLast(({ entry }) => entry.own && entry.author === 'human')?.entry.version;
  const [ownBefore, setOwnBefore] = useState(own);
  if (own !== ownBefore) {
    setOwnBefore(own);
    if (later > 0) goToEnd();
  }
  useFocusRequest('thread', () => scroller.current?.focus({ preventScroll: true }));
  return (
    <div ref={scroller} className={styles['scroller']} tabIndex={0} role="region" aria-label="Messages">
      {drawn.from === 0 ? null : (
        <div className={styles['earlier']}>
          <Button small onPress={() => draw(withEarlier(entries, drawn))}>
            {counted(drawn.from, 'earlier entry', 'earlier entries')}
          </Button>
        </div>
      )}
      <ol className={styles['entries']} aria-label="Thread">
        {entriesOf(entries, drawn).map((shown) => (
          <li
            key={`${shown.entry.version} ${shown.entry.kind}`}
            className={classes(shown.continues && styles['continues'])}
            data-version={shown.entry.version}
          >
            <EntryView shown={shown} item={item} absence={absence} />
          </li>
        ))}
      </ol>
      {later === 0 ? null : (
        <div className={styles['later']}>
          <Button small onPress={() => draw(withLater(entries, drawn))}>
            {counted(later, 'later entry', 'later entries')}
          </Button>
          <Button small look="quiet" onPress={goToEnd}>
            Go to the end
          </Button>
        </div>
      )}
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
