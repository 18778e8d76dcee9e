import { generateKeyPairSync } from 'node:crypto';
import { createCardBook, type CardBook } from '../../relay/cards/card-book.ts';
import { createCardSigner, type CardSigner } from '../../relay/cards/card-signer.ts';

/** What cards say of the relay that they are on. */
export const cardRelay = { name: 'acme', publicUrl: 'https://relay.acme.example', version: '1.2.3' };

/** A signer with a key of its own. */
export function signerForTest(id = 'relay-id'): CardSigner {
  const { privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return createCardSigner({ id, privateKey });
}

/** The cards of a relay that does not listen. */
export function cardBookForTest(): CardBook {
  return createCardBook(() => cardRelay, signerForTest());
}
