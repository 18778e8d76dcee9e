import type { ReactNode } from 'react';
import type { TypedArtifact } from '../../relay/contract/artifact.ts';
import { Badge } from '../components/badge.tsx';
import { PeerText } from '../components/peer-text.tsx';
import { ArtifactRow } from './artifact-row.tsx';
import { CodeLines } from './code-lines.tsx';

/** A command that shows the problem or its repair. Nothing here runs it. */
export function TestCommandArtifact({
  artifact,
}: {
  artifact: Extract<TypedArtifact, { type: 'test_command' }>;
}): ReactNode {
  const { command, cwd } = artifact;
  return (
    <ArtifactRow
      icon="prompt"
      name={<PeerText text={command} />}
      note={cwd === undefined ? undefined : <PeerText text={`in ${cwd}`} />}
      badge={<Badge text="Not run" />}
      copy={{ text: command, what: 'the test command' }}
    >
      {() => <CodeLines text={command} label="Test command" />}
    </ArtifactRow>
  );
}
