import type { ReactNode } from 'react';
import type { TypedArtifact } from '../../relay/contract/artifact.ts';
import { PeerLabel } from '../components/peer-text.tsx';
import shared from '../styles/shared.module.css';
import { linkTarget } from '../text/link-target.ts';
import { ArtifactRow } from './artifact-row.tsx';

/** A link. Where it leads is always shown; what somebody calls it stands behind. */
export function LinkArtifact({
  artifact: { url, title },
}: {
  artifact: Extract<TypedArtifact, { type: 'link' }>;
}): ReactNode {
  return (
    <ArtifactRow
      icon="link"
      name={<Target url={url} />}
      note={title === undefined ? undefined : <PeerLabel text={title} />}
      copy={{ text: url, what: 'the link' }}
    />
  );
}

/** The real target of a link, which can be followed only where a browser opens it as a page. */
export function Target({ url }: { url: string }): ReactNode {
  const target = linkTarget(url);
  if (!target.opens) return <PeerLabel text={target.shown} />;
  return (
    <a className={shared['link']} href={target.href} target="_blank" rel="noopener noreferrer">
      <PeerLabel text={target.shown} />
    </a>
  );
}
