import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { AgentCard, AgentCardSignature } from '../contract/a2a.ts';
import type { RelayIdentity } from '../store/ports.ts';
import { cleanPayload, strictPayload } from './canonical-card.ts';

/** Signs cards with the relay's own key (A2A 1.0.1 section 8.4; RFC 7515, RFC 8037). */
export interface CardSigner {
  /** @param jku where the public key is found */
  sign(card: AgentCard, jku: string): AgentCard;
  /** The public key as a JWK Set (RFC 7517), which is what is found there. */
  readonly keys: { readonly keys: readonly object[] };
}

export function createCardSigner({ id, privateKey }: Pick<RelayIdentity, 'id' | 'privateKey'>): CardSigner {
  const key = createPrivateKey(privateKey);
  const { kty, crv, x } = createPublicKey(key).export({ format: 'jwk' });

  function signature(header: string, payload: string): AgentCardSignature {
    const signed = sign(null, Buffer.from(`${header}.${base64url(payload)}`), key);
    return { protected: header, signature: signed.toString('base64url') };
  }

  return {
    sign(card, jku) {
      const header = base64url(JSON.stringify({ alg: 'EdDSA', typ: 'JOSE', kid: id, jku }));
      // the SDKs', which complain of each one before that does not hold, comes first
      const signatures = [signature(header, cleanPayload(card)), signature(header, strictPayload(card))];
      return { ...card, signatures };
    },
    keys: { keys: [{ kty, crv, x, kid: id, alg: 'EdDSA', use: 'sig' }] },
  };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
