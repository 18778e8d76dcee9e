import { memo, type ReactNode } from 'react';
import { classes } from '../../components/class-names.ts';
import { Icon } from '../../components/icon.tsx';
import { PeerLabel } from '../../components/peer-text.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../components/use-now.ts';
import type { ItemKey, Row } from '../../state/item.ts';
import { absenceOf } from '../../state/reducer.ts';
import shared from '../../styles/shared.module.css';
import { useActions, useDesk } from '../../window-context.ts';
import { artifactMarks, artifactWords } from '../../words/artifact.ts';
import { rowLook, stateWords } from '../../words/handoff.ts';
import styles from './handoff-row.module.css';

/** The id of a row's element. */
export function rowId(key: ItemKey): string {
  return `row-${key.replaceAll(/[^\w.-]/g, '_')}`;
}

/** What a handle keeps of a line at least: all of a short one, and of a long one enough to know it. */
function peerWidth(handle: string): string {
  return `min(40%, ${handle.length}ch)`;
}

interface HandoffRowProps {
  readonly row: Row;
  /** Place within its group, CSS pixels. */
  readonly top: number;
  readonly position: number;
  readonly total: number;
  readonly current: boolean;
}

/** One handoff of the list: what it is about, who it is with, and where it stands. */
export const HandoffRow = memo(function HandoffRow(props: HandoffRowProps): ReactNode {
  const { row, top, position, total, current } = props;
  const { item, key } = row;
  const { select } = useActions();
  const look = rowLook(item);
  const absence = useDesk((desk) => absenceOf(desk, item));
  const now = useNow();
  const marks = artifactMarks(item.handoff.artifact_types);
  return (
    // the list has the keyboard, as a listbox should; a row only takes the pointer
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={rowId(key)}
      className={classes(styles['row'], item.unread && styles['unread'])}
      style={{ top }}
      role="option"
      aria-selected={current}
      aria-current={current ? 'true' : undefined}
      aria-setsize={total}
      aria-posinset={position}
      onClick={() => select(item, true)}
    >
      <Icon name={look.icon} tone={look.tone} />
      <span className={styles['line']}>
        <span className={styles['title']}>
          {item.unread ? <span className={shared['unseen']}>New: </span> : null}
          <PeerLabel text={item.handoff.summary} />
        </span>
        <Time at={row.at} form="short" className={styles['time']} />
      </span>
      <span className={styles['sub']}>
        <span className={classes(shared['handle'], styles['peer'])} style={{ minWidth: peerWidth(item.peer) }}>
          {item.peer}
        </span>{' '}
        <span className={styles['words']}>
          {stateWords(item, absence, now)}
          {item.handoff.reason === undefined ? null : (
            <>
              {': '}
              <PeerLabel text={item.handoff.reason} />
            </>
          )}
        </span>
        {marks.length === 0 ? null : (
          <span className={styles['marks']}>
            <span className={shared['unseen']}>{artifactWords(item.handoff.artifact_types)}</span>
            {marks.map((mark) => (
              <Icon key={mark} name={mark} small />
            ))}
          </span>
        )}
      </span>
    </div>
  );
});
