import type { ReactNode } from 'react';
import type { EgressFinding } from '../../../relay/contract/outbox.ts';
import { Icon } from '../../components/icon.tsx';
import { PeerLabel } from '../../components/peer-text.tsx';
import { isMarked } from '../../text/marked.ts';
import { findingsWords } from '../../words/outbox.ts';
import styles from './findings.module.css';

/** What looks like a secret in what waits: by which rule, where, and as much of it as tells it to whoever knows it. */
export function Findings({ text, findings }: { text: string; findings: readonly EgressFinding[] }): ReactNode {
  if (findings.length === 0) return null;
  const marked = findings.filter((finding) => isMarked(finding, text)).length;
  return (
    <section className={styles['frame']} aria-label="What was found">
      <h3 className={styles['title']}>
        <Icon name="warn" tone="held" small />
        {findingsWords(findings, marked)}
      </h3>
      <ul>
        {/* a text may hold the same twice; their order never changes */}
        {findings.map(({ rule, where, masked }, index) => (
          <li key={index} className={styles['finding']}>
            <span className={styles['rule']}>
              <PeerLabel text={rule} />
            </span>
            <span className={styles['where']}>
              in <PeerLabel text={where} />
            </span>
            <span className={styles['masked']}>
              <PeerLabel text={masked} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
