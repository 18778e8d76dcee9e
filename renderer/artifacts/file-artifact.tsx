import type { ReactNode } from 'react';
import type { RawPart, UrlPart } from '../../relay/contract/a2a.ts';
import { PeerLabel } from '../components/peer-text.tsx';
import { base64Bytes, sizeWords } from '../words/artifact.ts';
import { ArtifactRow } from './artifact-row.tsx';
import { Target } from './link-artifact.tsx';

/** A file: its name, type and size, or where it is. It is never fetched from here. */
export function FileArtifact({ part }: { part: RawPart | UrlPart }): ReactNode {
  const type = part.mediaType ?? 'file';
  if ('url' in part) {
    const called = part.filename === undefined ? type : `${part.filename}, ${type}`;
    return (
      <ArtifactRow
        icon="link"
        name={<Target url={part.url} />}
        note={<PeerLabel text={called} />}
        copy={{ text: part.url, what: 'the link' }}
      />
    );
  }
  return (
    <ArtifactRow
      icon="file"
      name={<PeerLabel text={part.filename ?? 'Unnamed file'} />}
      note={<PeerLabel text={`${type}, ${sizeWords(base64Bytes(part.raw))}`} />}
    />
  );
}
