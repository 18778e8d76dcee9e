import type { ReactNode } from 'react';
import { classes } from '../../components/class-names.ts';
import { Icon } from '../../components/icon.tsx';
import { Time } from '../../components/time.tsx';
import { selectionOf, type ItemKey, type ListRow } from '../../state/item.ts';
import shared from '../../styles/shared.module.css';
import { useActions } from '../../window-context.ts';
import type { Look } from '../../words/handoff.ts';
import styles from './list-row.module.css';

/** Where a row is in the list. */
export interface RowPlace {
  /** Within its section, CSS pixels. */
  readonly top: number;
  /** Counts from 1. */
  readonly position: number;
  readonly total: number;
  readonly current: boolean;
}

interface ListRowViewProps extends RowPlace {
  readonly row: ListRow;
  readonly look: Look;
  readonly unread?: boolean;
  readonly peer: string;
  readonly title: ReactNode;
  /** Where it stands, behind the handle. */
  readonly children: ReactNode;
  /** At the end of the second line. */
  readonly marks?: ReactNode;
}

/** The id of a row's element. */
export function rowId(key: ItemKey): string {
  return `row-${key.replaceAll(/[^\w.-]/g, '_')}`;
}

/** What a handle keeps of a line at least: all of a short one, and of a long one enough to know it. */
function peerWidth(handle: string): string {
  return `min(40%, ${handle.length}ch)`;
}

/** The two lines of a row: what it is about and since when; who it is with and where it stands. */
export function ListRowView(props: ListRowViewProps): ReactNode {
  const { row, top, position, total, current, look, unread = false, peer, title, children, marks = null } = props;
  const { select } = useActions();
  return (
    // the list has the keyboard, as a listbox should; a row only takes the pointer
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={rowId(row.key)}
      className={classes(styles['row'], unread && styles['unread'])}
      style={{ top }}
      role="option"
      aria-selected={current}
      aria-current={current ? 'true' : undefined}
      aria-setsize={total}
      aria-posinset={position}
      onClick={() => select(selectionOf(row), true)}
    >
      <Icon name={look.icon} tone={look.tone} />
      <span className={styles['line']}>
        <span className={styles['title']}>
          {unread ? <span className={shared['unseen']}>New: </span> : null}
          {title}
        </span>
        <Time at={row.at} form="short" className={styles['time']} />
      </span>
      <span className={styles['sub']}>
        <span className={classes(shared['handle'], styles['peer'])} style={{ minWidth: peerWidth(peer) }}>
          {peer}
        </span>{' '}
        <span className={styles['words']}>{children}</span>
        {marks === null ? null : <span className={styles['marks']}>{marks}</span>}
      </span>
    </div>
  );
}
