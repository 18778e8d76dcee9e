import type { ReactNode } from 'react';
import type { TypedArtifact } from '../../relay/contract/artifact.ts';
import { PeerLabel } from '../components/peer-text.tsx';
import { ArtifactRow } from './artifact-row.tsx';
import { CodeLines } from './code-lines.tsx';
import { Target } from './link-artifact.tsx';

/** An interface between the two sides, inline or by its address. */
export function ContractArtifact({
  artifact,
}: {
  artifact: Extract<TypedArtifact, { type: 'api_contract' }>;
}): ReactNode {
  const { format, inline, schema_url: url } = artifact;
  if (inline === undefined) {
    const note = <PeerLabel text={`API contract, ${format}`} />;
    return <ArtifactRow icon="contract" name={<Target url={url ?? ''} />} note={note} />;
  }
  return (
    <ArtifactRow
      icon="contract"
      name={<PeerLabel text={format} />}
      note="API contract"
      copy={{ text: inline, what: 'the contract' }}
    >
      {() => <CodeLines text={inline} label={`API contract, ${format}`} />}
    </ArtifactRow>
  );
}
