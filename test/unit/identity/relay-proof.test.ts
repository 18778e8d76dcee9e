import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createCardBook } from '../../../relay/cards/card-book.ts';
import { createCardSigner } from '../../../relay/cards/card-signer.ts';
import { createProver, fingerprint, isProof, nonceSchema } from '../../../relay/identity/relay-proof.ts';
import type { RelayIdentity } from '../../../relay/store/ports.ts';

function relay(name = 'acme'): RelayIdentity {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { id: fingerprint(publicKey), name, privateKey };
}

const nonce = 'n'.repeat(43);
const acme = relay();
const proof = createProver(acme)(nonce);

describe('a relay’s proof of who it is', () => {
  test('holds for its own id and the nonce that it was asked with', () => {
    expect(isProof(proof, nonce, acme.id)).toBe(true);
    expect(isProof(JSON.parse(JSON.stringify(proof)), nonce, acme.id)).toBe(true);
    expect(proof).toMatchObject({ relay_id: acme.id, name: 'acme' });
    expect(JSON.stringify(proof)).not.toContain('"d"');
  });

  test('holds for no other nonce: an old one cannot be shown again', () => {
    expect(isProof(proof, 'm'.repeat(43), acme.id)).toBe(false);
  });

  test('holds for no other id, whatever the relay calls itself', () => {
    const impostor = relay();
    expect(isProof(createProver(impostor)(nonce), nonce, acme.id)).toBe(false);
    expect(isProof({ ...createProver(impostor)(nonce), relay_id: acme.id }, nonce, acme.id)).toBe(false);
    expect(isProof({ ...proof, signature: createProver(impostor)(nonce).signature }, nonce, acme.id)).toBe(false);
  });

  test('holds for no key but the one whose fingerprint the id is', () => {
    const impostor = relay();
    const forged = { ...createProver({ ...impostor, id: acme.id })(nonce) };
    expect(isProof(forged, nonce, acme.id)).toBe(false);
  });

  test('is nothing that this key signs for another reason', () => {
    const at = { name: 'acme', publicUrl: 'https://relay.example', version: '1.0.0' };
    const card = createCardBook(() => at, createCardSigner(acme)).ofGuide();
    const other = sign(null, Buffer.from(`${nonce}${acme.id}`), acme.privateKey).toString('base64url');
    const signatures = [...(card.signatures ?? []).map(({ signature }) => signature), other];
    expect(signatures).toHaveLength(3);
    for (const signature of signatures) {
      expect(isProof({ ...proof, signature }, nonce, acme.id)).toBe(false);
    }
  });

  test.each([
    null,
    undefined,
    'proof',
    [],
    {},
    { ...proof, signature: '' },
    { ...proof, signature: `${proof.signature.slice(0, -2)}AA` },
    { ...proof, public_key: { ...proof.public_key, crv: 'X25519' } },
    { ...proof, public_key: { ...proof.public_key, x: '!'.repeat(43) } },
    { ...proof, public_key: null },
    { ...proof, relay_id: 7 },
  ])('is not %j', (answer) => {
    expect(isProof(answer, nonce, acme.id)).toBe(false);
  });
});

test.each([
  ['A'.repeat(22), true],
  ['-_'.repeat(43), true],
  ['A'.repeat(21), false],
  ['A'.repeat(87), false],
  ['A'.repeat(42) + '=', false],
  ['A'.repeat(42) + '\n', false],
])('a nonce of 16 to 64 bytes is taken: %j %s', (text, isTaken) => {
  expect(nonceSchema.safeParse(text).success).toBe(isTaken);
});
