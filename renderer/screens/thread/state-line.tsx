import type { ReactNode } from 'react';
import type { StateEntry } from '../../../relay/contract/thread.ts';
import { LongText } from '../../components/long-text.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { Time } from '../../components/time.tsx';
import { authorName, isAgent, stepWords } from '../../words/thread.ts';
import styles from './state-line.module.css';

/** How many characters of a reason are drawn at first. */
const REASON_DRAWN = 2_000;

/** A step of the handoff, as a quiet line: "frank@acme accepted · Codex · 09:21". */
export function StateLine({ entry, peer }: { entry: StateEntry; peer: string }): ReactNode {
  return (
    <p className={styles['line']}>
      <span>
        <Sentence text={stepWords(entry, peer)} />
        {entry.reason === undefined ? null : (
          <>
            {': '}
            <LongText text={entry.reason} first={REASON_DRAWN} />
          </>
        )}
      </span>
      {isAgent(entry.author) ? <span>{authorName(entry.author)}</span> : null}
      <Time at={entry.at} form="clock" />
    </p>
  );
}
