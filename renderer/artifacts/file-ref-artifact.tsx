import type { ReactNode } from 'react';
import type { TypedArtifact } from '../../relay/contract/artifact.ts';
import { PeerLabel } from '../components/peer-text.tsx';
import { ArtifactRow } from './artifact-row.tsx';

/** A place in a repository. */
export function FileRefArtifact({ artifact }: { artifact: Extract<TypedArtifact, { type: 'file_ref' }> }): ReactNode {
  const { path, lines, git_sha: sha } = artifact;
  const place =
    lines === undefined ? path : lines[0] === lines[1] ? `${path}:${lines[0]}` : `${path}:${lines[0]}–${lines[1]}`;
  return (
    <ArtifactRow
      icon="file"
      name={<PeerLabel text={place} />}
      note={sha === undefined ? undefined : `at ${sha.slice(0, 12)}`}
      copy={{ text: path, what: 'the path' }}
    />
  );
}
