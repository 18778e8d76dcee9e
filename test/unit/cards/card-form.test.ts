import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { buildCard } from '../../../relay/cards/agent-card.ts';
import { cardForm, cardInForm, ownerOf, type CardForm, type FormRequest } from '../../../relay/cards/card-form.ts';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import { encodeCard03 } from '../../../relay/wire/a2a-0.3/card.ts';
import { assertAgentCard } from '../../support/a2a-1.0-schema.ts';
import { cardRelay, signerForTest } from '../../support/cards.ts';
import { newAgent } from '../../support/stores.ts';
import { reasonOf } from '../wire/refused.ts';

const plain: FormRequest = {
  isLegacyPath: false,
  header: undefined,
  query: undefined,
  format: undefined,
  strict: false,
};

describe('the form of a card', () => {
  test.each<[string, Partial<FormRequest>, CardForm]>([
    ['nothing is said', {}, 'hybrid'],
    ['an empty version is', { header: '', query: ' ' }, 'hybrid'],
    ['1.0 is asked for', { header: '1.0' }, '1.0'],
    ['1.0 and a patch number are', { header: '1.0.1' }, '1.0'],
    ['1.0 is, in the query', { query: '1.0' }, '1.0'],
    ['0.3 is', { header: '0.3' }, '0.3'],
    ['0.2 is', { header: '0.2.6' }, '0.3'],
    ['0.1 is', { query: '0.1' }, '0.3'],
    ['the header and the query differ', { header: '1.0', query: '0.3' }, '1.0'],
    ['it is an old address', { isLegacyPath: true }, '0.3'],
    ['it is an old address, whatever the version', { isLegacyPath: true, header: '1.0' }, '0.3'],
    ['the relay is strict', { strict: true }, '1.0'],
    ['the relay is strict, and 0.3 is asked for', { strict: true, header: '0.3' }, '0.3'],
    ['ours is asked for', { format: 'agentrelay' }, 'agentrelay'],
    [
      'ours is, at an old address and under a version',
      { format: 'agentrelay', isLegacyPath: true, header: '1.0' },
      'agentrelay',
    ],
  ])('when %s', (_, said, form) => {
    expect(cardForm({ ...plain, ...said })).toBe(form);
  });

  test.each<[string, Partial<FormRequest>, string]>([
    ['a version that nobody speaks', { header: '99.0' }, 'VERSION_NOT_SUPPORTED'],
    ['words', { query: 'latest' }, 'VERSION_NOT_SUPPORTED'],
    ['another format', { format: 'xml' }, 'INVALID_PARAMS'],
    ['two formats', { format: ['agentrelay', 'agentrelay'] }, 'INVALID_PARAMS'],
  ])('is refused for %s', (_, said, reason) => {
    expect(reasonOf(() => cardForm({ ...plain, ...said }))).toBe(reason);
  });
});

const alice = {
  ...newAgent('alice'),
  id: 4711,
  displayName: 'Alice',
  description: 'Frontend of the shop.',
  role: 'frontend',
  skills: ['react', 'Tailwind CSS'],
  repos: ['apps/web/', 'packages/ui/'],
  createdAt: 1,
  updatedAt: 2,
};
const url = 'https://relay.acme.example/a/alice';
const signed = signerForTest().sign(buildCard({ agent: alice, relay: cardRelay }), 'https://relay.acme.example/keys');
const inForm = (form: CardForm) => cardInForm(signed, ownerOf(alice, 'acme'), form);

/** What the models of a2a-python 0.3 and the rules of a2a-inspector want of a card. They ignore what they do not know. */
const reader03 = z.object({
  name: z.string().min(1),
  description: z.string().min(1),
  version: z.string().min(1),
  url: z.url({ protocol: /^https?$/ }),
  protocolVersion: z.string().regex(/^0\.3/),
  preferredTransport: z.enum(['JSONRPC', 'GRPC', 'HTTP+JSON']),
  additionalInterfaces: z.array(z.object({ url: z.url(), transport: z.enum(['JSONRPC', 'GRPC', 'HTTP+JSON']) })),
  capabilities: z.object({
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
    stateTransitionHistory: z.boolean(),
    extensions: z.array(z.object({ uri: z.string(), description: z.string(), required: z.boolean() })),
  }),
  supportsAuthenticatedExtendedCard: z.boolean(),
  securitySchemes: z.record(z.string(), z.object({ type: z.literal('http'), scheme: z.literal('bearer') })),
  security: z.array(z.record(z.string(), z.array(z.string()))).min(1),
  defaultInputModes: z.array(z.string()).min(1),
  defaultOutputModes: z.array(z.string()).min(1),
  skills: z
    .array(z.object({ id: z.string(), name: z.string(), description: z.string(), tags: z.array(z.string()) }))
    .min(1),
});

describe('a card', () => {
  test('in the form of 1.0 is exact to its schema', () => {
    expect(() => assertAgentCard(inForm('1.0'))).not.toThrow();
  });

  test.each(['0.3', 'hybrid'] as const)('in the form %s is all that readers of 0.3 want', (form) => {
    expect(reader03.parse(inForm(form))).toMatchObject({
      url,
      preferredTransport: 'JSONRPC',
      // HTTP+JSON is spoken in its 1.0 form alone
      additionalInterfaces: [{ url, transport: 'JSONRPC' }],
      supportsAuthenticatedExtendedCard: true,
      security: [{ bearer: [] }],
      capabilities: { extensions: [{ uri: EXTENSION_URI, required: false }] },
    });
  });

  test('in the form of 0.3 has nothing of 1.0 alone, and what 0.1 asks for', () => {
    const card = inForm('0.3');
    for (const name of ['supportedInterfaces', 'securityRequirements', 'signatures', 'id', 'metadata']) {
      expect(card).not.toHaveProperty(name);
    }
    expect(card).toMatchObject({ authentication: { schemes: ['Bearer'] } });
    expect(JSON.stringify(card)).not.toContain('httpAuthSecurityScheme');
  });

  test('in the hybrid form has every member of both, and nothing of one is lost', () => {
    const { securitySchemes: _new, capabilities: _caps, ...members10 } = signed;
    const { securitySchemes: _old, capabilities: _oldCaps, ...members03 } = encodeCard03(signed);
    expect(inForm('hybrid')).toMatchObject({
      ...members03,
      ...members10,
      capabilities: { ...signed.capabilities, stateTransitionHistory: false },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', httpAuthSecurityScheme: { scheme: 'Bearer' } },
      },
    });
  });

  test('in the hybrid form says what our own texts promise', () => {
    expect(inForm('hybrid')).toMatchObject({
      id: 'alice@acme',
      endpoint: url,
      auth: { type: 'api_key', in: 'header', name: 'Authorization' },
      metadata: { role: 'frontend', repos_owned: ['apps/web/', 'packages/ui/'] },
    });
  });

  test('in our own form has skills by name, and no signature, which would be over something else', () => {
    const card = inForm('agentrelay');
    expect(card).toMatchObject({ id: 'alice@acme', name: 'Alice', skills: ['react', 'Tailwind CSS'] });
    expect(card).not.toHaveProperty('signatures');
  });

  test.each(['1.0', '0.3', 'hybrid', 'agentrelay'] as const)(
    'in the form %s tells nothing of the agent itself',
    (form) => {
      const text = JSON.stringify(inForm(form));
      for (const secret of ['4711', alice.uid, 'append', '"listed"']) expect(text).not.toContain(secret);
    },
  );

  test('shows what it says of its role and repositories, and hides nothing in it', () => {
    const sly = { ...alice, role: 'a\u202Eb', repos: ['x\u0007/'], skills: ['\u001B[31mred'] };
    const card = JSON.stringify(cardInForm(signed, ownerOf(sly, 'acme'), 'agentrelay'));
    expect(card).toContain('a⟨U+202E⟩b');
    expect(card).toContain('x␇/');
    expect(card).toContain('␛[31mred');
  });
});
