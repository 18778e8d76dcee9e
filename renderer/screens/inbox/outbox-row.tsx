import { memo, type ReactNode } from 'react';
import { PeerLabel } from '../../components/peer-text.tsx';
import type { OutboxRow } from '../../state/item.ts';
import { firstLine, outboxLook, outboxShortly } from '../../words/outbox.ts';
import { ListRowView, type RowPlace } from './list-row.tsx';

/** One of what waits to be sent: its first line, to whom it goes, and why it waits. */
export const OutboxRowView = memo(function OutboxRowView({
  row,
  ...place
}: RowPlace & { readonly row: OutboxRow }): ReactNode {
  const { waits } = row;
  const { words, reason } = outboxShortly(waits);
  return (
    <ListRowView
      {...place}
      row={row}
      look={outboxLook(waits)}
      peer={waits.peer}
      title={<PeerLabel text={firstLine(waits)} />}
    >
      {words}
      {reason ? (
        <>
          {': '}
          <PeerLabel text={waits.reason} />
        </>
      ) : null}
    </ListRowView>
  );
});
