import { useMemo, type ReactNode } from 'react';
import type { DataPart } from '../../relay/contract/a2a.ts';
import { artifactType } from '../../relay/contract/artifact.ts';
import { PeerLabel } from '../components/peer-text.tsx';
import { ArtifactRow } from './artifact-row.tsx';
import { CodeLines } from './code-lines.tsx';

/** Data of a kind that this version does not know: shown as it is. */
export function DataArtifact({ part, name }: { part: DataPart; name: string | undefined }): ReactNode {
  const text = useMemo(() => JSON.stringify(part.data, null, 2), [part]);
  const type = artifactType(part);
  const called = type ?? name ?? part.filename ?? 'data';
  const note = type === undefined ? (part.mediaType ?? 'JSON') : 'a kind that is not known here';
  return (
    <ArtifactRow
      icon="data"
      name={<PeerLabel text={called} />}
      note={<PeerLabel text={note} />}
      copy={{ text, what: 'the data' }}
    >
      {() => <CodeLines text={text} label={called} />}
    </ArtifactRow>
  );
}
