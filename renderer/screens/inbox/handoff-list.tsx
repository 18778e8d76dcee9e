import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { layOut } from '../../state/list-layout.ts';
import { selectedKey } from '../../state/item.ts';
import { SECTION_NAMES, type Filter, type Section } from '../../state/sections.ts';
import { useFocusRequest } from '../../state/use-focus-request.ts';
import { sizeOf } from '../../styles/size.ts';
import { useActions, useUi } from '../../window-context.ts';
import { counted } from '../../words/counted.ts';
import headings from './group-heading.module.css';
import styles from './handoff-list.module.css';
import { HandoffRow } from './handoff-row.tsx';
import { rowId } from './list-row.tsx';
import { Older } from './older.tsx';
import { OutboxRowView } from './outbox-row.tsx';

/** How many rows are drawn beyond both edges. */
const OVERSCAN = 8;

/** The rows of all sections, of which only those in sight are in the document. */
export function HandoffList({ filter, sections }: { filter: Filter; sections: readonly Section[] }): ReactNode {
  const { keepScroll } = useActions();
  const scroller = useRef<HTMLDivElement>(null);
  const listbox = useRef<HTMLDivElement>(null);
  const openKey = useUi((ui) => selectedKey(ui.selected));
  const offset = useUi((ui) => ui.scroll[filter]);
  const sizes = useMemo(
    () => ({ row: sizeOf('--row-list'), heading: sizeOf('--row-group'), gap: sizeOf('--space-2') }),
    [],
  );
  const layout = useMemo(() => layOut(sections, sizes), [sections, sizes]);
  // the virtualizer goes through all lines again when one of these is another function
  const sizeAt = useCallback((index: number) => layout.lines[index]?.size ?? sizes.row, [layout, sizes]);
  const keyAt = useCallback((index: number) => layout.lines[index]?.id ?? index, [layout]);
  const virtualizer = useVirtualizer({
    count: layout.lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: sizeAt,
    getItemKey: keyAt,
    overscan: OVERSCAN,
    initialOffset: offset,
    scrollPaddingStart: sizes.heading,
    onChange: ({ isScrolling, scrollOffset }) => {
      if (!isScrolling && scrollOffset !== null) keepScroll(filter, Math.round(scrollOffset));
    },
  });
  // the keys are the same when rows trade places with a heading, so the virtualizer cannot see that sizes moved
  useEffect(() => virtualizer.measure(), [virtualizer, layout]);

  const openIndex = openKey === undefined ? undefined : layout.indexOf.get(openKey);
  const shownFor = useRef(openKey);
  useEffect(() => {
    if (openKey === shownFor.current || openIndex === undefined) return;
    shownFor.current = openKey;
    virtualizer.scrollToIndex(openIndex, { align: 'auto' });
  }, [virtualizer, openKey, openIndex]);

  useFocusRequest('list', () => listbox.current?.focus({ preventScroll: true }));

  const visible = virtualizer.getVirtualItems();
  const openIsDrawn = visible.some(({ index }) => index === openIndex);
  return (
    <div ref={scroller} className={styles['scroller']}>
      <div
        ref={listbox}
        className={styles['list']}
        style={{ height: virtualizer.getTotalSize() }}
        role="listbox"
        aria-label="Handoffs"
        aria-activedescendant={openKey !== undefined && openIsDrawn ? rowId(openKey) : undefined}
        tabIndex={0}
      >
        {layout.spans.map(({ name, count, start, size }) => (
          <div
            key={name}
            className={styles['group']}
            style={{ top: start, height: size }}
            role="group"
            aria-label={`${SECTION_NAMES[name]}, ${counted(count, name === 'outbox' ? 'item' : 'handoff')}`}
          >
            <div className={headings['heading']} aria-hidden="true">
              {SECTION_NAMES[name]}
              <span className={headings['count']}>{count}</span>
            </div>
            {visible.map(({ index, start: top, key }) => {
              const line = layout.lines[index];
              if (line?.kind !== 'row' || line.section !== name) return null;
              const { row, position } = line;
              const place = { top: top - start, position, total: layout.total, current: row.key === openKey };
              return 'waits' in row ? (
                <OutboxRowView key={key} row={row} {...place} />
              ) : (
                <HandoffRow key={key} row={row} {...place} />
              );
            })}
          </div>
        ))}
      </div>
      <Older missing={sections.reduce((sum, { count, rows }) => sum + count - rows.length, 0)} />
    </div>
  );
}
