import { useCallback, useLayoutEffect, useRef, type RefObject } from 'react';
import { sizeOf } from '../../styles/size.ts';
import type { Drawn } from './shown-entries.ts';

/** An entry, and how far its end is below the top of the pane, CSS pixels. */
interface Place {
  readonly version: string;
  readonly bottom: number;
}

/**
 * Where a thread is scrolled to: it opens at the entry with `data-version` `first`, or at its end, and then keeps its end
 * in sight while entries are added, unless the reader has gone elsewhere.
 * @param drawn the entries that are in the document. When it changes, the thread is scrolled to its end; where what is
 *   returned was called before, what the reader looks at stays
 */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  first: number | undefined,
  length: number,
  drawn: Drawn,
): () => void {
  const atEnd = useRef(false);
  const place = useRef<Place>(undefined);
  useLayoutEffect(() => {
    const pane = scroller.current;
    if (pane === null) return undefined;
    const start = first === undefined ? null : entryOf(pane, `${first}`);
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
    if (atEnd.current && drawn.to === Number.POSITIVE_INFINITY) pane?.scrollTo({ top: pane.scrollHeight });
    // oxlint-disable-next-line react/exhaustive-deps -- what is drawn is the matter of the next effect
  }, [scroller, length]);
  const before = useRef(drawn);
  useLayoutEffect(() => {
    const pane = scroller.current;
    const kept = place.current;
    place.current = undefined;
    if (pane === null || before.current === drawn) return;
    before.current = drawn;
    if (kept === undefined) pane.scrollTo({ top: pane.scrollHeight });
    else pane.scrollBy({ top: bottomOf(pane, entryOf(pane, kept.version)) - kept.bottom });
    // the button that was pressed may be gone, and with it the place of the keyboard
    if (document.activeElement === document.body) pane.focus({ preventScroll: true });
  }, [scroller, drawn]);
  return useCallback(() => {
    const pane = scroller.current;
    place.current = pane === null ? undefined : placeIn(pane);
  }, [scroller]);
}

function entryOf(pane: HTMLElement, version: string): Element | null {
  return pane.querySelector(`[data-version="${version}"]`);
}

/**
 * How far the end of an entry is below the top of the pane, CSS pixels. Its end, for it may begin otherwise below another
 * one than as the first that is drawn.
 */
function bottomOf(pane: HTMLElement, entry: Element | null): number {
  return entry === null ? 0 : entry.getBoundingClientRect().bottom - pane.getBoundingClientRect().top;
}

/** The first entry that can be seen. */
function placeIn(pane: HTMLElement): Place | undefined {
  const entries = [...pane.querySelectorAll<HTMLElement>('[data-version]')];
  const entry = entries.find((one) => bottomOf(pane, one) > 0);
  const version = entry?.dataset['version'];
  return entry === undefined || version === undefined ? undefined : { version, bottom: bottomOf(pane, entry) };
}
