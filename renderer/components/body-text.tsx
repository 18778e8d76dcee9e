import { useMemo, type ReactNode } from 'react';
import { bodyBlocks } from '../text/blocks.ts';
import styles from './body-text.module.css';
import { PeerText } from './peer-text.tsx';
import { ScrollBox } from './scroll-box.tsx';

/** The body of a message: plain text as it was typed, and code as code. `growing` ends it with a caret. */
export function BodyText({ text, growing }: { text: string; growing?: boolean }): ReactNode {
  const blocks = useMemo(() => bodyBlocks(text), [text]);
  const caret = growing === true ? <span className={styles['caret']} role="img" aria-label="still writing" /> : null;
  const last = blocks.length - 1;
  return (
    <>
      {/* the blocks of one text never move: their place is their key */}
      {blocks.map((block, index) =>
        block.kind === 'code' ? (
          <div key={index} className={styles['frame']}>
            <ScrollBox label="Code">
              <pre className={styles['code']}>
                <code>
                  <PeerText text={block.text} />
                </code>
                {index === last ? caret : null}
              </pre>
            </ScrollBox>
          </div>
        ) : (
          <p key={index} className={styles['prose']} dir="auto">
            {block.spans.map((span, at) =>
              span.code ? (
                <code key={at} className={styles['inline']}>
                  <PeerText text={span.text} />
                </code>
              ) : (
                <PeerText key={at} text={span.text} />
              ),
            )}
            {index === last ? caret : null}
          </p>
        ),
      )}
      {blocks.length === 0 && caret !== null ? <p className={styles['prose']}>{caret}</p> : null}
    </>
  );
}
