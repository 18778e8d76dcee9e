import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import type { OpenThread } from '../../state/reducer.ts';
import { useStacked } from '../../state/layout.ts';
import { useActions, useUi } from '../../window-context.ts';

/** A thread that is only passed on the way to another was not shown to anybody. */
const DWELL_MS = 300;

/**
 * Says that what the other side wrote was shown: once for each new version, and only while the thread can be seen in a
 * window that has the focus. It never acknowledges anything.
 */
export function useSurfaced(thread: OpenThread | undefined, item: InboxItem | undefined): void {
  const { surfaced } = useActions();
  const inFront = useSyncExternalStore(subscribe, isInFront);
  const stacked = useStacked();
  const pane = useUi((ui) => ui.pane);
  const said = useRef(new Map<string, number>());

  const shows = inFront && (!stacked || pane === 'thread') && thread?.phase === 'ready';
  const role = item?.handoff.role;
  const version = thread?.events.findLast(({ kind, actor }) => kind !== 'receipt' && actor !== role)?.version ?? 0;
  const known = role === undefined ? 0 : (item?.handoff.receipts[role].surfaced ?? 0);
  const key = thread?.key ?? '';
  useEffect(() => {
    if (!shows || item === undefined || version <= Math.max(known, said.current.get(key) ?? 0)) return undefined;
    const timer = setTimeout(() => {
      said.current.set(key, version);
      void surfaced(item, version).then((error) => {
        if (error !== undefined) said.current.delete(key);
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
