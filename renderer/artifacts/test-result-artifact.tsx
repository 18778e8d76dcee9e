import type { ReactNode } from 'react';
import type { TypedArtifact } from '../../relay/contract/artifact.ts';
import { Badge } from '../components/badge.tsx';
import { BodyText } from '../components/body-text.tsx';
import { PeerLabel } from '../components/peer-text.tsx';
import { ArtifactRow } from './artifact-row.tsx';
import styles from './test-result-artifact.module.css';

/** What a test run on the other side gave, as that side tells it. */
export function TestResultArtifact({
  artifact,
  startsOpen,
}: {
  artifact: Extract<TypedArtifact, { type: 'test_result' }>;
  startsOpen: boolean;
}): ReactNode {
  const { command, exit_code: code, passed, failed, summary } = artifact;
  const counts = [
    passed === undefined ? undefined : `${passed} passed`,
    failed === undefined ? undefined : `${failed} failed`,
  ];
  const note = counts.filter((words) => words !== undefined).join(', ');
  const badge =
    code === 0 ? (
      <Badge text="Passed" icon="check" tone="live" />
    ) : (
      <Badge text={`Failed, exit ${code}`} icon="failed" tone="failed" />
    );
  const row = {
    icon: 'prompt',
    name: <PeerLabel text={command} />,
    badge,
    copy: { text: command, what: 'the command' },
    ...(note === '' ? {} : { note }),
  } as const;
  if (summary === undefined) return <ArtifactRow {...row} />;
  return (
    <ArtifactRow {...row} startsOpen={startsOpen}>
      {() => (
        <div className={styles['summary']}>
          <BodyText text={summary} />
        </div>
      )}
    </ArtifactRow>
  );
}
