import { useLayoutEffect, useRef, type RefObject } from 'react';
import { sizeOf } from '../../styles/size.ts';

/**
 * Where a thread is scrolled to: it opens at the entry with `data-version` `first`, or at its end, and then keeps its end
 * in sight while entries are added, unless the reader has gone elsewhere.
 * @param hidden how many entries are left out above; what the reader looks at stays when there are fewer
 */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  first: number | undefined,
  length: number,
  hidden: number,
): void {
  const fromEnd = useRef(0);
  const atEnd = useRef(false);
  useLayoutEffect(() => {
    const pane = scroller.current;
    if (pane === null) return undefined;
    const start = first === undefined ? null : pane.querySelector(`[data-version="${first}"]`);
    if (start === null) pane.scrollTo({ top: pane.scrollHeight });
    else if (start.previousElementSibling !== null) start.scrollIntoView({ block: 'start' });
    const near = sizeOf('--row-list');
    const look = (): void => {
      fromEnd.current = pane.scrollHeight - pane.scrollTop;
      atEnd.current = fromEnd.current - pane.clientHeight < near;
    };
    look();
    pane.addEventListener('scroll', look, { passive: true });
    return () => pane.removeEventListener('scroll', look);
  }, [scroller, first]);
  useLayoutEffect(() => {
    const pane = scroller.current;
    if (atEnd.current) pane?.scrollTo({ top: pane.scrollHeight });
  }, [scroller, length]);
  const before = useRef(hidden);
  useLayoutEffect(() => {
    const pane = scroller.current;
    if (before.current !== hidden) pane?.scrollTo({ top: pane.scrollHeight - fromEnd.current });
    before.current = hidden;
  }, [scroller, hidden]);
}
