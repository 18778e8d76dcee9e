import type { ReactNode } from 'react';
import shared from '../styles/shared.module.css';

// a sentence may end behind a handle, and its full stop is no part of it
const HANDLE = /([a-z0-9][a-z0-9._-]*@[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)/;

/** Words of ours, with the handles in them set as handles. Never for text of a peer: that is `PeerText`. */
export function Sentence({ text }: { text: string }): ReactNode {
  return text.split(HANDLE).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <span key={index} className={shared['handle']}>
        {piece}
      </span>
    ),
  );
}
