import { createPrivateKey, createPublicKey, hash, sign, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { RelayIdentity } from '../store/ports.ts';

/**
 * How a relay shows that it is the one with an id, whatever it is called and wherever it is: it signs what the other side
 * has just made up. That the answer comes straight from it, and was passed on by nobody, only TLS can tell.
 */

const jwkSchema = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string().length(43) });

/** `GET /v1/relay?nonce=` */
export const relayProofSchema = z.object({
  relay_id: z.string(),
  name: z.string(),
  /** As a JWK (RFC 8037). The relay's id is the fingerprint of it. */
  public_key: jwkSchema,
  /** Ed25519, base64url. */
  signature: z.string().length(86),
});
export type RelayProof = z.infer<typeof relayProofSchema>;

/** What the other side makes up: 16 to 64 bytes in base64url. */
export const nonceSchema = z.string().regex(/^[A-Za-z0-9_-]{22,86}$/, 'must be 16 to 64 random bytes in base64url');

/** Answers with a proof for each nonce. */
export function createProver({ id, name, privateKey }: RelayIdentity): (nonce: string) => RelayProof {
  const key = createPrivateKey(privateKey);
  const publicKey = jwkSchema.parse(createPublicKey(key).export({ format: 'jwk' }));
  return (nonce) => ({
    relay_id: id,
    name,
    public_key: publicKey,
    signature: sign(null, signedText(nonce, id), key).toString('base64url'),
  });
}

/**
 * Whether an answer proves that the relay with that id has seen the nonce.
 * @param answer the body, parsed as JSON and not checked
 */
export function isProof(answer: unknown, nonce: string, relayId: string): boolean {
  const { data: proof } = relayProofSchema.safeParse(answer);
  if (proof === undefined || proof.relay_id !== relayId) return false;
  const key = readKey(proof.public_key);
  if (key === undefined || fingerprint(key.export({ type: 'spki', format: 'der' })) !== relayId) return false;
  return verify(null, signedText(nonce, relayId), key, Buffer.from(proof.signature, 'base64url'));
}

/** The permanent id of the relay with that key. @param spki the public key, DER */
export function fingerprint(spki: Uint8Array): string {
  return hash('sha256', spki, 'base64url');
}

/** Names what it is for, so that it can be taken for nothing else that this key signs, and no other text for it. */
function signedText(nonce: string, relayId: string): Uint8Array {
  return Buffer.from(`AgentRelay relay identity 1\nnonce ${nonce}\nrelay ${relayId}\n`);
}

function readKey(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
}
