import { memo, type ReactNode } from 'react';
import { classes } from '../../components/class-names.ts';
import { Icon } from '../../components/icon.tsx';
import { PeerText } from '../../components/peer-text.tsx';
import { Time } from '../../components/time.tsx';
import type { ItemKey, Row } from '../../state/item.ts';
import shared from '../../styles/shared.module.css';
import { useActions } from '../../window-context.ts';
import { artifactMarks, artifactWords } from '../../words/artifact.ts';
import { rowLook, stateWords } from '../../words/handoff.ts';
import styles from './handoff-row.module.css';

/** The id of a row's element. */
export function rowId(key: ItemKey): string {
  return `row-${key.replaceAll(/[^\w.-]/g, '_')}`;
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
      <span className={styles['title']}>
        {item.unread ? <span className={shared['unseen']}>New: </span> : null}
        <PeerText text={item.handoff.summary} />
      </span>
      <Time at={row.at} form="short" className={styles['time']} />
      <span className={styles['sub']}>
        <span className={shared['handle']}>{item.peer}</span> {stateWords(item)}
      </span>
      {marks.length === 0 ? null : (
        <span className={styles['marks']}>
          <span className={shared['unseen']}>{artifactWords(item.handoff.artifact_types)}</span>
          {marks.map((mark) => (
            <Icon key={mark} name={mark} small />
          ))}
        </span>
      )}
    </div>
  );
});
