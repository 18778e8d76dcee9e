import { memo, useMemo, type ReactNode } from 'react';
import { markHidden } from '../text/marks.ts';
import { cutAt } from '../text/pages.ts';
import styles from './peer-text.module.css';

/**
 * Text that somebody else wrote, as it is: escaped, in its own direction, and with what hides in it made visible. It is
 * drawn in one go: what may be very long is a `LongText`, or a `PeerLabel`.
 */
export const PeerText = memo(function PeerText({ text }: { text: string }): ReactNode {
  const pieces = useMemo(() => markHidden(text), [text]);
  return (
    <bdi>
      {pieces.map((piece, index) =>
        'text' in piece ? (
          piece.text
        ) : (
          <span key={index} className={styles['mark']} title={piece.name}>
            {piece.count === 1 ? piece.mark : `${piece.mark}×${piece.count}`}
          </span>
        ),
      )}
    </bdi>
  );
});

/** No label has room for more. */
const LABEL = 1_000;

/** The same where one line is all the room there is, and a click or a copy gives the rest. */
export function PeerLabel({ text }: { text: string }): ReactNode {
  return <PeerText text={text.length <= LABEL ? text : `${text.slice(0, cutAt(text, LABEL))}…`} />;
}
