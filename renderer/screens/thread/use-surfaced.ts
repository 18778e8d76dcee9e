import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import type { ThreadEvent } from '../../../relay/contract/handoff.ts';
import type { ItemKey } from '../../state/item.ts';
import { useStacked } from '../../state/layout.ts';
import { useActions, useUi } from '../../window-context.ts';

/** A thread that is only passed on the way to another was not shown to anybody. */
const DWELL_MS = 300;

/**
 * Says that what the other side wrote was shown: once for each new version, and only while the thread can be seen in a
 * window that has the focus. It never acknowledges anything.
 * @param events the log of the thread, as far as it is drawn
 */
export function useSurfaced(key: ItemKey, events: readonly ThreadEvent[], item: InboxItem): void {
  const { surfaced } = useActions();
  const inFront = useSyncExternalStore(subscribe, isInFront);
  const stacked = useStacked();
  const pane = useUi((ui) => ui.pane);
  const said = useRef(0);

  const shows = inFront && (!stacked || pane === 'thread');
  const { role, receipts } = item.handoff;
  const version = events.findLast(({ kind, actor }) => kind !== 'receipt' && actor !== role)?.version ?? 0;
  const known = receipts[role].surfaced;
  useEffect(() => {
    if (!shows || version <= Math.max(known, said.current)) return undefined;
    const timer = setTimeout(() => {
      said.current = version;
      void surfaced(item, version).then((error) => {
        if (error !== undefined) said.current = 0;
      });
    }, DWELL_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- of the item only its address matters, and that is the key
  }, [shows, key, version, known, surfaced]);
}

function isInFront(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('focus', listener);
  window.addEventListener('blur', listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    window.removeEventListener('focus', listener);
    window.removeEventListener('blur', listener);
    document.removeEventListener('visibilitychange', listener);
  };
}
