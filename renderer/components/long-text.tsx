import { useMemo, useState, type ReactNode } from 'react';
import { FIRST_PAGE, piecesOf } from '../text/pages.ts';
import { sizeWords } from '../words/artifact.ts';
import styles from './long-text.module.css';
import { PeerText } from './peer-text.tsx';

/**
 * Text of a peer that may be of any length, within a line: a long one is drawn step by step.
 * @param first how many characters are drawn at first
 */
export function LongText({ text, first = FIRST_PAGE }: { text: string; first?: number }): ReactNode {
  const pieces = useMemo(() => piecesOf(text, first), [text, first]);
  const [shown, setShown] = useState(1);
  const left = pieces.slice(shown).reduce((sum, piece) => sum + piece.length, 0);
  return (
    <>
      {pieces.slice(0, shown).map((piece, index) => (
        <PeerText key={index} text={piece} />
      ))}
      {left === 0 ? null : (
        <button type="button" className={styles['more']} onClick={() => setShown(shown + 1)}>
          … {sizeWords(left)} more
        </button>
      )}
    </>
  );
}
