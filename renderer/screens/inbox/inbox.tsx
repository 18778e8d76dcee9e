import type { ReactNode } from 'react';
import { classes } from '../../components/class-names.ts';
import shared from '../../styles/shared.module.css';
import { useDesk, useUi } from '../../window-context.ts';
import { OutboxPane } from '../outbox/outbox-pane.tsx';
import { ThreadPane } from '../thread/thread-pane.tsx';
import styles from './inbox.module.css';
import { ListPane, TITLES } from './list-pane.tsx';
import { Teach } from './teach.tsx';

/** The list, and what is selected in it; one of the two where there is no room for both. */
export function Inbox(): ReactNode {
  const filter = useUi((ui) => ui.filter);
  const pane = useUi((ui) => ui.pane);
  const isUnsent = useUi(({ selected }) => selected !== undefined && 'outboxId' in selected);
  const isEmpty = useDesk(({ rows, outbox, thread }) => rows.length + outbox.length === 0 && thread === undefined);
  return (
    <div className={classes(styles['split'], isEmpty ? styles['empty'] : styles[pane])}>
      <h1 className={shared['unseen']}>{TITLES[filter]}</h1>
      <ListPane />
      {isEmpty ? <Teach /> : isUnsent ? <OutboxPane /> : <ThreadPane />}
    </div>
  );
}
