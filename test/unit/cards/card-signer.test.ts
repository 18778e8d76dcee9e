import { createPublicKey, verify } from 'node:crypto';
import { AgentCard as SdkCard, canonicalizeAgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { buildCard, guideCard, type CardAgent } from '../../../relay/cards/agent-card.ts';
import { cardInForm } from '../../../relay/cards/card-form.ts';
import { cleanPayload, strictPayload } from '../../../relay/cards/canonical-card.ts';
import type { AgentCard } from '../../../relay/contract/a2a.ts';
import { cardRelay, signerForTest } from '../../support/cards.ts';

const signer = signerForTest('the-relay');
const JKU = 'https://relay.acme.example/.well-known/jwks.json';
const [jwk] = signer.keys.keys;
const publicKey = createPublicKey({ key: { ...jwk }, format: 'jwk' });

const agent: CardAgent = {
  name: 'zoe',
  displayName: 'Zoë 🙂',
  description: 'Sagt „Hallo“.',
  role: 'frontend',
  skills: ['Next.js'],
  profile: {
    skills: [{ id: 'next', name: 'Next.js', description: 'Pages.', tags: ['react'], examples: ['Why is it slow?'] }],
    iconUrl: 'https://acme.example/zoe.png',
    inputModes: ['text/plain'],
    extensions: [
      { uri: 'urn:x:empty', required: false, params: { list: [], none: null, text: '', deep: { a: [null, {}] } } },
      { uri: 'urn:x:needed', description: 'Needed.', required: true, params: { z: 1.5, a: [false, 0] } },
    ],
  },
};
const CARDS: readonly (readonly [string, AgentCard])[] = [
  ['an agent', buildCard({ agent, relay: cardRelay })],
  [
    'an agent of which only the name is known',
    buildCard({ agent: { ...agent, skills: [], profile: {} }, relay: cardRelay }),
  ],
  ['the guide', guideCard(cardRelay)],
  ['an agent, extended', buildCard({ agent, relay: cardRelay, params: { repos: [], listed: false } })],
];

/** A card as it was fetched. The SDK's type for it is that of a card which it has parsed. */
const asFetched = (card: object): SdkCard => JSON.parse(JSON.stringify(card)) as SdkCard;

/** What the official SDK says of a card: it throws where no signature holds, and then also tells the console. */
async function sdkVerifies(card: SdkCard): Promise<void> {
  const debug = vi.spyOn(console, 'debug').mockReturnValue();
  onTestFinished(() => debug.mockRestore());
  await verifyAgentCardSignature((kid, jku) => {
    if (kid !== 'the-relay' || jku !== JKU) throw new Error('another key');
    return Promise.resolve(publicKey);
  })(card);
}

describe.each(CARDS)('the card of %s', (_, card) => {
  const signed = signer.sign(card, JKU);
  const owner = { id: 'zoe@acme', repos: [], skills: [] };

  test('is verified by the official SDK, in the form of 1.0 and the hybrid one', async () => {
    for (const form of ['1.0', 'hybrid'] as const) {
      await expect(sdkVerifies(asFetched(cardInForm(signed, owner, form)))).resolves.toBeUndefined();
    }
  });

  test('is no longer, once a word of it is changed', async () => {
    for (const changed of [{ name: 'Mallory' }, { skills: [] }, { supportedInterfaces: [] }]) {
      await expect(sdkVerifies(asFetched({ ...signed, ...changed }))).rejects.toThrow('No valid signatures');
    }
  });

  test('is not, once the SDK has parsed it: its parsed form has lost the security schemes, which are signed', async () => {
    await expect(sdkVerifies(SdkCard.fromJSON(signed))).rejects.toThrow('No valid signatures');
  });

  test('has one signature over each reading of the specification', () => {
    const payloads = [cleanPayload(card), strictPayload(card)];
    expect(signed.signatures).toHaveLength(2);
    for (const [i, { protected: header, signature }] of (signed.signatures ?? []).entries()) {
      const input = `${header}.${Buffer.from(payloads[i] ?? '').toString('base64url')}`;
      expect(verify(null, Buffer.from(input), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
      expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
        alg: 'EdDSA',
        typ: 'JOSE',
        kid: 'the-relay',
        jku: JKU,
      });
    }
  });

  test('is made canonical as the official SDK does it, also when it is signed already', () => {
    expect(cleanPayload(card)).toBe(canonicalizeAgentCard(asFetched(card)));
    expect(cleanPayload(signed)).toBe(cleanPayload(card));
    expect(strictPayload(signed)).toBe(strictPayload(card));
  });
});

test('the strict form keeps what is required or set, and drops what is neither', () => {
  const [, card] = CARDS[0] ?? [];
  if (card === undefined) throw new Error('no card');
  const strict = JSON.parse(strictPayload(card)) as AgentCard;
  expect(strict.capabilities).toMatchObject({ streaming: true, extendedAgentCard: true });
  expect(strict.capabilities.extensions.map(({ uri, required }) => [uri, required])).toEqual([
    [expect.any(String), undefined],
    ['urn:x:empty', undefined],
    ['urn:x:needed', true],
  ]);
  expect(strict.capabilities.extensions[1]?.params).toEqual(agent.profile?.extensions?.[0]?.params);
  expect(strict.securityRequirements).toEqual([{ schemes: { bearer: {} } }]);
  expect(JSON.parse(cleanPayload(card))).not.toHaveProperty('securityRequirements');
});

test('the public key is a JWK, and nothing of the private one is in it', () => {
  expect(signer.keys).toEqual({
    keys: [{ kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: 'the-relay', alg: 'EdDSA', use: 'sig' }],
  });
});
