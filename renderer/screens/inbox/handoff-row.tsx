import { memo, type ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import { PeerLabel } from '../../components/peer-text.tsx';
import { useNow } from '../../components/use-now.ts';
import type { Row } from '../../state/item.ts';
import { absenceOf } from '../../state/reducer.ts';
import shared from '../../styles/shared.module.css';
import { useDesk } from '../../window-context.ts';
import { artifactMarks, artifactWords } from '../../words/artifact.ts';
import { rowLook, stateWords } from '../../words/handoff.ts';
import { ListRowView, type RowPlace } from './list-row.tsx';

/** One handoff of the list: what it is about, who it is with, and where it stands. */
export const HandoffRow = memo(function HandoffRow({ row, ...place }: RowPlace & { readonly row: Row }): ReactNode {
  const { item } = row;
  const { summary, reason, artifact_types: types } = item.handoff;
  const absence = useDesk((desk) => absenceOf(desk, item));
  const now = useNow();
  const marks = artifactMarks(types);
  return (
    <ListRowView
      {...place}
      row={row}
      look={rowLook(item)}
      unread={item.unread}
      peer={item.peer}
      title={<PeerLabel text={summary} />}
      marks={
        marks.length === 0 ? null : (
          <>
            <span className={shared['unseen']}>{artifactWords(types)}</span>
            {marks.map((mark) => (
              <Icon key={mark} name={mark} small />
            ))}
          </>
        )
      }
    >
      {stateWords(item, absence, now)}
      {reason === undefined ? null : (
        <>
          {': '}
          <PeerLabel text={reason} />
        </>
      )}
    </ListRowView>
  );
});
