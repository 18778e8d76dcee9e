import type { ReactNode } from 'react';
import type { DataPart, TextPart } from '../../relay/contract/a2a.ts';
import { PeerLabel } from '../components/peer-text.tsx';
import { sizeWords } from '../words/artifact.ts';
import { ArtifactRow } from './artifact-row.tsx';

/** Content of a media type that nobody here knows: named, and not looked into. */
export function SealedArtifact({ part }: { part: TextPart | DataPart }): ReactNode {
  const content = 'text' in part ? part.text : JSON.stringify(part.data);
  const { mediaType = '', filename = mediaType } = part;
  const size = sizeWords(new TextEncoder().encode(content).length);
  return (
    <ArtifactRow
      icon="file"
      name={<PeerLabel text={filename} />}
      note={<PeerLabel text={`${filename === mediaType ? '' : `${mediaType}, `}${size}, not opened here`} />}
    />
  );
}
