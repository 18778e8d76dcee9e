import { useMemo, type ReactNode } from 'react';
import { markHidden } from '../text/marks.ts';
import styles from './peer-text.module.css';

/** Text that somebody else wrote, as it is: escaped, in its own direction, and with what hides in it made visible. */
export function PeerText({ text }: { text: string }): ReactNode {
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
}
