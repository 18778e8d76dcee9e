import type { ReactNode } from 'react';
import type { TypedArtifact } from '../../relay/contract/artifact.ts';
import { Badge } from '../components/badge.tsx';
import { PeerLabel } from '../components/peer-text.tsx';
import { ArtifactRow } from './artifact-row.tsx';
import { CodeLines } from './code-lines.tsx';

/** One line up to this many characters is shown whole, and there is nothing more behind it. */
const SHORT = 200;

/** A command that shows the problem or its repair. Nothing here runs it. */
export function TestCommandArtifact({
  artifact,
}: {
  artifact: Extract<TypedArtifact, { type: 'test_command' }>;
}): ReactNode {
  const { command, cwd } = artifact;
  const row = {
    icon: 'prompt',
    name: <PeerLabel text={command} />,
    note: cwd === undefined ? undefined : <PeerLabel text={`in ${cwd}`} />,
    badge: <Badge text="Not run" />,
    copy: { text: command, what: 'the test command' },
  } as const;
  if (command.length <= SHORT && !/[\r\n]/.test(command.trim())) return <ArtifactRow {...row} whole />;
  return <ArtifactRow {...row}>{() => <CodeLines text={command} label="Test command" />}</ArtifactRow>;
}
