import { useMemo, type ReactNode } from 'react';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { PeerLabel } from '../../components/peer-text.tsx';
import { makeOutboxRow, selectionOf } from '../../state/item.ts';
import { useActions, useDesk } from '../../window-context.ts';
import { outboxLook, unsentWords } from '../../words/outbox.ts';
import styles from './dock.module.css';

/** What was written in a thread and is not in it yet: where it is, and why. */
export function Unsent({ item: { account, task_id: taskId } }: { item: InboxItem }): ReactNode {
  const { select } = useActions();
  const outbox = useDesk((desk) => desk.outbox);
  const unsent = useMemo(
    () => outbox.filter((one) => one.account === account && one.task_id === taskId),
    [outbox, account, taskId],
  );
  const [first] = unsent;
  return (
    <div role="status" aria-label="Not sent yet" className={styles['outcome']}>
      {first === undefined ? null : (
        <div className={styles['unsent']}>
          <Icon name={outboxLook(first).icon} tone={outboxLook(first).tone} />
          <p>
            {unsentWords(unsent.length)} <PeerLabel text={first.reason} />
          </p>
          <Button small onPress={() => select(selectionOf(makeOutboxRow(first)), true)}>
            Show it
          </Button>
        </div>
      )}
    </div>
  );
}
