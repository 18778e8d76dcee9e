import { AgentCard as SdkCard } from '@a2a-js/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCard, guideCard, type CardAgent } from '../../../relay/cards/agent-card.ts';
import type { AgentCard } from '../../../relay/contract/a2a.ts';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';

const relay = { name: 'acme', publicUrl: 'https://relay.acme.example', version: '1.2.3' };
const alice: CardAgent = {
  name: 'alice',
  displayName: 'Alice',
  description: 'Frontend of the shop.',
  role: 'frontend',
  skills: ['react', 'css'],
};

/** Every member that A2A 1.0.1 has in a card, and where: nothing else may appear (additionalProperties: false). */
const SCHEMA: Record<string, readonly string[]> = {
  '': [
    'name',
    'description',
    'supportedInterfaces',
    'provider',
    'version',
    'documentationUrl',
    'capabilities',
    'securitySchemes',
    'securityRequirements',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
    'signatures',
    'iconUrl',
  ],
  'supportedInterfaces[]': ['url', 'protocolBinding', 'tenant', 'protocolVersion'],
  provider: ['url', 'organization'],
  capabilities: ['streaming', 'pushNotifications', 'extensions', 'extendedAgentCard'],
  'capabilities.extensions[]': ['uri', 'description', 'required', 'params'],
  securitySchemes: ['bearer'],
  'securitySchemes.bearer': ['httpAuthSecurityScheme'],
  'securitySchemes.bearer.httpAuthSecurityScheme': ['description', 'scheme', 'bearerFormat'],
  'securityRequirements[]': ['schemes'],
  'securityRequirements[].schemes': ['bearer'],
  'securityRequirements[].schemes.bearer': ['list'],
  'skills[]': ['id', 'name', 'description', 'tags', 'examples', 'inputModes', 'outputModes', 'securityRequirements'],
};

/** Members of a value that the schema does not have, by path. */
function strayMembers(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => strayMembers(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const below = path === '' ? key : `${path}.${key}`;
    return SCHEMA[path]?.includes(key) ? strayMembers(member, below) : [below];
  });
}

/** Required strings and lists that are empty: the SDKs drop them, and signatures with them. */
function emptyRequired(card: AgentCard): string[] {
  const required: Record<string, string | readonly unknown[]> = {
    name: card.name,
    description: card.description,
    version: card.version,
    supportedInterfaces: card.supportedInterfaces,
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills,
  };
  for (const [i, skill] of card.skills.entries()) {
    Object.assign(required, {
      [`skill ${i} id`]: skill.id,
      [`skill ${i} name`]: skill.name,
      [`skill ${i} description`]: skill.description,
      [`skill ${i} tags`]: skill.tags,
    });
  }
  return Object.entries(required)
    .filter(([, value]) => value.length === 0)
    .map(([name]) => name);
}

describe.each([
  ['an agent', buildCard({ agent: alice, relay })],
  [
    'an agent of which only the name is known',
    buildCard({ agent: { ...alice, description: '', displayName: '', skills: [] }, relay }),
  ],
  ['the guide', guideCard(relay)],
])('the card of %s', (_, card) => {
  test('has no member that the schema does not have', () => {
    expect(strayMembers(card)).toEqual([]);
  });

  test('leaves nothing empty that is required', () => {
    expect(emptyRequired(card)).toEqual([]);
  });

  test('is understood whole by the official SDK', () => {
    const { securityRequirements, capabilities, ...rest } = card;
    const parsed = SdkCard.fromJSON(card);
    // What the SDK writes again lacks only what protobuf leaves out: empty lists and `false`.
    expect(SdkCard.toJSON(parsed)).toMatchObject(rest);
    expect(parsed.securityRequirements).toEqual(securityRequirements);
    expect(parsed.capabilities).toMatchObject(capabilities);
  });

  test('promises what this relay does, and no more', () => {
    expect(card.capabilities).toEqual({
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: true,
      extensions: [{ uri: EXTENSION_URI, description: expect.any(String), required: false }],
    });
  });

  test('asks for a bearer key', () => {
    expect(card.securityRequirements).toEqual([{ schemes: { bearer: { list: [] } } }]);
    expect(card.securitySchemes).toMatchObject({ bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } });
  });
});

describe('the card of an agent', () => {
  test('names the address where the agent is reached, with each binding and generation that is spoken there', () => {
    const url = 'https://relay.acme.example/a/alice';
    expect(buildCard({ agent: alice, relay }).supportedInterfaces).toEqual([
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ]);
  });

  test('has a skill for each that the agent names, once', () => {
    const card = buildCard({ agent: { ...alice, skills: ['react', 'css', 'react', ' '] }, relay });
    expect(card.skills.map(({ id, tags }) => ({ id, tags }))).toEqual([
      { id: 'react', tags: ['react', 'frontend'] },
      { id: 'css', tags: ['css', 'frontend'] },
    ]);
  });

  test('has the skill of taking handoffs when the agent names none', () => {
    const { role: _, ...withoutRole } = alice;
    const card = buildCard({ agent: { ...withoutRole, skills: [] }, relay });
    expect(card.skills.map(({ id, tags }) => ({ id, tags }))).toEqual([{ id: 'handoff', tags: ['handoff'] }]);
  });

  test('says what the agent adds of itself, and names its extensions behind ours', () => {
    const skills = [
      {
        id: 'review',
        name: 'Code review',
        description: 'Reads\nevery line.',
        tags: ['review'],
        examples: ['Look at #41'],
      },
    ];
    const wanted = { uri: 'urn:x:1', description: 'Needed.', required: true, params: { a: [1] } };
    const card = buildCard({
      agent: {
        ...alice,
        skills: ['Code review'],
        profile: {
          skills,
          iconUrl: 'https://acme.example/a.png',
          documentationUrl: 'https://acme.example/docs',
          inputModes: ['text/plain', 'image/png'],
          outputModes: ['text/markdown'],
          extensions: [wanted],
        },
      },
      relay,
    });
    expect(card).toMatchObject({
      skills,
      iconUrl: 'https://acme.example/a.png',
      documentationUrl: 'https://acme.example/docs',
      defaultInputModes: ['text/plain', 'image/png'],
      defaultOutputModes: ['text/markdown'],
    });
    expect(card.capabilities.extensions).toMatchObject([{ uri: EXTENSION_URI, required: false }, wanted]);
    expect(strayMembers(card).filter((path) => !path.startsWith('capabilities.extensions[].params'))).toEqual([]);
  });

  test('tells nothing that an agent has beyond its public description', () => {
    const stored = {
      ...alice,
      id: 4711,
      uid: 'b5a2c5a2-4b1f-4a5e-8f0a-1d2c3b4a5f60',
      kind: 'desk' as const,
      replies: 'append' as const,
      repos: ['git@git.acme.example:secret/shop.git'],
      listed: false,
      createdAt: 1,
      updatedAt: 2,
    };
    const text = JSON.stringify(buildCard({ agent: stored, relay }));
    for (const secret of ['4711', stored.uid, 'secret/shop', 'append', 'listed']) expect(text).not.toContain(secret);
  });

  test('hides nothing in its texts, each of which is one line', () => {
    const card = buildCard({
      agent: {
        ...alice,
        displayName: 'A\u202Elice\u0007',
        description: 'one\ntwo \uD800',
        skills: ['\u001B[31mred'],
      },
      relay,
    });
    expect(card.name).toBe('A\u27E8U+202E\u27E9lice\u2407');
    expect(card.description).toBe('one two \uFFFD');
    expect(card.skills[0]?.name).toBe('\u241B[31mred');
  });

  test('is schema-exact and complete whatever an agent says of itself', () => {
    const text = fc.string({ unit: 'binary' });
    const agent = fc.record({
      name: fc.constant('alice'),
      displayName: text,
      description: text,
      role: text,
      skills: fc.array(text, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(agent, (described) => {
        const card = buildCard({ agent: described, relay });
        expect(strayMembers(card)).toEqual([]);
        expect(emptyRequired(card)).toEqual([]);
        expect(JSON.stringify(card)).not.toMatch(/\\u00[01]|\\ud[89a-f]/);
        expect(new Set(card.skills.map((skill) => skill.id)).size).toBe(card.skills.length);
      }),
    );
  });
});

test('the guide answers at the relay-wide endpoint', () => {
  expect(guideCard(relay).supportedInterfaces[0]?.url).toBe('https://relay.acme.example/a2a');
});
