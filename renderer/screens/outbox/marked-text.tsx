import type { ReactNode } from 'react';
import type { EgressFinding } from '../../../relay/contract/outbox.ts';
import { PeerText } from '../../components/peer-text.tsx';
import { markFindings } from '../../text/marked.ts';
import styles from './marked-text.module.css';

/** The desk shows no more of what waits. */
const CUT = 4_096;

/** What waits to be sent, with the places marked that look like a secret. */
export function MarkedText({ text, findings }: { text: string; findings: readonly EgressFinding[] }): ReactNode {
  return (
    <>
      <p className={styles['text']} dir="auto">
        {/* the spans of one text never move: their place is their key */}
        {markFindings(text, findings).map((span, index) =>
          span.marked ? (
            <mark key={index} className={styles['mark']}>
              <PeerText text={span.text} />
            </mark>
          ) : (
            <PeerText key={index} text={span.text} />
          ),
        )}
      </p>
      {text.length < CUT ? null : <p className={styles['cut']}>Only its beginning is shown here.</p>}
    </>
  );
}
